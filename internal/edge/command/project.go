package command

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	slashpath "path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/rollout"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/edge/overlay"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/spelling"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// projectFile is the name by which commands find a project file.
const projectFile = ".pillion.yaml"

// project is the project file of a run.
type project struct {
	engine.Project
	path     string // as the user would write it; empty if there is none
	dir      string // the real path of its directory
	working  string // that of the working directory
	rollouts map[string]*rollout.Rollout
	isWhole  bool // whether the run is on everything that it names
	declared kustomizations
	roots    map[string][]string // the directories of kustomizations, by the files that they are built from
	sources  map[source][]string // these files, by what the kustomizations build of them
	inFiles  map[finding.Object]*outcome.Workload
}

// source is an object that a kustomization builds on. Without a name, it stands for all of them.
type source struct{ root, kind, name string }

// kustomizations are what the project says about those of the repository.
type kustomizations struct {
	roots, inNoRoot []files.Kustomization
	passed          []files.Passed
	coveredBy       map[int]bool // the rows of covered, by their indexes, that accept one that is in no root
}

func (in *input) addProjectFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&in.projectPath, "project", "",
		"`FILE` that says what to run on, or '' for none (default: "+projectFile+" here or above, up to the root of the "+
			"repository, unless -c, -f, -k or an argument is given)")
}

// openProject reads the project file of a run: the one that is named, or if nothing says what to run on, the one that
// is found.
func (in *input) openProject(ctx context.Context, cmd *cobra.Command, args []string) error {
	path := in.projectPath
	hasInput := len(in.configs)+len(in.paths)+len(in.kustomizations)+len(args) > 0
	if !cmd.Flags().Changed("project") && !hasInput && !in.audits {
		var err error
		if path, err = findProject(files.RealPath(".")); err != nil {
			return err
		}
	}
	if path == "" {
		return nil
	}
	text, err := files.ReadRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--project: %w", files.Missing(path))
	}
	if err != nil {
		return err
	}
	read, findings := engine.ReadProject(finding.Source{File: path, Text: text})
	p := project{Project: read, path: path, dir: files.RealPath(filepath.Dir(path)), working: files.RealPath(".")}
	needsConfigs := len(in.configs)+len(in.injectors) == 0
	if !needsConfigs {
		p.Configs = nil // they may be gone, as after a removal by name
	}
	if len(findings) == 0 {
		findings = p.checkPaths(in.audits)
	}
	if len(findings) == 0 && len(p.Kustomizations) > 0 && !in.audits {
		findings, err = p.findKustomizations(ctx, in.exclude)
		if err != nil {
			return err
		}
	}
	if err := in.writeFindings(cmd.ErrOrStderr(), findings); err != nil {
		return err
	}
	if !in.quiet {
		fmt.Fprintln(cmd.ErrOrStderr(), escape.Line("project: "+path))
	}
	p.rollouts = rollout.New(p.Project.Project)
	in.project = p
	if needsConfigs {
		in.recursive = true
		in.configs = p.paths(p.Configs)
		if len(in.configs) == 0 {
			in.configs = p.paths([]string{defaultConfig})
			if !exists(in.configs[0]) {
				return fmt.Errorf("there is no %s beside %s; name the config there under configs (pillion init writes one)",
					defaultConfig, path)
			}
		}
	}
	return nil
}

// findProject returns the path of the project file in a directory, which is a real path, or above it, up to the root of
// the repository, or "". It is relative to the directory.
func findProject(dir string) (string, error) {
	root := cmp.Or(files.Repository(dir), dir)
	for at := dir; ; at = filepath.Dir(at) {
		path := filepath.Join(at, projectFile)
		info, err := os.Lstat(path)
		switch {
		case err == nil && !info.Mode().IsRegular(): // which may lead to a file of somebody else
			return "", fmt.Errorf("%s is a link or no regular file, and not taken for the project file by itself; "+
				"name a file with --project", path)
		case err == nil:
			return filepath.Rel(dir, path)
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		if err := refuseMisnamed(dir, at); err != nil || at == root {
			return "", err
		}
	}
}

// refuseMisnamed returns an error for a project file in a directory with a name by which no command finds it. It names
// the file as seen from another one.
func refuseMisnamed(from, dir string) error {
	for _, name := range []string{".pillion.yml", "pillion.yaml", "pillion.yml"} {
		path := filepath.Join(dir, name)
		text, err := files.ReadRegular(path)
		if err == nil && bytes.Contains(text, []byte("kind: "+v1alpha1.ProjectKind)) {
			shown, _ := filepath.Rel(from, path) // it is above
			return fmt.Errorf("%s is a project file, and not found by this name; did you mean %s? "+
				"Rename it, or name it with --project", shown, projectFile)
		}
	}
	return nil
}

// checkPaths returns an error for each path that does not exist, or leads out of the repository, also through links. An
// audit uses only those of configs, and may run where the others are not.
func (p *project) checkPaths(audits bool) []finding.Finding {
	root := p.repository()
	var findings []finding.Finding
	check := func(field string, paths []string) {
		for i, declared := range paths {
			path := filepath.Join(p.dir, declared)
			field := fmt.Sprintf("%s[%d]", field, i)
			inside, err := filepath.Rel(root, files.RealPath(path))
			if err != nil || !filepath.IsLocal(inside) {
				findings = append(findings, p.Problem(field,
					fmt.Sprintf("%q leads out of the repository; write a path in it", declared)))
			} else if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
				findings = append(findings, p.Problem(field,
					fmt.Sprintf("there is no file or directory %q; write one that is there", declared)))
			}
		}
	}
	check("configs", p.Configs)
	if audits {
		return findings
	}
	check("files", p.Files)
	var bases []string // the directories in which globs are matched
	for _, glob := range p.Kustomizations {
		base, _ := files.SplitGlob(glob)
		bases = append(bases, base)
	}
	check("kustomizations", bases)
	isGlob := func(path string) bool { return strings.ContainsAny(path, `*?[\`) }
	for i, r := range p.Rollouts { // what is misspelt would choose nothing
		for j, part := range r.To {
			at := fmt.Sprintf("rollouts[%d].to[%d].", i, j)
			check(at+"files", slices.DeleteFunc(slices.Clone(part.Files), isGlob))
			check(at+"kustomizations", slices.DeleteFunc(slices.Clone(part.Kustomizations), isGlob))
		}
	}
	var above []string // what is excluded may be a link that leads out
	for _, path := range p.Exclude {
		path = filepath.Clean(path)
		if firstStar := strings.IndexAny(path, `*?[`); firstStar >= 0 {
			path = path[:firstStar]
		}
		dir, _ := filepath.Split(path)
		above = append(above, dir)
	}
	check("exclude", above)
	return findings
}

// repository returns the directory that paths of the project must not lead out of: its real path.
func (p *project) repository() string { return cmp.Or(files.Repository(p.dir), p.dir) }

// findKustomizations finds the kustomizations that the project declares, and those of its directory that are no root and
// in none. Each match is a root, whatever other files say, unless the project or a flag excludes it.
func (p *project) findKustomizations(ctx context.Context, exclude []string) ([]finding.Finding, error) {
	dir := p.paths([]string{"."})[0]
	search, err := files.NewSearch(ctx, dir, append(p.paths(p.Exclude), exclude...))
	if err != nil {
		return nil, err
	}
	defer search.Close()
	var findings []finding.Finding
	bare := make([][]string, len(p.Kustomizations))
	for i, glob := range p.Kustomizations {
		match, err := search.Match(dir, glob)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		message := ""
		bare[i] = slices.DeleteFunc(match.Bare, p.reads)
		switch _, patterns := files.SplitGlob(glob); {
		case err != nil:
			message = err.Error()
		case len(match.Kustomizations) > 0 || match.IsExcluded:
		case len(patterns) > 0:
			message = fmt.Sprintf("no directory with a kustomization matches %q; correct it, or remove it", glob)
		default:
			message = fmt.Sprintf("there is no kustomization in %q; write the directory of one, "+
				"or %q for all at and below it", glob, slashpath.Join(glob, "**"))
		}
		if message != "" {
			findings = append(findings, p.Problem(fmt.Sprintf("kustomizations[%d]", i), message))
		}
		p.declared.roots = append(p.declared.roots, match.Kustomizations...)
	}
	if len(findings) > 0 {
		return findings, nil
	}
	p.declared.passed = slices.Clone(search.Passed())
	all, err := search.Below(dir)
	if err != nil {
		return nil, err
	}
	isUsed, err := search.Used(p.declared.roots)
	if err != nil {
		return nil, err
	}
	p.declared.inNoRoot = p.withoutCovered(files.Unused(all, isUsed))
	for i, dirs := range bare {
		has, err := p.findBare(ctx, dirs, append(p.paths(p.Exclude), exclude...), isUsed)
		if err != nil {
			return nil, err
		}
		if has != "" {
			findings = append(findings, p.Problem(fmt.Sprintf("kustomizations[%d]", i), has+" is in a directory that "+
				"matches and has no kustomization; add one, or name the directory under files or exclude"))
		}
	}
	return findings, nil
}

// findBare returns the first file in directories from which a controller may make something, and that no kustomization of
// isUsed is in the directory of or above; or "".
func (p *project) findBare(
	ctx context.Context, dirs, exclude []string, isUsed map[string]bool,
) (string, error) {
	isGiven := map[string]bool{}
	for _, dir := range dirs {
		isGiven[dir] = true
	}
	isIn := func(path string, all map[string]bool) bool {
		for path != filepath.Dir(path) && !all[path] {
			path = filepath.Dir(path)
		}
		return all[path]
	}
	outer := slices.DeleteFunc(dirs, func(dir string) bool { return isIn(filepath.Dir(dir), isGiven) })
	reader := files.Reader{Recursive: true, Complete: true, Exclude: exclude, Take: files.Manifests}
	found, err := reader.Read(ctx, outer)
	if err != nil {
		return "", err
	}
	var paths []string
	for _, file := range found.Files {
		paths = append(paths, file.Path)
	}
	for _, m := range found.Makers {
		paths = append(paths, m.File.Path)
	}
	repository := map[string]bool{p.repository(): true}
	for _, passed := range found.Passed {
		target, err := filepath.EvalSymlinks(passed.Path)
		isOutside := passed.Why == files.LinkOut && (err != nil || !isIn(files.RealPath(target), repository))
		if passed.Why != files.Excluded && !isOutside && mayBeApplied(passed) {
			paths = append(paths, passed.Path)
		}
	}
	for _, path := range paths {
		if !p.reads(path) && !isIn(files.RealPath(filepath.Dir(path)), isUsed) {
			return path, nil
		}
	}
	return "", nil
}

// reads reports whether a directory, as seen from the working directory, is among the files of the project.
func (p *project) reads(dir string) bool {
	return slices.ContainsFunc(p.paths(p.Files), func(path string) bool {
		inside, err := filepath.Rel(path, dir)
		return err == nil && filepath.IsLocal(inside)
	})
}

// declaredKustomizations returns the roots of the project, and what is excluded of them.
func (p *project) declaredKustomizations(context.Context) ([]files.Kustomization, []files.Passed, error) {
	return p.declared.roots, p.declared.passed, nil
}

// writeInNoRoot writes how many kustomizations of the project are no root and in none.
func (in *input) writeInNoRoot(w io.Writer) {
	all := in.project.declared.inNoRoot
	if in.quiet || len(all) == 0 {
		return
	}
	hint := "; -v lists them"
	if in.verbose {
		hint = ""
		for _, k := range all {
			fmt.Fprintln(w, escape.Line("in no root: "+k.Path))
		}
	}
	text := "1 kustomization is"
	if len(all) > 1 {
		text = fmt.Sprintf("%d kustomizations are", len(all))
	}
	fmt.Fprintf(w, "%s in no root%s\n", text, hint)
}

// paths returns paths of the project as seen from the working directory.
func (p *project) paths(relative []string) []string {
	var all []string
	for _, each := range relative {
		path := filepath.Join(p.dir, each)
		if shown, err := filepath.Rel(p.working, path); err == nil {
			path = shown
		}
		all = append(all, path)
	}
	return all
}

// useProject makes the run one on what the project names, unless flags name something.
func (in *input) useProject(cmd *cobra.Command, args []string) error {
	p := &in.project
	if p.path == "" {
		return nil
	}
	in.defaultNamespace = cmp.Or(in.defaultNamespace, p.DefaultNamespace)
	switch {
	case len(in.paths)+len(in.kustomizations)+len(args) > 0:
		return nil
	case in.removes && len(in.injectors) == 0:
		return fmt.Errorf("this would remove all sidecars from all manifests of %s; say which with --injector NAME, "+
			"or from what with -f", p.path)
	}
	p.isWhole = true
	in.recursive = true
	if p.LoadRestrictor == v1alpha1.LoadRestrictorNone && !cmd.Flags().Changed("load-restrictor") {
		in.restrictor.value = noRestrictions
	}
	in.paths = p.paths(p.Files)
	if !in.changes { // what is built is in no file
		in.kustomizations = p.paths(p.Kustomizations)
	}
	if len(in.paths)+len(in.kustomizations) == 0 {
		return fmt.Errorf("%s names nothing to run on; add files to it, "+
			"or for diff, explain and verify, kustomizations", p.path)
	}
	return nil
}

// excluded returns what flags and the project exclude.
func (in *input) excluded() []string {
	return append(in.project.paths(in.project.Exclude), in.exclude...)
}

// rollingOut returns the config with the rollouts of the project. A removal takes out everything.
func (in *input) rollingOut(config engine.Config) engine.Config {
	if in.removes || len(in.project.rollouts) == 0 {
		return config
	}
	return config.RollingOut(in.project.includes)
}

// includes is the engine.Rollout of the project.
func (p *project) includes(
	injector string, of engine.Origin, object *finding.Object, workload *node.Node,
) (bool, error) {
	r := p.rollouts[injector]
	if r == nil {
		return true, nil
	}
	w := rollout.Workload{Namespace: object.Namespace, Labels: node.Map(workload, "metadata", "labels")}
	switch {
	case of.Root != "":
		root := p.inside(of.Root)
		w.Roots = []string{root}
		for _, w.File = range p.sourcesOf(root, object) {
			if isIn, err := r.Includes(w); isIn || err != nil {
				return isIn, err
			}
		}
	case of.File != "" && of.File != files.Stdin:
		w.File = p.inside(of.File)
		w.Roots = p.roots[w.File]
	}
	return r.Includes(w)
}

// sourcesOf returns the files in which a kustomization has an object of that kind and name. A patch or a prefix may have
// renamed any of its objects: without one of the name, these are all files. What one of them is rolled out to counts.
func (p *project) sourcesOf(root string, object *finding.Object) []string {
	if named := p.sources[source{root, object.Kind, object.Name}]; len(named) > 0 {
		return named
	}
	return p.sources[source{root: root}]
}

// inside returns a path as the project writes it.
func (p *project) inside(path string) string {
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.working, path)
	}
	inside, _ := filepath.Rel(p.dir, path) // nothing on another drive is in the project
	return filepath.ToSlash(inside)
}

// unknownInjectors returns an error for each rollout of an injector that no config declares.
func (p *project) unknownInjectors(names []string) []finding.Finding {
	var findings []finding.Finding
	for i, r := range p.Rollouts {
		if slices.Contains(names, r.Injector) {
			continue
		}
		message := fmt.Sprintf("no config declares an injector %q", r.Injector)
		if near := spelling.Nearest(r.Injector, names); near != "" {
			message += "; did you mean " + near + "?"
		}
		findings = append(findings, p.Problem(fmt.Sprintf("rollouts[%d].injector", i), message))
	}
	return findings
}

// unusedParts returns an error for each entry of a rollout that chooses no workload.
func (p *project) unusedParts() []finding.Finding {
	var findings []finding.Finding
	for i, r := range p.Rollouts {
		for _, unused := range p.rollouts[r.Injector].Unused() {
			findings = append(findings, p.Problem(fmt.Sprintf("rollouts[%d].to[%d]", i, unused),
				"this entry chooses no workload; correct it, or remove it"))
		}
	}
	return findings
}

// checkRollouts checks what is only known after a run on everything that the project names. What changes files does not
// look at what kustomizations build, and a removal by name not at all injectors. With a misspelt rollout, a removal of
// what it does not choose would take out everything.
func (in *input) checkRollouts(run *outcome.Run) {
	isPart := in.changes && len(in.project.Kustomizations)+len(in.injectors) > 0
	if in.project.isWhole && !isPart && !finding.HasError(run.General) { // after which not all may have been looked at
		run.General = append(run.General, in.project.unusedParts()...)
	}
}

// learnRoots finds out which files the kustomizations of the project are built from, for rollouts that choose by them.
func (in *input) learnRoots() {
	p := &in.project
	if len(p.Rollouts) == 0 || len(p.Kustomizations) == 0 {
		return
	}
	p.roots = map[string][]string{}
	p.sources = map[source][]string{}
	objects := map[string][]*manifest.Item{} // by file
	disk := in.newBuilder(nil, engine.Config{}).Disk
	choices := p.choices()
	for _, k := range p.declared.roots {
		root := p.inside(filepath.Dir(k.Path))
		isKnown := map[string]bool{}
		for _, path := range disk.Contents(filepath.Dir(k.Path)).Files {
			file := p.inside(path)
			p.roots[file] = append(p.roots[file], root)
			if _, isRead := objects[path]; !isRead {
				text, _ := disk.ReadFile(path) // what cannot be read cannot be built, which is said elsewhere
				objects[path], _ = files.File{Text: text}.Items()
			}
			all := []source{}
			if matching := matchingOf(choices, file); !isKnown[matching] {
				isKnown[matching] = true
				all = append(all, source{root: root})
			}
			for _, object := range objects[path] {
				all = append(all, source{root, object.Kind, object.Name})
			}
			for _, each := range all {
				p.sources[each] = append(p.sources[each], file)
			}
		}
	}
}

// choices returns the globs of files of each entry of rollouts.
func (p *project) choices() (all []rollout.Globs) {
	for _, r := range p.Rollouts {
		for _, to := range r.To {
			all = append(all, rollout.NewGlobs(to.Files...))
		}
	}
	return all
}

// matchingOf returns which entries of rollouts choose a file. Files for which these are the same are alike.
func matchingOf(choices []rollout.Globs, file string) string {
	var all []byte
	for _, globs := range choices {
		all = strconv.AppendBool(all, globs.Match(file))
	}
	return string(all)
}

// noteFiles notes the workloads in files of the project, to know them again in what kustomizations build.
func (p *project) noteFiles(all []*outcome.Workload) {
	p.inFiles = map[finding.Object]*outcome.Workload{}
	for _, w := range all {
		p.inFiles[w.Object] = w
	}
}

// find returns the workload in a file that has the name of a built one, or nil.
func (p *project) find(built finding.Object) *outcome.Workload {
	if w := p.inFiles[built]; w != nil {
		return w
	}
	built.Namespace = ""
	return p.inFiles[built]
}

// dropSame removes the workloads from what became of a root that are in files with the same result.
func (p *project) dropSame(root *overlay.Root) {
	if len(root.Edits) == 0 {
		return
	}
	rest := root.Edits[0]
	var edits []edit.Edit
	var workloads []*outcome.Workload
	for _, w := range root.Run.Workloads {
		count := 0
		if w.IsWritten {
			count = len(w.Edits)
		}
		own := rest[:count]
		rest = rest[count:]
		if file := p.find(w.Object); file == nil || !isAlike(file, w) {
			workloads = append(workloads, w)
			edits = append(edits, own...)
		}
	}
	root.Run.Workloads = workloads
	root.Edits = [][]edit.Edit{edits}
}

// isAlike reports whether a run decided the same about a workload in a file and what is built of it, for the same
// reasons, and found no other problem in what is built.
func isAlike(file, built *outcome.Workload) bool {
	isSame := func(a, b *outcome.Outcome) bool {
		return a.Decision == b.Decision && a.Reason == b.Reason && a.WasMissing == b.WasMissing
	}
	isKnown := map[finding.Code]bool{}
	for _, f := range file.Findings() {
		isKnown[f.Code] = true
	}
	isNew := func(f finding.Finding) bool { return f.Severity >= finding.Warning && !isKnown[f.Code] }
	return file.Decision() == built.Decision() && slices.EqualFunc(file.Outcomes, built.Outcomes, isSame) &&
		!slices.ContainsFunc(built.Findings(), isNew)
}

package files

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
)

// maxKustomizationBytes bounds a kustomization, and a Chart.yaml. A larger kustomization is one that cannot be read.
const maxKustomizationBytes = 1 << 20

// Kustomization is a kustomization of a tree.
type Kustomization struct {
	// Path is that of its file, as the user would write it.
	Path string
	// Uses are the real paths of the files and directories that it lists as resources, bases and components.
	Uses []string
	// IsNamed is whether a glob without wildcards names its directory.
	IsNamed bool
}

// Roots returns the kustomizations that no other one uses, and one of each circle that none of these reaches. The others
// are passed over, each by the first one that uses it. A component that nothing uses is a root: if it were none, anybody
// could hide a kustomization by making it one.
func Roots(all []Kustomization) (roots []Kustomization, others []Passed) {
	inDir := map[string]Kustomization{}
	users := map[string]string{} // the path of the first one that uses a file or directory
	for _, k := range all {
		inDir[k.dir()] = k
		for _, used := range k.Uses {
			if _, isUsed := users[used]; !isUsed {
				users[used] = k.Path
			}
		}
	}
	isReached := map[string]bool{}
	var reach func(dir string)
	reach = func(dir string) {
		if isReached[dir] {
			return
		}
		isReached[dir] = true
		for _, used := range inDir[dir].Uses {
			reach(used)
		}
	}
	isRoot := map[string]bool{}
	for _, isInCircle := range []bool{false, true} {
		for _, k := range all {
			dir := k.dir()
			if _, isUsed := users[dir]; !isReached[dir] && isUsed == isInCircle {
				isRoot[dir] = true
				reach(dir)
			}
		}
	}
	for _, k := range all {
		if isRoot[k.dir()] {
			roots = append(roots, k)
		} else {
			others = append(others, Passed{Path: k.Path, Why: UsedByOthers, By: users[k.dir()]})
		}
	}
	return roots, others
}

func (k Kustomization) dir() string { return RealPath(filepath.Dir(k.Path)) }

// kustomization has the fields of kustomize's own type that name files and directories.
type kustomization struct {
	Resources  []string `json:"resources"`
	Bases      []string `json:"bases"`
	Components []string `json:"components"`

	Patches               []filePath `json:"patches"`
	PatchesJSON6902       []filePath `json:"patchesJson6902"`
	PatchesStrategicMerge []string   `json:"patchesStrategicMerge"`

	Configurations     []string          `json:"configurations"`
	Crds               []string          `json:"crds"`
	Generators         []string          `json:"generators"`
	Transformers       []string          `json:"transformers"`
	Validators         []string          `json:"validators"`
	OpenAPI            map[string]string `json:"openapi"`
	Replacements       []filePath        `json:"replacements"`
	ConfigMapGenerator []dataFiles       `json:"configMapGenerator"`
	SecretGenerator    []dataFiles       `json:"secretGenerator"`
	HelmCharts         []chartFiles      `json:"helmCharts"`

	HelmChartInflationGenerator []olderChart `json:"helmChartInflationGenerator"`
}

type filePath struct {
	Path string `json:"path"`
}

type dataFiles struct {
	Name  string   `json:"name"`
	Files []string `json:"files"`
	Envs  []string `json:"envs"`
	Env   string   `json:"env"`
}

type chartFiles struct {
	Name                  string   `json:"name"`
	Repo                  string   `json:"repo"`
	ValuesFile            string   `json:"valuesFile"`
	AdditionalValuesFiles []string `json:"additionalValuesFiles"`
}

type olderChart struct {
	ChartName    string `json:"chartName"`
	ChartRepoURL string `json:"chartRepoUrl"`
}

// resources returns the manifests that a kustomization lists, and the directories with other kustomizations.
func (k *kustomization) resources() []string {
	return slices.Concat(k.Resources, k.Bases, k.Components)
}

// patches returns the files of patches. A patch that is written in place of its path is among them, and there is no
// such file.
func (k *kustomization) patches() []string {
	paths := slices.Clone(k.PatchesStrategicMerge)
	for _, patch := range slices.Concat(k.Patches, k.PatchesJSON6902) {
		paths = append(paths, patch.Path)
	}
	return paths
}

// inputs returns the files that other fields use.
func (k *kustomization) inputs() []string {
	paths := slices.Concat(k.Generators, k.Transformers, k.Validators, k.Configurations, k.Crds)
	paths = append(paths, k.OpenAPI["path"])
	for _, replacement := range k.Replacements {
		paths = append(paths, replacement.Path)
	}
	for _, data := range slices.Concat(k.ConfigMapGenerator, k.SecretGenerator) {
		paths = append(paths, data.Env)
		paths = append(paths, data.Envs...)
		for _, file := range data.Files { // it may have a key: config.yaml=files/a.yaml
			key, name, hasKey := strings.Cut(file, "=")
			if !hasKey {
				name = key
			}
			paths = append(paths, name)
		}
	}
	for _, chart := range k.HelmCharts {
		paths = append(paths, chart.ValuesFile)
		paths = append(paths, chart.AdditionalValuesFiles...)
	}
	return paths
}

// readKustomization reads the kustomization with a name in a tree, and adds what it uses. What cannot be read is passed
// over with the problem.
func (t *tree) readKustomization(name string, isIgnored bool) {
	r := t.run
	at := t.location(name)
	if wasIgnored, isRead := r.kustomizations[at]; isRead && (isIgnored || !wasIgnored) {
		return
	}
	info, err := t.root.Stat(name)
	if err != nil || info.IsDir() || r.excluded.match(at) {
		return // the walk passes over a link out of the tree
	}
	k, err := t.decodeKustomization(name)
	if _, isRead := r.kustomizations[at]; !isRead {
		t.addRemotes(name, &k) // also if it is ignored
	}
	r.kustomizations[at] = isIgnored
	if err != nil {
		r.passOver(Passed{Path: t.path(name), Why: Unreadable, Problem: err})
	}
	dir := filepath.Dir(at)
	resources := existing(dir, k.resources())
	for _, path := range resources {
		r.addResource(path, isIgnored)
	}
	if !isIgnored {
		r.found.Kustomizations = append(r.found.Kustomizations, newKustomization(t.path(name), resources))
	}
	if err != nil || isIgnored { // then it leaves nothing out
		return
	}
	r.kustomized[dir] = true
	for _, data := range k.ConfigMapGenerator {
		r.found.Generated = append(r.found.Generated, finding.Object{Kind: "ConfigMap", Name: data.Name})
	}
	for _, data := range k.SecretGenerator {
		r.found.Generated = append(r.found.Generated, finding.Object{Kind: "Secret", Name: data.Name})
	}
	for _, path := range existing(dir, k.patches()) {
		r.used[RealPath(path)] = &Passed{Why: KustomizePatch, By: t.path(name)}
	}
	for _, path := range existing(dir, k.inputs()) {
		r.used[RealPath(path)] = &Passed{Why: KustomizeInput, By: t.path(name)}
	}
}

// decodeKustomization reads the kustomization with a name in a tree.
func (t *tree) decodeKustomization(name string) (kustomization, error) {
	var k kustomization
	text, err := readRegular(t.root.OpenFile, name, maxKustomizationBytes)
	if err == nil {
		err = DecodeKustomization(text, &k)
	}
	return k, err
}

func newKustomization(file string, resources []string) Kustomization {
	k := Kustomization{Path: file}
	for _, resource := range resources {
		k.Uses = append(k.Uses, RealPath(resource))
	}
	return k
}

// existing returns the absolute paths of the files and directories that a kustomization in a directory names, in order
// and once. URLs, and patches that are written in place of their paths, are not among them.
func existing(dir string, paths []string) []string {
	var absolute []string
	for _, path := range paths {
		isRemote := IsRemote(dir, path)
		path = filepath.FromSlash(path)
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if !isRemote {
			absolute = append(absolute, path)
		}
	}
	slices.Sort(absolute)
	return slices.DeleteFunc(slices.Compact(absolute), func(path string) bool {
		_, err := os.Lstat(path)
		return err != nil
	})
}

// addResource adds a resource of a kustomization by its own name and by that of a symbolic link to it. It is a
// manifest, even if it is ignored and its kustomization is not.
func (r *reading) addResource(file string, isIgnored bool) {
	target := RealPath(file)
	isResource, isKnown := r.resources[target]
	if !isKnown || !isResource && !isIgnored {
		r.listed = append(r.listed, target)
	}
	r.resources[target] = isResource || !isIgnored
	r.resources[location(file)] = r.resources[target]
}

// isListed reports whether a kustomization lists a file as a resource.
func (r *reading) isListed(file *candidate) bool {
	at := file.tree.location(file.name)
	_, isListed := r.resources[at]
	if file.isLink() && !isListed {
		_, isListed = r.resources[RealPath(at)]
	}
	return isListed
}

// isBelowKustomization reports whether a file is in the directory of a kustomization, or below.
func (r *reading) isBelowKustomization(file *candidate) bool {
	at := file.tree.location(file.name)
	for dir := filepath.Dir(at); dir != at; dir = filepath.Dir(dir) {
		if r.kustomized[dir] {
			return true
		}
		at = dir
	}
	return false
}

// addListed adds what kustomizations list and the walk has not found, because it is in a directory that is ignored, or
// does not have the name of a manifest.
func (r *reading) addListed() {
	for i := 0; i < len(r.listed); i++ { //nolint:intrange // it grows
		isIgnored := !r.resources[r.listed[i]]
		for _, t := range r.trees {
			name, isWalked := t.walkedName(r.listed[i])
			info, err := t.root.Stat(name)
			switch {
			case !isWalked || err != nil:
			case info.IsDir():
				t.readKustomizations(name, isIgnored)
			case !r.excluded.match(r.listed[i]):
				r.addCandidate(&candidate{tree: t, name: name, kind: info.Mode().Type(), isIgnored: isIgnored})
			}
		}
	}
}

// readKustomizations reads the kustomization in a directory of a tree.
func (t *tree) readKustomizations(dir string, isIgnored bool) {
	for _, file := range Kustomizations() {
		name := path.Join(dir, file)
		if _, isWalked := t.walkedName(t.location(name)); isWalked {
			t.readKustomization(name, isIgnored)
		}
	}
}

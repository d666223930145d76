package test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// overlayCase is a file of testdata/overlays: a tree with kustomizations, and what is expected of each root. Its comment
// begins with the claim, in one line. Each other line of it is about a directory:
//
//	overlay: right
//	overlay: wrong overlay/patch.yaml:3 initContainers/0
//
// The words are those of verdicts. After wrong there may be the place of the PatchedAway, and a text in its message.
// The tree also has the files of testdata/overlays/shared, without the base if it has one of its own. All files of the
// tree are injected before anything is built, unless there is a line "inject: none".
type overlayCase struct {
	claim  string
	tree   string // the directory that is verified as a whole
	inject string // the directory whose files are injected, or none
	files  string // none if the tree has no manifests to verify
	flags  []string
	roots  []overlayRoot
}

type overlayRoot struct {
	dir, verdict string
	place, words string
}

// verdicts are what verify -k DIR finds.
var verdicts = map[string]struct {
	exitCode int
	isRoot   bool // with -R
}{
	"right": {0, true},
	"wrong": {1, true},  // PatchedAway
	"stale": {1, true},  // because the base is; once that is injected, it is wrong
	"moves": {1, true},  // but only within a container, which is no error of the files
	"apart": {1, true},  // it is not selected as the base is, which is no error of the files
	"fails": {2, true},  // it does not build
	"used":  {0, false}, // by another kustomization; it is right
	"worse": {1, false}, // by another kustomization; it is wrong
	"stray": {1, false}, // outside of the tree; it is wrong
}

func TestOverlays(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "overlays", "*.txtar"))
	if err != nil || len(files) < 45 {
		t.Fatalf("%d cases, %v", len(files), err)
	}
	kustomize := kustomize(t)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			test := readOverlayCase(t, string(archive.Comment))
			dir := t.TempDir()
			writeTree(t, dir, archive)
			warned := ""
			if test.inject != "none" {
				args := append([]string{"inject", "-v", "-i", "-c", "injector.yaml", "-f", test.inject, "-R"}, test.flags...)
				warned = mustRun(t, dir, "", "pillion", args...).stderr
			}
			for _, root := range test.roots {
				test.checkRoot(t, dir, kustomize, root)
			}
			test.checkTree(t, dir, warned)
		})
	}
}

func readOverlayCase(t *testing.T, comment string) overlayCase {
	t.Helper()
	claim, rest, _ := strings.Cut(comment, "\n")
	test := overlayCase{claim: claim, tree: ".", inject: "."}
	for line := range strings.Lines(strings.TrimSpace(rest)) {
		key, value, found := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case !found:
			t.Fatalf("the line %q has no colon", line)
		case key == "tree":
			test.tree = value
		case key == "inject":
			test.inject = value
		case key == "files":
			test.files = value
		case key == "flags":
			test.flags = strings.Fields(value)
		default:
			verdict, rest, _ := strings.Cut(value, " ")
			place, words, _ := strings.Cut(rest, " ")
			if _, ok := verdicts[verdict]; !ok {
				t.Fatalf("there is no verdict %q", verdict)
			}
			test.roots = append(test.roots, overlayRoot{key, verdict, place, words})
		}
	}
	if !strings.HasSuffix(claim, ".") || len(test.roots) == 0 {
		t.Fatal("the comment needs a claim, which is a sentence, and a root")
	}
	return test
}

func writeTree(t *testing.T, dir string, archive *txtar.Archive) {
	t.Helper()
	hasBase := slices.ContainsFunc(archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "base/") })
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "overlays", "shared"))); err != nil {
		t.Fatal(err)
	}
	if hasBase {
		if err := os.RemoveAll(filepath.Join(dir, "base")); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range archive.Files {
		path := filepath.Join(dir, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, path, string(file.Data))
	}
}

// checkRoot compares what verify says of one root with what kustomize builds and with what is expected.
func (c overlayCase) checkRoot(t *testing.T, dir, kustomize string, root overlayRoot) {
	t.Helper()
	want := verdicts[root.verdict].exitCode
	built := run(t, dir, "", kustomize, append([]string{"build", root.dir}, c.flags...)...)
	if builds := root.verdict != "fails"; (built.exitCode == 0) != builds {
		t.Errorf("%s: kustomize's exit code is %d: %s", root.dir, built.exitCode, built.stderr)
		return
	}
	if isRight := isAsInjected(t, dir, built.stdout); want != 2 && isRight != (want == 0) {
		t.Errorf("%s: inject changes nothing of what kustomize builds: %t", root.dir, isRight)
	}
	args := append([]string{"verify", "-c", "injector.yaml", "-o", "github", "-k", root.dir}, c.flags...)
	said := run(t, dir, "", "pillion", args...)
	if said.exitCode != want {
		t.Errorf("%s: verify -k: exit code %d, want %d\n%s%s", root.dir, said.exitCode, want, said.stdout, said.stderr)
	}
	c.checkFindings(t, "verify -k "+root.dir, said.stdout, []overlayRoot{root})
}

// isAsInjected reports whether inject changes nothing of what kustomize has built, and finds its stamp.
func isAsInjected(t *testing.T, dir, built string) bool {
	t.Helper()
	injected := run(t, dir, built, "pillion", "inject", "-c", "injector.yaml", "-f", "-", "--allow-empty")
	return injected.exitCode == 0 && injected.stdout == built && !strings.Contains(injected.stderr, "Unstamped")
}

// checkTree verifies all roots at once, and the files.
func (c overlayCase) checkTree(t *testing.T, dir, warned string) {
	t.Helper()
	var roots []overlayRoot
	wantBuilt, wantFiles := 0, 0
	for _, root := range c.roots {
		verdict := verdicts[root.verdict]
		if !verdict.isRoot {
			continue
		}
		roots = append(roots, root)
		wantBuilt = max(wantBuilt, verdict.exitCode)
		if !slices.Contains([]string{"apart", "moves"}, root.verdict) {
			wantFiles = max(wantFiles, verdict.exitCode)
		}
	}
	build := append([]string{"verify", "-c", "injector.yaml", "-o", "github", "-v", "-R", "-k", c.tree}, c.flags...)
	built := run(t, dir, "", "pillion", build...)
	if built.exitCode != wantBuilt {
		t.Errorf("verify -k -R: exit code %d, want %d\n%s%s", built.exitCode, wantBuilt, built.stdout, built.stderr)
	}
	c.checkFindings(t, "verify -k -R", built.stdout, roots)

	if c.files == "none" {
		return
	}
	roots = slices.DeleteFunc(roots, func(root overlayRoot) bool { return root.verdict == "moves" })
	args := append([]string{"verify", "-c", "injector.yaml", "-o", "github", "-v", "-R", "-f", c.tree}, c.flags...)
	files := run(t, dir, "", "pillion", args...)
	if files.exitCode != wantFiles {
		t.Errorf("verify -f -R: exit code %d, want %d\n%s%s", files.exitCode, wantFiles, files.stdout, files.stderr)
	}
	c.checkFindings(t, "verify -f -R", files.stdout, roots)

	for i := range roots { // diff injects first
		roots[i].verdict = strings.Replace(roots[i].verdict, "stale", "wrong", 1)
	}
	args[0] = "diff"
	diff := run(t, dir, "", "pillion", slices.DeleteFunc(args, func(arg string) bool { return arg == "-o" || arg == "github" })...)
	samePlaces(t, "diff -f", roots, patchedAway(diff.stderr), diff.stderr)
	if c.inject == c.tree {
		samePlaces(t, "inject -f", roots, patchedAway(warned), warned)
	}
}

// githubFinding matches a line of -o github.
var githubFinding = regexp.MustCompile(
	`(?m)^::(error|warning|notice) (?:file=([^,\n]*),)?(?:line=(\d+),)?(?:col=\d+,)?title=([A-Za-z]+)::(.*)$`)

// checkFindings checks which PatchedAway and BuildFailed a report has.
func (c overlayCase) checkFindings(t *testing.T, command, report string, roots []overlayRoot) {
	t.Helper()
	var away []string
	said := map[string]string{}
	for _, found := range githubFinding.FindAllStringSubmatch(report, -1) {
		place := found[2] + ":" + found[3]
		switch found[4] {
		case "PatchedAway":
			away = append(away, place)
			said[place] += found[5]
			if found[1] != "error" {
				t.Errorf("%s: PatchedAway is no error", command)
			}
		case "BuildFailed":
			said[found[4]] += found[1] + " " + found[2] + strings.ReplaceAll(found[5], "%0A  ", "\n"+found[1]+" ")
		}
	}
	for _, root := range roots {
		if root.verdict == "fails" && !strings.Contains(said["BuildFailed"], "error "+root.dir+"/") {
			t.Errorf("%s: there is no error BuildFailed for %s:\n%s", command, root.dir, report)
		}
		if root.words != "" && !strings.Contains(said[root.place], root.words) {
			t.Errorf("%s: the message at %s has no %q: %s", command, root.place, root.words, said[root.place])
		}
	}
	samePlaces(t, command, roots, away, report)
}

// samePlaces compares where PatchedAway was found with where it is expected.
func samePlaces(t *testing.T, command string, roots []overlayRoot, got []string, report string) {
	t.Helper()
	slices.Sort(got)
	got = slices.Compact(got)
	want := placesOf(roots)
	if slices.Contains(want, anywhere) && len(got) > 0 {
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: PatchedAway is at other places (-want +got):\n%s\n%s", command, diff, report)
	}
}

// anywhere is a place that a case leaves open.
const anywhere = ""

// placesOf returns where PatchedAway is expected.
func placesOf(roots []overlayRoot) []string {
	var places []string
	for _, root := range roots {
		if slices.Contains([]string{"wrong", "moves", "worse", "stray"}, root.verdict) {
			places = append(places, root.place)
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}

var patchedAwayLine = regexp.MustCompile(`(?m)^(\S+?:\d+)(?::\d+)?: warning: PatchedAway: `)

// patchedAway returns the places of warnings on standard error.
func patchedAway(stderr string) []string {
	var places []string
	for _, found := range patchedAwayLine.FindAllStringSubmatch(stderr, -1) {
		places = append(places, found[1])
	}
	return places
}

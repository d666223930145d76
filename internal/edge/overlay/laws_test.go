package overlay_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/edge/kustomization"
	"pillion.dev/pillion/internal/edge/overlay"
)

// config is injected into the files that kustomizations build on.
const config = `{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, metadata: {name: logs}, spec: {
  containers: [{name: logs, image: 'logs:1', mode: Container}],
  volumes: [{name: logs, emptyDir: {}}],
  appContainers: [{env: [{name: LOGS, value: 'on'}, {name: LOGS_LEVEL, value: info}]}]}}`

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: %s
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        image: web:1
        env: [{name: OWN, value: own}]
      volumes: [{name: own, emptyDir: {}}]
`

// harmless are patches that change nothing of what was injected.
var harmless = []string{
	merge("{replicas: 3}"),
	merge("{template: {metadata: {labels: {team: shop}}, spec: {containers: [{name: web, image: 'web:2', tty: true}]}}}"),
	`[{"op": "add", "path": "/metadata/annotations", "value": {"a": "b"}}, {"op": "add", "path": "/spec/paused", "value": true}]`,
	inPod("volumes: [{name: own, $patch: delete}]"),
}

const merged = "a strategic merge patch"

// harmful are patches that do, with what messages have about them.
var harmful = []struct{ patch, name, difference, remedy string }{
	{inPod("containers: [{name: logs, image: 'logs:2'}]"), merged, "sets back image logs:2 -> logs:1", "take the sidecar out of it"},
	{inPod("containers: [{name: logs, $patch: delete}]"), merged, "sets back container logs", "without $patch"},
	{inPod("containers: [{name: web, image: w}, {$patch: replace}]"), merged, "sets back container logs", "without $patch"},
	{inPod("volumes: [{name: logs, emptyDir: {medium: Memory}}]"), merged, "sets back volume logs", "take the sidecar out"},
	{inPod("containers: [{name: web, env: [{name: LOGS, value: 'off'}]}]"), merged, "sets back env variable LOGS", "take the sidecar out"},
	{
		merge("{template: {metadata: {annotations: {pillion.dev/injected-logs: broken}}}}"), merged,
		"an injection would report Stamp", "take the",
	},
	{
		`[{"op": "add", "path": "/spec/paused", "value": true}, {"op": "remove", "path": "/spec/template/spec/containers/1"}]`,
		`the operation "remove /spec/template/spec/containers/1" in a JSON patch`, "", "name that one in a strategic merge patch",
	},
}

func merge(spec string) string {
	return "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: " + spec + "}"
}

func inPod(fields string) string { return merge("{template: {spec: {" + fields + "}}}") }

// TestTheStepIsFoundWhereverItIs has that a step which changes what was injected is the cause, and no other one, wherever
// it is among steps that are harmless, and whatever the kustomization renames.
func TestTheStepIsFoundWhereverItIs(t *testing.T) {
	for i, bad := range harmful {
		for at := i % 2; at <= len(harmless); at += 2 {
			prefix := []string{"", "p-"}[at/2%2]
			tree := newTree(t)
			base := tree.base("web")
			dir := tree.kustomization("overlay", "../"+base, "namePrefix: '"+prefix+"'\n", slices.Insert(slices.Clone(harmless), at, bad.patch)...)
			causes := tree.causes(dir)
			checked := tree.check(base, dir)
			if len(causes) != 1 || len(checked) != 1 || checked[0].Message != causes[0].Message {
				t.Fatalf("%s\nat %d: %v\n%v", bad.patch, at, causes, checked)
			}
			f := causes[0]
			file := fmt.Sprintf("overlay/patch-%d.yaml", at)
			if f.Code != finding.PatchedAway || f.File.Path != file || f.Object.Name != prefix+"web" {
				t.Errorf("%s\nat %d: it is %v", bad.patch, at, f)
			}
			for _, part := range []string{bad.name + " of ", bad.difference, bad.remedy, "in what " + dir + " builds, "} {
				if !strings.Contains(f.Message, part) {
					t.Errorf("%s\nit says nothing of %q: %s", bad.patch, part, f.Message)
				}
			}
		}
	}
}

// TestHarmlessStepsAreNoCause has that nothing is found if no step changes what was injected, or if the files do not have
// it.
func TestHarmlessStepsAreNoCause(t *testing.T) {
	tree := newTree(t)
	base := tree.base("web")
	dir := tree.kustomization("overlay", "../"+base, "namePrefix: p-\n", harmless...)
	older := tree.write("older", "deployment.yaml", strings.ReplaceAll(tree.injected("web"), "logs:1", "logs:0"))
	tree.kustomization("older", "deployment.yaml", "")
	patched := tree.kustomization("files", "../"+older, "", harmful[3].patch)
	if causes := tree.causes(dir, patched); len(causes) > 0 {
		t.Errorf("the causes are %v", causes)
	}
	if found := tree.check(base, dir); len(found) > 0 {
		t.Errorf("it finds %v", found)
	}
	other := tree.kustomization("other", "../"+base, "", harmful[3].patch)
	if found := tree.check("nowhere", other); len(found) > 0 {
		t.Errorf("where no injector is for a file, it finds %v", found)
	}
}

// TestRootsShareACause has that a step which several roots use is one cause, which names them.
func TestRootsShareACause(t *testing.T) {
	for count, want := range map[int]string{1: "0 builds, ", 2: "0, 1 build, ", 5: "4 build, ", 7: "4 and 2 more build, "} {
		tree := newTree(t)
		mid := tree.kustomization("mid", "../"+tree.base("web"), "", harmful[0].patch)
		var roots []string
		for i := range count {
			roots = append(roots, tree.kustomization(fmt.Sprint(i), "../"+mid, "", harmless[0]))
		}
		causes := tree.causes(roots...)
		if len(causes) != count {
			t.Fatalf("%d roots: %v", count, causes)
		}
		for _, f := range causes {
			if f.Message != causes[0].Message || !strings.Contains(f.Message, want) {
				t.Errorf("%d roots: %s", count, f.Message)
			}
		}
	}
}

// TestMovesAreNamed has that a patch which only moves what was injected is told how it would not.
func TestMovesAreNamed(t *testing.T) {
	tree := newTree(t)
	dir := tree.kustomization("overlay", "../"+tree.base("web"), "", inPod("containers: [{name: logs, image: 'logs:1'}]"))
	causes := tree.causes(dir)
	if len(causes) != 1 || !strings.Contains(causes[0].Message, "its entries in front: containers: [{name: logs}, ...]") {
		t.Errorf("the causes are %v", causes)
	}
}

// TestFewCausesAreSearched has a step that changes more workloads than causes are searched for.
func TestFewCausesAreSearched(t *testing.T) {
	tree := newTree(t)
	base := tree.base("a", "b", "c", "d", "e")
	const patches = "patches:\n- {target: {kind: Deployment}, patch: '%s'}\n- {target: {kind: Deployment}, patch: '%s'}\n"
	dir := tree.kustomization("overlay", "../"+base, fmt.Sprintf(patches, harmless[0], inPod("containers: [{name: logs, image: x}]")))
	if causes := tree.causes(dir); len(causes) != 3 {
		t.Errorf("the causes are %v", causes)
	}
	found := tree.check(base, dir)
	last := found[len(found)-1]
	if len(found) != 2 || last.Severity != finding.Error || !strings.Contains(last.Message, "so it is with 1 workload more") {
		t.Errorf("it finds %v", found)
	}
}

// TestBuildsThatCannotBeCompared has a kustomization that cannot be built without its patches, because its objects would
// have one name.
func TestBuildsThatCannotBeCompared(t *testing.T) {
	tree := newTree(t)
	base := tree.base("web")
	rename := "patches: [{target: {kind: Deployment}, options: {allowNameChange: true}, " +
		"patch: '[{\"op\": \"replace\", \"path\": \"/metadata/name\", \"value\": \"other\"}]'}]\n"
	mid := tree.kustomization("mid", "../"+base, rename)
	dir := tree.kustomization("overlay", "../"+base+", ../"+mid, "", harmful[0].patch)
	found := tree.check(base, dir)
	if len(found) != 1 || found[0].Code != finding.BuildFailed || !strings.Contains(found[0].Message, "without its patches") {
		t.Errorf("it finds %v", found)
	}
}

// TestFailuresAreListedByCause has what is said about kustomizations that cannot be built.
func TestFailuresAreListedByCause(t *testing.T) {
	tree := newTree(t)
	var missing []string
	for i := range 6 {
		missing = append(missing, tree.kustomization(fmt.Sprint("m", i), "../none.yaml", ""))
	}
	other := tree.kustomization("other", "../different.yaml", "")
	nothing := tree.kustomization("nothing", "", "")
	tree.write("nothing", "kustomization.yaml", "commonLabels: {a: b}\n")
	const (
		add    = "correct the path, or add what is missing"
		accept = "add resources, or accept that with --allow-empty"
	)
	for _, test := range []struct {
		claim    string
		dirs     []string
		named    bool
		listsAll bool
		want     []string
	}{
		{"one", missing[:1], false, false, []string{"error m0: the kustomization in m0 uses what is not there: none.yaml; " + add + "|"}},
		{
			"one of which all is listed", missing[:1], false, true,
			[]string{"error m0: the kustomization in m0 uses what is not there: none.yaml; " + add + "|"},
		},
		{"two", missing[:2], false, false, []string{"error m0: 2 kustomizations use what is not there: none.yaml; " + add + "|also m1"}},
		{"many", missing, false, false, []string{"error m0: 6 kustomizations use what is not there: none.yaml; " + add +
			"|also m1, m2, m3, and 2 more; -v lists all"}},
		{"all of them", missing[:2], false, true, []string{"error m0: 2 kustomizations use what is not there: none.yaml; " + add +
			"|none.yaml:\n  m0/kustomization.yaml\n  m1/kustomization.yaml"}},
		{"two causes", append([]string{other}, missing[:2]...), false, false, []string{"error other: 3 kustomizations use " +
			"2 files or directories that are not there; " + add + "|2 x none.yaml (m0 and others)\n1 x different.yaml (other)"}},
		{"nothing", []string{nothing}, false, false, []string{"warning nothing: the kustomization in nothing builds nothing; " + accept + "|"}},
		{
			"nothing that is named",
			[]string{nothing},
			true, false,
			[]string{"error nothing: the kustomization in nothing builds nothing; " + accept + "|"},
		},
	} {
		t.Run(test.claim, func(t *testing.T) {
			b := tree.builder()
			b.ListsAll = test.listsAll
			roots := tree.run(b, test.dirs...)
			roots[0].IsNamed = test.named
			var got []string
			for _, f := range b.Failures(roots, finding.Error, finding.Warning) {
				text := fmt.Sprintf("%s %s: %s|%s", f.Severity, filepath.Dir(f.File.Path), f.Message, f.Detail)
				got = append(got, text)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// tree is the working directory, with kustomizations.
type tree struct{ *testing.T }

func newTree(t *testing.T) tree {
	t.Helper()
	t.Chdir(t.TempDir())
	return tree{t}
}

func (t tree) write(dir, name, text string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// kustomization writes one with resources, other fields, and patches in files of their own. It returns its directory,
// which is beside all others.
func (t tree) kustomization(dir, resources, more string, patches ...string) string {
	t.Helper()
	text := "resources: [" + resources + "]\n" + more
	for i, patch := range patches {
		if i == 0 {
			text += "patches:\n"
		}
		name := fmt.Sprintf("patch-%d.yaml", i)
		t.write(dir, name, patch)
		text += "- {path: " + name + ", target: {kind: Deployment}}\n"
	}
	return t.write(dir, "kustomization.yaml", text)
}

// base writes files with what is injected, and returns their directory.
func (t tree) base(names ...string) string {
	t.Helper()
	var list []string
	for _, name := range names {
		t.write("base", name+".yaml", t.injected(name))
		list = append(list, name+".yaml")
	}
	return t.kustomization("base", strings.Join(list, ", "), "")
}

func (t tree) injected(name string) string {
	t.Helper()
	result, err := engine.Apply(t.Context(), t.builder().Config, finding.Source{Text: fmt.Appendf(nil, deployment, name)})
	if err != nil || len(result.Texts[0]) == 0 {
		t.Fatal(err, result.Run.Findings())
	}
	return string(result.Texts[0])
}

func (t tree) builder() overlay.Builder {
	t.Helper()
	read, problems := engine.ReadConfig(finding.Source{Text: []byte(config)})
	if finding.HasError(problems) {
		t.Fatal(problems)
	}
	return overlay.Builder{Disk: kustomization.NewDisk(nil), Config: read}
}

func (t tree) run(b overlay.Builder, dirs ...string) (roots []*overlay.Root) {
	t.Helper()
	for _, dir := range dirs {
		roots = append(roots, &overlay.Root{Dir: dir, File: filepath.Join(dir, "kustomization.yaml")})
	}
	if err := b.Run(t.Context(), roots); err != nil {
		t.Fatal(err)
	}
	return roots
}

// causes returns the findings about steps.
func (t tree) causes(dirs ...string) (all []finding.Finding) {
	t.Helper()
	b := t.builder()
	roots := t.run(b, dirs...)
	for _, root := range roots {
		if root.Err != nil {
			t.Fatal(root.Err)
		}
	}
	causes, err := b.Causes(t.Context(), roots)
	if err != nil {
		t.Fatal(err)
	}
	for _, cause := range causes {
		all = append(all, cause.Finding)
	}
	return all
}

// check returns what is found in a kustomization that builds on a base in which all files are as declared.
func (t tree) check(base, dir string) []finding.Finding {
	t.Helper()
	in := overlay.Files{}
	written, _ := filepath.Glob(filepath.Join(base, "*.yaml"))
	for _, file := range written {
		if strings.HasSuffix(file, "kustomization.yaml") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		result, err := engine.Apply(t.Context(), t.builder().Config, finding.Source{File: file, Text: text})
		if err != nil {
			t.Fatal(err)
		}
		in[files.RealPath(file)] = result.Run.Workloads
	}
	found, err := t.builder().Check(t.Context(), []files.Kustomization{{Path: filepath.Join(dir, "kustomization.yaml")}}, in, nil,
		func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	return found
}

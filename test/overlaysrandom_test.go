package test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

var overlayTrees = flag.Int("overlays", 18, "how many random trees of kustomizations each injector gets")

// randomInjectors are the injectors of the random overlays, by what is special about them.
var randomInjectors = map[string]string{
	"a native sidecar": `
  containers: [{name: agent, image: "agent:1", volumeMounts: [{name: logs, mountPath: /logs}]}]
  appContainers: [{env: [{name: LOG_DIR, value: /logs}], volumeMounts: [{name: logs, mountPath: /logs}]}]
  volumes: [{name: logs, emptyDir: {}}]
`,
	"a plain sidecar": `
  containers: [{name: agent, image: "agent:1", mode: Container, podInjectPolicy: BeforeAppContainer}]
  volumes: [{name: logs, emptyDir: {}}]
`,
	"a generated ConfigMap": `
  namespaces: {exclude: [legacy]}
  containers: [{name: agent, image: "agent:1", envFrom: [{configMapRef: {name: settings}}]}]
  podSpec: {nodeSelector: {disk: ssd}}
`,
}

// TestRandomOverlays builds random kustomizations with kustomize's program. Verify says that one is right if and only if
// inject would change nothing of what was built, and builds the same bytes.
func TestRandomOverlays(t *testing.T) {
	program := kustomize(t)
	for i, name := range slices.Sorted(maps.Keys(randomInjectors)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			maker := overlayMaker{podMaker{rand.New(rand.NewSource(int64(i)))}, t, filepath.Join(dir, "tree"), nil}
			writeFile(t, filepath.Join(dir, "injector.yaml"), strings.ReplaceAll(namedInjector, "SPEC", randomInjectors[name]))
			for tree := range *overlayTrees {
				maker.tree(fmt.Sprintf("t%03d", tree))
			}
			mustRun(t, dir, "", "pillion", "inject", "-q", "-i", "-c", "injector.yaml", "-f", "tree", "-R")
			checkRandomOverlays(t, dir, program, maker.made)
		})
	}
}

const namedInjector = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: logs}\nspec:SPEC"

// madeOverlay is a kustomization, and whether another one of its tree uses it.
type madeOverlay struct {
	dir    string
	isUsed bool
}

// overlayMaker writes random kustomizations.
type overlayMaker struct {
	podMaker
	t    *testing.T
	root string
	made []*madeOverlay
}

// tree writes two bases, a component and overlays on them and on each other.
func (m *overlayMaker) tree(name string) {
	var below []*madeOverlay
	for i, kind := range []string{m.pick("Deployment", "CronJob", "Rollout"), m.pick("Deployment", "StatefulSet", "Pod")} {
		base := m.add(filepath.Join(name, fmt.Sprintf("base%d", i)), "resources: [web.yaml]\n")
		m.write(filepath.Join(base.dir, "web.yaml"), m.workloadText(kind, fmt.Sprintf("web%d", i)))
		below = append(below, base)
	}
	component := filepath.Join(name, "component")
	m.write(filepath.Join(component, "kustomization.yaml"), "kind: Component\n"+m.steps(1))
	for i := range 2 + m.Intn(3) {
		uses := below[m.Intn(len(below))]
		uses.isUsed = true
		text := "resources: [../" + filepath.Base(uses.dir)
		if other := below[0]; other != uses && strings.HasPrefix(filepath.Base(uses.dir), "base") {
			other.isUsed = true
			text += ", ../" + filepath.Base(other.dir)
		}
		text += "]\n"
		if m.Intn(4) == 0 {
			text += "components: [../component]\n"
		}
		below = append(below, m.add(filepath.Join(name, fmt.Sprintf("overlay%d", i)), text+m.steps(m.Intn(4))))
	}
}

func (m *overlayMaker) add(dir, kustomization string) *madeOverlay {
	m.write(filepath.Join(dir, "kustomization.yaml"), kustomization)
	made := &madeOverlay{dir: dir}
	m.made = append(m.made, made)
	return made
}

func (m *overlayMaker) write(name, text string) {
	m.t.Helper()
	path := filepath.Join(m.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	writeFile(m.t, path, text)
}

// podSpecAt has where the pod spec of each kind is.
var podSpecAt = map[string]string{
	"Deployment": "spec/template/spec", "StatefulSet": "spec/template/spec", "Rollout": "spec/template/spec", "Pod": "spec",
	"CronJob": "spec/jobTemplate/spec/template/spec",
}

// nested returns a workload, or a patch, with text in its pod spec. The text is indented by two.
func nested(kind, name, text string) string {
	group := map[string]string{"Pod": "v1", "CronJob": "batch/v1", "Rollout": "argoproj.io/v1alpha1"}[kind]
	if group == "" {
		group = "apps/v1"
	}
	b := fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {name: %s}\n", group, kind, name)
	indent := ""
	for _, field := range strings.Split(podSpecAt[kind], "/") {
		b += indent + field + ":\n"
		indent += "  "
	}
	for line := range strings.Lines(text) {
		b += indent[2:] + line
	}
	return b
}

func (m *overlayMaker) workloadText(kind, name string) string {
	text := "  containers:\n"
	for i := range 1 + m.Intn(3) {
		text += fmt.Sprintf("  - name: app%d\n    image: app:1\n", i)
		if m.Intn(2) == 0 {
			text += "    env: [{name: MODE, value: fast}]\n    volumeMounts: [{name: data, mountPath: /data}]\n"
		}
	}
	if n := m.Intn(4); n > 0 {
		text += "  initContainers:\n"
		for i := range n {
			text += fmt.Sprintf("  - {name: init%d, image: \"init:1\"}\n", i)
		}
	}
	return nested(kind, name, text+"  volumes: [{name: data, emptyDir: {}}]\n")
}

// steps returns the fields of a kustomization with some patches, and with others that are harmless.
func (m *overlayMaker) steps(patches int) string {
	text := ""
	for _, harmless := range []string{
		"namePrefix: a-\n", "nameSuffix: -z\n", "namespace: shop\n", "namespace: legacy\n", "commonAnnotations: {owner: shop}\n",
		"labels: [{pairs: {team: shop}, includeTemplates: true}]\n", "configMapGenerator: [{name: settings, literals: [a=b]}]\n",
		"replicas: [{name: web0, count: 3}]\n", "images: [{name: app, newTag: \"2\"}]\n", "images: [{name: agent, newTag: \"2\"}]\n",
	} {
		field, _, _ := strings.Cut(harmless, ":")
		if m.Intn(10) == 0 && !strings.Contains(text, field+":") {
			text += harmless
		}
	}
	if patches > 0 {
		text += "patches:\n"
	}
	for range patches {
		kind := m.pick("Deployment", "Deployment", "CronJob", "Rollout", "StatefulSet", "Pod")
		patch := m.jsonPatch(kind)
		if m.Intn(2) == 0 {
			patch = nested(kind, "any", m.mergePatch())
		}
		text += fmt.Sprintf("- target: {kind: %s}\n  patch: |\n", kind)
		for line := range strings.Lines(patch) {
			text += "    " + line
		}
	}
	return text
}

// jsonPatch returns operations by index, most of which apply.
func (m *overlayMaker) jsonPatch(kind string) string {
	text := ""
	for range 1 + m.Intn(2) {
		list := m.pick("initContainers", "containers", "volumes", "containers/0/env", "containers/0/volumeMounts")
		index := m.pick("0", "0", "0", "1", "2")
		entry := "{name: new, image: new, value: new, mountPath: /new, emptyDir: {}}"
		switch strings.TrimPrefix(list, "containers/0/") {
		case "initContainers", "containers":
			entry = "{name: new, image: 'new:1'}"
		case "volumes":
			entry = "{name: new, emptyDir: {}}"
		case "env":
			entry = "{name: NEW, value: new}"
		case "volumeMounts":
			entry = "{name: data, mountPath: /new}"
		}
		path := "/" + podSpecAt[kind] + "/" + list
		text += m.pick(
			"- {op: remove, path: "+path+"/"+index+"}\n",
			"- {op: add, path: "+path+"/"+index+", value: "+entry+"}\n",
			"- {op: replace, path: "+path+"/"+index+", value: "+entry+"}\n",
			"- {op: add, path: "+path+"/-, value: "+entry+"}\n",
			"- {op: add, path: "+path+", value: ["+entry+"]}\n",
			"- {op: add, path: /"+podSpecAt[kind]+"/initContainers/"+index+"/tty, value: true}\n",
			"- {op: replace, path: /"+podSpecAt[kind]+"/containers/"+index+"/image, value: 'app:3'}\n",
			"- {op: add, path: /"+podSpecAt[kind]+"/hostNetwork, value: false}\n",
		)
	}
	return text
}

// mergePatch returns the pod spec of a strategic merge patch.
func (m *overlayMaker) mergePatch() string {
	return "  " + m.pick(
		"containers: [{name: app0, image: 'app:4'}]",
		"containers: [{name: app0, env: [{name: MODE, value: slow}]}]",
		"containers: [{name: app0, env: [{name: MORE, value: more}]}]",
		"containers: [{name: app0, volumeMounts: [{name: data, mountPath: /more}]}]",
		"containers: [{name: new, image: 'new:1'}]",
		"containers: [{$patch: replace}, {name: app0, image: 'app:5'}]",
		"containers: [{name: app1, $patch: delete}]",
		"initContainers: [{name: init0, image: 'init:2'}]",
		"initContainers: [{name: agent}, {name: init0, image: 'init:2'}]",
		"initContainers: [{name: init1, $patch: delete}]",
		"initContainers: null",
		"volumes: [{name: data, emptyDir: {medium: Memory}}]",
		"volumes: [{name: logs, $patch: delete}]",
		"nodeSelector: {zone: a}",
		"nodeSelector: {$patch: replace, zone: a}",
		"hostNetwork: false",
	) + "\n"
}

// checkRandomOverlays compares what verify says of kustomizations with what kustomize builds.
func checkRandomOverlays(t *testing.T, dir, program string, made []*madeOverlay) {
	t.Helper()
	built := buildAll(t, dir, program, made)
	asFiles := verdictsOfFiles(t, dir)
	args := []string{"verify", "-c", "../injector.yaml", "-o", "json", "-v"}
	for _, m := range made {
		args = append(args, "-k", m.dir)
	}
	tree := filepath.Join(dir, "tree")
	said := readRandomReport(t, run(t, tree, "", "pillion", args...))
	counts := map[string]int{}
	wrongTrees, openTrees, movesIn := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, m := range made {
		got := said[filepath.Join(m.dir, "kustomization.yaml")]
		want := asFiles[filepath.Join("built", strings.ReplaceAll(m.dir, "/", "-")+".yaml")]
		if _, builds := built[m.dir]; !builds {
			want = "fails"
		}
		counts[want]++
		if want == "moves" {
			want = "wrong"
			movesIn[filepath.Dir(m.dir)] = true
		}
		if want == "apart" && !slices.Contains([]string{"right", "fails"}, got) {
			openTrees[filepath.Dir(m.dir)] = true
			continue
		}
		if got != want {
			t.Errorf("%s is %s, and verify -k says %q\n%s", m.dir, want, got, treeText(t, filepath.Join(tree, filepath.Dir(m.dir))))
		}
		if !m.isUsed && want == "wrong" {
			wrongTrees[filepath.Dir(m.dir)] = true
		}
	}
	t.Logf("of %d kustomizations: %v", len(made), counts)
	if counts["right"] < len(made)/10 || counts["wrong"] < len(made)/10 {
		t.Error("there are too few of one kind")
	}
	sameInProcess(t, tree, made, built)
	checkRandomTree(t, tree, "-k", wrongTrees, openTrees)
	maps.Copy(openTrees, movesIn)
	checkRandomTree(t, tree, "-f", wrongTrees, openTrees)
}

// buildAll builds kustomizations by kustomize's program into files of the directory built. It returns what it builds.
func buildAll(t *testing.T, dir, program string, made []*madeOverlay) map[string]string {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "built"), 0o755); err != nil {
		t.Fatal(err)
	}
	built := map[string]string{}
	var mutex sync.Mutex
	var builds sync.WaitGroup
	for half := range 2 {
		builds.Go(func() {
			for i := half; i < len(made); i += 2 {
				result := run(t, filepath.Join(dir, "tree"), "", program, "build", made[i].dir)
				if result.exitCode != 0 {
					continue
				}
				mutex.Lock()
				built[made[i].dir] = result.stdout
				mutex.Unlock()
				writeFile(t, filepath.Join(dir, "built", strings.ReplaceAll(made[i].dir, "/", "-")+".yaml"), result.stdout)
			}
		})
	}
	builds.Wait()
	return built
}

// randomReport is what the tests read of a report in JSON.
type randomReport struct {
	Findings  []randomFinding
	Workloads []struct {
		Namespace, Decision string

		File     struct{ Path string }
		Findings []randomFinding
		Outcomes []struct{ Changes []randomChange }
	}
}

type randomFinding struct {
	Code, Detail string

	File struct{ Path string }
}

// randomChange is a change by inject.
type randomChange struct{ Verb, Path string }

// movesInside reports whether a change moves an entry of a container, such as a variable.
func (c randomChange) movesInside() bool {
	return c.Verb == "moves" && c.Path != "spec/containers" && c.Path != "spec/initContainers"
}

// verdictsOfFiles returns which files of the directory built are right, because inject would change nothing of them and
// has its stamps, or wrong. One that is wrong
// moves if nothing else has to change in it. Those are apart whose namespace the injector excludes.
func verdictsOfFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	var report randomReport
	out := run(t, dir, "", "pillion", "explain", "-c", "injector.yaml", "-f", "built", "-R", "-o", "json").stdout
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err)
	}
	excludes := strings.Contains(readFile(t, filepath.Join(dir, "injector.yaml")), "legacy")
	files := map[string]string{}
	for _, workload := range report.Workloads {
		isUnstamped := slices.ContainsFunc(workload.Findings, func(f randomFinding) bool { return f.Code == "Unstamped" })
		isRight := slices.Contains([]string{"unchanged", "skipped"}, workload.Decision) && !isUnstamped
		path := workload.File.Path
		switch {
		case !isRight && workload.Namespace == "legacy" && excludes:
			files[path] = "apart"
		case !isRight && files[path] != "apart" && files[path] != "wrong":
			files[path] = "moves"
			for _, o := range workload.Outcomes {
				if slices.ContainsFunc(o.Changes, func(c randomChange) bool { return !c.movesInside() }) {
					files[path] = "wrong"
				}
			}
			if isUnstamped {
				files[path] = "wrong"
			}
		case files[path] == "":
			files[path] = "right"
		}
	}
	return files
}

// readRandomReport returns whether each kustomization is right, wrong or fails, as verify says.
func readRandomReport(t *testing.T, verified result) map[string]string {
	t.Helper()
	var report randomReport
	if err := json.Unmarshal([]byte(verified.stdout), &report); err != nil {
		t.Fatalf("%v\n%s", err, verified.stderr)
	}
	said := map[string]string{}
	for _, found := range report.Findings {
		if found.Code == "BuildFailed" {
			said[found.File.Path] = "fails"
			for line := range strings.Lines(found.Detail) { // the roots below each cause
				said[strings.TrimSpace(line)] = "fails"
			}
		}
	}
	for _, workload := range report.Workloads {
		isAway, isOther := false, false
		for _, found := range workload.Findings {
			isAway = isAway || found.Code == "PatchedAway"
			isOther = isOther || slices.Contains([]string{"Outdated", "Drifted", "ContainerConflict"}, found.Code)
		}
		isRight := slices.Contains([]string{"unchanged", "skipped"}, workload.Decision)
		switch {
		case isAway && !isRight && !isOther:
			said[workload.File.Path] = "wrong"
		case isAway || isOther || !isRight:
			said[workload.File.Path] = fmt.Sprintf("%s, with %v", workload.Decision, workload.Findings)
		case said[workload.File.Path] == "":
			said[workload.File.Path] = "right"
		}
	}
	return said
}

// sameInProcess compares the bytes of some builds.
func sameInProcess(t *testing.T, tree string, made []*madeOverlay, built map[string]string) {
	t.Helper()
	config := filepath.Join(t.TempDir(), "none.yaml")
	none := strings.ReplaceAll(namedInjector, "SPEC", "\n  names: [none]\n  containers: [{name: none, image: none}]\n")
	writeFile(t, config, strings.ReplaceAll(none, "logs", "none"))
	for i, m := range made {
		if want, builds := built[m.dir]; builds && i%5 == 0 {
			if got := run(t, tree, "", "pillion", "inject", "-q", "-c", config, "-k", m.dir).stdout; got != want {
				t.Errorf("%s: inject -k builds\n%sand kustomize\n%s", m.dir, got, want)
			}
		}
	}
}

// checkRandomTree verifies all roots, or the files. Wrong are the trees with a root that is wrong; those that are open
// may have one.
func checkRandomTree(t *testing.T, tree, option string, wrong, open map[string]bool) {
	t.Helper()
	said := run(t, tree, "", "pillion", "verify", "-c", "../injector.yaml", "-R", "-o", "github", option, ".")
	got := map[string]bool{}
	for _, found := range githubFinding.FindAllStringSubmatch(said.stdout, -1) {
		if found[4] == "PatchedAway" {
			name, _, _ := strings.Cut(found[2], "/")
			got[name] = true
		}
	}
	isOpen := func(name string, _ bool) bool { return open[name] }
	maps.DeleteFunc(got, isOpen)
	maps.DeleteFunc(wrong, isOpen)
	if !maps.Equal(got, wrong) {
		t.Errorf("verify %s: PatchedAway is in %v, want %v", option, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(wrong)))
	}
	if said.exitCode == 0 && len(wrong) > 0 {
		t.Errorf("verify %s: exit code %d\n%s", option, said.exitCode, said.stderr)
	}
}

// treeText returns all files of a tree, to reproduce what went wrong.
func treeText(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, file := range files {
		text += "-- " + strings.TrimPrefix(file, dir+"/") + " --\n" + readFile(t, file)
	}
	return text
}

package test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/test/example"
	"pillion.dev/pillion/test/resourcelist"
)

const stampedWorkload = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web # the app
        image: web:1
        resources: {requests: {cpu: 100m}}
        env:
        - {name: REGION, value: north}
        volumeMounts:
        - {name: data, mountPath: /data}
      volumes:
      - name: data
        emptyDir: {}
`

// takingInjector takes over from the app whatever it can, and adds something to it, so that without stamps two such
// injectors would take each other's entries for the app's.
const takingInjector = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata:
  name: NAME
  annotations: {config.kubernetes.io/local-config: "true"}
spec:
  containers:
  - name: NAME
    image: NAME:1
    shareVolumePolicy: {type: Enabled}
    transferEnv: [{sourceContainerName: web}]
    resourcesPolicy: {resourcesExpr: {requests: {cpu: "cpu*10%"}}}
    volumeMounts:
    - {name: NAME-tmp, mountPath: /NAME-tmp}
  volumes:
  - name: NAME-tmp
    emptyDir: {}
  - name: shared
    emptyDir: {}
  appContainers:
  - env: [{name: FROM_NAME, value: "1"}]
    volumeMounts: [{name: NAME-tmp, mountPath: /NAME}]
`

// TestKptStepsEqualAList checks that injectors in separate steps of a pipeline have the same result as in one list,
// also when they are rendered again.
func TestKptStepsEqualAList(t *testing.T) {
	kpt := tool(t, "kpt")
	render := func(pkg string) string {
		mustRun(t, pkg, "", kpt, "fn", "render", "--allow-exec")
		return readFile(t, filepath.Join(pkg, "web.yaml"))
	}
	envoy, logs := strings.ReplaceAll(takingInjector, "NAME", "envoy"), strings.ReplaceAll(takingInjector, "NAME", "logs")
	list := "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\n" +
		"metadata:\n  name: both\n  annotations: {config.kubernetes.io/local-config: \"true\"}\nitems:\n" + asItem(envoy) + asItem(logs)

	steps := stampedPackage(t, "mutators:\n  - {exec: pillion, configPath: envoy.yaml}\n  - {exec: pillion, configPath: logs.yaml}\n",
		map[string]string{"envoy.yaml": envoy, "logs.yaml": logs})
	once := render(steps)
	if diff := cmp.Diff(once, render(steps)); diff != "" {
		t.Errorf("the second render differs (-first +second):\n%s", diff)
	}
	together := stampedPackage(t, "mutators:\n  - {exec: pillion, configPath: list.yaml}\n", map[string]string{"list.yaml": list})
	if diff := cmp.Diff(once, render(together)); diff != "" {
		t.Errorf("one list differs from two steps (-steps +list):\n%s", diff)
	}
}

// TestKptValidates checks that Verify works as a validator: it changes nothing, fails with a diff until the files are
// injected, and passes afterwards.
func TestKptValidates(t *testing.T) {
	kpt := tool(t, "kpt")
	inject := strings.ReplaceAll(takingInjector, "NAME", "envoy")
	verify := strings.Replace(inject, "\nspec:\n", "\nspec:\n  action: Verify\n", 1)
	pkg := stampedPackage(t, "validators:\n  - {exec: pillion, configPath: verify.yaml}\n",
		map[string]string{"inject.yaml": inject, "verify.yaml": verify})
	validate := func() result { return run(t, pkg, "", kpt, "fn", "render", "--allow-exec", "--truncate-output=false") }

	r := validate()
	if r.exitCode == 0 || !strings.Contains(r.stderr, "Outdated") || !strings.Contains(r.stderr, "+          image: envoy:1") {
		t.Errorf("exit code %d, want another than 0 and a diff:\n%s", r.exitCode, r.stderr)
	}
	if diff := cmp.Diff(stampedWorkload, readFile(t, filepath.Join(pkg, "web.yaml"))); diff != "" {
		t.Errorf("a validator changed the file (-before +after):\n%s", diff)
	}
	mustRun(t, pkg, "", kpt, "fn", "eval", "--exec", "pillion", "--fn-config", "inject.yaml")
	if r := validate(); r.exitCode != 0 {
		t.Errorf("exit code %d, want 0:\n%s", r.exitCode, r.stderr)
	}
}

// stampedPackage is a kpt package with a workload, a pipeline, and its configs.
func stampedPackage(t *testing.T, pipeline string, configs map[string]string) string {
	t.Helper()
	pkg := t.TempDir()
	writeFile(t, filepath.Join(pkg, "Kptfile"), "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: stamped\npipeline:\n  "+pipeline)
	writeFile(t, filepath.Join(pkg, "web.yaml"), stampedWorkload)
	for name, text := range configs {
		writeFile(t, filepath.Join(pkg, name), text)
	}
	return pkg
}

// asItem returns a document as an entry of a list.
func asItem(document string) string {
	return "- " + strings.TrimSuffix(strings.ReplaceAll(document, "\n", "\n  "), "  ")
}

var (
	stampLine    = regexp.MustCompile(`(?m)^ +pillion\.dev/injected-[^:]+: (.*)$`)
	plainStamp   = regexp.MustCompile(`^1 [ci]\([^ ]+:.{6}\) v\([^ ]+:.{6}\) .{6}$`) // of one container and one volume
	stampHash    = regexp.MustCompile(`:[\w-]{6}| [\w-]{6}'?$`)
	payloadImage = regexp.MustCompile(`(\bimage: [^\s,}]+)`)
)

// TestStampsOfExamples injects each example, updates the images of the payload, and removes it. The stamps of plain
// sidecars are short, an update of the images changes nothing in the stamps except hashes, and removing restores the
// first bytes.
func TestStampsOfExamples(t *testing.T) {
	plain := 0
	for _, dir := range exampleDirs(t) {
		e, err := example.Load(dir)
		if err != nil {
			t.Fatal(err)
		}
		if fails(t, e) {
			continue
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			work := t.TempDir()
			items, config := filepath.Join(work, "items.yaml"), filepath.Join(work, "config.yaml")
			first := resourcelist.Join(e.Items)
			writeFile(t, items, first)
			step := func(verb, spec string) string {
				writeFile(t, config, spec)
				mustRun(t, work, "", "pillion", verb, "-c", config, "-f", items, "--in-place")
				return readFile(t, items)
			}
			injected := step("inject", e.FunctionConfig)
			updated := step("inject", payloadImage.ReplaceAllString(e.FunctionConfig, "${1}-next"))
			was, is := stampsIn(injected), stampsIn(updated)
			if len(was) == 0 || len(was) != len(is) || slices.Equal(was, is) {
				t.Fatalf("the stamps are\n%s\nand after the update\n%s", strings.Join(was, "\n"), strings.Join(is, "\n"))
			}
			for i := range was {
				if diff := cmp.Diff(withoutHashes(was[i]), withoutHashes(is[i])); diff != "" {
					t.Errorf("the update changes more than hashes of a stamp (-before +after):\n%s", diff)
				}
				if plainStamp.MatchString(was[i]) {
					plain++
					if len(was[i]) > 80 {
						t.Errorf("the stamp of one container and one volume has %d characters: %s", len(was[i]), was[i])
					}
				}
			}
			removed := step("remove", e.FunctionConfig)
			if diff := cmp.Diff(first, removed); diff != "" {
				t.Errorf("removing does not restore the items (-before +after):\n%s", diff)
			}
		})
	}
	if plain < 5 {
		t.Errorf("only %d stamps are of one container and one volume", plain)
	}
}

// TestOwnershipShowsARealStamp compares the stamp in docs/explanation/ownership.md, word by word, with that of the
// example.
func TestOwnershipShowsARealStamp(t *testing.T) {
	before, block, _ := strings.Cut(readFile(t, filepath.Join(root, "docs", "explanation", "ownership.md")), "word by word:\n\n```text\n")
	_, short, _ := strings.Cut(before, "A stamp is one line, such as `")
	short, _, _ = strings.Cut(short, "`")
	if _, err := stamp.Parse(short); err != nil {
		t.Errorf("the page shows the stamp %s: %v", short, err)
	}
	block, _, _ = strings.Cut(block, "```")
	var words []string
	for line := range strings.Lines(block) {
		word, _, _ := strings.Cut(line, "  ")
		words = append(words, word)
	}
	shown := strings.Join(words, " ")
	stamps := stampsIn(readFile(t, filepath.Join(root, "examples", walked, example.ExpectedDir, "function.yaml")))
	if got := strings.Trim(stamps[1], "'"); got != shown {
		t.Errorf("got  %s\nthe page shows %s", got, shown)
	}
}

// stampsIn returns the stamps in manifests, as they are written.
func stampsIn(manifests string) []string {
	var stamps []string
	for _, match := range stampLine.FindAllStringSubmatch(manifests, -1) {
		stamps = append(stamps, match[1])
	}
	return stamps
}

func withoutHashes(text string) string { return stampHash.ReplaceAllString(text, " HASH") }

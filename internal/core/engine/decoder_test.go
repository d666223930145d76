package engine_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	pods "pillion.dev/pillion/internal/pods/pod"
)

// decodedWorkloads returns the workloads, as KIND/NAME, that kubectl's decoder finds in a text. An error ends the
// stream: kubectl applies what it read before. A list is an object with a list at the key items, whatever its kind, in
// lists too.
func decodedWorkloads(text []byte) []string {
	var found []string
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))), 4096)
	for {
		var raw runtime.RawExtension
		if err := decoder.Decode(&raw); err != nil {
			return found
		}
		object, _, err := unstructured.UnstructuredJSONScheme.Decode(bytes.TrimSpace(raw.Raw), nil, nil)
		if err != nil {
			continue // kubectl reports it, and goes on
		}
		_ = eachObject(object, func(object *unstructured.Unstructured) {
			if _, isWorkload := pods.NewKinds().Find(object.GetAPIVersion(), object.GetKind()); isWorkload {
				found = append(found, object.GetKind()+"/"+object.GetName())
			}
		})
	}
}

// eachObject calls a function for an object, or for the objects in it if it is a list.
func eachObject(object runtime.Object, do func(*unstructured.Unstructured)) error {
	switch object := object.(type) {
	case *unstructured.UnstructuredList:
		return object.EachListItem(func(item runtime.Object) error { return eachObject(item, do) })
	case *unstructured.Unstructured:
		if object.IsList() {
			return object.EachListItem(func(item runtime.Object) error { return eachObject(item, do) })
		}
		do(object)
	}
	return nil
}

// hiddenWorkloads returns the workloads that kubectl's decoder finds in a text and a run without an error does not.
func hiddenWorkloads(config engine.Config, text []byte) []string {
	decoded := decodedWorkloads(text)
	if len(decoded) == 0 {
		return nil
	}
	run := apply(config, finding.Source{File: "x.yaml", Text: text}).Run
	if run.Failed() {
		return nil
	}
	for _, w := range run.Workloads {
		kind, name := w.Object.Kind+"/", w.Object.Name
		at := slices.Index(decoded, kind+name)
		if at < 0 {
			at = slices.Index(decoded, kind) // the decoder gives no name that is a number
		}
		if at >= 0 {
			decoded = slices.Delete(decoded, at, at+1)
		}
	}
	return decoded
}

const everywhere = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: log}
spec:
  containers:
  - {name: log, image: log:1}
`

const (
	hiddenSpec  = "metadata: {name: web}\nspec: {containers: [{name: app, image: app}]}\n"
	hiddenPod   = "apiVersion: v1\nkind: Pod\n" + hiddenSpec
	hiddenFlow  = "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: app, image: app}]}}"
	hiddenOther = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n"
)

const hiddenList = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems:\n"

// hiddenPods have a pod that kubectl reads, and other readers of YAML or of lists do not.
var hiddenPods = map[string]string{
	"in the items of a workload":   strings.Replace(hiddenPod, "web", "front", 1) + "items: [" + hiddenFlow + "]\n",
	"in the items of another kind": hiddenOther + "items:\n- " + hiddenFlow + "\n",
	"in the items of a config":     "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems: [" + hiddenFlow + "]\n",
	"by a second apiVersion in a config": hiddenList + "- apiVersion: pillion.dev/v1alpha1\n  " +
		strings.ReplaceAll(strings.TrimSuffix(hiddenPod, "\n"), "\n", "\n  ") + "\n",
	"by a merged apiVersion in a config":    hiddenList + "- apiVersion: pillion.dev/v1alpha1\n  <<: " + hiddenFlow + "\n",
	"by second items in a config":           hiddenList + "- {items: [], items: [" + hiddenFlow + "]}\n",
	"in the items of an entry of a list":    "apiVersion: v1\nkind: List\nitems: [{kind: ConfigMap, items: [" + hiddenFlow + "]}]\n",
	"in a second list of items":             hiddenOther + "items:\nitems: [" + hiddenFlow + "]\n",
	"in items that a merge key gives":       hiddenOther + "<<: {items: [" + hiddenFlow + "]}\n",
	"in items that a merge key gives again": "apiVersion: v1\nkind: List\nitems: []\n<<: {items: [" + hiddenFlow + "]}\n",
	"by a kind that a merge key gives":      hiddenOther + hiddenSpec + "<<: {kind: Pod, metadata: {name: web}}\n",
	"by a second kind":                      hiddenOther + hiddenPod,
	"by an encoded kind":                    "apiVersion: v1\n!!binary a2luZA==: Pod\n" + hiddenSpec,
	"behind a byte order mark":              hiddenOther + "---\n\ufeff" + hiddenPod,
	"behind two byte order marks":           "\ufeff\ufeff" + hiddenPod,
	"between carriage returns":              hiddenPod + "# {{/* \r---\r# */}}\n",
	"between markers of kubectl":            hiddenOther + "---# x: \"\n" + hiddenPod + "---# \"\n",
	"between JSON objects":                  `{"apiVersion": "v1", "kind": "ConfigMap"}` + "\n" + hiddenFlow + "\n",
}

func TestAPodThatOnlyKubectlReadsIsAnError(t *testing.T) {
	config := readConfig(t, everywhere)
	for claim, text := range hiddenPods {
		t.Run(claim, func(t *testing.T) {
			if decoded := decodedWorkloads([]byte(text)); !slices.Equal(decoded, []string{"Pod/web"}) {
				t.Errorf("kubectl sees %v", decoded)
			}
			if !apply(config, finding.Source{File: "x.yaml", Text: []byte(text)}).Run.Failed() {
				t.Errorf("there is no error for:\n%s", text)
			}
		})
	}
}

func TestKubectlSeesNoWorkloadThatARunDoesNotSee(t *testing.T) {
	config := readConfig(t, everywhere)
	for seed := range 200 * *seeds {
		text := newSource(seed).stream()
		if hidden := hiddenWorkloads(config, []byte(text)); len(hidden) > 0 {
			t.Errorf("seed %d: only kubectl sees %v in:\n%q", seed, hidden, text)
		}
	}
}

// The manifests of the repository, in files of their own and in archives, are read as kubectl reads them.
func TestKubectlSeesNoOtherWorkloadsInTheRepository(t *testing.T) {
	config, texts, workloads := readConfig(t, everywhere), 0, 0
	err := filepath.WalkDir("../../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		for _, text := range manifestsIn(t, path) {
			texts++
			workloads += len(decodedWorkloads(text))
			if hidden := hiddenWorkloads(config, text); len(hidden) > 0 {
				t.Errorf("%s: only kubectl sees %v", path, hidden)
			}
		}
		return nil
	})
	if err != nil || texts < 1000 || workloads < 1000 {
		t.Errorf("found %d texts and %d workloads: %v", texts, workloads, err)
	}
}

// manifestsIn returns the texts that may be manifests in a file.
func manifestsIn(t testing.TB, path string) (texts [][]byte) {
	t.Helper()
	switch filepath.Ext(path) {
	case ".yaml", ".yml", ".json", ".txtar":
	default:
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(path) != ".txtar" {
		return [][]byte{text}
	}
	for _, file := range txtar.Parse(text).Files {
		texts = append(texts, file.Data)
	}
	return texts
}

// FuzzSameObjectsAsKubectl looks for a text with a workload that kubectl's decoder finds and a run without an error
// does not.
func FuzzSameObjectsAsKubectl(f *testing.F) {
	for seed := range uint64(100) {
		f.Add([]byte(newSource(seed).stream()))
	}
	for _, text := range hiddenPods {
		f.Add([]byte(text))
	}
	corpus, err := filepath.Glob("../../text/yaml/splice/testdata/corpus/*")
	if err != nil || len(corpus) == 0 {
		f.Fatalf("no corpus: %v", err)
	}
	for _, path := range corpus {
		for _, text := range manifestsIn(f, path) {
			f.Add(text)
		}
	}
	f.Add([]byte("kind: Pod\u2028apiVersion: v1\nmetadata: {name: 1}\n"))
	config, _ := engine.ReadConfig(finding.Source{Text: []byte(everywhere)})
	f.Fuzz(func(t *testing.T, text []byte) {
		if hidden := hiddenWorkloads(config, text); len(hidden) > 0 {
			t.Errorf("only kubectl sees %v", hidden)
		}
	})
}

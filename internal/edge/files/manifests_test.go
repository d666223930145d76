package files_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf16"

	"k8s.io/apimachinery/pkg/util/yaml"

	"pillion.dev/pillion/internal/edge/files"
)

// findsObject reports whether kubectl's decoder finds an object in a text, before an error ends it.
func findsObject(text string) bool {
	decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	for {
		var document json.RawMessage
		if decoder.Decode(&document) != nil {
			return false
		}
		var object struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
		}
		if json.Unmarshal(document, &object) == nil && object.APIVersion != "" && object.Kind != "" {
			return true
		}
	}
}

func utf16Of(text string) string {
	var encoded bytes.Buffer
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		encoded.Write([]byte{byte(unit), byte(unit >> 8)})
	}
	return encoded.String()
}

// TestWhatKubectlReadsIsTaken puts pieces together in every way, and compares with kubectl's own decoder: a file in
// which it finds an object is never passed over as one without objects.
func TestWhatKubectlReadsIsTaken(t *testing.T) {
	const object = `{"apiVersion":"v1","kind":"Pod"}`
	pieces := []string{
		"~\n", "- kind\n", "---", " ", "\u00a0", "\u2003", "\u0085", "\t", "\r", "\n", "\ufeff",
		"#", "# kind\n", "apiVersion: v1\nkind: Pod\n", object, object + ",a: 1}", "{",
	}
	texts := []string{""}
	seen, found := 0, 0
	for range 3 {
		var longer []string
		for _, text := range texts {
			for _, piece := range pieces {
				longer = append(longer, text+piece)
			}
		}
		texts = longer
		for _, text := range texts {
			for _, text := range []string{text, "~\n" + text + object, utf16Of(text)} {
				seen++
				if !findsObject(text) {
					continue
				}
				found++
				if why := files.Manifests("a.yaml", []byte(text)); why == files.NoObject {
					t.Errorf("%q is passed over", text)
				}
			}
		}
	}
	if found < seen/100 {
		t.Errorf("kubectl finds an object in %d of %d texts, so this tests little", found, seen)
	}
}

func TestListsAndValuesAreNoObjects(t *testing.T) {
	patch := "- op: add\n  path: /spec/a\n  value: {kind: Pod}\n"
	for text, want := range map[string]files.Why{
		patch:                                  files.NoObject,
		`[{"kind": "Pod"}]`:                    files.NoObject,
		"kind\n":                               files.NoObject,
		"# kind\n---\n" + patch:                files.NoObject,
		patch + "---\n" + patch:                files.NoObject,
		patch + strings.Repeat("#", 2e6):       files.NoObject,
		patch + "---\n" + pod:                  "",
		pod + "---\n" + patch:                  "",
		patch + "---\nkind: [\n":               files.NoObject, // kubectl refuses what has no apiVersion
		patch + "---\n# apiVersion\nkind: [\n": "",
		patch + "--- \u00a0\n" + pod:           "",
		utf16Of(patch):                         files.NoObject,
		utf16Of(patch + "# apiVersion"):        "", // the run asks for UTF-8
	} {
		if got := files.Manifests("a.yaml", []byte(text)); got != want {
			t.Errorf("%.60q: got %q, want %q", text, got, want)
		}
	}
}

// TestTheFirstLinesDecideAsTheWholeTextDoes compares what the first lines of a text tell with what the whole of it does,
// which is read if a comment is in front of it.
func TestTheFirstLinesDecideAsTheWholeTextDoes(t *testing.T) {
	versions := []string{
		"v1", "apps/v1", "1", "-", "---", "null", "~", "a/b/c", "x.y/v1", "kustomize.config.k8s.io/v1beta1", "pillion.dev/v1alpha1",
		"config.kubernetes.io/v1", "kpt.dev/v1", "v1 # x", "\"v1\"", "",
	}
	kinds := []string{
		"Pod", "Deployment", "Service", "List", "DeploymentList", "ConfigMapList", "ResourceList", "Kustomization", "SidecarInjector",
		"False", "Null", "deployment", "Deployment # x", "Deployment # kind", "Deployment\r", "*a", "", "Deployment\n  more", "Deployment\n List",
	}
	rests := []string{
		"", "\n", "metadata: {name: a}\n", "kind: Other\n", "apiVersion: v1\n", "items: []\n", "items: [{apiVersion: v1, kind: Pod}]\n", "a: [\n",
		"---\n- a\n", "---\nx\n", "---\n", "---x\n", "--- \u00a0\n" + pod, "---\n" + pod, "# {{\n", "a: {{ .x }}\n", "  b: c\n", "- a\n",
		"\tx\n", "\x00",
		"\r# x\n", "<<: {kind: null}\n", "\"kind\": null\n",
	}
	usual := 0
	for _, version := range versions {
		for _, kind := range kinds {
			for _, rest := range rests {
				text := "apiVersion: " + version + "\nkind: " + kind + "\n" + rest
				got := files.Manifests("a.yaml", []byte(text))
				if want := files.Manifests("a.yaml", []byte("#\n"+text)); got != want {
					t.Errorf("%q: got %q, want %q", text, got, want)
				}
				if got == "" {
					usual++
				}
			}
		}
	}
	if usual < 1000 {
		t.Errorf("%d texts are taken, so this tests little", usual)
	}
}

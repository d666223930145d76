package manifest

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// All tests read short lists like long ones, and survey short texts in pieces.
func init() { longBytes, stretchBytes, surveyBytes = 1, 60, 50 }

func TestALongListHasTheSameItems(t *testing.T) {
	texts := []string{string(resourceList(7)), strings.ReplaceAll(string(resourceList(7)), "\n", "\r\n")}
	for _, text := range texts {
		texts = append(texts, text+"metadata: {}\n", text+"# end", text+"items:\n- kind: Pod\n", text+"- x: \"open\n")
	}
	list := "apiVersion: v1\nkind: List\nitems:\n"
	for _, item := range []string{
		"- kind: Pod\n  x: \"a\n- kind: b\n- c\"\n", "- kind: Pod\n  x: {a: 1,\n- b\n- c: 2}\n", "- kind: Pod\n  x: |\n    - a\n    - b\n",
		"- kind: List\n  items:\n  - kind: Pod\n  - kind: Service\n", "-\n  kind: Pod\n", "- {kind: Pod}\n", "- kind: Pod\n  x:\n  - a\n",
	} {
		texts = append(texts, list+strings.Repeat(item, 9), list+strings.Repeat(item, 9)+"x: 1\n")
	}
	texts = append(texts,
		"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"+strings.Repeat("- kind: Pod\n", 9)+"results:\n"+
			strings.Repeat("- message: x\n", 30),
		list+"# \x01\n- kind: Pod\n", list+"\t\n- kind: Pod\n", list+" \t- kind: Pod\n", list+"\u0085- kind: Pod\n",
		list+"- kind: Pod\n  x: \""+strings.Repeat("\n- "+strings.Repeat("x", 125)+"\n", 40)+"\"\n- kind: Pod\n",
		list+"- kind: Pod\n# \u2028...\n- kind: Pod\n", list+"# a\n\n  # b\n- kind: Pod\n",
	)
	for _, c := range streams {
		texts = append(texts, c.text)
	}
	paths, err := filepath.Glob("../yaml/splice/testdata/corpus/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, list+strings.Repeat("- "+strings.ReplaceAll(string(text), "\n", "\n  ")+"\n", 6))
	}
	for _, text := range texts {
		compareLong(t, []byte(text))
	}
}

// compareLong compares reading the items of a list one by one with reading the whole document.
func compareLong(t *testing.T, text []byte) {
	t.Helper()
	parts, partsErr := Read(text)
	longBytes = math.MaxInt
	whole, wholeErr := Read(text)
	longBytes = 1
	same := reflect.DeepEqual(parts, whole) //nolint:govet // the errors of items are plain values
	if !same || fmt.Sprint(partsErr) != fmt.Sprint(wholeErr) {
		t.Errorf("%v in parts, and %v as a whole, in\n%s", partsErr, wholeErr, text)
	}
}

func TestALongListInBracesHasTheSameItems(t *testing.T) {
	pod := `{"kind": "Pod", "metadata": {"name": "web"}}`
	for _, text := range []string{
		`{"kind": "List", "items": [` + pod + `, ` + pod + `]}`, "{kind: List, items: [" + pod + ",\n" + pod + ",], x: [1, {a: b}]}\n",
		`{"kind": "List", "items": [` + pod + ` ` + pod + `]}`, `{"items": [` + pod + `], "items": [], "kind": "List"}`,
		`{"kind": "List", "items": [` + pod + `]} x`, `{"kind": "List", "items": [` + pod + `, "x"]}`, `{"kind": "List", "items": [`,
		"{kind: List, items: [" + pod + "] # end\n}", `{"kind": "List", "items": [{"kind": "P\/d", "x": "\ud83d\ude00"}]}`,
		`{"":00, "kind": "List", "items": [{"0": {"0": "\ud800"}}]}`,
		"{kind: List, items: [&a " + pod + ", *a]}", "{kind: List, items: [{kind: Pod, kind: Job}, {kind: Pod, a: 1, a: 2}]}",
		`{"kind":"List","items":[` + pod + `,` + pod + `]}`, "{\n\t\"kind\": \"List\",\n\t\"items\": [\n\t\t" + pod + "\n\t]\n}\n",
		"{kind: List, items: [" + pod + "]}\n...\n", "{kind:\n  List, items: [" + pod + "]}", "{kind: List, \"ite\nms\": [" + pod + "]}",
		"\t{kind: List, items: [" + pod + "]}", "{" + strings.Repeat("k", 2000) + ": 1, kind: List, items: [" + pod + "]}",
		`{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [` + pod + `], "functionConfig": {"a": 1}, "results": []}`,
	} {
		compareLong(t, []byte(text))
	}
}

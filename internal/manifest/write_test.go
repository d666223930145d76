package manifest

import (
	"bytes"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestWriteReplacesOnlyWhatChanged(t *testing.T) {
	text := lines("kind: List", "items:", "- kind: Pod", "# between", "- kind: Service", "# end")
	s, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := s.Write(&out, map[int][]byte{0: []byte("- kind: Changed\n# between\n")}, Results{}); err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(text, "Pod", "Changed", 1); out.String() != want {
		t.Errorf("got:\n%s", out.String())
	}
}

func TestResultsGoIntoTheResourceList(t *testing.T) {
	head := lines("apiVersion: config.kubernetes.io/v1", "kind: ResourceList", "items:", "- kind: Pod")
	added := lines("- message: \"yes\"", "  severity: info")
	for _, c := range []struct{ name, text, want string }{
		{"at the end", head, head + "results:\n" + added},
		{"at the end without a last line end", strings.TrimSuffix(head, "\n"), head + strings.TrimSuffix("results:\n"+added, "\n")},
		{"before the end of the document", head + "...\n", head + "results:\n" + added + "...\n"},
		{"with carriage returns", strings.ReplaceAll(head, "\n", "\r\n"), strings.ReplaceAll(head+"results:\n"+added, "\n", "\r\n")},
		{"in the place of none", "results: []\n" + head, "results:\n" + added + head},
		{"in the place of null", "results:\n" + head, "results:\n" + added + head},
		{"behind others", "results:\n  - message: first\n\n" + head, "results:\n  - message: first\n  - message: \"yes\"\n    severity: info\n\n" + head},
		{"behind others in brackets", "results: [{message: first}]\n" + head, "results: [{message: first}, {\"message\": \"yes\", \"severity\": \"info\"}]\n" + head},
		{
			"in braces", `{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": []}`,
			`{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [], "results": [{"message": "yes", "severity": "info"}]}`,
		},
		{
			"in braces, in the place of none", `{"kind": "ResourceList", "apiVersion": "config.kubernetes.io/v1", "results": []}`,
			`{"kind": "ResourceList", "apiVersion": "config.kubernetes.io/v1", "results": [{"message": "yes", "severity": "info"}]}`,
		},
		{"not into documents", "kind: Pod\n", "kind: Pod\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Read([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			var results yaml.Node
			if err := yaml.Unmarshal([]byte("- message: \"yes\"\n  severity: info\n"), &results); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := s.Write(&out, nil, Results{len(results.Content[0].Content), func(i int) *yaml.Node { return results.Content[0].Content[i] }}); err != nil {
				t.Fatal(err)
			}
			if out.String() != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", out.String(), c.want)
			}
		})
	}
}

package engine

import (
	"bytes"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/manifest"
)

func lines(all ...string) string { return strings.Join(all, "\n") + "\n" }

// indent moves lines by two columns.
func indent(text string) string {
	return string(bytes.TrimSuffix([]byte("  "+strings.ReplaceAll(text, "\n", "\n  ")), []byte("  ")))
}

func TestResultsGoIntoTheResourceList(t *testing.T) {
	head := lines("apiVersion: config.kubernetes.io/v1", "kind: ResourceList", "items:", "- kind: Pod")
	added := lines("- message: \"yes\"", "  severity: info")
	for _, c := range []struct{ name, text, want string }{
		{"at the end", head, head + "results:\n" + added},
		{"behind a last line without an end", strings.TrimSuffix(head, "\n"), head + "results:\n" + added},
		{"behind a comment without an end", head + "# end", head + "# end\nresults:\n" + added},
		{
			"in an indented list", indent(head), indent(head + "results:\n" + added),
		},
		{
			"in an indented list without a last line end", strings.TrimSuffix(indent(head), "\n"), indent(head + "results:\n" + added),
		},
		{"before the end of the document", head + "...\n", head + "results:\n" + added + "...\n"},
		{"with carriage returns", strings.ReplaceAll(head, "\n", "\r\n"), strings.ReplaceAll(head+"results:\n"+added, "\n", "\r\n")},
		{"in the place of none", "results: []\n" + head, "results:\n" + added + head},
		{"in the place of null", "results:\n" + head, "results:\n" + added + head},
		{
			"behind others", "results:\n  - message: first\n\n" + head,
			"results:\n  - message: first\n  - message: \"yes\"\n    severity: info\n\n" + head,
		},
		{
			"behind others in brackets", "results: [{message: first}]\n" + head,
			"results: [{message: first}, {message: \"yes\", severity: info}]\n" + head,
		},
		{
			"in braces", `{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": []}`,
			`{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [], "results": [{"message": "yes", "severity": "info"}]}`,
		},
		{
			"in braces, in the place of none", `{"kind": "ResourceList", "apiVersion": "config.kubernetes.io/v1", "results": []}`,
			`{"kind": "ResourceList", "apiVersion": "config.kubernetes.io/v1", "results": [{"message": "yes", "severity": "info"}]}`,
		},
		{
			"in tight braces, in the place of none", `{"kind":"ResourceList","apiVersion":"config.kubernetes.io/v1","results":[]}`,
			`{"kind":"ResourceList","apiVersion":"config.kubernetes.io/v1","results":[{"message":"yes","severity":"info"}]}`,
		},
		{
			"in tight braces, behind others", `{"kind":"ResourceList","apiVersion":"config.kubernetes.io/v1","results":[{"message":"x"}],` +
				`"items":[]}`,
			`{"kind":"ResourceList","apiVersion":"config.kubernetes.io/v1","results":[{"message":"x"},{"message":"yes","severity":"info"}],` +
				`"items":[]}`,
		},
		{
			"in braces, behind others with a comment", "{kind: ResourceList, apiVersion: config.kubernetes.io/v1, results: [{message: x} # " +
				"one\n] # two\n}",
			"{kind: ResourceList, apiVersion: config.kubernetes.io/v1, results: [{message: x}, {message: \"yes\", severity: info} # " +
				"one\n] # two\n}",
		},
		{
			"in braces, above a comment", "{\"kind\": \"ResourceList\", \"apiVersion\": \"config.kubernetes.io/v1\" # foo\n}",
			"{\"kind\": \"ResourceList\", \"apiVersion\": \"config.kubernetes.io/v1\", # foo\n  \"results\": [{\"message\": \"yes\", " +
				"\"severity\": \"info\"}]\n}",
		},
		{
			"in braces, behind a comma and a comment", "{\"kind\": \"ResourceList\", \"apiVersion\": \"config.kubernetes.io/v1\", # foo\n}",
			"{\"kind\": \"ResourceList\", \"apiVersion\": \"config.kubernetes.io/v1\", # foo\n  \"results\": [{\"message\": \"yes\", " +
				"\"severity\": \"info\"}]\n}",
		},
		{
			"in braces, behind a comma", "{kind: ResourceList, apiVersion: config.kubernetes.io/v1 , }",
			"{kind: ResourceList, apiVersion: config.kubernetes.io/v1 , \"results\": [{\"message\": \"yes\", \"severity\": \"info\"}] }",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := manifest.Read([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			findings := []finding.Finding{{Severity: finding.Info, Message: "yes"}}
			if err := writeResourceList(&out, s, nil, findings); err != nil {
				t.Fatal(err)
			}
			if _, err := manifest.Read(out.Bytes()); err != nil {
				t.Errorf("the reply cannot be read: %v", err)
			}
			if out.String() != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", out.String(), c.want)
			}
		})
	}
}

// TestResultsWouldChangeAScalar is about a line end that some readers add and others do not.
func TestResultsWouldChangeAScalar(t *testing.T) {
	s, err := manifest.Read([]byte("kind: ResourceList\napiVersion: config.kubernetes.io/v1\nitems:\n- data: |\n    text"))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = writeResourceList(&out, s, nil, []finding.Finding{{Severity: finding.Info, Message: "yes"}})
	if err == nil || !strings.Contains(err.Error(), "line 5: the ResourceList ends inside of a block scalar") || out.Len() > 0 {
		t.Errorf("got %v, and wrote %q", err, out.String())
	}
}

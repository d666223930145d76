package engine

import (
	"bytes"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/manifest"
)

func lines(all ...string) string { return strings.Join(all, "\n") + "\n" }

// indent moves lines by two columns.
func indent(text string) string {
	return string(bytes.TrimSuffix([]byte("  "+strings.ReplaceAll(text, "\n", "\n  ")), []byte("  ")))
}

func TestResultsGoIntoTheResourceList(t *testing.T) {
	head := lines("apiVersion: config.kubernetes.io/v1", "kind: ResourceList", "items:", "- kind: Pod")
	added := lines("- message: \"yes\"", "  severity: info")
	const inBrackets = `{"message": "yes", "severity": "info"}`
	for _, c := range []struct{ name, text, want string }{
		{"at the end", head, head + "results:\n" + added},
		{"before a last line without an end", strings.TrimSuffix(head, "\n"), "results:\n" + added + strings.TrimSuffix(head, "\n")},
		{"before a comment without an end", head + "# end", "results:\n" + added + head + "# end"},
		{
			"in an indented list", indent(head), indent(head + "results:\n" + added),
		},
		{
			"in an indented list without a last line end", strings.TrimSuffix(indent(head), "\n"),
			strings.TrimSuffix(indent("results:\n"+added+head), "\n"),
		},
		{"before the end of the document", head + "...\n", head + "results:\n" + added + "...\n"},
		{
			"behind a key with a question mark", "? apiVersion\n: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n",
			"? apiVersion\n: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\nresults:\n" + added,
		},
		{"with carriage returns", strings.ReplaceAll(head, "\n", "\r\n"), strings.ReplaceAll(head+"results:\n"+added, "\n", "\r\n")},
		{"in the place of none", "results: [] # none\n" + head, "results: [" + inBrackets + "] # none\n" + head},
		{"in the place of null", "results:\n" + head, "results: [" + inBrackets + "]\n" + head},
		{
			"behind others", "results:\n  - message: first\n\n" + head,
			"results:\n  - message: first\n  - message: \"yes\"\n    severity: info\n\n" + head,
		},
		{
			"behind others in brackets", "results: [{message: first}]\n" + head,
			"results: [{message: first}, " + inBrackets + "]\n" + head,
		},
		{
			"in braces", `{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [] }`,
			`{"results": [` + inBrackets + `], "apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [] }`,
		},
		{
			"in braces, in the place of none", `{"kind": "ResourceList", "apiVersion": "config.kubernetes.io/v1", "results": []}`,
			`{"kind": "ResourceList", "apiVersion": "config.kubernetes.io/v1", "results": [` + inBrackets + `]}`,
		},
		{
			"in tight braces, behind others", `{"kind":"ResourceList","apiVersion":"config.kubernetes.io/v1","results":[{"message":"x"}]}`,
			`{"kind":"ResourceList","apiVersion":"config.kubernetes.io/v1","results":[{"message":"x"}, ` + inBrackets + `]}`,
		},
		{
			"in braces, with comments", "{ # one\n kind: ResourceList, apiVersion: config.kubernetes.io/v1, # two\n}",
			"{ # one\n \"results\": [" + inBrackets + "], kind: ResourceList, apiVersion: config.kubernetes.io/v1, # two\n}",
		},
		{
			"in braces, behind others with a comment", "{kind: ResourceList, apiVersion: config.kubernetes.io/v1, results: [{message: x} # " +
				"one\n] # two\n}",
			"{kind: ResourceList, apiVersion: config.kubernetes.io/v1, results: [{message: x}, " + inBrackets + " # one\n] # two\n}",
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

// A newline would change a scalar, there is no colon for a value, or a comment would be lost.
func TestResultsThatNothingCanBeAddedTo(t *testing.T) {
	for text, line := range map[string]string{
		"kind: ResourceList\napiVersion: config.kubernetes.io/v1\nresults:\n- message: |\n    text": "line 4",
		"{kind: ResourceList, apiVersion: config.kubernetes.io/v1, results}":                        "line 1",
		"kind: ResourceList\napiVersion: config.kubernetes.io/v1\nresults: [ # none\n  ]\n":         "line 3",
	} {
		s, err := manifest.Read([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err = writeResourceList(&out, s, nil, []finding.Finding{{Severity: finding.Info, Message: "yes"}})
		if err == nil || !strings.Contains(err.Error(), line+": nothing can be added to the results") || out.Len() > 0 {
			t.Errorf("got %v, and wrote %q", err, out.String())
		}
	}
}

package project

import (
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// project is a project file with more fields.
func project(fields string) string {
	return "apiVersion: pillion.dev/v1alpha1\nkind: Project\n" + fields
}

func object(t *testing.T, text string) *node.Node {
	t.Helper()
	document, err := read.Document([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return document.Content[0]
}

func said(findings []finding.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "%s: %s\n", f.Severity, f.Message)
	}
	return b.String()
}

func TestProjectIsReadAsWritten(t *testing.T) {
	got, findings := Read(object(t, project(`
configs: [platform/]
files: [apps/]
kustomizations: [clusters/]
exclude: ["apps/legacy/**"]
defaultNamespace: shop
rollouts:
- injector: logs
  to:
  - namespaces: [team-a, "team-b-*"]
  - selector: {matchLabels: {tier: web}}
  - files: ["apps/shop/**"]
    kustomizations: [clusters/eu]
- injector: proxy
  to: []
`)))
	if len(findings) > 0 {
		t.Fatal(said(findings))
	}
	to := got.Rollouts[0].To
	if len(got.Rollouts) != 2 || len(to) != 3 || to[1].Selector.MatchLabels["tier"] != "web" || to[2].Files[0] != "apps/shop/**" {
		t.Errorf("the rollouts are %+v", got.Rollouts)
	}
	if got.Configs[0] != "platform/" || got.DefaultNamespace != "shop" || got.Exclude[0] != "apps/legacy/**" {
		t.Errorf("the project is %+v", got)
	}
}

func TestMistakesInProjectsAreNamedWithTheirFields(t *testing.T) {
	for _, test := range []struct{ claim, text, want string }{
		{"no mapping", "[]", "error: expected a mapping, found a list"},
		{"another kind", "apiVersion: v1\nkind: ConfigMap\n", "error: apiVersion: in a project file, write pillion.dev/v1alpha1\n" +
			"error: kind: in a project file, write Project"},
		{"a misspelt field", project("config: [a]"), `error: config: there is no field "config" here; did you mean configs?`},
		{"a text for a list", project("files: apps"), "error: files: expected a list, found"},
		{"an absolute path", project("files: [/etc]"), `error: files[0]: "/etc" is an absolute path`},
		{"standard input", project("configs: ['-']"), `error: configs[0]: "-" is no path`},
		{"an empty path", project("exclude: ['']"), `error: exclude[0]: "" is no path`},
		{"a glob to read", project("files: ['apps/*']"), `error: files[0]: "apps/*" is a glob; write a directory`},
		{"a broken glob of kustomizations", project("kustomizations: ['[a']"), `error: kustomizations[0]: "[a" is not a valid glob`},
		{"a broken glob", project("exclude: ['[a']"), `error: exclude[0]: "[a" is not a valid glob`},
		{"a namespace that is none", project("defaultNamespace: A_b"), `error: defaultNamespace: "A_b" is not a valid namespace name`},
		{
			"an injector twice", project("rollouts: [{injector: a, to: []}, {injector: a, to: []}]"),
			`error: rollouts[1].injector: rollouts[0] is for "a" already`,
		},
		{"no injector", project("rollouts: [{to: []}]"), "error: rollouts[0].injector: a rollout needs the name"},
		{"no to", project("rollouts: [{injector: a}]"), "error: rollouts[0].to: write what the injector is rolled out to"},
		{"an empty entry", project("rollouts: [{injector: a, to: [{}]}]"), "error: rollouts[0].to[0].namespaces: this entry chooses nothing"},
		{
			"a misspelt field of an entry", project("rollouts: [{injector: a, to: [{namespace: [b]}]}]"),
			`error: rollouts[0].to[0].namespace: there is no field "namespace" here; did you mean namespaces?`,
		},
		{
			"a regular expression", project("rollouts: [{injector: a, to: [{namespaces: ['a.*']}]}]"),
			`error: rollouts[0].to[0].namespaces[0]: "a.*" is not a glob`,
		},
		{
			"a wrong selector", project("rollouts: [{injector: a, to: [{selector: {matchLabels: {a: 'b c'}}}]}]"),
			"error: rollouts[0].to[0].selector: this is not a valid label selector",
		},
		{"too much", project("rollouts: [{injector: a, to: [{files: [" + strings.Repeat("a, ", 600) + "]}, {files: [" +
			strings.Repeat("a, ", 600) + "]}]}]"), "error: rollouts: they have 1202 entries together"},
		{
			"too much that is covered",
			project("covered: [" + strings.Repeat("{kind: A, names: ["+strings.Repeat("a, ", 600)+"], because: a}, ", 9) + "]"),
			"error: covered: the rows have 5409 entries together",
		},
	} {
		_, findings := Read(object(t, test.text))
		if got := said(findings); !strings.HasPrefix(got, test.want) || strings.Count(got, "\n") > strings.Count(test.want, "\n")+1 {
			t.Errorf("%s: said:\n%swant:\n%s", test.claim, got, test.want)
		}
	}
}

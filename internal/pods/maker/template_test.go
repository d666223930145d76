package maker

import "testing"

func TestTemplatesAreCountedByLines(t *testing.T) {
	for _, test := range []struct{ claim, template, want string }{
		{"none", "apiVersion: apps/v1\nkind: Deployment\n", ""},
		{"one", "apiVersion: argoproj.io/v1alpha1\nkind: Application\n", "1 Application"},
		{"the kind first", "kind: \"Application\"\napiVersion: 'argoproj.io/v1alpha1'\r\n", "1 Application"},
		{"in a loop", "{{ range .Values.apps }}\n---\n  apiVersion: argoproj.io/v1alpha1\n  kind: Application\n{{ end }}", "1 Application"},
		{"in a list", "items:\n- apiVersion: argoproj.io/v1alpha1\n  kind: Application\n", "1 Application"},
		{"several", "apiVersion: argoproj.io/v1alpha1\nkind: Application\n---\nkind: ApplicationSet\napiVersion: argoproj.io/v1alpha1\n---\n" +
			"apiVersion: argoproj.io/v1alpha1\nkind: Application\n", "2 Applications, 1 ApplicationSet"},
		{
			"what it refers to", "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nspec:\n  chartRef:\n    kind: HelmChart\n",
			"1 HelmRelease",
		},
		{"a group that is not known", "apiVersion: {{ .Values.version }}\nkind: Application\n", ""},
	} {
		var templates Templates
		templates.Add(test.template)
		want := test.want
		if want != "" {
			want = "its templates have " + want
		}
		if got := templates.String(); got != want {
			t.Errorf("%s: %q", test.claim, got)
		}
	}
}

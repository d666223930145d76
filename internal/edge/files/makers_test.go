package files_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/edge/files"
)

const (
	chartYAML   = "apiVersion: v2\nname: web\nversion: 1.0.0\n"
	application = "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: {{ .Values.name }}}\n"
)

// makersIn returns what the files in a tree are from which tools make pods, each as path: noun from.
func makersIn(t *testing.T, reader files.Reader, texts map[string]string) []string {
	t.Helper()
	dir := tree(t, texts)
	reader.Recursive, reader.Complete, reader.Take = true, true, files.Manifests
	for i, pattern := range reader.Exclude {
		reader.Exclude[i] = filepath.Join(dir, pattern)
	}
	found, err := reader.Read(t.Context(), []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, m := range found.Makers {
		line := m.File.Path + ": " + m.Kind.Noun + m.Says()
		all = append(all, filepath.ToSlash(strings.ReplaceAll(line, dir+string(filepath.Separator), "")))
	}
	return all
}

func TestFilesFromWhichToolsMakePods(t *testing.T) {
	pod := "kind: Pod\n"
	for claim, test := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"a chart with templates": {
			map[string]string{"c/Chart.yaml": chartYAML, "c/templates/pod.yaml": pod},
			[]string{"c/Chart.yaml: chart (from c)"},
		},
		"a chart of which no template is there": {
			map[string]string{"c/Chart.yaml": chartYAML}, []string{"c/Chart.yaml: chart (from c)"},
		},
		"a library that charts use": {
			map[string]string{"c/Chart.yaml": chartYAML + "type: library\n", "c/templates/_names.tpl": "x", "c/templates/NOTES.txt": "x"},
			nil,
		},
		"a library with a template": {
			map[string]string{"c/Chart.yaml": chartYAML + "type: library\n", "c/templates/pod.yaml": pod},
			[]string{"c/Chart.yaml: chart (from c)"},
		},
		"a chart in a library": {
			map[string]string{"c/Chart.yaml": chartYAML + "type: library\n", "c/charts/d/Chart.yaml": chartYAML},
			[]string{"c/charts/d/Chart.yaml: chart (from c/charts/d)"},
		},
		"a Chart.yaml that cannot be read, or not by Helm": {
			map[string]string{"c/Chart.yaml": "name: web\n", "d/Chart.yaml": "["},
			[]string{"c/Chart.yaml: chart (from c)", "d/Chart.yaml: chart (from d)"},
		},
		"a chart and a helmfile in the templates of a chart": {
			map[string]string{"c/Chart.yaml": chartYAML, "c/templates/helmfile.yaml": "", "c/templates/d/Chart.yaml": chartYAML},
			[]string{
				"c/Chart.yaml: chart (from c)", "c/templates/d/Chart.yaml: chart (from c/templates/d)",
				"c/templates/helmfile.yaml: helmfile",
			},
		},
		"charts of a chart": {
			map[string]string{
				"c/Chart.yaml": chartYAML, "c/templates/a.yaml": pod,
				"c/charts/d/Chart.yaml": chartYAML, "c/charts/d/templates/a.yaml": pod,
			},
			[]string{"c/Chart.yaml: chart (from c)"},
		},
		"a directory of charts": {
			map[string]string{"charts/c/Chart.yaml": chartYAML, "charts/c/templates/a.yaml": pod},
			[]string{"charts/c/Chart.yaml: chart (from charts/c)"},
		},
		"a chart of Applications": {
			map[string]string{"c/Chart.yaml": chartYAML, "c/templates/a/a.yaml": application, "c/templates/b.yaml": application},
			[]string{"c/Chart.yaml: chart (from c) (its templates have 2 Applications)"},
		},
		"a helmfile":                     {map[string]string{"helmfile.yaml": "releases: []\n"}, []string{"helmfile.yaml: helmfile"}},
		"a helmfile by its other ending": {map[string]string{"helmfile.yml": ""}, []string{"helmfile.yml: helmfile"}},
		"a template of a helmfile": {
			map[string]string{"a/helmfile.yaml.gotmpl": "releases: []\n"}, []string{"a/helmfile.yaml.gotmpl: helmfile"},
		},
		"a directory of helmfiles": {map[string]string{"helmfile.d/a.yaml": "releases: []\n"}, []string{"helmfile.d: helmfile"}},
		"fleet.yaml with a chart": {
			map[string]string{"a/fleet.yaml": "helm: {repo: https://charts.example.com, chart: web}\n"},
			[]string{"a/fleet.yaml: fleet.yaml (from https://charts.example.com/web)"},
		},
		"fleet.yaml with a chart for a target": {
			map[string]string{"a/fleet.yaml": "kind: Any\ntargetCustomizations: [{name: a}, {helm: {chart: web}}]\n"},
			[]string{"a/fleet.yaml: fleet.yaml (from web)"},
		},
		"fleet.yml without a chart":    {map[string]string{"a/fleet.yml": "defaultNamespace: web\n"}, []string{"a/fleet.yml: fleet.yaml"}},
		"another object in fleet.yaml": {map[string]string{"a/fleet.yaml": pod}, nil},
		"fleet.yaml that is broken": {
			map[string]string{"a/fleet.yaml": "helm: ["},
			[]string{"a/fleet.yaml: fleet.yaml: it cannot be read"},
		},
		"several files of jsonnet": {
			map[string]string{"a/a.jsonnet": "{}", "a/b.jsonnet": "{}"},
			[]string{"a/a.jsonnet: directory with jsonnet"},
		},
		"a library of jsonnet": {map[string]string{"a/a.libsonnet": "{}"}, nil},
		"an environment of Tanka": {
			map[string]string{"a/main.jsonnet": "{}", "a/spec.json": "{}"},
			[]string{"a/main.jsonnet: Tanka environment"},
		},
		"jsonnet by the name of Tanka's": {map[string]string{"a/main.jsonnet": "{}"}, []string{"a/main.jsonnet: directory with jsonnet"}},
		"an inventory of Kapitan": {
			map[string]string{".kapitan": "version: 0.3\n", "inventory/a.yml": "x: y\n"},
			[]string{".kapitan: Kapitan inventory"},
		},
		"a .kapitan without an inventory": {map[string]string{".kapitan": "version: 0.3\n"}, nil},
		"an app of cdk8s":                 {map[string]string{"cdk8s.yaml": "app: a\n"}, []string{"cdk8s.yaml: cdk8s app"}},
		"a kustomization with a chart": {
			map[string]string{"a/kustomization.yaml": "helmCharts: [{name: web, repo: https://charts.example.com/}]\n"},
			[]string{"a/kustomization.yaml: chart of a kustomization (from https://charts.example.com/web)"},
		},
		"a kustomization with a chart, as in older ones": {
			map[string]string{"a/kustomization.yaml": "helmChartInflationGenerator: [{chartName: web, chartRepoUrl: https://charts.example.com}]\n"},
			[]string{"a/kustomization.yaml: chart of a kustomization (from https://charts.example.com/web)"},
		},
		"a kustomization with generators": {
			map[string]string{"a/kustomization.yaml": `generators:
- "{apiVersion: builtin, kind: HelmChartInflationGenerator, metadata: {name: x}, name: web, repo: oci://charts.example.com}"
- |
  apiVersion: builtin
  kind: ConfigMapGenerator
  metadata: {name: x}
  ---
  apiVersion: builtin
  kind: "Helm\x43hartInflationGenerator"
  metadata: {name: y}
  name: data
- https://example.com/generator
- generator.yaml
`},
			[]string{
				"a/kustomization.yaml: chart of a kustomization (from data)",
				"a/kustomization.yaml: chart of a kustomization (from oci://charts.example.com/web)",
				"a/kustomization.yaml: remote base (from https://example.com/generator)",
			},
		},
		"a kustomization that kpt ignores": {
			map[string]string{
				".krmignore": "a\n", "kustomization.yaml": "resources: [a]\n",
				"a/kustomization.yaml": "helmCharts: [{name: web}]\nresources: ['https://example.com/a']\n",
			},
			[]string{"a/kustomization.yaml: chart of a kustomization (from web)", "a/kustomization.yaml: remote base (from https://example.com/a)"},
		},
		"a kustomization with remote bases": {
			map[string]string{
				"a/kustomization.yaml": "resources: [b, 'https://example.com/a//b?ref=v1', github.com/a/b, " +
					"'git@example.com:a/b', 'org-1@github.com:org/x', missing]\n" +
					"components: ['HTTPS://user:secret@example.com/x?ref=v1', github.com/here]\n",
				"a/b/kustomization.yaml":               "",
				"a/github.com/here/kustomization.yaml": "kind: Component\n",
			},
			[]string{
				"a/kustomization.yaml: remote base (from HTTPS://example.com/x)",
				"a/kustomization.yaml: remote base (from git@example.com:a/b)",
				"a/kustomization.yaml: remote base (from github.com/a/b)",
				"a/kustomization.yaml: remote base (from github.com/here)", // which is a directory, too
				"a/kustomization.yaml: remote base (from https://example.com/a//b)",
				"a/kustomization.yaml: remote base (from org-1@github.com:org/x)",
			},
		},
		"what git ignores": {
			map[string]string{
				".git/HEAD": "", ".git/index": emptyIndex, ".gitignore": "c/\nhelmfile.yaml\na.jsonnet\n",
				"c/Chart.yaml": chartYAML, "c/templates/a.yaml": pod, "helmfile.yaml": "", "a.jsonnet": "", "b.jsonnet": "",
			},
			nil,
		},
		"what git ignores, and may track": {
			map[string]string{".git/HEAD": "", ".gitignore": "helmfile.yaml\n", "helmfile.yaml": "releases: []\n"},
			[]string{"helmfile.yaml: helmfile"},
		},
		"what kpt ignores": {
			map[string]string{".krmignore": "helmfile.yaml\n", "helmfile.yaml": "releases: []\n"},
			[]string{"helmfile.yaml: helmfile"},
		},
	} {
		got := makersIn(t, files.Reader{}, test.files)
		slices.Sort(got)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n got %q\nwant %q", claim, got, test.want)
		}
	}
}

// emptyIndex is an index of git without files.
const emptyIndex = "DIRC\x00\x00\x00\x02\x00\x00\x00\x00" +
	"\x39\xd8\x90\x13\x9e\xe5\x35\x6c\x7e\xf5\x72\x21\x6c\xeb\xcd\x27\xaa\x41\xf9\xdf"

func TestWhatIsExcludedIsOfNoFile(t *testing.T) {
	all := map[string]string{
		"a/helmfile.yaml": "releases: []\n", "b/helmfile.yaml": "releases: []\n",
		"c/Chart.yaml": chartYAML, "c/templates/a.yaml": "kind: Pod\n",
	}
	got := makersIn(t, files.Reader{Exclude: []string{"a", "b/helmfile.yaml", "c/Chart.yaml"}}, maps.Clone(all))
	if len(got) > 0 {
		t.Errorf("found %q", got)
	}
}

func TestAReaderThatIsNotCompleteLooksForNoMakers(t *testing.T) {
	dir := tree(t, map[string]string{"helmfile.yaml": "releases: []\n"})
	found, err := files.Reader{Recursive: true, Take: files.Manifests}.Read(t.Context(), []string{dir})
	if err != nil || len(found.Makers) > 0 {
		t.Errorf("found %v, %v", found.Makers, err)
	}
}

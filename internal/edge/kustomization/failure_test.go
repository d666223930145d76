package kustomization

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/edge/files"
)

const component = "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n"

// TestCausesAreNamed has why a directory app cannot be built, with paths as seen from above it. No base shows in its own
// files what is wrong.
func TestCausesAreNamed(t *testing.T) {
	const useBase = "resources: [../base]\n"
	const otherPod = "patches: [{patch: '{apiVersion: v1, kind: Pod, metadata: {name: other}}'}]\n"
	for _, test := range []struct {
		claim string
		tree  map[string]string
		want  []Cause
	}{
		{
			"a repository in a base, without path, version and password",
			map[string]string{
				"app/kustomization.yaml":  useBase,
				"base/kustomization.yaml": "resources: ['https://me:secret@example.com/org/repo/deploy/base?ref=v1']\n",
			},
			[]Cause{{Remote, "https://example.com/org/repo"}},
		},
		{
			"a component, a patch and a CRD that are remote",
			map[string]string{
				"app/kustomization.yaml": "components: ['git@example.com:org/repo.git//c?ref=v1']\n" +
					"patches: [{path: 'https://example.com/patch.yaml'}]\ncrds: ['https://example.com/patch.yaml?x=y']\n",
			},
			[]Cause{{Remote, "git@example.com:org/repo"}, {Remote, "https://example.com/patch.yaml"}},
		},
		{
			"what is remote, below a directory that kustomize takes for a repository",
			map[string]string{
				"app/kustomization.yaml":                     "resources: [github.com/org/repo]\n",
				"app/github.com/org/repo/kustomization.yaml": "namePrefix: a\n",
			},
			[]Cause{{Remote, "https://github.com/org/repo"}},
		},
		{
			"charts of both fields",
			map[string]string{
				"app/kustomization.yaml": "helmCharts: [{name: web, repo: 'https://me:secret@example.com/charts/'}]\n" +
					"helmChartInflationGenerator: [{chartName: db, chartRepoUrl: 'oci://example.com'}]\n",
			},
			[]Cause{{Chart, "https://example.com/charts/web"}, {Chart, "oci://example.com/db"}},
		},
		{
			"a chart in a generator",
			map[string]string{
				"app/kustomization.yaml": "generators: [chart.yaml]\n",
				"app/chart.yaml":         "apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: web}\nname: web\n",
			},
			[]Cause{{Chart, "helmchartinflationgenerator/web"}},
		},
		{
			"a plugin in a component",
			map[string]string{
				"app/kustomization.yaml":  "resources: [pod.yaml]\ncomponents: [../base]\n",
				"app/pod.yaml":            somePod,
				"base/kustomization.yaml": component + "transformers: [plugin.yaml]\n",
				"base/plugin.yaml":        "apiVersion: v1\nkind: Plugin\nmetadata: {name: x}\n",
			},
			[]Cause{{Plugin, "Plugin"}},
		},
		{
			"files that are missing, in every field",
			map[string]string{
				"app/kustomization.yaml": "resources: [1.yaml]\npatches: [{path: 2.yaml}]\npatchesStrategicMerge: [3.yaml, '{}']\n" +
					"replacements: [{path: 4.yaml}]\nopenapi: {path: 5.json}\ntransformers: [6.yaml]\n" +
					"configMapGenerator: [{name: c, files: [a=7.txt], envs: [8.env]}]\nsecretGenerator: [{name: s, env: 9.env}]\n",
			},
			[]Cause{
				{Missing, "app/1.yaml"},
				{Missing, "app/6.yaml"},
				{Missing, "app/3.yaml"},
				{Missing, "app/2.yaml"},
				{Missing, "app/4.yaml"},
				{Missing, "app/5.json"},
				{Missing, "app/7.txt"},
				{Missing, "app/8.env"},
				{Missing, "app/9.env"},
			},
		},
		{
			"a directory without a kustomization",
			map[string]string{"app/kustomization.yaml": useBase, "base/pod.yaml": somePod},
			[]Cause{{Missing, "base/kustomization.yaml"}},
		},
		{
			"a file outside of a component",
			map[string]string{
				"app/kustomization.yaml":  "resources: [pod.yaml]\ncomponents: [../base]\n",
				"app/pod.yaml":            somePod,
				"base/kustomization.yaml": component + "patches: [{path: ../app/pod.yaml}]\n",
			},
			[]Cause{{Outside, "app/pod.yaml"}},
		},
		{
			"an object of two files",
			map[string]string{
				"app/kustomization.yaml":  useBase,
				"base/kustomization.yaml": "resources: [pod.yaml, again.yaml]\n", "base/pod.yaml": somePod, "base/again.yaml": somePod,
			},
			[]Cause{{Repeated, "pod/web in base/again.yaml"}},
		},
		{
			"a patch without a target, in a component of a component",
			map[string]string{
				"app/kustomization.yaml":  "resources: [pod.yaml]\ncomponents: [../c]\n",
				"app/pod.yaml":            somePod,
				"c/kustomization.yaml":    component + "components: [../base]\n",
				"base/kustomization.yaml": component + otherPod,
			},
			[]Cause{{NoTarget, "pod/other in base"}},
		},
		{
			"YAML that is broken",
			map[string]string{
				"app/kustomization.yaml":  useBase,
				"base/kustomization.yaml": "resources: [pod.yaml]\n", "base/pod.yaml": "a: [b\n",
			},
			[]Cause{{Unreadable, "base/pod.yaml: line 1: did not find expected ',' or ']'"}},
		},
		{
			"a kustomization that is broken",
			map[string]string{"app/kustomization.yaml": useBase, "base/kustomization.yaml": "resources: [\n"},
			[]Cause{{Unreadable, "base/kustomization.yaml: yaml: line 1: did not find expected node content"}},
		},
		{
			"a field that kustomize does not know",
			map[string]string{"app/kustomization.yaml": useBase, "base/kustomization.yaml": "resourcs: []\n"},
			[]Cause{{Unreadable, `base: json: unknown field "resourcs"`}},
		},
		{
			"a circle",
			map[string]string{"app/kustomization.yaml": useBase, "base/kustomization.yaml": "resources: [../app]\n"},
			[]Cause{{Other, "base: cycle detected: candidate root 'app' contains visited root 'app'"}},
		},
		{
			"a file without an object",
			map[string]string{"app/kustomization.yaml": "resources: [pod.yaml]\n", "app/pod.yaml": "a: b\n"},
			[]Cause{{Other, "app/pod.yaml: missing Resource metadata"}},
		},
		{
			"a patch that does not fit",
			map[string]string{
				"app/kustomization.yaml": useBase,
				"base/kustomization.yaml": "resources: [pod.yaml]\n" +
					"patches: [{target: {kind: Pod}, patch: '[{\"op\": \"remove\", \"path\": \"/spec/x\"}]'}]\n",
				"base/pod.yaml": somePod,
			},
			[]Cause{{Other, `base: remove operation does not apply: doc is missing path: "/spec/x": missing value`}},
		},
		{
			"an empty kustomization",
			map[string]string{"app/kustomization.yaml": "kind: Kustomization\n"},
			[]Cause{{BuildsNothing, ""}},
		},
	} {
		t.Run(test.claim, func(t *testing.T) {
			root := tree(t, test.tree)
			t.Chdir(root)
			_, err := NewDisk(nil).Build("app")
			got := CausesOf(err)
			for i := range got {
				got[i].Name = filepath.ToSlash(got[i].Name)
			}
			if fmt.Sprint(got) != fmt.Sprint(test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
			if strings.Contains(err.Error(), root) {
				t.Errorf("it has an absolute path: %v", err)
			}
		})
	}
}

func TestAFailureSaysAllOfItsCauses(t *testing.T) {
	t.Chdir(tree(t, map[string]string{
		"app/kustomization.yaml": "resources: [a, b, c, d, 'https://example.com/org/repo']\nhelmCharts: [{name: web}]\n",
	}))
	_, err := NewDisk(nil).Build("app")
	for _, part := range []string{
		"the kustomization in app needs https://example.com/org/repo, and", "needs Helm for web, and",
		"uses what is not there: " + filepath.Join("app", "a") + ", " + filepath.Join("app", "b") + ", " +
			filepath.Join("app", "c") + ", and 1 more;",
	} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("there is no %s in %v", part, err)
		}
	}
}

// TestObstaclesOutsideOfTheRepositoryAreNotLookedFor has a file and a directory outside, of which it is not said whether
// they are there.
func TestObstaclesOutsideOfTheRepositoryAreNotLookedFor(t *testing.T) {
	dir := tree(t, map[string]string{
		"repo/app/kustomization.yaml":     "resources: [../../none.yaml, ../../outside]\n",
		"outside/kustomization.yaml":      "resources: [secret-none.yaml]\n",
		"repo/missing/kustomization.yaml": "resources: [none.yaml, ../../none.yaml]\n",
	})
	_, err := BuildWithin(filepath.Join(dir, "repo"), filepath.Join(dir, "repo", "app"))
	if err == nil || !strings.Contains(err.Error(), "leads out of the repository") || strings.Contains(err.Error(), "secret") {
		t.Error(err)
	}
	_, err = BuildWithin(filepath.Join(dir, "repo"), filepath.Join(dir, "repo", "missing"))
	if causes := CausesOf(err); len(causes) != 1 || !strings.HasSuffix(causes[0].Name, filepath.Join("missing", "none.yaml")) {
		t.Error(err)
	}
}

func TestAnEmptyKustomizationIsKnown(t *testing.T) {
	for _, isEmpty := range []error{Empty("app"), fmt.Errorf("more: %w", Empty("app"))} {
		if !IsEmpty(isEmpty) {
			t.Error(isEmpty)
		}
	}
	for _, other := range []error{nil, errors.New("empty"), &BuildError{Causes: []Cause{{Kind: Missing}}}} {
		if IsEmpty(other) {
			t.Error(other)
		}
	}
}

// TestPathsAreRelative has texts of kustomize, in which what looks like a path may be one of a JSON patch.
func TestPathsAreRelative(t *testing.T) {
	dir := files.RealPath(t.TempDir())
	t.Chdir(dir)
	for text, want := range map[string]string{
		"lstat " + filepath.Join(dir, "a b", "c.yaml") + ": no":  "lstat " + filepath.Join("a b", "c.yaml") + ": no",
		"security; file '" + filepath.Join(dir, "..", "x") + "'": "security; file '" + filepath.Join("..", "x") + "'",
		"'" + dir + "'":                  "'.'",
		"missing path: /spec/containers": "missing path: /spec/containers",
		"https://example.com" + dir:      "https://example.com" + dir,
	} {
		if got := relative(dir, text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

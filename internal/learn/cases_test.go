package learn_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/learn"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/test/source"
)

// classes are why a source is left out, decided by its config and its manifests. The first that holds counts.
var classes = []struct {
	name  string
	holds func(s source.Source) bool
}{
	{"removes or verifies", inConfig(`action: (Remove|Verify)`)},
	{"has a stamp already", func(s source.Source) bool { return strings.Contains(strings.Join(s.Items, ""), v1alpha1.StampPrefix) }},
	{"takes over what is there", inConfig(`adopt: true`)},
	{"copies mounts of the app", inConfig(`(?i)shareVolumePolicy`)},
	{"copies variables of the app", inConfig(`transferEnv`)},
	{"computes resources from the app's", inConfig(`resourcesPolicy|podResources`)},
	{"merges JSON with the app's", inConfig(`MergePatchJson`)},
	{"merges or replaces a container of the app", inConfig(`container: (Merge|Replace)`)},
	{"replaces what the app has", inConfig(`(env|mountPath|volume): Replace`)},
	{"has kinds that are not built in", inConfig(`(?m)^ *workloads:`)},
	{"patches HelmReleases", inConfig(`helmReleases: Patch`)},
}

func inConfig(pattern string) func(source.Source) bool {
	expression := regexp.MustCompile(pattern)
	return func(s source.Source) bool { return expression.MatchString(s.Config) }
}

// leftOut are the sources that no class leaves out and that do not come out equal, with the reason.
var leftOut = map[string]string{
	"case app-envfrom":           "envFrom of a container that has one of the entries: another order",
	"case app-env-join-before":   "one variable is joined on both sides",
	"case generate-name":         "two objects without a name cannot be told apart",
	"case kpt-ids":               "annotations of kpt are removed, and an injector removes nothing",
	"case podspec":               "lists of a pod that has some of the entries: another order",
	"case position-native":       "a container named by before or after that only one of the pods has",
	"case variables-port":        "a variable in a port, which is a number in the pod",
	"case sidecarset-same-names": "a SidecarSet replaces the app's container",
	"case unknown-field":         "fields that this version of Kubernetes does not have",
	"case variables":             "a label with a value that no API server accepts",
	"case variables-in-cronjob":  "two pod templates of one object share its variables",
	"example namespaces":         "a default of a variable that only one pod shows",
	"example overrides":          "a default of a variable that only one pod shows",
	"example many-injectors":     "annotations that name injectors, and a volume that two of these share",
}

// TestCasesAreLearned injects the configs of the repository into their manifests, learns from the manifests before and
// after, and injects what was learned into those from before: they come out equal.
func TestCasesAreLearned(t *testing.T) {
	counts, unused := map[string]int{}, maps.Clone(leftOut)
	for _, of := range []struct {
		kind string
		load func(string) ([]source.Source, error)
	}{{"case", source.Cases}, {"example", source.Examples}, {"preset", source.Presets}} {
		all, err := of.load("../..")
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			name := of.kind + " " + s.Name
			class, differences := learnSource(t, name, s)
			if reason := leftOut[name]; reason != "" && class == "differs" {
				class = "left out by name"
				delete(unused, name)
			}
			counts[class]++
			if class == "differs" {
				t.Errorf("%s: %s", name, differences)
			}
		}
	}
	for name, reason := range unused {
		t.Errorf("%s is in the table of those that differ (%s), and does not differ", name, reason)
	}
	want := map[string]int{
		"equal":            134,
		"left out by name": 14,

		"has a config with mistakes": 8,
		"is refused":                 114,
		"is not changed":             57,

		"removes or verifies":                       23,
		"has a stamp already":                       39,
		"takes over what is there":                  8,
		"copies mounts of the app":                  17,
		"copies variables of the app":               4,
		"computes resources from the app's":         5,
		"merges JSON with the app's":                7,
		"merges or replaces a container of the app": 10,
		"replaces what the app has":                 6,
		"has kinds that are not built in":           8,
		"patches HelmReleases":                      6,
	}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("the numbers of sources have changed (-want +got):\n%s", diff)
	}
}

// learnSource returns equal, differs, or why the source is left out.
func learnSource(t *testing.T, name string, s source.Source) (class, differences string) {
	t.Helper()
	defer func() {
		if problem := recover(); problem != nil {
			t.Errorf("%s: panic: %v", name, problem)
		}
	}()
	config, findings := engine.ReadConfig(finding.Source{Text: []byte(s.Config)})
	if finding.HasError(findings) {
		return "has a config with mistakes", ""
	}
	before, after, result := injected(t, config, s.Items...)
	learned, err := learnFrom(before, after)
	differences = differing(learned, err)
	if err == nil && differences != "" && len(learned.Findings) == 0 {
		t.Errorf("%s: there are differences without a finding: %s", name, differences)
	}
	switch {
	case result.Run.IsRefused():
		return "is refused", ""
	case !slices.ContainsFunc(result.Texts, func(text []byte) bool { return text != nil }):
		if err == nil {
			t.Errorf("%s: nothing was injected, and this was learned:\n%s", name, learned.Text)
		}
		return "is not changed", ""
	}
	for _, c := range classes {
		if c.holds(s) {
			return c.name, ""
		}
	}
	if differences != "" {
		return "differs", differences
	}
	return "equal", ""
}

// injected returns manifests as a stream, before and after an injection.
func injected(t *testing.T, config engine.Config, items ...string) (before, after []byte, result engine.Result) {
	t.Helper()
	var sources []finding.Source
	for _, item := range items {
		sources = append(sources, finding.Source{Text: []byte(item), MayBeEmpty: true})
	}
	result, err := engine.Apply(context.Background(), config, sources...)
	if err != nil {
		t.Fatal(err)
	}
	var old, changed [][]byte
	for i, item := range items {
		old, changed = append(old, []byte(item)), append(changed, []byte(item))
		if result.Texts[i] != nil {
			changed[i] = result.Texts[i]
		}
	}
	separator := []byte("\n---\n")
	return bytes.Join(old, separator), bytes.Join(changed, separator), result
}

// learnFrom learns from two streams.
func learnFrom(before, after []byte) (learn.Learned, error) {
	old, err := manifest.Read(before)
	if err != nil {
		return learn.Learned{}, err
	}
	changed, err := manifest.Read(after)
	if err != nil {
		return learn.Learned{}, err
	}
	matched, err := learn.Match(old.Items, changed.Items, true)
	if err != nil {
		return learn.Learned{}, err
	}
	return learn.From(context.Background(), matched.Pairs, "")
}

// differing returns what does not come out as it was, or nothing.
func differing(learned learn.Learned, err error) string {
	if err == nil && finding.HasError(learned.Findings) {
		return "the config is not valid"
	}
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, c := range learned.Checks {
		if c.Refused != "" {
			fmt.Fprintf(&b, "\n%s: %s", c.Pair.Object, c.Refused)
		}
		for _, d := range c.Differences {
			fmt.Fprintf(&b, "\n%s: %s: got %s, want %s", c.Pair.Object, d.Path(), learn.Shown(d.Got), learn.Shown(d.Want))
		}
	}
	return b.String()
}

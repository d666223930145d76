package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"testing"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/test/resourcelist"
	"pillion.dev/pillion/test/source"
)

// lookups are the plugins that refuse pods because of other objects that do not exist: namespaces, ServiceAccounts and
// classes.
const lookups = "NamespaceLifecycle,ServiceAccount,Priority,RuntimeClass"

// TestInjectedWorkloadsAreAccepted sends all workloads of the repository to the API server, before and after injection.
// A workload that is accepted before and refused after is a defect of Pillion, or of the config.
func TestInjectedWorkloadsAreAccepted(t *testing.T) {
	c := Start(t, "--disable-admission-plugins", lookups, "--allow-privileged")
	answers := map[string]Answer{}
	for _, set := range []struct {
		name              string
		sources           []source.Source
		accepted, changed int // at least so many objects are accepted, and so many of them were changed by Pillion
	}{
		{"examples", load(t, source.Examples), 40, 30},
		{"presets", load(t, source.Presets), 20, 20},
		{"cases", load(t, source.Cases), 450, 250},
		{"corpus", withCorpus(t, slices.Concat(load(t, source.Presets), load(t, source.Configs))), 1300, 1000},
	} {
		t.Run(set.name, func(t *testing.T) {
			a := acceptance{cluster: c, before: answers}
			for _, s := range set.sources {
				a.check(t, s)
			}
			t.Logf("accepted: %d whole objects and %d pods of others; of all of these, Pillion changed %d", a.objects, a.pods, a.changed)
			t.Logf("left out: %d pods that are refused without Pillion, too, %d that Pillion warns of, and %d configs with mistakes",
				a.refused, a.warned, a.badConfigs)
			if accepted := a.objects + a.pods; accepted < set.accepted || a.changed < set.changed {
				t.Errorf("%d objects are accepted and %d changed, want at least %d and %d", accepted, a.changed, set.accepted, set.changed)
			}
		})
	}
}

func load(t *testing.T, from func(root string) ([]source.Source, error)) []source.Source {
	t.Helper()
	all, err := from("../..")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// withCorpus returns the configs of sources with the corpus as their manifests.
func withCorpus(t *testing.T, sources []source.Source) []source.Source {
	t.Helper()
	corpus, err := source.Corpus("../..")
	if err != nil {
		t.Fatal(err)
	}
	var items []string
	for _, name := range slices.Sorted(maps.Keys(corpus)) {
		if name != "hand-helm-source.yaml" { // it has to be rendered first
			items = append(items, corpus[name])
		}
	}
	for i := range sources {
		sources[i].Items = items
	}
	return sources
}

// acceptance counts the objects of sources that are accepted.
type acceptance struct {
	cluster                     *Cluster
	before                      map[string]Answer // to manifests without injection
	isWarned                    bool              // whether Pillion warns of a mount without a volume, or an unknown field
	objects, pods, changed      int
	refused, warned, badConfigs int
}

// check injects a config into its manifests and compares the API server's answers.
func (a *acceptance) check(t *testing.T, s source.Source) {
	t.Helper()
	config, findings := engine.ReadConfig(finding.Source{Text: []byte(s.Config)})
	if finding.HasError(findings) {
		a.badConfigs++
		return
	}
	texts := make([]finding.Source, len(s.Items))
	for i, item := range s.Items {
		texts[i].Text = []byte(item)
	}
	result, err := engine.Apply(context.Background(), config.KeepingGoing(), texts...)
	if err != nil {
		t.Fatal(err)
	}
	a.isWarned = slices.ContainsFunc(slices.Concat(findings, result.Run.Findings()), func(f finding.Finding) bool {
		return f.Code == finding.DanglingMount || f.Code == finding.UnknownField
	})
	for i, item := range s.Items {
		before, after := resourcelist.Documents(item), resourcelist.Documents(item)
		if result.Texts[i] != nil {
			after = resourcelist.Documents(string(result.Texts[i]))
		}
		if len(before) != len(after) {
			t.Errorf("%s: %d documents became %d", s.Name, len(before), len(after))
			continue
		}
		for n := range before {
			a.compare(t, s.Name, before[n], after[n])
		}
	}
}

// compare checks an object, or, if the API server refuses it or does not have its kind, the pods in it.
func (a *acceptance) compare(t *testing.T, name, before, after string) {
	t.Helper()
	if a.isAccepted(t, before) {
		a.objects++
		a.mustAccept(t, name, before, after)
		return
	}
	injected := podManifests(t, after)
	for place, own := range podManifests(t, before) {
		switch now, isThere := injected[place]; {
		case !isThere: // the removal of a sidecar leaves no container
		case !a.isAccepted(t, own):
			a.refused++
		default:
			a.pods++
			a.mustAccept(t, name, own, now)
		}
	}
}

func (a *acceptance) isAccepted(t *testing.T, manifest string) bool {
	t.Helper()
	answer, known := a.before[manifest]
	if !known {
		answer = a.dryRun(t, manifest)
		a.before[manifest] = answer
	}
	return answer.Accepted()
}

// dryRun returns the API server's answer. That to a manifest with a mistake, or of an unknown kind, is empty.
func (a *acceptance) dryRun(t *testing.T, manifest string) Answer {
	t.Helper()
	if err := yaml.Unmarshal([]byte(manifest), &object{}); err != nil {
		return Answer{}
	}
	answer, err := a.cluster.DryRun([]byte(manifest))
	var unknown *UnknownKindError
	if err != nil && !errors.As(err, &unknown) {
		t.Fatalf("%v in\n%s", err, manifest)
	}
	return answer
}

func (a *acceptance) mustAccept(t *testing.T, name, before, after string) {
	t.Helper()
	if after == before {
		return
	}
	a.changed++
	switch answer := a.dryRun(t, after); {
	case answer.Accepted():
	case a.isWarned:
		a.warned++
	default:
		t.Errorf("%s: accepted before and refused after: %s\n%s", name, answer.Body, after)
	}
}

// podManifests returns the pods in a document as JSON, by where they are in it.
func podManifests(t *testing.T, document string) map[string]string {
	t.Helper()
	var object map[string]any
	if err := yaml.Unmarshal([]byte(document), &object); err != nil {
		return nil // a manifest with a mistake
	}
	manifests := map[string]string{}
	if spec, isMap := object["spec"].(map[string]any); isMap && spec["volumeClaimTemplates"] != nil {
		return nil // its pods have volumes that are not in their template
	}
	for _, pod := range source.Pods(object) {
		manifest, err := json.Marshal(pod.Manifest)
		if err != nil {
			t.Fatal(err)
		}
		manifests[pod.Name] = string(manifest)
	}
	return manifests
}

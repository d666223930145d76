package learn_test

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
)

var fleetsPerFeature = flag.Int("fleets", 20, "the number of random fleets for each feature in TestShares")

const (
	podsToLearnFrom = 8
	otherPods       = 4
)

// feature is something that injectors do. It adds that to the spec of an injector, and may change the pods of a fleet
// for it.
type feature struct {
	name string
	add  func(r maker, spec object, pods []object)
	// least is the share of fleets, in percent, in which the pods come out equal, and leastOthers that in which other
	// pods do so as well. They are what was measured with 20 and with 200 fleets, whichever is less: they show that
	// something got worse, not that it is good.
	least, leastOthers int
}

// The features. The last ones depend on values of the app that no two pods need to share, so that there is nothing
// general to learn from most fleets.
var features = []feature{
	{"native sidecar", maker.native, 100, 100},
	{"plain sidecar", maker.plain, 100, 100},
	{"init container", maker.initContainer, 100, 100},
	{"position of a container", maker.position, 100, 99},
	{"several containers", maker.several, 100, 100},
	{"volumes", maker.volumes, 100, 100},
	{"pull secrets", maker.pullSecrets, 100, 100},
	{"variables in front of the app's", maker.envInFront, 93, 93},
	{"variables behind the app's", maker.envBehind, 100, 100},
	{"variables of a container by name", maker.envByName, 93, 90},
	{"variables of init containers too", maker.envOfInit, 93, 91},
	{"variables that the app may have", maker.envKept, 99, 45},
	{"variables that replace the app's", maker.envReplaced, 0, 0},
	{"values joined to the app's", maker.join, 100, 100},
	{"sources of variables", maker.envFrom, 100, 100},
	{"mounts of the app's containers", maker.mounts, 100, 99},
	{"labels", maker.labels, 100, 100},
	{"annotations", maker.annotations, 100, 100},
	{"fields of the pod spec", maker.podSpec, 100, 99},
	{"${...} in values", maker.variables, 99, 97},
	{"${...} in ports", maker.portVariable, 100, 100},
	{"condition: a label", maker.byLabel, 100, 80},
	{"condition: several values of a label", maker.byValues, 100, 65},
	{"condition: opting in", maker.optIn, 100, 100},
	{"condition: opting out", maker.optOut, 100, 100},
	{"condition: a namespace", maker.byNamespace, 100, 83},
	{"condition: a kind", maker.byKind, 100, 85},
	{"overrides by annotations", maker.overrides, 100, 100},
	{"four or five of these", maker.five, 96, 90},
	{"shareVolumePolicy", maker.shareVolumes, 0, 0},
	{"transferEnv", maker.transferEnv, 0, 0},
	{"resourcesPolicy", maker.resourcesPolicy, 0, 0},
	{"patchPolicy MergePatchJson", maker.mergeJSON, 0, 0},
	{"onConflict.container Merge", maker.mergeContainer, 0, 0},
	{"onConflict.container Replace", maker.replaceContainer, 0, 0},
}

// share counts fleets.
type share struct {
	fleets, equal, others int
	example               string // of a fleet that does not come out equal
}

// TestShares learns from fleets of random pods that random injectors with one feature changed, and injects what was
// learned into them and into other pods. It prints the share of fleets that come out equal.
func TestShares(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long")
	}
	shares := make([]share, len(features))
	var all sync.WaitGroup
	for i, f := range features {
		all.Go(func() { shares[i] = shareOf(f) })
	}
	all.Wait()
	var table strings.Builder
	for i, f := range features {
		s := shares[i]
		equal, others := 100*s.equal/max(s.fleets, 1), 100*s.others/max(s.fleets, 1)
		fmt.Fprintf(&table, "| %s | %d%% | %d%% |\n", f.name, equal, others)
		if s.fleets < *fleetsPerFeature {
			t.Errorf("%s: there are only %d fleets that can be injected", f.name, s.fleets)
		}
		if equal < f.least || others < f.leastOthers {
			t.Errorf("%s: %d%% equal and %d%% of others, want at least %d%% and %d%%; for example\n%s",
				f.name, equal, others, f.least, f.leastOthers, s.example)
		}
	}
	t.Logf("%d fleets of %d pods for each feature, and %d other pods\n| feature | equal | other pods too |\n|---|---|---|\n%s",
		*fleetsPerFeature, podsToLearnFrom, otherPods, table.String())
}

// shareOf tries a feature on random fleets. Those that the config is refused for, or does not change, are not counted.
func shareOf(f feature) (s share) {
	for seed := int64(1); s.fleets < *fleetsPerFeature && seed < int64(4**fleetsPerFeature); seed++ {
		r := maker{rand.New(rand.NewSource(seed))}
		pods := r.fleet(podsToLearnFrom + otherPods)
		spec := object{}
		f.add(r, spec, pods)
		text := textOf(object{"apiVersion": v1alpha1.APIVersion, "kind": v1alpha1.Kind, "metadata": object{"name": "random"}, "spec": spec})
		config, findings := engine.ReadConfig(finding.Source{Text: []byte(text)})
		if err := finding.Err(findings); err != nil {
			panic(fmt.Sprintf("%s, seed %d: %v\n%s", f.name, seed, err, text))
		}
		var items []string
		for _, p := range pods {
			items = append(items, textOf(p))
		}
		known, isInjected := result(config, items[:podsToLearnFrom])
		others, isValid := result(config, items[podsToLearnFrom:])
		if !isInjected || !isValid || slices.Equal(known, items[:podsToLearnFrom]) {
			continue
		}
		s.fleets++
		learned, err := learnFrom([]byte(strings.Join(items[:podsToLearnFrom], "\n---\n")), []byte(strings.Join(known, "\n---\n")))
		differences := differing(learned, err)
		if differences == "" {
			s.equal++
			if differences = compareOthers(learned.Text, items[podsToLearnFrom:], others); differences == "" {
				s.others++
			}
		}
		if differences != "" && s.example == "" {
			s.example = fmt.Sprintf("seed %d: %s\n%s\nlearned:\n%s\npods: %s", seed, differences, text, learned.Text, strings.Join(items, "\n"))
		}
	}
	return s
}

// result returns manifests after an injection. It reports false if one is refused.
func result(config engine.Config, items []string) ([]string, bool) {
	var sources []finding.Source
	for _, item := range items {
		sources = append(sources, finding.Source{Text: []byte(item)})
	}
	result, err := engine.Apply(context.Background(), config, sources...)
	if err != nil || result.Run.IsRefused() {
		return nil, false
	}
	all := slices.Clone(items)
	for i, text := range result.Texts {
		if text != nil {
			all[i] = string(text)
		}
	}
	return all, true
}

// compareOthers returns what a learned config makes of other manifests that differs.
func compareOthers(text []byte, items, want []string) string {
	config, findings := engine.ReadConfig(finding.Source{Text: text})
	if err := finding.Err(findings); err != nil {
		return "what was learned is not valid: " + err.Error()
	}
	got, isInjected := result(config, items)
	if !isInjected {
		return "what was learned is refused for other pods"
	}
	for i := range want {
		if wanted, found := sorted(want[i]), sorted(got[i]); !reflect.DeepEqual(wanted, found) {
			return fmt.Sprintf("another pod: want\n%s\ngot\n%s", textOf(wanted), textOf(found))
		}
	}
	return ""
}

// sorted returns a manifest without stamps, in which lists whose order means nothing are sorted.
func sorted(text string) object {
	var parsed object
	if err := json.Unmarshal([]byte(text), &parsed); err != nil {
		panic(err)
	}
	removeStamps(parsed)
	sortLists(parsed)
	return parsed
}

func sortLists(value any) {
	switch value := value.(type) {
	case []any:
		for _, entry := range value {
			sortLists(entry)
		}
	case object:
		for key, entry := range value {
			sortLists(entry)
			list, isList := entry.([]any)
			switch {
			case isList && slices.Contains([]string{"volumes", "volumeMounts", "imagePullSecrets", "tolerations"}, key):
				slices.SortFunc(list, func(a, b any) int { return cmp.Compare(textOf(a), textOf(b)) })
			case key == "annotations" && len(entry.(object)) == 0: // made for a stamp
				delete(value, key)
			}
		}
	}
}

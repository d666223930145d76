package admission

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/learn"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/test/admission/apiserver"
	"pillion.dev/pillion/test/source"
)

// TestLearnedFromPods learns from manifests of pods and from what the API server makes of them after the exported
// policies changed them, and injects what was learned into the manifests. From a pod that no policy changes, nothing is
// learned: its defaults, and what plugins add, are not taken for a change.
func TestLearnedFromPods(t *testing.T) {
	counts, unused := tally{}, maps.Clone(expected)
	for _, load := range []func(string) ([]source.Source, error){source.Examples, source.Presets, source.Cases, source.Configs} {
		for _, s := range loaded(t, load) {
			subject, err := Compile(s.Config, nil)
			if err != nil {
				counts["configs: not exportable"]++
				continue
			}
			counts["configs: exported"]++
			pods := Find(strings.Join(s.Items, "---\n"))
			const randomPods = 20
			for seed := int64(0); len(s.Items) == 0 && seed < randomPods; seed++ {
				object, namespace := randomPod(seed)
				pods = append(pods, Found{fmt.Sprint("random ", seed), object, namespace})
			}
			for _, found := range pods {
				outcome, differences := subject.learn(found)
				switch {
				case differences != "" && changesTheApp.MatchString(s.Config):
					outcome = "differ, and the config changes what the app has"
				case differences != "" && expected[s.Name] != "":
					outcome = "differ, " + expected[s.Name]
					delete(unused, s.Name)
				case differences != "":
					t.Errorf("%s: %s: %s", s.Name, found.Name, differences)
				}
				counts["pods: "+outcome]++
			}
		}
	}
	counts.print(t)
	for name, reason := range unused {
		t.Errorf("%s is in the table of configs with which pods differ (%s), and none does", name, reason)
	}
	for what, least := range map[string]int{"equal": 480, "not changed, and nothing learned": 200} {
		if counts["pods: "+what] < least {
			t.Errorf("%s: %d pods, want at least %d", what, counts["pods: "+what], least)
		}
	}
}

// expected are the configs with which pods differ, and why.
var expected = map[string]string{
	"app-env-join-before": "and a variable is joined on both sides",
	"app-envfrom":         "and some containers have sources of variables that others get",
	"env-join":            "and a value is joined to a variable that is empty",
	"env-join-several":    "and a variable is joined on both sides",
	"guards":              "and they are mirror pods, which no policy changes",
	"names-twice":         "and have two containers of one name",

	"variables-of-containers": "and a default would come from this pod alone",
}

// changesTheApp is what a config has if it replaces or merges something of the app, which is not learned.
var changesTheApp = regexp.MustCompile(`(env|mountPath|volume|container): (Replace|Merge)|MergePatchJson`)

// learn learns from one pod. It returns what became of that, and what does not come out equal.
func (s *Subject) learn(found Found) (outcome, differences string) {
	if isStamped(found.Manifest) || hasNullMetadata(found.Manifest) || hasOtherMarker(found.Manifest) {
		return "left out, policies do not treat them as Pillion does", ""
	}
	plain, err := decode(found.Manifest)
	if err != nil {
		return "left out, no API server accepts them", ""
	}
	if marker := plain.Annotations[v1alpha1.DefaultMarker]; marker != "" && marker != "true" && marker != "false" {
		return "left out, they name their injectors", ""
	}
	if ours, err := s.inject(found.Manifest, found.Namespace); err != nil || ours.refusal != "" {
		return "left out, Pillion refuses them", ""
	}
	arrived := arrive(plain, true)
	arrived.Namespace = found.Namespace.Name
	mutated, err := s.policies.Mutate(arrived, found.Namespace)
	if err != nil {
		return "left out, the policy refuses them", ""
	}
	after := arrive(mutated.Pod, true)
	learned, err := learnFrom(found, after)
	switch {
	case same(arrived, after) && err != nil && strings.Contains(err.Error(), "there is nothing to learn"):
		return "not changed, and nothing learned", ""
	case same(arrived, after):
		return "not changed, and something learned", fmt.Sprintf("%v\n%s", err, learned.Text)
	case err != nil:
		return "differ", err.Error()
	}
	isOnlyOrder := true
	for _, c := range learned.Checks {
		if c.Refused != "" {
			isOnlyOrder = false
			differences += "\n" + c.Refused
		}
		for _, d := range c.Differences {
			isOnlyOrder = isOnlyOrder && strings.HasSuffix(d.Path(), ".env")
			differences += "\n" + d.Path() + " differs"
		}
	}
	switch {
	case differences == "":
		return "equal", ""
	case isOnlyOrder: // a policy may put a variable somewhere else than Pillion does, if that makes no difference
		return "equal except for the order of variables", ""
	}
	return "differ", differences
}

// learnFrom learns from the manifest of a pod and the pod as kubectl get returns it.
func learnFrom(found Found, after *corev1.Pod) (learn.Learned, error) {
	before, err := readItems(found.Manifest, namespaceObject(found.Namespace))
	if err != nil {
		return learn.Learned{}, err
	}
	after = after.DeepCopy()
	after.APIVersion, after.Kind, after.UID = "v1", "Pod", "1"
	after.Status.Phase = corev1.PodRunning
	pods, err := readItems(after)
	if err != nil {
		return learn.Learned{}, err
	}
	matched, err := learn.Match(before, pods, true)
	if err != nil {
		return learn.Learned{}, err
	}
	return learn.From(context.Background(), matched.Pairs, "")
}

func namespaceObject(namespace apiserver.Namespace) map[string]any {
	metadata := map[string]any{"name": namespace.Name, "labels": namespace.Labels}
	return map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}
}

// readItems returns objects as the items of a stream.
func readItems(objects ...any) ([]*manifest.Item, error) {
	var all [][]byte
	for _, object := range objects {
		text, err := json.Marshal(object)
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	stream, err := manifest.Read(bytes.Join(all, []byte("\n---\n")))
	return stream.Items, err
}

package selection

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

func TestAMismatchTakesNoMemoryAndShowsTheLabelsOfItsPod(t *testing.T) {
	in := &injector.Injector{Name: "envoy"}
	in.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"team": "a"}}
	in.Spec.Default()
	s, err := New(in, Surroundings{})
	if err != nil {
		t.Fatal(err)
	}
	for _, team := range []string{"b", "c"} {
		c := candidate(t, team)
		d := s.Decide(c)
		if want := "its labels (team=" + team + ") do not match spec.selector (team=a)"; d.Message(c) != want || d.Inject || d.Matched {
			t.Errorf("got %q, want %q", d.Message(c), want)
		}
		if allocs := testing.AllocsPerRun(100, func() { s.Decide(c) }); allocs > 0 {
			t.Errorf("%v allocations", allocs)
		}
	}
}

// candidate returns the pod template of a Pod of a team.
func candidate(t *testing.T, team string) *Candidate {
	t.Helper()
	var document node.Node
	pod := strings.ReplaceAll("metadata: {name: web, labels: {team: TEAM}}\nspec: {containers: [{name: web}]}", "TEAM", team)
	if err := read.Into([]byte("apiVersion: v1\nkind: Pod\n"+pod), &document); err != nil {
		t.Fatal(err)
	}
	kind, _ := pods.NewKinds().Find("v1", "Pod")
	template := kind.Templates(document.Content[0])[0]
	candidate := NewCandidate(&finding.Object{APIVersion: "v1", Kind: "Pod", Name: "web"}, kind, document.Content[0], template)
	return &candidate
}

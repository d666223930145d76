package rollout_test

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/config/rollout"
)

func of(parts ...v1alpha1.RolloutPart) *rollout.Rollout {
	return rollout.New(v1alpha1.Project{Rollouts: []v1alpha1.Rollout{{Injector: "logs", To: parts}}})["logs"]
}

func TestAnyEntryChoosesByAllOfItsFields(t *testing.T) {
	web := rollout.Workload{
		Namespace: "team-a",
		Labels:    map[string]string{"tier": "web"},
		File:      "apps/shop/web.yaml",
		Roots:     []string{"clusters/eu/shop"},
	}
	nowhere := rollout.Workload{File: "db.yaml"}
	tier := func(value string) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchLabels: map[string]string{"tier": value}}
	}
	for _, test := range []struct {
		claim string
		part  v1alpha1.RolloutPart
		of    rollout.Workload
		want  bool
	}{
		{"a namespace", v1alpha1.RolloutPart{Namespaces: []string{"x", "team-a"}}, web, true},
		{"a glob of namespaces", v1alpha1.RolloutPart{Namespaces: []string{"team-*"}}, web, true},
		{"another namespace", v1alpha1.RolloutPart{Namespaces: []string{"team"}}, web, false},
		{"no known namespace", v1alpha1.RolloutPart{Namespaces: []string{"*"}}, nowhere, false},
		{"a label", v1alpha1.RolloutPart{Selector: tier("web")}, web, true},
		{"another label", v1alpha1.RolloutPart{Selector: tier("db")}, web, false},
		{"all labels", v1alpha1.RolloutPart{Selector: &metav1.LabelSelector{}}, nowhere, true},
		{"a file", v1alpha1.RolloutPart{Files: []string{"./apps/shop/web.yaml"}}, web, true},
		{"a directory", v1alpha1.RolloutPart{Files: []string{"apps/"}}, web, true},
		{"all of a directory", v1alpha1.RolloutPart{Files: []string{"apps/**"}}, web, true},
		{"a glob in the middle", v1alpha1.RolloutPart{Files: []string{"**/shop/*.yaml"}}, web, true},
		{"the directory of the project", v1alpha1.RolloutPart{Files: []string{"."}}, nowhere, true},
		{"the beginning of a name", v1alpha1.RolloutPart{Files: []string{"apps/sh"}}, web, false},
		{"another file", v1alpha1.RolloutPart{Files: []string{"apps/*.yaml"}}, web, false},
		{"no file", v1alpha1.RolloutPart{Files: []string{"**"}}, rollout.Workload{}, false},
		{"a kustomization", v1alpha1.RolloutPart{Kustomizations: []string{"clusters/eu/**"}}, web, true},
		{"another kustomization", v1alpha1.RolloutPart{Kustomizations: []string{"clusters/us"}}, web, false},
		{"no kustomization", v1alpha1.RolloutPart{Kustomizations: []string{"**"}}, nowhere, false},
		{"two fields", v1alpha1.RolloutPart{Namespaces: []string{"team-a"}, Selector: tier("web")}, web, true},
		{"one of two fields", v1alpha1.RolloutPart{Namespaces: []string{"team-a"}, Selector: tier("db")}, web, false},
	} {
		r := of(v1alpha1.RolloutPart{Files: []string{"nothing"}}, test.part)
		got, err := r.Includes(test.of)
		if got != test.want || err != nil {
			t.Errorf("%s: %t %v, want %t", test.claim, got, err, test.want)
		}
		if wantUnused := 1 + map[bool]int{false: 1}[test.want]; len(r.Unused()) != wantUnused {
			t.Errorf("%s: the entries %v are unused", test.claim, r.Unused())
		}
	}
	if got, err := of().Includes(web); got || err != nil {
		t.Errorf("a rollout to nothing includes a workload, %v", err)
	}
}

func TestBracesInGlobsMeanThemselves(t *testing.T) {
	for _, glob := range []string{"{app}/*.yaml", `\{app\}/*.yaml`} {
		r := of(v1alpha1.RolloutPart{Files: []string{glob}})
		if isIn, _ := r.Includes(rollout.Workload{File: "{app}/web.yaml"}); !isIn {
			t.Errorf("%s does not choose {app}/web.yaml", glob)
		}
		if isIn, _ := r.Includes(rollout.Workload{File: "app/web.yaml"}); isIn {
			t.Errorf("%s chooses app/web.yaml", glob)
		}
	}
	many := of(v1alpha1.RolloutPart{Files: []string{strings.Repeat("{a,a}", 100) + "z"}}) // which must end
	if isIn, _ := many.Includes(rollout.Workload{File: strings.Repeat("a", 100)}); isIn {
		t.Errorf("alternatives choose a file")
	}
}

func TestBaseInsideAndOutsideIsAnErrorThatNamesBoth(t *testing.T) {
	shared := rollout.Workload{Namespace: "shop", Roots: []string{"clusters/eu", "clusters/us"}}
	eu := v1alpha1.RolloutPart{Kustomizations: []string{"clusters/eu"}}
	_, err := of(eu).Includes(shared)
	if err == nil || !strings.Contains(err.Error(), "clusters/eu") || !strings.Contains(err.Error(), "clusters/us") {
		t.Errorf("the error is %v", err)
	}
	for _, other := range []v1alpha1.RolloutPart{{Namespaces: []string{"shop"}}, {Kustomizations: []string{"clusters/*"}}} {
		if isIn, err := of(eu, other).Includes(shared); !isIn || err != nil {
			t.Errorf("another entry does not include it: %v", err)
		}
	}
	notHere := v1alpha1.RolloutPart{Kustomizations: []string{"clusters/eu"}, Namespaces: []string{"other"}}
	if isIn, err := of(notHere).Includes(shared); isIn || err != nil {
		t.Errorf("an entry of other namespaces is for it: %v", err)
	}
}

func TestGlobsMatchAPathOrADirectoryAboveIt(t *testing.T) {
	for _, test := range []struct {
		glob, path string
		want       bool
	}{
		{".", "apps/web.yaml", true},
		{"./apps/", "apps/web.yaml", true},
		{"apps/**", "apps", true},
		{"apps/w*", "apps/web/web.yaml", true},
		{"app", "apps/web.yaml", false},
		{"apps/*.yaml", "apps/web/web.yaml", false},
		{"**/web.yaml", "apps/web.yaml", true},
		{"..", "../apps/web.yaml", true},
		{"a{b,c}", "ab", false},
		{"a{b,c}", "a{b,c}", true},
		{`a\*`, "a*", true},
		{"apps", "", false},
	} {
		if got := rollout.NewGlobs("other", test.glob).Match(test.path); got != test.want {
			t.Errorf("%s matches %s: %v", test.glob, test.path, got)
		}
	}
	if (rollout.Globs{}).Match("apps") {
		t.Error("no glob matches")
	}
}

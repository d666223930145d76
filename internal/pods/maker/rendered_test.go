package maker

import (
	"testing"

	"pillion.dev/pillion/finding"
)

func TestLabelsNameTheReleaseOfAnObject(t *testing.T) {
	object := parse(t, "{metadata: {labels: {helm.toolkit.fluxcd.io/name: web, helm.toolkit.fluxcd.io/namespace: apps}}}")
	rendered := NewRendered(object, nil)
	if rendered == nil {
		t.Fatal("the labels say nothing")
	}
	releases := Releases{}
	releases.Add(*rendered)
	for _, test := range []struct {
		namespace, name, group string
		want                   bool
	}{
		{"apps", "web", "helm.toolkit.fluxcd.io", true},
		{"", "web", "helm.toolkit.fluxcd.io", false}, // it may be in any
		{"other", "web", "helm.toolkit.fluxcd.io", false},
		{"apps", "api", "helm.toolkit.fluxcd.io", false},
		{"apps", "web", "helm.fluxcd.io", false},
	} {
		m := &Maker{Kind: &Kind{Group: test.group}, Object: finding.Object{Namespace: test.namespace, Name: test.name}}
		if releases.Has(m) != test.want {
			t.Errorf("%+v: %v", test, !test.want)
		}
	}
	for _, labels := range []string{"helm.toolkit.fluxcd.io/name: web", "helm.toolkit.fluxcd.io/namespace: apps", ""} {
		if r := NewRendered(parse(t, "{metadata: {labels: {"+labels+"}}}"), nil); r != nil {
			t.Errorf("%s: %v", labels, r)
		}
	}
}

package injector

import "testing"

func TestNamespacePatternsMatchWholeNames(t *testing.T) {
	patterns := NewNamespacePatterns([]string{"shop", "team-*", "?-dev", "a*b*c"})
	for namespace, want := range map[string]bool{
		"shop": true, "shop-2": false, "my-shop": false,
		"team-": true, "team-a": true, "team": false, "my-team-a": false,
		"x-dev": true, "xy-dev": false, "-dev": false,
		"abc": true, "axbxc": true, "axcxb": false,
		"": false,
	} {
		if got := patterns.Match(namespace); got != want {
			t.Errorf("%q: %t, want %t", namespace, got, want)
		}
	}
	if !NewNamespacePatterns([]string{"*"}).Match("") {
		t.Error("a namespace that is not known is none that * matches")
	}
}

func TestNamespacesThatAnInjectorNeeds(t *testing.T) {
	for fields, want := range map[string][2]bool{
		"":                                         {false, false},
		"namespaces: {include: ['*', shop]}":       {false, false},
		"namespaceSelector: {}":                    {false, false},
		"namespaces: {exclude: []}":                {false, false},
		"namespaces: {exclude: [shop]}":            {true, false},
		"namespaces: {include: ['team-*']}":        {true, true},
		"namespaceSelector: {matchLabels: {a: b}}": {true, true},
	} {
		in := one(t, with(fields))
		if got := [2]bool{in.DependsOnNamespace(), in.RequiresNamespace()}; got != want {
			t.Errorf("%q depends on the namespace and requires it: %v, want %v", fields, got, want)
		}
	}
}

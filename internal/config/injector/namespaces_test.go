package injector

import "testing"

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

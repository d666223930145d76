package admission

import (
	"slices"
	"testing"
)

func TestUnusedVariablesAreRemoved(t *testing.T) {
	p := &policy{}
	for _, v := range [][2]string{
		{"a", "1"},                   // used by b
		{"b", "variables.a"},         // used by the operation
		{"a_b", "2"},                 // its name begins with that of another
		{"unused", "variables.also"}, // and so is what only this one uses
		{"also", "variables.a"},
		{"message", "3"},
	} {
		p.add(v[0], "", v[1])
	}
	p.operations = []operations{{expression: "[variables.b]"}}
	p.validations = []validation{{messageExpression: "string(variables.message)"}}
	p.removeUnused()
	var names []string
	for _, v := range p.variables {
		names = append(names, v.name)
	}
	if want := []string{"a", "b", "message"}; !slices.Equal(names, want) {
		t.Errorf("the variables %q are left, want %q", names, want)
	}
}

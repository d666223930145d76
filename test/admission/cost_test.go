package admission

import (
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/test/admission/apiserver"
)

// TestManyVariablesInALargePod shows that the most variables that can be exported stay below the costs that the API
// server allows: 1,000,000 for the expression of a variable, and 10,000,000 for a policy.
func TestManyVariablesInALargePod(t *testing.T) {
	for _, c := range []struct {
		name, onConflict string
		rules, variables int
	}{
		{"added", "Keep", 5, 39},
		{"replaced", "Replace", 1, 85},
		{"compared", "Error", 2, 65},
	} {
		t.Run(c.name, func(t *testing.T) {
			subject, err := Compile(manyVariables(c.onConflict, c.rules, c.variables), nil)
			if err != nil {
				t.Fatalf("%.500v", err)
			}
			pod, err := decode(largePod(20, 20))
			if err != nil {
				t.Fatal(err)
			}
			shop := apiserver.Namespace{Name: "shop"}
			mutated, err := subject.policies.Mutate(arrive(pod, true), shop)
			if err != nil {
				t.Fatalf("%.500v", err)
			}
			t.Logf("the cost of two invocations is %d", mutated.Cost)
			if verdict, err := subject.policies.Validate(arrive(mutated.Pod, true), shop); err != nil || verdict.Denied != nil {
				t.Errorf("%.500v %.500v", err, verdict.Denied)
			}
		})
	}
}

func manyVariables(onConflict string, rules, variables int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: env}\nspec:\n"+
		"  onConflict: {env: %s}\n  appContainers:\n", onConflict)
	for r := range rules {
		var env []string
		for v := range variables {
			env = append(env, fmt.Sprintf("{name: VARIABLE_%d_%d, value: x}", r, v))
		}
		fmt.Fprintf(&b, "  - {env: [%s]}\n", strings.Join(env, ", "))
	}
	return b.String()
}

func largePod(containers, variables int) map[string]any {
	all := make([]any, containers)
	for i := range all {
		env := make([]any, variables)
		for v := range env {
			env[v] = map[string]any{"name": fmt.Sprintf("OWN_%d", v), "value": "x"}
		}
		all[i] = map[string]any{"name": fmt.Sprintf("app-%d", i), "image": "app:1", "env": env}
	}
	return map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "web", "namespace": "shop"},
		"spec": map[string]any{"containers": all},
	}
}

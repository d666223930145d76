package apiserver

import (
	"fmt"
	"strings"
	"testing"
)

const limitedOperation = `JSONPatch{op: "add", path: "/spec/hostname", value: "a"}`

func TestExpressionLimit(t *testing.T) {
	// Comments count, and a character counts once, whatever its bytes.
	padded := func(points int) string {
		return "//" + strings.Repeat("é", points-len([]rune(hostname))-3) + "\n" + hostname
	}
	load(t, mutation{expression: padded(100_000)})
	_, err := Load([]byte(mutation{expression: padded(100_001)}.String()), "1.36")
	if err == nil {
		t.Fatal("it is accepted")
	}
	contains(t, err.Error(), "expression code point size exceeds limit: size: 100001, limit 100000")

	// Each variable has a limit of its own.
	large := `"` + strings.Repeat("x", 90_000) + `"`
	got := mutate(t, plain, mutation{
		variables:  []string{"first", large, "second", large},
		expression: `[JSONPatch{op: "add", path: "/metadata/annotations", value: {"a": variables.first, "b": variables.second}}]`,
	})
	if len(got.Annotations["a"])+len(got.Annotations["b"]) != 180_000 {
		t.Error("the annotations are incomplete")
	}
}

func TestLimitOfJoinedLists(t *testing.T) {
	parts := func(n int) []string {
		return strings.Split(strings.Repeat("["+limitedOperation+"]\n", n-1)+"["+limitedOperation+"]", "\n")
	}
	load(t, mutation{expression: strings.Join(parts(200), " + ")})
	_, err := Load([]byte(mutation{expression: strings.Join(parts(300), " + ")}.String()), "1.36")
	if err == nil {
		t.Fatal("it is accepted")
	}
	contains(t, err.Error(), "max recursion depth exceeded")
	load(t, mutation{expression: "[" + strings.Join(parts(300), ", ") + "].flatten()"})
	half := "(" + strings.Join(parts(150), " + ") + ")"
	load(t, mutation{expression: half + " + " + half})
}

func TestConditionsHaveNoSuchLimit(t *testing.T) {
	load(t, mutation{expression: "true" + strings.Repeat(" && true", 1000) + " ? [" + limitedOperation + "] : []"})
}

func TestCostLimit(t *testing.T) {
	containers := make([]string, 100)
	for i := range containers {
		containers[i] = "{name: a, env: [" + strings.Repeat("{name: A}, ", 199) + "{name: A}]}"
	}
	manifest := "{metadata: {name: web}, spec: {containers: [" + strings.Join(containers, ", ") + "]}}"
	nested := mutation{expression: `object.spec.containers.exists(c, c.env.exists(e,
  ["B", "C", "D", "E", "F", "G", "H", "I", "J", "K"].exists(n, e.name == n))) ? [] : ` + hostname}
	contains(t, refused(t, manifest, nested), "operation cancelled: actual cost limit exceeded")
}

func TestMessagesHaveTheSameLimit(t *testing.T) {
	policy := func(points int) []byte {
		message := `"` + strings.Repeat("x", points-2) + `"`
		return []byte(`apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: limits}
spec:
  failurePolicy: Fail
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  validations: [{expression: "true", message: m, messageExpression: '` + message + `'}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: limits}
spec: {policyName: limits, validationActions: [Deny]}
`)
	}
	if _, err := Load(policy(100_000), "1.30"); err != nil {
		t.Error(err)
	}
	_, err := Load(policy(100_001), "1.30")
	if err == nil {
		t.Fatal("it is accepted")
	}
	contains(t, err.Error(), "messageExpression 0: compilation failed")
	contains(t, err.Error(), "limit 100000")
}

func TestVariablesHaveNoLimit(t *testing.T) {
	var variables []string
	for i := range 1000 {
		variables = append(variables, fmt.Sprintf("v%d", i), `"a"`)
	}
	load(t, mutation{variables: variables, expression: hostname})
}

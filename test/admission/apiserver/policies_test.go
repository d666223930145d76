package apiserver

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// mutation is a policy whose only mutation is the expression.
type mutation struct {
	name, expression   string
	failurePolicy      string // Fail if empty
	reinvocationPolicy string // IfNeeded if empty
	constraints        string // further fields of matchConstraints, in YAML's flow style
	conditions         []string
	variables          []string // name, expression, ...
}

func (m mutation) String() string {
	name := or(m.name, "mutation")
	text := header("Mutating", name, m.failurePolicy, m.constraints, m.conditions, m.variables)
	text += "  reinvocationPolicy: " + or(m.reinvocationPolicy, "IfNeeded") + "\n"
	text += "  mutations:\n  - patchType: JSONPatch\n    jsonPatch:\n      expression: " + block(8, m.expression)
	return text + binding("Mutating", name, "")
}

// validation is a policy with validations: pairs of an expression and a message. A message that starts with = is an
// expression.
type validation struct {
	name          string
	validations   []string
	failurePolicy string // Fail if empty
	constraints   string // further fields of matchConstraints, in YAML's flow style
	conditions    []string
	variables     []string // name, expression, ...
	actions       string   // Deny if empty
}

func (v validation) String() string {
	name := or(v.name, "validation")
	text := header("Validating", name, v.failurePolicy, v.constraints, v.conditions, v.variables)
	text += "  validations:\n"
	for i := 0; i < len(v.validations); i += 2 {
		text += "  - expression: " + block(6, v.validations[i])
		if message, dynamic := strings.CutPrefix(v.validations[i+1], "="); dynamic {
			text += "    message: fallback\n    messageExpression: " + block(6, message)
		} else {
			text += "    message: " + block(6, message)
		}
	}
	return text + binding("Validating", name, "  validationActions: ["+or(v.actions, "Deny")+"]\n")
}

func header(kind, name, failurePolicy, constraints string, conditions, variables []string) string {
	text := "apiVersion: admissionregistration.k8s.io/v1\nkind: " + kind + "AdmissionPolicy\nmetadata: {name: " + name + "}\nspec:\n"
	text += "  failurePolicy: " + or(failurePolicy, "Fail") + "\n"
	text += `  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]`
	if constraints != "" {
		text += ", " + constraints
	}
	text += "}\n"
	for i, condition := range conditions {
		if i == 0 {
			text += "  matchConditions:\n"
		}
		text += fmt.Sprintf("  - name: condition-%d\n    expression: %s", i, block(6, condition))
	}
	for i := 0; i < len(variables); i += 2 {
		if i == 0 {
			text += "  variables:\n"
		}
		text += "  - name: " + variables[i] + "\n    expression: " + block(6, variables[i+1])
	}
	return text
}

func binding(kind, name, more string) string {
	return "---\napiVersion: admissionregistration.k8s.io/v1\nkind: " + kind + "AdmissionPolicyBinding\nmetadata: {name: " + name +
		"}\nspec:\n  policyName: " + name + "\n" + more + "---\n"
}

func block(indent int, text string) string {
	margin := strings.Repeat(" ", indent)
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	return "|-\n" + margin + strings.Join(lines, "\n"+margin) + "\n"
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

func load(t *testing.T, policies ...any) *Policies {
	t.Helper()
	text := ""
	for _, p := range policies {
		text += fmt.Sprint(p)
	}
	loaded, err := Load([]byte(text), "1.36")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return loaded
}

func pod(t *testing.T, manifest string) *corev1.Pod {
	t.Helper()
	pod, err := Pod([]byte(manifest))
	if err != nil {
		t.Fatal(err)
	}
	return pod
}

var shop = Namespace{Name: "shop", Labels: map[string]string{"team": "shop"}}

// plain is a pod with nothing that is optional.
const plain = `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: web, image: web}]}}`

func text(t *testing.T, object any) string {
	t.Helper()
	out, err := yaml.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func mutate(t *testing.T, manifest string, policies ...any) *corev1.Pod {
	t.Helper()
	mutated, err := load(t, policies...).Mutate(pod(t, manifest), shop)
	if err != nil {
		t.Fatal(err)
	}
	return mutated.Pod
}

// refused returns the API server's answer to a pod that the policies do not let pass.
func refused(t *testing.T, manifest string, policies ...any) string {
	t.Helper()
	mutated, err := load(t, policies...).Mutate(pod(t, manifest), shop)
	if err == nil {
		t.Fatalf("it is not refused:\n%s", text(t, mutated.Pod))
	}
	return err.Error()
}

func contains(t *testing.T, got, want string) {
	t.Helper()
	if !strings.Contains(got, want) {
		t.Errorf("%q is not in\n%s", want, got)
	}
}

// documented is the first example of a JSONPatch in the documentation of Kubernetes, in brief.
const documented = `[JSONPatch{op: "add", path: "/spec/initContainers/-", value: Object.spec.initContainers{
  name: "mesh-proxy", image: "mesh-proxy/v1.0.0", restartPolicy: "Always"}}]`

const notThere = `!object.spec.initContainers.exists(c, c.name == "mesh-proxy")`

func TestAddsToAListThatIsThere(t *testing.T) {
	got := mutate(t, `{metadata: {name: web}, spec: {initContainers: [{name: a, image: a}], containers: [{name: web, image: web}]}}`,
		mutation{expression: documented, conditions: []string{notThere}})
	if c := got.Spec.InitContainers; len(c) != 2 || c[1].Name != "mesh-proxy" || *c[1].RestartPolicy != "Always" {
		t.Error(text(t, got))
	}
}

func TestTheExampleOfTheDocumentationFailsWithoutInitContainers(t *testing.T) {
	got := refused(t, plain, mutation{expression: documented})
	contains(t, got, "doc is missing path")
	contains(t, got, "policy 'mutation' with binding 'mutation' denied request")
	contains(t, refused(t, plain, mutation{expression: documented, conditions: []string{notThere}}), "no such key: initContainers")
}

func TestFailureWithIgnoreLeavesThePod(t *testing.T) {
	got := mutate(t, plain, mutation{expression: documented, failurePolicy: "Ignore"})
	if len(got.Spec.InitContainers) != 0 || got.Namespace != "shop" {
		t.Error(text(t, got))
	}
}

func TestRuntimeErrorIsDenied(t *testing.T) {
	got := refused(t, plain, mutation{
		expression: `[JSONPatch{op: "add", path: "/metadata/labels", value: {"a": object.metadata.labels["a"]}}]`,
	})
	contains(t, got, "no such key: labels")
}

func TestUnknownFieldIsAnInternalError(t *testing.T) {
	got := refused(t, plain, mutation{expression: `[JSONPatch{op: "add", path: "/spec/sidecars", value: "a"}]`})
	contains(t, got, `Internal error occurred: strict decoding error: unknown field "spec.sidecars"`)
	// failurePolicy does not apply to it.
	got = refused(t, plain, mutation{failurePolicy: "Ignore", expression: `[JSONPatch{op: "add", path: "/spec/sidecars", value: "a"}]`})
	contains(t, got, "Internal error")
}

func TestFailedTestOperationLeavesThePod(t *testing.T) {
	got := mutate(t, plain, mutation{expression: `[JSONPatch{op: "add", path: "/spec/hostname", value: "a"},
  JSONPatch{op: "test", path: "/spec/hostname", value: "b"}]`})
	if got.Spec.Hostname != "" {
		t.Error(text(t, got))
	}
}

func TestTheGivenPodIsNotChanged(t *testing.T) {
	given := pod(t, plain)
	if _, err := load(t, mutation{expression: hostname}).Mutate(given, shop); err != nil {
		t.Fatal(err)
	}
	if given.Spec.Hostname != "" || given.Namespace != "" {
		t.Error(text(t, given))
	}
}

const hostname = `[JSONPatch{op: "add", path: "/spec/hostname", value: "a"}]`

func TestConstraintsAndConditions(t *testing.T) {
	for name, test := range map[string]struct {
		policy  mutation
		matches bool
	}{
		"nothing":                   {mutation{}, true},
		"namespace by label":        {mutation{constraints: `namespaceSelector: {matchLabels: {team: shop}}`}, true},
		"another namespace":         {mutation{constraints: `namespaceSelector: {matchLabels: {team: other}}`}, false},
		"namespace by its own name": {mutation{constraints: `namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: shop}}`}, true},
		"pods with a label":         {mutation{constraints: `objectSelector: {matchLabels: {app: web}}`}, false},
		"pods without a label":      {mutation{constraints: `objectSelector: {matchExpressions: [{key: app, operator: DoesNotExist}]}`}, true},
		"a condition":               {mutation{conditions: []string{`object.metadata.name == "web"`, `true`}}, true},
		"a false condition":         {mutation{conditions: []string{`true`, `object.metadata.name != "web"`}}, false},
		"a condition on a variable": {mutation{conditions: []string{`variables.one == 1`}, variables: []string{"one", "1"}}, true},
		"an error in a condition beside a false one": {
			mutation{conditions: []string{`object.metadata.labels.a == "b"`, `false`}}, false,
		},
		"an error in a condition with Ignore": {
			mutation{conditions: []string{`object.metadata.labels.a == "b"`}, failurePolicy: "Ignore"}, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			test.policy.expression = hostname
			if got := mutate(t, plain, test.policy).Spec.Hostname; (got == "a") != test.matches {
				t.Errorf("hostname %q", got)
			}
		})
	}
	failing := mutation{expression: hostname, conditions: []string{`object.metadata.labels.a == "b"`}}
	contains(t, refused(t, plain, failing), "no such key: labels")
}

func TestReinvocation(t *testing.T) {
	first := mutation{name: "first", expression: `[JSONPatch{op: "add", path: "/spec/hostname",
  value: object.spec.?subdomain.orValue("none") + object.spec.?hostname.orValue("")}]`}
	second := mutation{name: "second", expression: `[JSONPatch{op: "add", path: "/spec/subdomain", value: "b"}]`}
	if got := mutate(t, plain, first, second).Spec.Hostname; got != "bnone" {
		t.Errorf("hostname %q", got)
	}
	first.reinvocationPolicy = "Never"
	if got := mutate(t, plain, first, second).Spec.Hostname; got != "none" {
		t.Errorf("hostname %q with Never", got)
	}
}

func TestPolicyIsReinvokedAfterItsOwnChange(t *testing.T) {
	policy := mutation{expression: `[JSONPatch{op: "add", path: "/spec/hostname", value: object.spec.?hostname.orValue("") + "x"}]`}
	if got := mutate(t, plain, policy).Spec.Hostname; got != "xx" {
		t.Errorf("hostname %q", got)
	}
	policy.reinvocationPolicy = "Never"
	if got := mutate(t, plain, policy).Spec.Hostname; got != "x" {
		t.Errorf("hostname %q with Never", got)
	}
}

func TestArrive(t *testing.T) {
	given := pod(t, `{metadata: {name: web}, spec: {hostNetwork: true, volumes: [{name: a}, {name: b, configMap: {name: b}}], containers: [
  {name: web, image: "web:1", ports: [{containerPort: 80}], resources: {limits: {cpu: "1"}}, readinessProbe: {httpGet: {port: 80}},
   env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]}]}}`)
	got := Arrive(given)
	c := got.Spec.Containers[0]
	if *got.Spec.TerminationGracePeriodSeconds != 30 || got.Spec.SecurityContext == nil || c.ImagePullPolicy != "IfNotPresent" ||
		c.Ports[0].HostPort != 80 || c.Ports[0].Protocol != "TCP" || c.Resources.Requests.Cpu().String() != "1" ||
		c.ReadinessProbe.HTTPGet.Scheme != "HTTP" || c.Env[0].ValueFrom.FieldRef.APIVersion != "v1" ||
		got.Spec.Volumes[0].EmptyDir == nil || *got.Spec.Volumes[1].ConfigMap.DefaultMode != 0o644 {
		t.Error(text(t, got))
	}
	if text(t, Arrive(got)) != text(t, got) {
		t.Error("it is not idempotent")
	}
	if given.Spec.SecurityContext != nil || given.Spec.Containers[0].Ports[0].Protocol != "" {
		t.Error("the given pod is changed")
	}
}

func TestPullPolicy(t *testing.T) {
	for image, want := range map[string]corev1.PullPolicy{
		"web": corev1.PullAlways, "web:latest": corev1.PullAlways, "web:1": corev1.PullIfNotPresent,
		"host:5000/web": corev1.PullAlways, "web@sha256:abc": corev1.PullIfNotPresent,
	} {
		if got := pullPolicy(image); got != want {
			t.Errorf("%s: %s", image, got)
		}
	}
}

func TestValidate(t *testing.T) {
	policy := validation{
		validations: []string{
			`object.spec.containers.exists(c, c.name == "log")`, `PayloadMissing: container "log" is not there`,
			`true`, `never`,
			`!has(object.spec.hostname)`, `="hostname " + object.spec.hostname + " in " + namespaceObject.metadata.name`,
		},
	}
	const wrong = `{metadata: {name: web}, spec: {hostname: a, containers: [{name: web}]}}`
	verdict, err := load(t, policy).Validate(pod(t, wrong), shop)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`PayloadMissing: container "log" is not there`, "hostname a in shop"}
	if fmt.Sprint(verdict.Denials) != fmt.Sprint(want) || len(verdict.Warnings) != 0 {
		t.Errorf("%+v", verdict)
	}
	contains(t, verdict.Denied.Error(), `pods "web" is forbidden: ValidatingAdmissionPolicy 'validation' with binding 'validation' denied `+
		`request: PayloadMissing: container "log" is not there`)

	policy.actions = "Warn, Audit"
	verdict, err = load(t, policy).Validate(pod(t, wrong), shop)
	if err != nil || verdict.Denied != nil || len(verdict.Warnings) != 2 || len(verdict.Denials) != 2 || len(verdict.Annotations) != 1 {
		t.Errorf("%+v, %v", verdict, err)
	}

	verdict, err = load(t, policy).Validate(pod(t, `{metadata: {name: web}, spec: {containers: [{name: web}, {name: log}]}}`), shop)
	if err != nil || verdict.Denied != nil || len(verdict.Warnings) != 0 || len(verdict.Denials) != 0 {
		t.Errorf("%+v, %v", verdict, err)
	}
}

func TestRuntimeErrorInAValidation(t *testing.T) {
	policy := validation{validations: []string{`object.metadata.labels.a == "b"`, "m"}}
	verdict, err := load(t, policy).Validate(pod(t, plain), shop)
	if err != nil || len(verdict.Denials) != 1 {
		t.Fatalf("%+v, %v", verdict, err)
	}
	contains(t, verdict.Denials[0], "no such key: labels")
	policy.failurePolicy = "Ignore"
	verdict, err = load(t, policy).Validate(pod(t, plain), shop)
	if err != nil || len(verdict.Denials) != 0 || verdict.Denied != nil {
		t.Errorf("%+v, %v", verdict, err)
	}
}

func TestLoadRefuses(t *testing.T) {
	good := mutation{expression: hostname}.String()
	for name, test := range map[string]struct{ manifests, kubernetes, want string }{
		"an unknown field":           {strings.Replace(good, "failurePolicy", "failure", 1), "1.36", `unknown field "failure"`},
		"v1 before 1.36":             {good, "1.35", "Kubernetes 1.35 does not have it"},
		"v1beta1 before 1.34":        {strings.ReplaceAll(good, "/v1", "/v1beta1"), "1.33", "Kubernetes 1.33 does not have it"},
		"another kind":               {"{apiVersion: v1, kind: Pod}", "1.36", "not a policy"},
		"a policy without a binding": {strings.Replace(good, "policyName: m", "policyName: n", 1), "1.36", "no binding names it"},
		"a syntax error":             {mutation{expression: "["}.String(), "1.36", "mutation 0: compilation failed"},
		"another type":               {mutation{expression: `"a"`}.String(), "1.36", "must evaluate to list(JSONPatch)"},
		"a syntax error in a variable": {
			mutation{expression: hostname, variables: []string{"a", "["}}.String(), "1.36", "variable a: compilation failed",
		},
		"a syntax error in a condition": {
			mutation{expression: hostname, conditions: []string{"["}}.String(), "1.36", "matchCondition 0: compilation failed",
		},
		"a syntax error in a message": {
			validation{validations: []string{"true", "=["}}.String(), "1.36", "messageExpression 0: compilation failed",
		},
		"functions of newer versions": {
			validation{validations: []string{"[[1]].flatten() == [1]", "m"}}.String(), "1.34", "undeclared reference to 'flatten'",
		},
		"an expression with line breaks without a message": {
			strings.Replace(validation{validations: []string{"true &&\ntrue", "m"}}.String(), "    message: |-\n      m\n", "", 1),
			"1.36", "needs a message",
		},
		"a message with line breaks": {validation{validations: []string{"true", "a\nb"}}.String(), "1.36", "line breaks"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Load([]byte(test.manifests), test.kubernetes)
			if err == nil {
				t.Fatal("it is accepted")
			}
			contains(t, err.Error(), test.want)
		})
	}
	if _, err := Load([]byte(strings.ReplaceAll(good, "/v1", "/v1beta1")), "1.34"); err != nil {
		t.Error(err)
	}
}

func TestPoliciesAreUsedByGoroutines(t *testing.T) {
	policies, given := load(t, mutation{
		variables:  []string{"name", "object.spec.containers[0].name"},
		expression: `[JSONPatch{op: "add", path: "/spec/hostname", value: variables.name}]`,
	}), pod(t, plain)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				if mutated, err := policies.Mutate(given, shop); err != nil || mutated.Pod.Spec.Hostname != "web" {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

func BenchmarkMutate(b *testing.B) {
	policies, err := Load([]byte(mutation{expression: hostname}.String()), "1.36")
	if err != nil {
		b.Fatal(err)
	}
	given, err := Pod([]byte(plain))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := policies.Mutate(given, shop); err != nil {
			b.Fatal(err)
		}
	}
}

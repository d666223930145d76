package cluster

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

const (
	pod = `{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}, spec: {containers: [{name: web, image: web}]}}`

	rules = `matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}`

	hostname = `{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingAdmissionPolicy, metadata: {name: hostname}, spec: {` + rules + `,
  failurePolicy: Fail, reinvocationPolicy: IfNeeded, mutations: [{patchType: JSONPatch, jsonPatch: {
  expression: '[JSONPatch{op: "add", path: "/spec/hostname", value: object.spec.?hostname.orValue("") + "x"}]'}}]}}`
	hostnameBinding = `{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingAdmissionPolicyBinding, metadata: {name: hostname},
  spec: {policyName: hostname}}`

	noHostname = `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: no-hostname},
  spec: {` + rules + `, failurePolicy: Fail, validations: [{expression: '!has(object.spec.hostname)', message: it has a hostname}]}}`
	noHostnameBinding = `{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, metadata: {name: no-hostname},
  spec: {policyName: no-hostname, validationActions: [Warn]}}`
)

func TestPoliciesOfARealAPIServer(t *testing.T) {
	c := Start(t)
	c.Namespace(t, "shop", map[string]string{"team": "shop"})

	plain := c.WaitFor(t, []byte(pod), Answer.Accepted)
	if !bytes.Contains(plain.Body, []byte(`"kube-api-access-`)) || bytes.Contains(plain.Body, []byte(`"hostname"`)) {
		t.Errorf("a plain pod is stored as %s", plain.Body)
	}

	c.Apply(t, []byte(hostname))
	c.Apply(t, []byte(hostnameBinding))
	mutated := c.WaitFor(t, []byte(pod), func(a Answer) bool { return bytes.Contains(a.Body, []byte(`"hostname"`)) })
	if !bytes.Contains(mutated.Body, []byte(`"hostname":"xx"`)) { // once more by reinvocation
		t.Errorf("a mutated pod is stored as %s", mutated.Body)
	}

	c.Apply(t, []byte(noHostname))
	c.Apply(t, []byte(noHostnameBinding))
	warned := c.WaitFor(t, []byte(pod), func(a Answer) bool { return len(a.Warnings) > 0 })
	if !warned.Accepted() || !strings.Contains(warned.Warnings[0], "it has a hostname") {
		t.Errorf("%d %q", warned.Code, warned.Warnings)
	}
	c.Apply(t, []byte(strings.Replace(noHostnameBinding, "Warn", "Deny", 1)))
	c.WaitFor(t, []byte(pod), func(a Answer) bool { return a.Code == 422 && bytes.Contains(a.Body, []byte("it has a hostname")) })

	unknown, err := c.DryRun([]byte(strings.Replace(pod, "image: web", "image: web, imag: b", 1)))
	if err != nil || unknown.Code != 400 || !bytes.Contains(unknown.Body, []byte("unknown field")) {
		t.Errorf("an unknown field: %v %d %s", err, unknown.Code, unknown.Body)
	}
}

// TestValidationFindsTheGeneratedName checks that the name exists when a pod is validated, and not yet when it is
// mutated.
func TestValidationFindsTheGeneratedName(t *testing.T) {
	c := Start(t)
	c.Namespace(t, "shop", nil)
	c.Apply(t, []byte(`{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy, metadata: {name: no-hostname},
  spec: {`+rules+`, failurePolicy: Fail, validations: [{expression: "false", message: it has no name,
  messageExpression: '"it has " + object.metadata.map(k, string(k)).sort().join(",") + " and is " + object.metadata.name'}]}}`))
	c.Apply(t, []byte(noHostnameBinding))
	generated := strings.Replace(pod, "name: web", "generateName: web-", 1)
	warned := c.WaitFor(t, []byte(generated), func(a Answer) bool { return len(a.Warnings) > 0 })
	const want = "it has creationTimestamp,generateName,generation,managedFields,name,namespace,uid and is web-"
	if !strings.Contains(warned.Warnings[0], want) {
		t.Errorf("%q", warned.Warnings)
	}
}

// TestWhatPoliciesFind records the defaults and the additions of other plugins that a mutating policy finds in a plain
// pod.
func TestWhatPoliciesFind(t *testing.T) {
	c := Start(t)
	c.Namespace(t, "shop", nil)
	c.Apply(t, []byte(found))
	c.Apply(t, []byte(strings.ReplaceAll(hostnameBinding, "hostname", "found")))
	answer := c.WaitFor(t, []byte(strings.Replace(pod, "name: web", "generateName: web-", 1)), func(a Answer) bool {
		return !a.Accepted() || bytes.Contains(a.Body, []byte(`"annotations"`))
	})
	var stored struct {
		Metadata struct {
			Annotations map[string]string `json:"annotations"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(answer.Body, &stored); err != nil {
		t.Fatalf("%v in %s", err, answer.Body)
	}
	for name, want := range map[string]string{
		"metadata": "generateName,managedFields,namespace",
		"spec": "containers,dnsPolicy,enableServiceLinks,preemptionPolicy,priority,restartPolicy,schedulerName,securityContext,serviceAccount," +
			"serviceAccountName,terminationGracePeriodSeconds,tolerations,volumes",
		"container": "image,imagePullPolicy,name,resources,terminationMessagePath,terminationMessagePolicy,volumeMounts",
	} {
		if got := stored.Metadata.Annotations[name]; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

const found = `{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingAdmissionPolicy, metadata: {name: found}, spec: {` + rules + `,
  failurePolicy: Fail, reinvocationPolicy: Never, mutations: [{patchType: JSONPatch, jsonPatch: {
  expression: '[JSONPatch{op: "add", path: "/metadata/annotations", value: {
    "metadata": object.metadata.map(k, string(k)).sort().join(","),
    "spec": object.spec.map(k, string(k)).sort().join(","),
    "container": object.spec.containers[0].map(k, string(k)).sort().join(",")}}]'}}]}}`

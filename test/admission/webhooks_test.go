package admission

import (
	"fmt"
	"slices"
	"testing"

	"pillion.dev/pillion/test/admission/apiserver"
)

// TestContainersOfWebhooksAreNotTheApps runs policies on a pod as it is after the webhooks of meshes have changed it:
// the API server runs mutating policies again then.
func TestContainersOfWebhooksAreNotTheApps(t *testing.T) {
	const config = `{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, metadata: {name: java}, spec: {
  containers: [{name: agent, image: "agent:1", mode: Container, env: [{name: APP, value: "${container.name}"}]}],
  appContainers: [{%s env: [{name: JAVA_TOOL_OPTIONS, value: "-javaagent:/a.jar"}]}]}}`
	const changed = `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {
  initContainers: [{name: linkerd-init, image: i}, {name: setup, image: i}],
  containers: [{name: istio-proxy, image: i}, {name: web, image: web}, {name: daprd, image: i}]}}`
	for rule, want := range map[string][]string{
		"":                                {"web"},
		"includeInit: true,":              {"setup", "web"},
		"containers: [web, istio-proxy],": {"istio-proxy", "web"},
	} {
		subject, err := Compile(fmt.Sprintf(config, rule), nil)
		if err != nil {
			t.Fatal(err)
		}
		pod, err := apiserver.Pod([]byte(changed))
		if err != nil {
			t.Fatal(err)
		}
		mutated, err := subject.policies.Mutate(arrive(pod, false), shop)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range slices.Concat(mutated.Pod.Spec.InitContainers, mutated.Pod.Spec.Containers) {
			if len(c.Env) > 0 && c.Env[0].Name == "JAVA_TOOL_OPTIONS" {
				got = append(got, c.Name)
			}
			if c.Name == "agent" && c.Env[0].Value != "web" && rule != "containers: [web, istio-proxy]," {
				t.Errorf("%s the app's container is %s", rule, c.Env[0].Value)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s got %v, want %v", rule, got, want)
		}
		if verdict, err := subject.policies.Validate(arrive(mutated.Pod, false), shop); err != nil || verdict.Denied != nil {
			t.Errorf("%s %v %v", rule, err, verdict.Denied)
		}
	}
}

package injector

import (
	"strings"
	"testing"

	"pillion.dev/pillion/api/v1alpha1"
)

func TestWhatComesFromTheAppIsReadAndNeverReachesTheManifest(t *testing.T) {
	const knobs = `
shareVolumePolicy: {type: Enabled, containers: [app], excludePaths: [/tmp], includeInjected: true}
shareVolumeDevicePolicy: {}
transferEnv:
- {sourceContainerName: app, envNames: [A, B]}
- sourceContainerNameFrom: {fieldRef: {apiVersion: v1, fieldPath: "metadata.labels['app']"}}
  envName: C
resourcesPolicy:
  resourcesExpr: {requests: {cpu: "max(cpu*10%, 50m)"}, limits: {memory: 64Mi}}`
	init := "initContainers:\n- name: init\n  image: init:v1\n" + indent(knobs)
	in := one(t, sidecar(knobs)+indent(init))
	for _, c := range []Container{in.Containers[0], in.InitContainers[0]} {
		if len(c.Body.Content) != 4 {
			t.Errorf("the body of %s has other fields than name and image: %v", c.Name, c.Body.Content)
		}
		if c.ShareVolumePolicy.Type != v1alpha1.ShareEnabled || c.ShareVolumeDevicePolicy.Type != v1alpha1.ShareDisabled ||
			len(c.TransferEnv) != 2 {
			t.Errorf("%s has %+v", c.Name, c.FromApp)
		}
		if r := c.Resources; r.Mode != v1alpha1.TargetContainersSum || len(r.Fields) != 2 || r.Fields[1].List != "limits" ||
			!r.Names.MatchString("any") {
			t.Errorf("%s has the resources %+v", c.Name, r)
		}
	}
}

func TestTakingOverWhatMakesNoSenseIsRefused(t *testing.T) {
	for _, test := range []bad{
		{"sharing is on or off", sidecar("shareVolumePolicy: {type: enabled}"), []string{
			`spec.containers[0].shareVolumePolicy.type: "enabled" is not one of Enabled, Disabled; did you mean Enabled?`,
		}},
		{"a container shares nothing with itself", sidecar("shareVolumePolicy: {type: Enabled, containers: [envoy, App]}"), []string{
			`spec.containers[0].shareVolumePolicy.containers[0]: a container cannot take anything over from itself; name another`,
			`spec.containers[0].shareVolumePolicy.containers[1]: "App" is not a valid container name: it must consist of lower case ` +
				`alphanumeric characters or '-', and must start and end with an alphanumeric character; did you mean app?`,
		}},
		{"an empty list of containers says nothing", sidecar("shareVolumeDevicePolicy: {type: Enabled, containers: []}"), []string{
			`spec.containers[0].shareVolumeDevicePolicy.containers: the list is empty; name containers, or leave it out to share with all of ` +
				`the app's`,
		}},
		{"an excluded path is a path", sidecar("shareVolumePolicy: {type: Enabled, excludePaths: [tmp]}"), []string{
			`spec.containers[0].shareVolumePolicy.excludePaths[0]: "tmp" is not a path; write it as it is mounted, such as /var/log`,
		}},
		{"variables come from somewhere", sidecar("transferEnv: [{envName: A}]"), []string{
			`spec.containers[0].transferEnv[0].sourceContainerName: a transfer needs the container to take variables from; write ` +
				`sourceContainerName or sourceContainerNameFrom`,
		}},
		{"variables come from one place", sidecar(`transferEnv: [{sourceContainerName: app, sourceContainerNameFrom: {fieldRef: ` +
			`{fieldPath: "metadata.labels['a']"}}}]`), []string{
			`spec.containers[0].transferEnv[0].sourceContainerNameFrom: sourceContainerName and sourceContainerNameFrom cannot both be given; ` +
				`keep one`,
		}},
		{"variables are not the container's own", sidecar("transferEnv: [{sourceContainerName: envoy}]"), []string{
			`spec.containers[0].transferEnv[0].sourceContainerName: a container cannot take anything over from itself; name another`,
		}},
		{"a name and names are one too many", sidecar("transferEnv: [{sourceContainerName: app, envName: A, envNames: [B]}]"), []string{
			`spec.containers[0].transferEnv[0].envNames: envName and envNames cannot both be given; keep one`,
		}},
		{"no names are not all names", sidecar("transferEnv: [{sourceContainerName: app, envNames: []}, {sourceContainerName: app, " +
			"envNames: ['']}]"), []string{
			`spec.containers[0].transferEnv[0].envNames: the list is empty; name variables, or leave it out to take all of them`,
			`spec.containers[0].transferEnv[1].envNames[0]: an environment variable needs a name; write one`,
		}},
		{"a field reference is needed", sidecar("transferEnv: [{sourceContainerNameFrom: {}}]"), []string{
			`spec.containers[0].transferEnv[0].sourceContainerNameFrom.fieldRef: sourceContainerNameFrom needs a fieldRef; write one, such as ` +
				`{fieldPath: "metadata.labels['app']"}`,
		}},
		{"a field reference is a label or an annotation", sidecar("transferEnv: [{sourceContainerNameFrom: {fieldRef: {apiVersion: v2, " +
			"fieldPath: metadata.name}}}]"), []string{
			`spec.containers[0].transferEnv[0].sourceContainerNameFrom.fieldRef.apiVersion: "v2" is not the version of a pod; write v1 or ` +
				`leave it out`,
			`spec.containers[0].transferEnv[0].sourceContainerNameFrom.fieldRef.fieldPath: a label or an annotation names the source ` +
				`container; write metadata.labels['KEY'] or metadata.annotations['KEY']`,
		}},
		{"a policy computes something", sidecar("resourcesPolicy: {targetContainersMode: Max}"), []string{
			`spec.containers[0].resourcesPolicy.resourcesExpr: there is nothing to compute; write an expression, such as {requests: {cpu: ` +
				`"max(cpu*10%, 50m)"}}`,
		}},
		{"a mode is sum or max", sidecar("resourcesPolicy: {targetContainersMode: avg, resourcesExpr: {limits: {cpu: '1'}}}"), []string{
			`spec.containers[0].resourcesPolicy.targetContainersMode: "avg" is not one of Sum, Max`,
		}},
		{"the containers' pattern " +
			"compiles", sidecar("resourcesPolicy: {targetContainersNameRegex: 'app-(', resourcesExpr: {limits: {cpu: '1'}}}"), []string{
			"spec.containers[0].resourcesPolicy.targetContainersNameRegex: \"app-(\" is not a regular expression: missing closing ): `app-(`; " +
				"see https://golang.org/s/re2syntax",
		}},
		{"the containers' pattern is not endless", sidecar("resourcesPolicy: " +
			"{targetContainersNameRegex: " + strings.Repeat("a", 1025) + ", resourcesExpr: {limits: {cpu: '1'}}}"), []string{
			"spec.containers[0].resourcesPolicy.targetContainersNameRegex: the pattern is 1025 bytes long; the most is 1024",
		}},
		{"an expression says where it fails", sidecar("resourcesPolicy: {resourcesExpr: {requests: {cpu: 'max(cpu*10%, 50m', memory: " +
			"cpu*2}}}"), []string{
			`spec.containers[0].resourcesPolicy.resourcesExpr.requests.cpu: "max(cpu*10%, 50m" is not an expression: at character 17: ` +
				`expected an operator (+ - * /), "," or ")", found the end`,
			`spec.containers[0].resourcesPolicy.resourcesExpr.requests.memory: "cpu*2" is not an expression: at character 1: expected a ` +
				`number, a quantity, memory, min(), max() or "(", found "cpu"`,
		}},
		{"a field is computed or written", sidecar("resources: {limits: {cpu: 1, memory: 1Gi}}\nresourcesPolicy: {resourcesExpr: " +
			"{requests: {cpu: cpu}, limits: {memory: memory}}}"), []string{
			`spec.containers[0].resourcesPolicy.resourcesExpr.limits.memory: spec.containers[0].resources.limits.memory gives this field ` +
				`already; keep one of them`,
		}},
		{"an init container is checked, too", with("initContainers: [{name: init, image: a, transferEnv: [{}]}]"), []string{
			`spec.initContainers[0].transferEnv[0].sourceContainerName: a transfer needs the container to take variables from; write ` +
				`sourceContainerName or sourceContainerNameFrom`,
		}},
	} {
		test.run(t)
	}
}

func TestASharePolicyThatSharesNothingIsAWarning(t *testing.T) {
	_, findings := Read(parse(t, sidecar("shareVolumePolicy: {excludePaths: [/tmp]}")))
	want := "warning: spec.containers[0].shareVolumePolicy.type: nothing is shared, because the type is Disabled, which is the default; " +
		"write type: Enabled, or remove the rest\n"
	if got := said(findings); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

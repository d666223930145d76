package injector

import (
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/api/v1alpha1"
)

func TestSidecarSetTakesOverFromTheApp(t *testing.T) {
	in := one(t, kruiseContainer(`
shareVolumePolicy: {type: enabled}
shareVolumeDevicePolicy: {type: enabled}
transferEnv:
- {sourceContainerName: app, envNames: [B, A]}
- {sourceContainerNameFrom: {fieldRef: {fieldPath: "metadata.labels['main']"}}, envName: C}
resourcesPolicy:
  targetContainersMode: max
  targetContainersNameRegex: ^app
  resourcesExpr: {limits: {cpu: cpu*50%}, requests: {memory: "max(memory/4, 64Mi)"}}
`))
	c := in.Containers[0]
	if c.ShareVolumePolicy.Type != v1alpha1.ShareEnabled || c.ShareVolumeDevicePolicy.Type != v1alpha1.ShareEnabled {
		t.Errorf("shares %+v and %+v", c.ShareVolumePolicy, c.ShareVolumeDevicePolicy)
	}
	if !slices.Equal(c.TransferEnv[0].EnvNames, []string{"B", "A"}) || c.TransferEnv[0].SourceContainerName != "app" {
		t.Errorf("transfers %+v", c.TransferEnv[0])
	}
	if second := c.TransferEnv[1]; second.EnvName != "C" ||
		second.SourceContainerNameFrom.FieldRef.FieldPath != "metadata.labels['main']" {
		t.Errorf("transfers %+v", second)
	}
	if r := c.Resources; !r.AsOpenKruise || r.Mode != v1alpha1.TargetContainersMax || r.Names.String() != "^app" || len(r.Fields) != 2 {
		t.Errorf("computes %+v", r)
	}
}

func TestSidecarSetsThatTakeOverWronglyAreRefused(t *testing.T) {
	const policy = "resourcesPolicy: {targetContainersMode: sum, resourcesExpr: {limits: {cpu: cpu}}}\n"
	for _, test := range []bad{
		{
			"a mode is needed", kruiseContainer("resourcesPolicy: {resourcesExpr: {limits: {cpu: cpu}}}"),
			[]string{"spec.containers[0].resourcesPolicy.targetContainersMode: a resourcesPolicy needs a targetContainersMode; write sum or max"},
		},
		{
			"resources and their policy", kruiseContainer(policy + "resources: {requests: {memory: 64Mi}, limits: {cpu: 1}}"),
			[]string{"spec.containers[0].resourcesPolicy: resources and resourcesPolicy cannot both be given; keep one"},
		},
		{
			"an init container that ends", strings.Replace(kruiseContainer(policy), "containers:", "initContainers:", 1),
			[]string{"spec.initContainers[0].resourcesPolicy: only an init container with restartPolicy: Always can have a resourcesPolicy; " +
				"write that, or remove it"},
		},
		{
			"a bad expression", kruiseContainer(strings.Replace(policy, "cpu: cpu", "cpu: cpu*", 1)),
			[]string{`spec.containers[0].resourcesPolicy.resourcesExpr.limits.cpu: "cpu*" is not an expression: at character 5: ` +
				`expected a number, a quantity, cpu, min(), max() or "(", found the end`},
		},
		{
			"an unknown mode", kruiseContainer(strings.Replace(policy, "sum", "mean", 1)),
			[]string{`spec.containers[0].resourcesPolicy.targetContainersMode: "mean" is not one of sum, max`},
		},
		{
			"a transfer from nowhere", kruiseContainer("transferEnv: [{envName: A}]"),
			[]string{"spec.containers[0].transferEnv[0].sourceContainerName: a transfer needs the container to take variables from; " +
				"write sourceContainerName or sourceContainerNameFrom"},
		},
		{
			"a transfer of nothing", kruiseContainer("transferEnv: [{sourceContainerName: app, envNames: []}]"),
			[]string{"spec.containers[0].transferEnv[0].envNames: a transfer needs the names of variables; write envNames, or remove it"},
		},
		{
			"a transfer with two lists of names", kruiseContainer("transferEnv: [{sourceContainerName: app, envName: A, envNames: [B]}]"),
			[]string{"spec.containers[0].transferEnv[0].envNames: envName and envNames cannot both be given; keep one"},
		},
		{
			"what Pillion has and SidecarSet has not", kruiseContainer("shareVolumePolicy: {type: enabled, excludePaths: [/tmp]}"),
			[]string{`spec.containers[0].shareVolumePolicy.excludePaths: there is no field "excludePaths" here; known are type`},
		},
	} {
		test.run(t)
	}
}

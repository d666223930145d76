package admission_test

import (
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/admission"
	"pillion.dev/pillion/internal/engine"
)

const beginning = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: log}
spec:
`

func export(t *testing.T, spec string, minor int) []finding.Finding {
	t.Helper()
	if !strings.Contains(spec, "containers:") {
		spec += "\n  containers: [{name: log, image: 'log:1'}]"
	}
	return exportAll(t, beginning+"  "+spec+"\n", minor)
}

func exportAll(t *testing.T, text string, minor int) []finding.Finding {
	t.Helper()
	config, findings := engine.ReadConfig(engine.Source{File: "injector.yaml", Text: []byte(text)})
	if finding.HasError(findings) {
		t.Fatal(findings)
	}
	_, findings = admission.New(config.Injectors(), admission.Options{
		Minor: minor, Mutate: true, Actions: []string{"Deny"}, FailurePolicy: "Fail",
	})
	return findings
}

func TestFieldsThatPoliciesCannotExpress(t *testing.T) {
	for field, spec := range map[string]string{
		"action":        "action: Remove",
		"paused":        "paused: true",
		"selectorScope": "selectorScope: Any",
		"rules":         "rules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments]}]",
		"names":         "names: [web]",
		"excludeNames":  "excludeNames: [web]",
		"helmHooks":     "helmHooks: Skip",
		"marker":        "marker: example.com/inject-the-sidecar-of-the-team",
		"containers[0].transferEnv[0].sourceContainerName": "containers: " +
			"[{name: log, image: l, transferEnv: [{sourceContainerName: b}]}, {name: b, image: b}]",
		"containers[1].transferEnv[0].sourceContainerNameFrom": "containers: [{name: b, image: b}, {name: log, image: l, " +
			"transferEnv: [{sourceContainerNameFrom: {fieldRef: {fieldPath: \"metadata.labels['a']\"}}}]}]",
		"containers[0].transferEnv[0]": "containers: [{name: log, image: l, transferEnv: [{sourceContainerName: app, envName: A}]}]\n" +
			"  appContainers: [{env: [{name: A, value: a}]}]",
		"initContainers[0].transferEnv[0]": "initContainers: [{name: log, image: l, transferEnv: [{sourceContainerName: app}]}]\n" +
			"  appContainers: [{containers: [app], env: [{name: A, value: a, join: ','}]}]",
		"containers[0].allowOverride":     "containers: [{name: log, image: l, allowOverride: [image]}]",
		"containers[0].image":             "containers: [{name: log, image: '${workload.name}'}]",
		"containers[0].resourcesPolicy":   "containers: [{name: log, image: l, resourcesPolicy: {resourcesExpr: {limits: {cpu: cpu}}}}]",
		"patchPodMetadata[0].patchPolicy": "patchPodMetadata: [{annotations: {a: '{}'}, patchPolicy: MergePatchJson}]",
		"podSpec.dnsPolicy":               "podSpec: {dnsPolicy: None}",
		"podSpec.priorityClassName":       "podSpec: {priorityClassName: high}",
		"podSpec.tolerations":             "podSpec: {tolerations: [{key: a}]}",
		"podSpec.hostAliases":             "podSpec: {hostAliases: [{ip: 10.0.0.1, hostnames: [a]}]}",
		"onConflict.container":            "onConflict: {container: Merge}",
		"onConflict.port": "onConflict: {port: Keep, container: Replace}\n" +
			"  containers: [{name: a, image: a}, {name: b, image: b, ports: [{containerPort: 1}]}]",
		"checks.podSecurity":   "checks: {podSecurity: restricted}",
		"checks.requireDigest": "checks: {requireDigest: Error}",
		"expect":               "expect: {min: 1}",
	} {
		t.Run(field, func(t *testing.T) {
			findings := export(t, spec, 36)
			if len(findings) != 1 || findings[0].Code != finding.NotExportable || findings[0].Field.Path != "spec."+field {
				t.Errorf("%v, want one finding about spec.%s", findings, field)
			}
		})
	}
}

func TestFieldsThatPoliciesExpress(t *testing.T) {
	for _, spec := range []string{
		"", "rules: [{apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}]", "policy: disabled", "jobs: Error",
		"podSpec: {runtimeClassName: kata, securityContext: {fsGroup: 1}}", "containers: [{name: log, image: '$${HOME}'}]",
		"onConflict: {container: Keep, volume: Keep, port: Keep}", "onConflict: {container: Replace, volume: Replace}",
		"onConflict: {container: Replace, port: Keep}\n  containers: [{name: b, image: b, ports: [{containerPort: 1}]}]",
		"containers: [{name: log, image: l, transferEnv: [{sourceContainerName: app, envName: A}]}]\n" +
			"  appContainers: [{env: [{name: B, value: b}]}]",
		"containers: [{name: log, image: l, transferEnv: [{sourceContainerName: app}]}]\n" +
			"  appContainers: [{containers: [web], env: [{name: B, value: b}]}]",
	} {
		if findings := export(t, spec, 36); len(findings) > 0 {
			t.Errorf("%s: %v", spec, findings)
		}
	}
}

func TestInjectorsThatReplaceTheSameDifferently(t *testing.T) {
	const list = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjectorList
items:
- metadata: {name: one}
  spec:
    onConflict: {container: Replace, volume: Replace}
    containers: [{name: log, image: "log:1"}]
    volumes: [{name: logs, emptyDir: {}}]
- metadata: {name: two}
  spec:
    onConflict: {container: POLICY, volume: POLICY}
    containers: [{name: log, image: "IMAGE"}]
    volumes: [{name: logs, emptyDir: {}}]
`
	for _, c := range []struct {
		policy, image string
		want          []string
	}{
		{"Replace", "log:1", nil},
		{"Replace", "log:2", []string{"items[1].spec.onConflict.container"}},
		{"Keep", "log:1", []string{"items[1].spec.onConflict.container", "items[1].spec.onConflict.volume"}},
	} {
		var fields []string
		for _, f := range exportAll(t, strings.NewReplacer("POLICY", c.policy, "IMAGE", c.image).Replace(list), 36) {
			fields = append(fields, f.Field.Path)
		}
		if !slices.Equal(fields, c.want) {
			t.Errorf("%s, %s: findings about %v, want %v", c.policy, c.image, fields, c.want)
		}
	}
}

func TestTooLongPayloadNamesItsContainer(t *testing.T) {
	findings := export(t, "containers: [{name: log, image: l, args: ["+strings.Repeat("a", 100_000)+"]}]", 36)
	if len(findings) == 0 || !strings.Contains(findings[0].Message, "the container log") {
		t.Errorf("%.300v", findings)
	}
}

package admission_test

import (
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
	config, findings := engine.ReadConfig(engine.Source{File: "injector.yaml", Text: []byte(beginning + "  " + spec + "\n")})
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
		"action":                          "action: Remove",
		"paused":                          "paused: true",
		"selectorScope":                   "selectorScope: Any",
		"rules":                           "rules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments]}]",
		"names":                           "names: [web]",
		"excludeNames":                    "excludeNames: [web]",
		"helmHooks":                       "helmHooks: Skip",
		"marker":                          "marker: example.com/inject-the-sidecar-of-the-team",
		"containers[0].transferEnv":       "containers: [{name: log, image: l, transferEnv: [{sourceContainerName: app, envName: A}]}]",
		"containers[0].allowOverride":     "containers: [{name: log, image: l, allowOverride: [image]}]",
		"containers[0].image":             "containers: [{name: log, image: '${workload.name}'}]",
		"containers[0].resourcesPolicy":   "containers: [{name: log, image: l, resourcesPolicy: {resourcesExpr: {limits: {cpu: cpu}}}}]",
		"patchPodMetadata[0].patchPolicy": "patchPodMetadata: [{annotations: {a: '{}'}, patchPolicy: MergePatchJson}]",
		"appContainers[0].volumeMounts[0].mountPath": "volumes: [{name: v, emptyDir: {}}]\n  appContainers: [{volumeMounts: " +
			"[{name: v, mountPath: /var/run/secrets/kubernetes.io/serviceaccount/}]}]",
		"podSpec.dnsPolicy":         "podSpec: {dnsPolicy: None}",
		"podSpec.priorityClassName": "podSpec: {priorityClassName: high}",
		"podSpec.tolerations":       "podSpec: {tolerations: [{key: a}]}",
		"podSpec.hostAliases":       "podSpec: {hostAliases: [{ip: 10.0.0.1, hostnames: [a]}]}",
		"onConflict.container":      "onConflict: {container: Merge}",
		"onConflict.volume":         "onConflict: {volume: Keep}",
		"onConflict.port":           "onConflict: {port: Keep}",
		"checks.podSecurity":        "checks: {podSecurity: restricted}",
		"checks.requireDigest":      "checks: {requireDigest: Error}",
		"expect":                    "expect: {min: 1}",
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
	} {
		if findings := export(t, spec, 36); len(findings) > 0 {
			t.Errorf("%s: %v", spec, findings)
		}
	}
}

func TestTooLongPayloadNamesItsContainer(t *testing.T) {
	findings := export(t, "containers: [{name: log, image: l, args: ["+strings.Repeat("a", 100_000)+"]}]", 36)
	if len(findings) == 0 || !strings.Contains(findings[0].Message, "the container log") {
		t.Errorf("%.300v", findings)
	}
}

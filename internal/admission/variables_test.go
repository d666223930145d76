package admission_test

import (
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
)

func TestVariablesThatPoliciesCannotFillIn(t *testing.T) {
	const label = "${pod.labels['app']}"
	for field, c := range map[string]struct{ spec, reason string }{
		"containers[0].args[0]":              {"containers: [{name: log, image: l, args: ['${workload.kind}']}]", "does not know"},
		"containers[0].name":                 {"containers: [{name: LABEL, image: l}]", "fixed name"},
		"containers[0].env[0].name":          {"containers: [{name: log, image: l, env: [{name: LABEL}]}]", "fixed name"},
		"containers[0].ports[0].name":        {"containers: [{name: log, image: l, ports: [{name: LABEL, containerPort: 1}]}]", "ports"},
		"initContainers[0].name":             {"initContainers: [{name: LABEL, image: l}]", "fixed name"},
		"initContainers[0].restartPolicy":    {"initContainers: [{name: one, image: l, restartPolicy: LABEL}]", "where the container goes"},
		"volumes[0].name":                    {"volumes: [{name: LABEL, emptyDir: {}}]", "fixed name"},
		"imagePullSecrets[0].name":           {"imagePullSecrets: [{name: LABEL}]", "fixed name"},
		"appContainers[0].env[0].name":       {"appContainers: [{env: [{name: LABEL, value: a}]}]", "fixed name"},
		"appContainers[0].env[0].value":      {"appContainers: [{env: [{name: A, value: LABEL, join: ' '}]}]", "join fixed values"},
		"volumes[0].emptyDir.sizeLimit":      {"volumes: [{name: a, emptyDir: {sizeLimit: LABEL}}]", "fixed quantity"},
		"appContainers[0].envFrom[0].prefix": {"appContainers: [{envFrom: [{prefix: LABEL, configMapRef: {name: a}}]}]", "fixed name"},
		"appContainers[0].volumeMounts[0].mountPath": {
			"appContainers: [{volumeMounts: [{name: a, mountPath: LABEL}]}]", "fixed name",
		},
	} {
		t.Run(field, func(t *testing.T) {
			findings := export(t, strings.ReplaceAll(c.spec, "LABEL", `"`+label+`"`), 36)
			if len(findings) != 1 || findings[0].Code != finding.NotExportable || findings[0].Field.Path != "spec."+field ||
				!strings.Contains(findings[0].Message, c.reason) {
				t.Errorf("%v, want one finding about spec.%s: %s", findings, field, c.reason)
			}
		})
	}
}

func TestVariablesThatPoliciesFillIn(t *testing.T) {
	for _, spec := range []string{
		"containers: [{name: log, image: \"l:${pod.labels['v']:-1}\", workingDir: '/${workload.namespace}', args: ['${container.port}']}]",
		"containers: [{name: log, image: l, resources: {limits: {cpu: \"${pod.annotations['cpu']:-1}\"}}}]",
		"volumes: [{name: conf, configMap: {name: \"${pod.labels['app']}\"}}]",
		"appContainers: [{env: [{name: A, value: '${container.name}'}], volumeMounts: [{name: a, mountPath: /a, subPath: '${container.name}'}]}]",
		"podSpec: {hostname: '${container.name}'}",
	} {
		if findings := export(t, spec, 36); len(findings) > 0 {
			t.Errorf("%s: %v", spec, findings)
		}
	}
}

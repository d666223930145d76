package admission_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
)

// many returns a list of entries with a number.
func many(n int, entry string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, entry+", ", i)
	}
	return b.String()
}

// TestTooLongExpressionsNameTheirField exports payloads that are too long in one field, beside others that are not.
func TestTooLongExpressionsNameTheirField(t *testing.T) {
	long, name := strings.Repeat("a", 100_000), strings.Repeat("a", 58)
	const others = "\n  volumes: [{name: tmp, emptyDir: {}}]\n  initContainers: [{name: init, image: i}]"
	for field, spec := range map[string]string{
		"containers[1]":        "containers: [{name: a, image: a}, {name: log, image: l, args: [" + long + "]}]" + others,
		"initContainers[0]":    "initContainers: [{name: a, image: a, args: [" + long + "]}]",
		"volumes[1]":           "volumes: [{name: tmp, emptyDir: {}}, {name: big, csi: {driver: d, volumeAttributes: {a: " + long + "}}}]",
		"appContainers":        "appContainers: [{env: [{name: A, value: " + long + "}]}]" + others,
		"podSpec.dnsConfig":    "podSpec: {hostname: a, dnsConfig: {searches: [" + many(1000, name+name+"%d") + "]}}" + others,
		"podSpec.nodeSelector": "podSpec: {nodeSelector: {" + many(1000, "key%d: a") + "}}" + others,
		"patchPodMetadata[0]":  "patchPodMetadata: [{annotations: {a: " + long + "}}]" + others,
		"namespaces":           "namespaces: {include: [" + many(1000, name+"%d") + "], exclude: [" + many(1000, "b"+name+"%d") + "]}" + others,
		"selector":             "selector: {matchExpressions: [" + many(1000, "{key: "+name+", operator: NotIn, values: [a%d]}") + "]}" + others,
	} {
		t.Run(field, func(t *testing.T) { checkTooLong(t, exportOnly(t, spec, 36, true), field) })
	}
	t.Run("validating", func(t *testing.T) {
		spec := "onConflict: {env: Error}\n  appContainers: [{env: [{name: A, value: " + long + "}]}]" + others
		checkTooLong(t, exportOnly(t, spec, 36, false), "appContainers[0].env")
	})
}

func checkTooLong(t *testing.T, findings []finding.Finding, field string) {
	t.Helper()
	if len(findings) == 0 {
		t.Fatal("it is exported")
	}
	for _, f := range findings {
		if f.Code != finding.NotExportable || f.Injector != "log" || f.Field.Path != "spec."+field || !strings.Contains(f.Message, "characters") {
			t.Errorf("%.300v, want spec.%s", f, field)
		}
	}
}

func TestTooLargePolicyNamesItsLargestField(t *testing.T) {
	var containers strings.Builder
	for i := range 20 {
		fmt.Fprintf(&containers, "{name: log%d, image: l, args: [%s]}, ", i, strings.Repeat("a", 70_000+1000*i))
	}
	findings := export(t, "containers: ["+containers.String()+"]", 36)
	if len(findings) != 1 || findings[0].Field.Path != "spec.containers[19]" || !strings.Contains(findings[0].Message, "etcd") {
		t.Errorf("%.300v", findings)
	}
}

// TestTooLongRefusalsNameTheirField exports so many quantities with variables that the conditions on their values are too long.
func TestTooLongRefusalsNameTheirField(t *testing.T) {
	const amounts = "{cpu: \"${pod.annotations['cpu']:-100m}\", memory: \"${pod.annotations['memory']:-1Gi}\"}"
	spec := "containers: [" + many(200, "{name: log%d, image: l, resources: {limits: "+amounts+", requests: "+amounts+"}}") + "]"
	for _, mutate := range []bool{true, false} {
		findings := exportOnly(t, spec, 36, mutate)
		if !slices.ContainsFunc(findings, func(f finding.Finding) bool { return strings.Contains(f.Field.Path, "].resources.") }) {
			t.Errorf("mutating %v: %.500v", mutate, findings)
		}
	}
}

func TestTooManyContainersAreRefusedAtOnce(t *testing.T) {
	findings := export(t, "onConflict: {container: Replace}\n  containers: ["+many(1000, "{name: log%d, image: l}")+"]", 36)
	if len(findings) != 1 || findings[0].Field.Path != "spec.containers" || !strings.Contains(findings[0].Message, "more than 300") {
		t.Errorf("%.500v", findings)
	}
}

package test

import (
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/tools"
)

// TestAuditAlerts checks with Prometheus' own program when the alerts in pipelines/audit fire, and when they do not.
func TestAuditAlerts(t *testing.T) {
	promtool := tools.Promtool.Path(t)
	dir := t.TempDir()
	rules, err := yaml.Marshal(objectsByKind(t, auditPipelineWith(t, withoutComponents, withComponents))["PrometheusRule"]["spec"])
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "rules.yaml"), string(rules))
	if found := mustRun(t, dir, "", promtool, "check", "rules", "rules.yaml").stdout; !strings.Contains(found, "3 rules found") {
		t.Errorf("there are other than three alerts: %s", found)
	}
	for _, tests := range []string{"audit-alerts.yaml", "audit-alerts-week.yaml"} {
		writeFile(t, filepath.Join(dir, tests), readFile(t, filepath.Join("testdata", tests)))
		if tested := run(t, dir, "", promtool, "test", "rules", tests); tested.exitCode != 0 {
			t.Errorf("%s%s", tested.stdout, tested.stderr)
		}
	}
}

package admission_test

import (
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/admission"
	"pillion.dev/pillion/internal/engine"
)

// TestAPolicyThatReplacesRunsOnce shows that it does not remove what others add to the container after it.
func TestAPolicyThatReplacesRunsOnce(t *testing.T) {
	for policies, want := range map[string]string{
		"{container: Replace}":                "reinvocationPolicy: Never",
		"{container: Keep, volume: Replace}":  "reinvocationPolicy: IfNeeded",
		"{container: Error, volume: Replace}": "reinvocationPolicy: IfNeeded",
	} {
		config, findings := engine.ReadConfig(engine.Source{
			File: "injector.yaml", Text: []byte(beginning + "  containers: [{name: log, image: l}]\n  onConflict: " + policies + "\n"),
		})
		if finding.HasError(findings) {
			t.Fatal(findings)
		}
		exported, findings := admission.New(config.Injectors(), admission.Options{
			Minor: 36, Mutate: true, Actions: []string{"Deny"}, FailurePolicy: "Fail",
		})
		if len(findings) > 0 {
			t.Fatal(findings)
		}
		if text := exported.YAML(); !strings.Contains(string(text), want) {
			t.Errorf("%s: no %s in\n%s", policies, want, text)
		}
	}
}

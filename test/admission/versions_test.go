package admission

import (
	"os"
	"path/filepath"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/admission"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/test/admission/apiserver"
)

// TestOldestVersions compiles each kind of policy with the expressions that its first version of Kubernetes has.
func TestOldestVersions(t *testing.T) {
	files, err := filepath.Glob("testdata/configs/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no configs: %v", err)
	}
	for _, file := range files {
		config, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		read, findings := engine.ReadConfig(engine.Source{Text: config})
		if finding.HasError(findings) {
			t.Fatal(findings)
		}
		for version, options := range map[string]admission.Options{
			oldest: {Minor: 36, Validate: true}, "1.34": {Minor: 34, Mutate: true}, "1.35": {Minor: 35, Mutate: true},
		} {
			options.Actions, options.FailurePolicy = []string{"Deny"}, "Fail"
			policies, findings := admission.New(read.Injectors(), options)
			if len(findings) > 0 {
				t.Logf("%s for %s: %v", file, version, findings)
				continue
			}
			text, err := policies.YAML()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := apiserver.Load(text, version); err != nil {
				t.Errorf("%s for %s: %v", file, version, err)
			}
		}
	}
}

package admission

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/admission"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/test/admission/apiserver"
)

// TestPoliciesCompileOnTheOldestVersions loads the policies of all configs as the first API servers that have such policies do.
func TestPoliciesCompileOnTheOldestVersions(t *testing.T) {
	files, err := filepath.Glob("testdata/configs/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no configs: %v", err)
	}
	for _, file := range files {
		config, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			for _, options := range []admission.Options{{Minor: 34, Mutate: true}, {Minor: 30, Validate: true}} {
				if err := loadFor(string(config), options); err != nil {
					t.Errorf("1.%d: %v", options.Minor, err)
				}
			}
		})
	}
}

func loadFor(config string, options admission.Options) error {
	read, findings := engine.ReadConfig(engine.Source{Text: []byte(config)})
	if finding.HasError(findings) {
		return finding.Err(findings)
	}
	options.Actions, options.FailurePolicy = []string{"Deny"}, "Fail"
	policies, findings := admission.New(read.Injectors(), options)
	if finding.HasError(findings) {
		return nil // TestRandomPods counts these
	}
	text, err := policies.YAML()
	if err != nil {
		return err
	}
	_, err = apiserver.Load(text, fmt.Sprintf("1.%d", options.Minor))
	return err
}

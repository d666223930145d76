package export_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/export/patch"
	"pillion.dev/pillion/internal/export/policy"
	"pillion.dev/pillion/internal/export/refusal"
)

// conditions has a value of each field that declares conditions.
var conditions = map[string]string{
	"neverInjectSelector": "[{matchLabels: {a: b}}]",
	"namespaces":          "{include: [shop], exclude: [lab]}",
	"namespaceSelector":   "{matchLabels: {a: b}}",
	"rules":               "[{apiGroups: [apps], apiVersions: [v1], resources: [deployments]}]",
	"names":               "[web]",
	"excludeNames":        "[web]",
	"selector":            "{matchLabels: {a: b}}",
	"policy":              "Disabled",
	"marker":              "example.com/inject",
	"paused":              "true",
	"hostNetwork":         "Skip",
	"jobs":                "Skip",
	"helmHooks":           "Skip",
}

// formats are the formats, each with the column of the table of what it refuses.
var formats = map[string]struct {
	column func(refusal.Entry) refusal.Reason
	export func([]*injector.Injector) ([]byte, []finding.Finding)
}{
	"policies": {refusal.Entry.InPolicy, func(injectors []*injector.Injector) ([]byte, []finding.Finding) {
		made, refused := policy.New(injectors, policy.Options{Minor: 36, Mutate: true, FailurePolicy: "Fail"})
		if len(refused) > 0 {
			return nil, refused
		}
		return made.YAML(), nil
	}},
	"patches": {refusal.Entry.InPatch, func(injectors []*injector.Injector) ([]byte, []finding.Finding) {
		made, refused := patch.New(injectors)
		return made.Component(), refused
	}},
}

// TestEveryKindOfConditionHasARow makes sure that whoever adds a condition decides what becomes of it in exports.
func TestEveryKindOfConditionHasARow(t *testing.T) {
	isKnown := map[injector.ConditionKind]bool{}
	for field, value := range conditions {
		for _, c := range read(t, field+": "+value)[0].Conditions() {
			isKnown[c.Kind] = true
			if !slices.ContainsFunc(refusal.Table, func(r refusal.Entry) bool { return r.Field == c.Field }) {
				t.Errorf("the table has no row for %s", c.Field)
			}
		}
	}
	for kind := range injector.ConditionKinds {
		if !isKnown[kind] {
			t.Errorf("no field declares the condition of kind %d", kind)
		}
	}
}

// TestConditionsAreExportedOrRefused makes sure that no format leaves out a condition silently: it would change pods
// that the injector is not for.
func TestConditionsAreExportedOrRefused(t *testing.T) {
	for name, format := range formats {
		without, refused := format.export(read(t, ""))
		if len(refused) > 0 {
			t.Fatal(refused)
		}
		for field, value := range conditions {
			with, refused := format.export(read(t, field+": "+value))
			isExpected := func(r refusal.Entry) bool {
				return r.Field == field && len(refused) == 1 && strings.HasSuffix(refused[0].Message, ": "+format.column(r).Why)
			}
			switch {
			case len(refused) == 0 && bytes.Equal(with, without):
				t.Errorf("%s leave out %s: %s", name, field, value)
			case len(refused) > 0 && !slices.ContainsFunc(refusal.Table, isExpected):
				t.Errorf("%s refuse %s: %s with a reason that is not in the table: %v", name, field, value, refused)
			}
		}
	}
}

func read(t *testing.T, field string) []*injector.Injector {
	t.Helper()
	const head = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: logs}\n" +
		"spec:\n  containers: [{name: a, image: a}]\n  "
	config, findings := engine.ReadConfig(finding.Source{Text: []byte(head + field + "\n")})
	if finding.HasError(findings) {
		t.Fatalf("%s: %v", field, findings)
	}
	return config.Injectors()
}

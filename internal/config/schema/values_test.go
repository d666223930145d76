package schema

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/internal/text/jsonfield"
)

func TestEveryRuleForAValueHasARow(t *testing.T) {
	const file = "../injector/testdata/values.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct{ At string }
	if err := yaml.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	tested := map[string]bool{}
	for _, row := range rows {
		tested[row.At[strings.LastIndex(row.At, ".")+1:]] = true
	}
	for owner, rules := range valueRules() {
		for field := range rules {
			if jsonfield.Of(owner).Named(field) == nil {
				t.Errorf("%s has no field %s", owner, field)
			}
			if !tested[field] {
				t.Errorf("no row of "+file+" is about %s.%s", owner.Name(), field)
			}
		}
	}
}

func TestRulesForValuesAreForFieldsOfPods(t *testing.T) {
	for owner := range valueRules() {
		if owner.Kind() != reflect.Struct || owner.PkgPath() != corePackage {
			t.Errorf("%s is not part of a pod", owner)
		}
	}
}

package v1alpha1_test

import (
	"bytes"
	"testing"

	"pillion.dev/pillion/api/v1alpha1"
)

func TestNobodyChangesTheSchemasOfOthers(t *testing.T) {
	for name, schema := range map[string]func() []byte{
		"Schema": v1alpha1.Schema, "CustomResourceDefinition": v1alpha1.CustomResourceDefinition,
	} {
		clear(schema())
		if text := schema(); len(text) == 0 || bytes.IndexByte(text, 0) >= 0 {
			t.Errorf("%s has changed", name)
		}
	}
}

func TestNobodyChangesTheWordsOfOthers(t *testing.T) {
	clear(v1alpha1.Allowed(v1alpha1.Inject))
	if words := v1alpha1.Allowed(v1alpha1.Inject); len(words) == 0 || words[0] != string(v1alpha1.Inject) {
		t.Errorf("the actions are %q", words)
	}
}

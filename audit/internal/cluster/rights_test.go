package cluster

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"
)

// TestRightsAreThoseThatAreNeeded checks that the ClusterRole in pipelines/audit allows to read each resource that is
// watched, and nothing else.
func TestRightsAreThoseThatAreNeeded(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "pipelines", "audit", "rights.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	allowed := map[string]bool{}
	for _, document := range bytes.Split(text, []byte("\n---\n")) {
		var role rbacv1.ClusterRole
		if err := yaml.Unmarshal(document, &role); err != nil {
			t.Fatal(err)
		}
		for _, rule := range role.Rules {
			if !slices.Equal(rule.Verbs, []string{"get", "list", "watch"}) {
				t.Errorf("the verbs for %q are %q", rule.Resources, rule.Verbs)
			}
			for _, group := range rule.APIGroups {
				for _, resource := range rule.Resources {
					allowed[group+"/"+resource] = true
				}
			}
		}
	}
	needed := map[string]bool{}
	for _, r := range append([]Resource{Pods, Namespaces}, Workloads...) {
		needed[r.Group+"/"+r.Resource] = true
	}
	if !maps.Equal(allowed, needed) {
		t.Errorf("the rights are %q, and the resources %q", slices.Sorted(maps.Keys(allowed)), slices.Sorted(maps.Keys(needed)))
	}
}

package test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	"sigs.k8s.io/yaml"
)

// containerNames reads the names in a Deployment's `containers` or `initContainers`.
func containerNames(t *testing.T, manifest, list string) []string {
	t.Helper()
	var deployment appsv1.Deployment
	if err := yaml.Unmarshal([]byte(manifest), &deployment); err != nil {
		t.Fatal(err)
	}
	containers := deployment.Spec.Template.Spec.Containers
	if list == "initContainers" {
		containers = deployment.Spec.Template.Spec.InitContainers
	}
	names := make([]string, 0, len(containers))
	for _, container := range containers {
		names = append(names, container.Name)
	}
	return names
}

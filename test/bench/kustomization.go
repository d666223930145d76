package main

import (
	"os"
	"path/filepath"
	"strings"
)

// writeKustomization writes a directory to build, with or without a patch that adds what the injector adds.
func writeKustomization(dir string, workloads int, patched bool) (input, error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return input{}, err
	}
	files := map[string]string{"kustomization.yaml": "resources: [resources.yaml]\n"}
	if patched {
		files["kustomization.yaml"] += "patches:\n- path: patch.yaml\n  target: {kind: Deployment}\n"
		files["patch.yaml"] = strategicMergePatch()
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return input{}, err
		}
	}
	return writeDocuments(filepath.Join(dir, "resources.yaml"), workloads)
}

func strategicMergePatch() string {
	_, payload, _ := strings.Cut(injector, "spec:\n")
	var patch strings.Builder
	patch.WriteString("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: any\nspec:\n  template:\n    spec:\n")
	for line := range strings.Lines(payload) {
		patch.WriteString("    " + line)
	}
	return patch.String()
}

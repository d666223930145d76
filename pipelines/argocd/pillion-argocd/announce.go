package main

import (
	"encoding/json"
	"io"
	"path/filepath"
)

// announcement is a parameter as Argo CD shows it to users, with its default.
type announcement struct {
	Name           string   `json:"name"`
	Title          string   `json:"title"`
	Tooltip        string   `json:"tooltip"`
	CollectionType string   `json:"collectionType"`
	String         string   `json:"string,omitempty"`
	Array          []string `json:"array,omitempty"`
}

// announce prints the parameters that have different defaults for each application. The others are in plugin.yaml.
func announce(app application, out, _ io.Writer) error {
	var own []string
	if path, err := nearestConfig(app.dir, app.root); path != "" && err == nil {
		name, err := filepath.Rel(app.dir, path)
		if err != nil {
			return err
		}
		own = []string{name}
	}
	all := []announcement{
		{
			Name: "config", Title: "Sidecar configs", CollectionType: "array", Array: own,
			Tooltip: "files or directories with injectors, relative to the application's directory, instead of its injector.yaml",
		},
		{
			Name: "renderer", Title: "Renderer", CollectionType: "string", String: app.detected(),
			Tooltip: "how the manifests are created: auto, plain, kustomize or helm; the default shows what auto selects",
		},
	}
	if app.renderer() == helm {
		all = append(all, announcement{
			Name: "value-files", Title: "Values files", CollectionType: "array",
			Tooltip: "values files for the chart in addition to its values.yaml, relative to the application's directory; the last one wins",
		})
	}
	return json.NewEncoder(out).Encode(all)
}

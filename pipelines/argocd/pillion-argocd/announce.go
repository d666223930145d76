package main

import (
	"encoding/json"
	"io"
)

// announcement is a parameter as Argo CD shows it to people, with the value that holds unless they set another.
type announcement struct {
	Name           string   `json:"name"`
	Title          string   `json:"title"`
	Tooltip        string   `json:"tooltip"`
	CollectionType string   `json:"collectionType"`
	String         string   `json:"string,omitempty"`
	Array          []string `json:"array,omitempty"`
}

// announce prints the parameters whose values depend on the application. Those that do not are in plugin.yaml.
func announce(app application, out, _ io.Writer) error {
	var own []string
	if app.has(ownConfig) {
		own = []string{ownConfig}
	}
	all := []announcement{
		{
			Name: "config", Title: "Sidecar configs", CollectionType: "array", Array: own,
			Tooltip: "files or directories with injectors, from the application's directory; those of the platform come first",
		},
		{
			Name: "renderer", Title: "Renderer", CollectionType: "string", String: app.detected(),
			Tooltip: "what makes the manifests: auto, plain, kustomize or helm; shown is what auto finds",
		},
	}
	if app.renderer() == helm {
		all = append(all, announcement{
			Name: "value-files", Title: "Values files", CollectionType: "array",
			Tooltip: "values files for the chart beside its values.yaml, from the application's directory; the last one wins",
		})
	}
	return json.NewEncoder(out).Encode(all)
}

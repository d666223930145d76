package admission

import (
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/admission/apiserver"
	"pillion.dev/pillion/test/resourcelist"
	"pillion.dev/pillion/test/source"
)

// Found is the manifest of a pod that was found in manifests, alone or as the template of a workload.
type Found struct {
	Name      string
	Manifest  map[string]any
	Namespace apiserver.Namespace
}

// Find returns the pods of manifests.
func Find(manifests string) []Found {
	var objects []map[string]any
	for _, document := range resourcelist.Documents(manifests) {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(document), &object); err == nil {
			objects = append(objects, object)
		}
	}
	known := namespaces{}
	for _, object := range objects {
		known.add(object)
	}
	var found []Found
	for _, object := range objects {
		for _, pod := range source.Pods(object) {
			namespace, isKnown := known[pod.Namespace]
			if !isKnown {
				namespace = apiserver.Namespace{Name: pod.Namespace}
			}
			found = append(found, Found{pod.Name, pod.Manifest, namespace})
		}
	}
	return found
}

// namespaces are those of the manifests, by name.
type namespaces map[string]apiserver.Namespace

func (n namespaces) add(object map[string]any) {
	if items, isList := object["items"].([]any); isList {
		for _, item := range items {
			if item, isMap := item.(map[string]any); isMap {
				n.add(item)
			}
		}
	}
	metadata, isMap := object["metadata"].(map[string]any)
	name, isName := metadata["name"].(string)
	if object["kind"] != "Namespace" || !isMap || !isName {
		return
	}
	n[name] = apiserver.Namespace{Name: name, Labels: texts(metadata["labels"]), Annotations: texts(metadata["annotations"])}
}

func texts(value any) map[string]string {
	mapping, _ := value.(map[string]any)
	result := map[string]string{}
	for key, value := range mapping {
		if text, isText := value.(string); isText {
			result[key] = text
		}
	}
	return result
}

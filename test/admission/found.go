package admission

import (
	"fmt"
	"maps"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/admission/apiserver"
	"pillion.dev/pillion/test/resourcelist"
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
	f := finder{namespaces: map[string]apiserver.Namespace{}}
	for _, object := range objects {
		f.findNamespaces(object)
	}
	for _, object := range objects {
		f.find(object, "default", "")
	}
	return f.pods
}

type finder struct {
	namespaces map[string]apiserver.Namespace
	pods       []Found
}

func (f *finder) findNamespaces(object map[string]any) {
	if items, isList := object["items"].([]any); isList {
		for _, item := range items {
			if item, isMap := item.(map[string]any); isMap {
				f.findNamespaces(item)
			}
		}
	}
	metadata, isMap := object["metadata"].(map[string]any)
	name, isName := metadata["name"].(string)
	if object["kind"] != "Namespace" || !isMap || !isName {
		return
	}
	f.namespaces[name] = apiserver.Namespace{Name: name, Labels: texts(metadata["labels"]), Annotations: texts(metadata["annotations"])}
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

// find adds the pods of a value. A mapping whose spec has containers is a pod or a pod template.
func (f *finder) find(value any, namespace, path string) {
	switch value := value.(type) {
	case []any:
		for i, entry := range value {
			f.find(entry, namespace, fmt.Sprintf("%s[%d]", path, i))
		}
	case map[string]any:
		if metadata, isMap := value["metadata"].(map[string]any); isMap {
			if name, isName := metadata["namespace"].(string); isName && name != "" {
				namespace = name
			}
		}
		if spec, isMap := value["spec"].(map[string]any); isMap {
			if containers, isList := spec["containers"].([]any); isList && len(containers) > 0 {
				f.add(value["metadata"], spec, namespace, path)
			}
		}
		for key, entry := range value {
			if key != "spec" || value["kind"] != "Pod" {
				f.find(entry, namespace, path+"."+key)
			}
		}
	}
}

func (f *finder) add(metadata any, spec map[string]any, namespace, path string) {
	own := map[string]any{}
	if mapping, isMap := metadata.(map[string]any); isMap {
		maps.Copy(own, mapping)
	}
	if _, isText := own["name"].(string); !isText {
		own["name"] = "web"
	}
	own["namespace"] = namespace
	space, known := f.namespaces[namespace]
	if !known {
		space = apiserver.Namespace{Name: namespace}
	}
	name := fmt.Sprint(own["name"], path)
	f.pods = append(f.pods, Found{name, map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": own, "spec": spec}, space})
}

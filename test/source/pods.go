package source

import (
	"fmt"
	"maps"
	"slices"
)

// Pod is the manifest of a pod, alone or from the template of a workload.
type Pod struct {
	Name      string // of the pod, and where in the object it was found
	Namespace string
	Manifest  map[string]any
}

// Pods returns the pods of an object. A mapping whose spec has containers is a pod or a pod template.
func Pods(object map[string]any) []Pod { return pods(object, "default", "") }

func pods(value any, namespace, path string) []Pod {
	var found []Pod
	switch value := value.(type) {
	case []any:
		for i, entry := range value {
			found = append(found, pods(entry, namespace, fmt.Sprintf("%s[%d]", path, i))...)
		}
	case map[string]any:
		if metadata, isMap := value["metadata"].(map[string]any); isMap {
			if name, isName := metadata["namespace"].(string); isName && name != "" {
				namespace = name
			}
		}
		if spec, isMap := value["spec"].(map[string]any); isMap {
			if containers, isList := spec["containers"].([]any); isList && len(containers) > 0 {
				found = append(found, newPod(value["metadata"], spec, namespace, path))
			}
		}
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if key != "spec" || value["kind"] != "Pod" {
				found = append(found, pods(value[key], namespace, path+"."+key)...)
			}
		}
	}
	return found
}

func newPod(metadata any, spec map[string]any, namespace, path string) Pod {
	own := map[string]any{}
	if mapping, isMap := metadata.(map[string]any); isMap {
		maps.Copy(own, mapping)
	}
	if _, isText := own["name"].(string); !isText {
		own["name"] = "web"
	}
	own["namespace"] = namespace
	return Pod{
		fmt.Sprint(own["name"], path), namespace,
		map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": own, "spec": spec},
	}
}

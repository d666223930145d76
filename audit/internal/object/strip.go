package object

import (
	"bytes"
	"encoding/json"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"pillion.dev/pillion/internal/pods/pod"
)

// strip removes what no audit compares. It lists what is removed instead of what is kept, so that fields of newer
// versions of Kubernetes stay. Of the status of pods, which has many fields that change all the time, it keeps the ones
// that an audit reads.
func strip(full *unstructured.Unstructured) {
	if metadata, isMap := full.Object["metadata"].(map[string]any); isMap {
		for _, field := range []string{"managedFields", "uid", "resourceVersion", "selfLink", "generateName", "finalizers"} {
			delete(metadata, field)
		}
		if annotations, isMap := metadata["annotations"].(map[string]any); isMap {
			delete(annotations, "kubectl.kubernetes.io/last-applied-configuration")
		}
	}
	spec, _ := full.Object["spec"].(map[string]any)
	switch full.GetKind() {
	case "Pod":
		stripSpec(spec)
		full.Object["status"] = shortStatus(full.Object["status"])
	case "Deployment", "StatefulSet", "DaemonSet": // the status shows whether a rollout is done
		status, _ := full.Object["status"].(map[string]any)
		delete(status, "conditions")
	case "ReplicaSet":
		if isEmpty(spec) {
			delete(spec, "template") // there are many old ones, without pods
		}
		delete(full.Object, "status")
	default:
		delete(full.Object, "status")
	}
}

// isEmpty reports whether a ReplicaSet is meant to have no pods.
func isEmpty(spec map[string]any) bool {
	replicas, isSet := spec["replicas"]
	number, isNumber := replicas.(int64)
	return isSet && isNumber && number == 0
}

// stripSpec removes from the spec of a pod in what it differs from other pods of the same template.
func stripSpec(spec map[string]any) {
	delete(spec, "nodeName")
	for _, list := range []string{pod.Main, pod.Init, pod.Ephemeral} {
		for _, container := range maps(spec[list]) {
			renameTokens(maps(container["volumeMounts"]))
		}
	}
	renameTokens(maps(spec["volumes"]))
}

// renameTokens gives the volume of the ServiceAccount's token, which has a random name in each pod, the same name in
// all pods. The prefix is left, because an audit recognises the volume by it.
func renameTokens(entries []map[string]any) {
	for _, entry := range entries {
		if name, _ := entry["name"].(string); strings.HasPrefix(name, pod.TokenVolume) {
			entry["name"] = pod.TokenVolume + "token"
		}
	}
}

// shortStatus returns the phase of a pod, and which images its containers run.
func shortStatus(full any) map[string]any {
	status, _ := full.(map[string]any)
	short := map[string]any{}
	if phase, isSet := status["phase"]; isSet {
		short["phase"] = phase
	}
	for _, list := range []string{"containerStatuses", "initContainerStatuses"} {
		var kept []any
		for _, container := range maps(status[list]) {
			kept = append(kept, map[string]any{"name": container["name"], "imageID": container["imageID"]})
		}
		if len(kept) > 0 {
			short[list] = kept
		}
	}
	return short
}

// maps returns the mappings in a list.
func maps(list any) []map[string]any {
	entries, _ := list.([]any)
	var found []map[string]any
	for _, entry := range entries {
		if m, isMap := entry.(map[string]any); isMap {
			found = append(found, m)
		}
	}
	return found
}

// encode returns a value as JSON, with the keys in order: equal values have equal texts.
func encode(value any) (string, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "", err
	}
	return strings.TrimSuffix(text.String(), "\n"), nil
}

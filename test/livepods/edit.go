package livepods

import (
	"encoding/json"
	"slices"
	"sync"
)

// object is a part of a pod.
type object map[string]any

// edited returns a function that returns the current pod with changes, written as kubectl writes it.
func edited(changes ...func(pod object)) func() string {
	return sync.OnceValue(func() string {
		var pod object
		if err := json.Unmarshal([]byte(current), &pod); err != nil {
			panic(err) // the file is part of the program, and the tests read it
		}
		for _, change := range changes {
			change(pod)
		}
		text, err := json.MarshalIndent(pod, "", "    ")
		if err != nil {
			panic(err)
		}
		return string(text)
	})
}

func removeSidecar(pod object) {
	delete(pod.at("metadata", "annotations"), "pillion.dev/injected-envoy")
	pod.at("spec").remove("containers", "envoy")
	pod.at("spec").remove("volumes", "envoy-conf")
	pod.at("status").remove("containerStatuses", "envoy")
}

func useOldImage(pod object) {
	for _, container := range pod.at("spec")["containers"].([]any) {
		if container := object(container.(map[string]any)); container["name"] == "envoy" {
			container["image"] = "envoyproxy/envoy:v1.32.3"
		}
	}
}

func finish(pod object) { pod.at("status")["phase"] = "Failed" }

func optOut(pod object) { pod.at("metadata", "annotations")["pillion.dev/inject"] = "false" }

func (o object) at(path ...string) object {
	for _, key := range path {
		o = o[key].(map[string]any)
	}
	return o
}

// remove removes the entry with a name from a list.
func (o object) remove(list, name string) {
	o[list] = slices.DeleteFunc(o[list].([]any), func(entry any) bool { return entry.(map[string]any)["name"] == name })
}

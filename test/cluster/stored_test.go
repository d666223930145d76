package cluster

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"sigs.k8s.io/yaml"
)

// stored is an object as the API server returns it, or as it is sent.
type stored map[string]any

func parsed(t *testing.T, manifest string) stored {
	t.Helper()
	var o stored
	if err := yaml.Unmarshal([]byte(manifest), &o); err != nil {
		t.Fatalf("%v in\n%s", err, manifest)
	}
	return o
}

func (o stored) json(t *testing.T) []byte {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// at returns the mapping at a path, and creates it if there is none.
func (o stored) at(path ...string) stored {
	for _, key := range path {
		next, isMap := o[key].(map[string]any)
		if !isMap {
			next = map[string]any{}
			o[key] = next
		}
		o = next
	}
	return o
}

func (o stored) kind() string { return fmt.Sprint(o["kind"]) }

func (o stored) name() string { return fmt.Sprint(o.at("metadata")["name"]) }

func (o stored) namespace() string { return fmt.Sprint(o.at("metadata")["namespace"]) }

func (o stored) list(path ...string) []any {
	last := len(path) - 1
	entries, _ := o.at(path[:last]...)[path[last]].([]any)
	return entries
}

// container returns the container of a pod with a name.
func (o stored) container(name string) stored {
	for _, entry := range o.list("spec", "containers") {
		if container, isMap := entry.(map[string]any); isMap && container["name"] == name {
			return container
		}
	}
	return stored{}
}

// without removes the entry with a name from a list of a pod's spec.
func (o stored) without(list, name string) {
	var kept []any
	for _, entry := range o.list("spec", list) {
		if named, isMap := entry.(map[string]any); !isMap || named["name"] != name {
			kept = append(kept, entry)
		}
	}
	o.at("spec")[list] = kept
}

// template returns a copy of the object's pod template.
func (o stored) template(t *testing.T) stored {
	t.Helper()
	return parsed(t, string(o.at("spec", "template").json(t)))
}

// controlled returns an object with the API server's name for it, which the object controls.
func (o stored) controlled(apiVersion, kind, name string, content stored) stored {
	made := stored{"apiVersion": apiVersion, "kind": kind}
	maps.Copy(made, content)
	metadata := made.at("metadata")
	metadata["name"], metadata["namespace"] = name, o.namespace()
	metadata["ownerReferences"] = []any{map[string]any{
		"apiVersion": o["apiVersion"], "kind": o["kind"], "name": o.name(), "uid": o.at("metadata")["uid"], "controller": true,
	}}
	return made
}

// replicaSet returns what the controller of a Deployment creates.
func (o stored) replicaSet(t *testing.T, hash string) stored {
	t.Helper()
	template := o.template(t)
	template.at("metadata", "labels")["pod-template-hash"] = hash
	selector := parsed(t, string(o.at("spec", "selector").json(t)))
	selector.at("matchLabels")["pod-template-hash"] = hash
	return o.controlled("apps/v1", "ReplicaSet", o.name()+"-"+hash, stored{
		"metadata": map[string]any{"labels": template.at("metadata")["labels"]},
		"spec":     map[string]any{"replicas": 1, "selector": selector, "template": template},
	})
}

// job returns what the controller of a CronJob creates.
func (o stored) job(t *testing.T, minutes int64) stored {
	t.Helper()
	template := parsed(t, string(o.at("spec", "jobTemplate").json(t)))
	return o.controlled("batch/v1", "Job", fmt.Sprintf("%s-%d", o.name(), minutes), template)
}

// pod returns what the controller of a ReplicaSet, a StatefulSet, a DaemonSet or a Job creates.
func (o stored) pod(t *testing.T, suffix string) stored {
	t.Helper()
	return o.controlled("v1", "Pod", o.name()+"-"+suffix, o.template(t))
}

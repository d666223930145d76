// Package live reads objects as an API server returns them, and finds out which workloads pods belong to.
package live

import (
	"slices"
	"strings"
	"unique"

	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Object is an object with what identifies it.
type Object struct {
	APIVersion, Kind, Namespace, Name string
	Node                              *node.Node
}

// NewObject returns the object of a node.
func NewObject(n *node.Node) Object {
	return Object{
		APIVersion: node.Text(n, "apiVersion"), Kind: node.Text(n, "kind"),
		Namespace: node.Text(n, "metadata", "namespace"), Name: node.Text(n, "metadata", "name"), Node: n,
	}
}

// Owner is a workload that pods belong to. A pod that nothing manages is its own.
type Owner struct{ APIVersion, Kind, Namespace, Name string }

// String returns the owner as kubectl names it: deployment/web.
func (o Owner) String() string { return strings.ToLower(o.Kind) + "/" + o.Name }

// Owners finds the owners of pods. Objects between a pod and its workload are used if they are known, and otherwise their names.
type Owners struct{ controllers map[Owner]reference }

// NewOwners returns the owners according to the controllers of objects.
func NewOwners(objects ...Object) Owners {
	o := Owners{controllers: map[Owner]reference{}}
	for _, object := range objects {
		o.Add(object)
	}
	return o
}

// Add adds the controller of an object. It keeps no memory of the object.
func (o Owners) Add(object Object) {
	if controller, found := controllerOf(object.Node); found {
		o.controllers[object.owner().Interned()] = reference{
			interned(controller.apiVersion), interned(controller.kind), strings.Clone(controller.name),
		}
	}
}

// Interned returns the owner with texts that equal owners share, without the memory that they were part of.
func (o Owner) Interned() Owner {
	return Owner{interned(o.APIVersion), interned(o.Kind), interned(o.Namespace), interned(o.Name)}
}

func interned(text string) string { return unique.Make(text).Value() }

func (o Object) owner() Owner { return Owner{o.APIVersion, o.Kind, o.Namespace, o.Name} }

// reference is the controller in the metadata of an object.
type reference struct{ apiVersion, kind, name string }

func controllerOf(object *node.Node) (reference, bool) {
	references := node.List(object, "metadata", "ownerReferences")
	i := slices.IndexFunc(references, func(r *node.Node) bool { return node.IsTrue(r, "controller") })
	if i < 0 {
		return reference{}, false
	}
	r := references[i]
	return reference{node.Text(r, "apiVersion"), node.Text(r, "kind"), node.Text(r, "name")}, true
}

// CreatorOf returns the object whose template a pod was created from, such as a ReplicaSet, and whether there is one.
func CreatorOf(pod Object) (creator Owner, isCreated bool) {
	controller, isCreated := controllerOf(pod.Node)
	return Owner{controller.apiVersion, controller.kind, pod.Namespace, controller.name}, isCreated
}

// MaxControllers is how many controllers above each other are followed, because a circle of forged references must end.
const MaxControllers = 5

// Of returns the workload that a pod belongs to.
func (o Owners) Of(pod Object) Owner {
	owner := pod.owner()
	controller, found := controllerOf(pod.Node)
	for range MaxControllers {
		if !found {
			return owner
		}
		owner = Owner{controller.apiVersion, controller.kind, pod.Namespace, controller.name}
		if controller, found = o.controllers[owner]; !found {
			controller, found = byName(owner, pod)
		}
	}
	return owner
}

// RevisionOf returns what identifies the version of the template that a pod was created from: its ReplicaSet or Job, or the hash that other
// controllers give their pods. It is empty if there is none.
func RevisionOf(pod Object) string {
	if controller, _ := controllerOf(pod.Node); controller.kind == "ReplicaSet" || controller.kind == "Job" {
		return controller.name
	}
	return node.Text(pod.Node, "metadata", "labels", "controller-revision-hash")
}

// byName finds the controller of an object by the name that its controller gave it: a Deployment calls its ReplicaSets NAME-HASH, as
// Argo's Rollout does, and a CronJob calls its Jobs NAME-MINUTES.
func byName(owner Owner, pod Object) (reference, bool) {
	group, _ := pods.SplitVersion(owner.APIVersion)
	switch {
	case group == "apps" && owner.Kind == "ReplicaSet":
		labels := node.Get(pod.Node, "metadata", "labels")
		if name, isHashed := withoutHash(owner.Name, node.Text(labels, "rollouts-pod-template-hash")); isHashed {
			return reference{"argoproj.io/v1alpha1", "Rollout", name}, true
		}
		if name, isHashed := withoutHash(owner.Name, node.Text(labels, "pod-template-hash")); isHashed {
			return reference{"apps/v1", "Deployment", name}, true
		}
	case group == "batch" && owner.Kind == "Job":
		if name, isScheduled := withoutTime(owner.Name, node.Text(pod.Node, "metadata", "creationTimestamp")); isScheduled {
			return reference{"batch/v1", "CronJob", name}, true
		}
	}
	return reference{}, false
}

// Package live reads objects as an API server returns them, and finds out which workloads pods belong to.
package live

import (
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

// Creator is a workload that pods belong to. A pod that nothing manages is its own.
type Creator struct{ APIVersion, Kind, Namespace, Name string }

// String returns the creator as kubectl names it: deployment/web.
func (o Creator) String() string { return strings.ToLower(o.Kind) + "/" + o.Name }

// Creators finds the creators of pods. Objects between a pod and its workload are used if they are known, and otherwise
// their names.
type Creators struct{ controllers map[Creator]Creator }

// NewCreators returns the creators according to the controllers of objects.
func NewCreators(objects ...Object) Creators {
	o := Creators{controllers: map[Creator]Creator{}}
	for _, object := range objects {
		o.Add(object)
	}
	return o
}

// Add adds the controller of an object. It keeps no memory of the object.
func (o Creators) Add(object Object) {
	if controller, found := CreatorOf(object); found {
		o.controllers[object.asCreator().Interned()] = controller.Interned()
	}
}

// Interned returns the creator with texts that equal creators share, without the memory that they were part of.
func (o Creator) Interned() Creator {
	return Creator{interned(o.APIVersion), interned(o.Kind), interned(o.Namespace), interned(o.Name)}
}

func interned(text string) string { return unique.Make(text).Value() }

func (o Object) asCreator() Creator { return Creator{o.APIVersion, o.Kind, o.Namespace, o.Name} }

// CreatorOf returns the controller of an object, such as the ReplicaSet whose template a pod was created from, and
// whether there is one.
func CreatorOf(object Object) (creator Creator, isCreated bool) {
	for _, r := range node.List(object.Node, "metadata", "ownerReferences") {
		if node.IsTrue(r, "controller") {
			return Creator{node.Text(r, "apiVersion"), node.Text(r, "kind"), object.Namespace, node.Text(r, "name")}, true
		}
	}
	return Creator{}, false
}

// MaxControllers is how many controllers above each other are followed, because a circle of forged references must end.
const MaxControllers = 5

// Of returns the workload that a pod belongs to.
func (o Creators) Of(pod Object) Creator {
	creator := pod.asCreator()
	controller, found := CreatorOf(pod)
	for range MaxControllers {
		if !found {
			return creator
		}
		creator = controller
		if controller, found = o.controllers[creator]; !found {
			controller, found = byName(creator, pod)
		}
	}
	return creator
}

// RevisionOf returns what identifies the version of the template that a pod was created from: its ReplicaSet or Job, or
// the hash that other controllers give their pods. It is empty if there is none.
func RevisionOf(pod Object) string {
	if controller, _ := CreatorOf(pod); controller.Kind == "ReplicaSet" || controller.Kind == "Job" {
		return controller.Name
	}
	return node.Text(pod.Node, "metadata", "labels", "controller-revision-hash")
}

// byName finds the controller of an object by the name that its controller gave it: a Deployment calls its ReplicaSets
// NAME-HASH, as Argo's Rollout does, and a CronJob calls its Jobs NAME-MINUTES.
func byName(creator Creator, pod Object) (Creator, bool) {
	group, _ := pods.SplitVersion(creator.APIVersion)
	switch {
	case group == "apps" && creator.Kind == "ReplicaSet":
		labels := node.Get(pod.Node, "metadata", "labels")
		if name, isHashed := withoutHash(creator.Name, node.Text(labels, "rollouts-pod-template-hash")); isHashed {
			return Creator{"argoproj.io/v1alpha1", "Rollout", pod.Namespace, name}, true
		}
		if name, isHashed := withoutHash(creator.Name, node.Text(labels, "pod-template-hash")); isHashed {
			return Creator{"apps/v1", "Deployment", pod.Namespace, name}, true
		}
	case group == "batch" && creator.Kind == "Job":
		if name, isScheduled := withoutTime(creator.Name, node.Text(pod.Node, "metadata", "creationTimestamp")); isScheduled {
			return Creator{"batch/v1", "CronJob", pod.Namespace, name}, true
		}
	}
	return Creator{}, false
}

package audit

import (
	"slices"
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// autoscaler is the vertical pod autoscaler that the annotations of a pod name. It changes resources on purpose.
type autoscaler struct {
	name    string
	changed map[[2]string]bool // by container and field
	inPlace []string           // the containers that it may have changed later
}

// newAutoscaler reads the annotations of a pod. The admission webhook writes "Pod resources updated by NAME: container
// 0: cpu request, memory limit; container 1: ...", and the updater that it changed a running pod.
func newAutoscaler(pod *node.Node) autoscaler {
	annotations := node.Get(pod, "metadata", "annotations")
	a := autoscaler{changed: map[[2]string]bool{}}
	updates, _ := strings.CutPrefix(node.Text(annotations, "vpaUpdates"), "Pod resources updated by ")
	var parts string
	a.name, parts, _ = strings.Cut(updates, ": ")
	observed := observedContainers(pod)
	for part := range strings.SplitSeq(parts, "; ") {
		number, fields, _ := strings.Cut(strings.TrimPrefix(part, "container "), ": ")
		if i, err := strconv.Atoi(number); err == nil && i >= 0 && i < len(observed) {
			for field := range strings.SplitSeq(fields, ", ") {
				a.changed[[2]string{observed[i], field}] = true
			}
		}
	}
	if node.IsTrue(annotations, "vpaInPlaceUpdated") {
		a.inPlace = strings.Split(node.Text(annotations, observedAnnotation), ", ")
		if a.name == "" {
			a.name = "of the pod"
		}
	}
	return a
}

const observedAnnotation = "vpaObservedContainers"

// observedContainers returns the names of the containers when the autoscaler numbered them. Later webhooks may have
// added others in front.
func observedContainers(pod *node.Node) []string {
	if names := node.Text(pod, "metadata", "annotations", observedAnnotation); names != "" {
		return strings.Split(names, ", ")
	}
	var names []string
	for _, container := range node.List(pod, "spec", "containers") {
		names = append(names, node.Text(container, "name"))
	}
	return names
}

// nameFor returns the name of the autoscaler if it changed a field of a container, or "".
func (a autoscaler) nameFor(container, path string) string {
	name, isResource := resourceIn(path)
	if isResource && (a.changed[[2]string{container, name}] || slices.Contains(a.inPlace, container)) {
		return a.name
	}
	return ""
}

// resourceIn returns the resource of a path as annotations write it: that of resources.requests.cpu is "cpu request".
func resourceIn(path string) (name string, isResource bool) {
	if resource, found := strings.CutPrefix(path, "resources.requests."); found {
		return resource + " request", true
	}
	resource, found := strings.CutPrefix(path, "resources.limits.")
	return resource + " limit", found
}

package audit

import (
	"slices"
	"strings"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/live"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// removeWebhooks removes from the manifest of a pod the containers that webhooks have added to the pod: no injection
// has seen them. If the object that created the pod is known, its template tells which these are; otherwise, the names
// of well-known ones do.
func (s *subject) removeWebhooks(template *node.Node) {
	isLater := func(name string) bool { return pod.IsOfWebhook(name) && !s.isStamped(name) }
	if names := s.auditor.containersBefore(s.pod); len(names) > 0 {
		isLater = func(name string) bool { return !slices.Contains(names, name) }
	}
	spec := node.Get(template, "spec")
	isOfApp := func(container *node.Node) bool { return !isLater(node.Text(container, "name")) }
	if !slices.ContainsFunc(node.List(spec, "containers"), isOfApp) {
		return // the template is that of another revision
	}
	for _, list := range pod.ContainerLists {
		remove(spec, list, isLater)
	}
}

// isStamped reports whether a stamp tells of something in a container, so that the container was there before.
func (s *subject) isStamped(container string) bool {
	for _, list := range pod.ContainerLists {
		for _, st := range s.stamps {
			for _, thing := range st.Addresses() {
				if strings.HasPrefix(thing.Path, stamp.InSpec(list, container).Inside()+"/") {
					return true
				}
			}
		}
	}
	return false
}

// containersBefore returns the names of the containers in the template that a pod was created from, or nil if it is not
// known.
func (a *Auditor) containersBefore(running live.Object) []string {
	creator, isCreated := live.CreatorOf(running)
	if !isCreated {
		return nil
	}
	return a.workloads[creator].containers
}

// containersOf returns the names of the containers in the only pod template of an object, or nil.
func containersOf(object live.Object, kind pod.Kind) []string {
	templates := kind.Templates(object.Node)
	if len(templates) != 1 {
		return nil
	}
	var names []string
	for _, container := range pod.Containers(templates[0].Spec()) {
		names = append(names, interned(node.Text(container, "name")))
	}
	return names
}

// fieldOf returns the path of a thing as messages show it. What is missing from a container has the path of that
// container in the pod.
func (c *comparison) fieldOf(thing stamp.Address, isMissing bool) string {
	if !isMissing {
		return c.is.FieldOf(thing, "")
	}
	path := c.want.FieldOf(thing, "")
	if steps := strings.SplitN(thing.Path, "/", 4); len(steps) > 3 && stamp.IsContainers(steps[0]+"/"+steps[1]) {
		container := stamp.Address{Path: steps[0] + "/" + steps[1], Key: steps[2]}
		if c.is.At(container.Path, container.Key) != nil {
			return c.is.FieldOf(container, "") + strings.TrimPrefix(path, c.want.FieldOf(container, ""))
		}
	}
	return path
}

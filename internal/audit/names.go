package audit

import (
	"maps"

	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// withDeclaredNames returns the pod with the declared names of objects where kustomize may have made others of them, by
// the rule of the engine. A pod that has a declared name as well refers to two objects.
func (s *subject) withDeclaredNames() *node.Node {
	spec := node.Get(s.pod.Node, "spec")
	present := pod.Declared{}
	present.Add(pod.Of("spec"), spec)
	absent := pod.Declared{}
	for kind, names := range s.injection.declared {
		absent[kind] = maps.Clone(names)
		maps.DeleteFunc(absent[kind], func(name string, _ bool) bool { return present[kind][name] })
	}
	declared := map[*node.Node]*node.Node{}
	for _, name := range pod.Of("spec").Names(spec) {
		if from := absent.Find(name, s.creator.Name); from != "" {
			declared[name.Node] = node.String(from)
		}
	}
	if len(declared) == 0 {
		return s.pod.Node
	}
	version := node.Clone(s.pod.Node)
	node.Set(version, "spec", node.Replaced(spec, func(n *node.Node) *node.Node { return declared[n] }))
	return version
}

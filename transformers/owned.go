package transformers

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// showsOwn tells whether the pod without what injectors put into it is known, so that the app's own can be told
// from what injectors bring under the same name.
func (t *fromApp) showsOwn() bool { return t.pod.Pristine != nil && !t.pod.Origins.hasUnstamped }

// ownVolume tells whether a volume is the app's, whichever injectors bring an equal one, keep it or replace it.
func (t *fromApp) ownVolume(name string) bool {
	return slices.Contains(t.pod.ClaimTemplates, name) || t.showsOwn() && t.pod.pristine("volumes")[name] != nil
}

// ownEntries returns what tells whether an entry of a container's list is the app's, although an injector may
// give it the same.
func (t *fromApp) ownEntries(source *yaml.Node, list string) func(entry *yaml.Node) bool {
	var own map[string]bool // made when it is needed: most pods are given nothing
	return func(entry *yaml.Node) bool {
		if own == nil {
			own = map[string]bool{}
			for _, in := range []string{containers, initContainers} {
				if !t.showsOwn() {
					break
				}
				for _, entry := range node.List(t.pod.pristine(in)[node.Text(source, "name")], list) {
					own[contentKey(entry)] = true
				}
			}
		}
		return own[contentKey(entry)]
	}
}

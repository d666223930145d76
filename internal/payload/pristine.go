package payload

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// knowsPristine reports whether the pristine pod template is known, so that what the app has can be told from what injectors add
// under the same name.
func (p *Pod) knowsPristine() bool { return p.Pristine != nil && !p.origins().hasUnstamped }

// isAppContainer reports whether the app has a container, even if injectors add an equal one, keep it or replace it.
func (p *Pod) isAppContainer(name string) bool {
	return p.isApps(name) || p.knowsPristine() && p.pristine(containers)[name] != nil
}

// isAppVolume reports whether the app has a volume, even if injectors add an equal one, keep it or replace it.
func (r *recipient) isAppVolume(name string) bool {
	return slices.Contains(r.pod.ClaimTemplates, name) || r.pod.knowsPristine() && r.pod.pristine("volumes")[name] != nil
}

// appEntries returns a function that reports whether the app has an entry in a container's list, even if an injector adds the
// same.
func (r *recipient) appEntries(source *yaml.Node, list string) func(entry *yaml.Node) bool {
	var own map[string]bool // computed when needed: most pods get nothing
	return func(entry *yaml.Node) bool {
		if own == nil {
			own = map[string]bool{}
			for _, in := range []string{containers, initContainers} {
				if !r.pod.knowsPristine() {
					break
				}
				for _, entry := range node.List(r.pod.pristine(in)[node.Text(source, "name")], list) {
					own[contentKey(entry)] = true
				}
			}
		}
		return own[contentKey(entry)]
	}
}

// isInjected reports whether an injector added the entry of a name to one of the pod spec's lists.
func (p *Pod) isInjected(list, name string) bool {
	if p.Pristine == nil {
		return !p.isApps(name)
	}
	return p.pristine(list)[name] == nil
}

// pristine returns the app's entries of one of the pod spec's lists, by name, without what injectors added to them.
func (p *Pod) pristine(list string) map[string]*yaml.Node {
	if p.apps == nil {
		p.apps = map[string]map[string]*yaml.Node{}
	}
	if p.apps[list] == nil {
		template := p.Node
		if p.Pristine != nil {
			template = p.Pristine()
		}
		p.apps[list] = byName(node.List(template, "spec", list))
	}
	return p.apps[list]
}

func byName(entries []*yaml.Node) map[string]*yaml.Node {
	named := make(map[string]*yaml.Node, len(entries))
	for _, entry := range entries {
		named[node.Text(entry, "name")] = entry
	}
	return named
}

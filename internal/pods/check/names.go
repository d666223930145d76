package check

import (
	"fmt"
	"iter"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// uniqueNames reports containers of one name, over all lists, and volumes of one name.
func (p *checkedPod) uniqueNames() {
	containers := names{}
	containers.addNames(node.List(p.spec, pod.Ephemeral))
	for _, c := range p.containers {
		if containers.add(c.name) {
			p.add(finding.ContainerConflict, c.name, p.path(c, "name"),
				fmt.Sprintf("two containers are called %q; rename one of them", c.name))
		}
	}
	for i, name := range repeats(p.volumes, "name") {
		p.add(finding.VolumeConflict, name, p.At("spec."+entry("volumes", i)+".name"),
			fmt.Sprintf("two volumes are called %q; rename one of them", name))
	}
}

// env reports variables that a container sets twice: Kubernetes takes the last one without a warning.
func (p *checkedPod) env(c container) {
	variables := node.List(c.Node, "env")
	for i, name := range repeats(variables, "name") {
		p.report(c, finding.EnvConflict, name, entry("env", i)+".name",
			"sets the env variable %q twice; Kubernetes takes the last one, so remove one of them", name)
	}
}

// names is a set of names.
type names map[string]bool

// addNames adds the names of the entries of a list.
func (n names) addNames(entries []*node.Node) {
	for _, entry := range entries {
		n[node.Text(entry, "name")] = true
	}
}

// add adds a name, and reports whether the set had it already.
func (n names) add(name string) (again bool) {
	again, n[name] = n[name], true
	return again
}

// repeats iterates over the entries of a list in which a field has the same text as in an earlier entry, with that
// text.
func repeats(entries []*node.Node, field string) iter.Seq2[int, string] {
	return func(yield func(index int, text string) bool) {
		texts := names{}
		for i, entry := range entries {
			if text := node.Text(entry, field); texts.add(text) && !yield(i, text) {
				return
			}
		}
	}
}

package transformers

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/node"
)

// transferEnv puts variables of other containers in front of the body's own, which may refer to
// them; a variable that the body has stands.
func (t *takeover) transferEnv(transfers []v1alpha1.TransferEnv) {
	own := node.List(t.body, "env")
	var taken []*yaml.Node
	for _, transfer := range transfers {
		source := t.transferSource(transfer)
		if source == nil {
			continue
		}
		wanted := transfer.EnvNames
		if transfer.EnvName != "" {
			wanted = []string{transfer.EnvName}
		}
		env := node.List(source, "env")
		for i, variable := range env {
			name := node.Text(variable, "name")
			overridden := lastNamed(env, name) != i // Kubernetes takes the last of a name
			if name == "" || overridden || wanted != nil && !slices.Contains(wanted, name) || t.isGiven(variable, wanted != nil) {
				continue
			}
			if named(own, name) < 0 && named(taken, name) < 0 {
				taken = append(taken, variableOf(source, variable))
			}
		}
		t.sayMissing(source, wanted, own)
	}
	if len(taken) > 0 {
		t.setEntries("env", append(taken, own...))
	}
}

// isGiven tells whether a variable of the app's is one that an injector gives it. By name it can
// be asked for all the same, unless it comes in later.
func (t *takeover) isGiven(variable *yaml.Node, askedFor bool) bool {
	if askedFor {
		return t.pod.Brought.gives(variable, t.turn)
	}
	return t.pod.Brought.gives(variable, 0)
}

// transferSource is the container that a transfer takes variables from, or nil where it is not there.
func (t *takeover) transferSource(transfer v1alpha1.TransferEnv) *yaml.Node {
	name := transfer.SourceContainerName
	if from := transfer.SourceContainerNameFrom; from != nil {
		mapping, key, _ := injector.MetadataKey(from.FieldRef.FieldPath)
		if name = node.Text(t.pod.Node, "metadata", mapping, key); name == "" {
			t.say(finding.Warning, finding.EnvSourceMissing,
				"container %q goes in without the variables of another, because the pod template has no %s, which would name it; add it",
				t.name, from.FieldRef.FieldPath)
			return nil
		}
	}
	source := t.source(name)
	switch _, brought := t.pod.Brought.containers[name]; {
	case source != nil:
	case brought:
		t.say(finding.Warning, finding.EnvSourceMissing,
			"container %q goes in without the variables of container %q, because an injector brings that one, and not before it; change their order", t.name, name)
	default:
		t.say(finding.Warning, finding.EnvSourceMissing,
			"container %q goes in without the variables of container %q, because there is none of that name; correct transferEnv, or add it", t.name, name)
	}
	return source
}

// sayMissing tells of variables that neither the source nor the body itself has.
func (t *takeover) sayMissing(source *yaml.Node, wanted []string, own []*yaml.Node) {
	hint := ""
	if len(node.List(source, "envFrom")) > 0 {
		hint = " (what comes by envFrom has no name here: give the sidecar that envFrom)"
	}
	for _, name := range wanted {
		if named(node.List(source, "env"), name) < 0 && named(own, name) < 0 {
			t.say(finding.Warning, finding.EnvSourceMissing, "container %q goes in without the variable %s, because container %q has none of that name%s; correct transferEnv, or add it",
				t.name, name, node.Text(source, "name"), hint)
		}
	}
}

// variableOf is a variable of a container as another container must write it to get the same value.
func variableOf(source, variable *yaml.Node) *yaml.Node {
	taken := copyOf(variable)
	// Without a name, the reference is to the resources of whoever has the variable.
	if ref := node.Get(taken, "valueFrom", "resourceFieldRef"); ref != nil && ref.Kind == yaml.MappingNode && node.Text(ref, "containerName") == "" {
		node.Set(ref, "containerName", node.String(node.Text(source, "name")))
	}
	return taken
}

// lastNamed finds the last entry of a name, or returns -1.
func lastNamed(entries []*yaml.Node, name string) int {
	for i := len(entries) - 1; i >= 0; i-- {
		if node.Text(entries[i], "name") == name {
			return i
		}
	}
	return -1
}

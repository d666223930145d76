package transformers

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// transferEnv puts variables of other containers in front of the body's own, which may refer to
// them; a variable that the body has stands.
func (t *fromApp) transferEnv(transfers []v1alpha1.TransferEnv) {
	own := node.List(t.body, "env")
	has, took := namesOf(own), map[string]bool{}
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
		env, isOwn := node.List(source, "env"), t.ownEntries(source, "env")
		last := map[string]int{} // Kubernetes takes the last of a name
		for i, variable := range env {
			last[node.Text(variable, "name")] = i
		}
		t.checkWanted(source, wanted, last, own)
		for i, variable := range env {
			name := node.Text(variable, "name")
			if name == "" || last[name] != i || wanted != nil && !slices.Contains(wanted, name) || has[name] {
				continue
			}
			if t.isGiven(source, variable, wanted != nil) && !isOwn(variable) {
				t.reportAdded(source, name, wanted != nil)
				continue
			}
			t.checkReferences(source, variable, last, took)
			taken = append(taken, variableOf(source, variable))
			has[name], took[name] = true, true
		}
	}
	if len(taken) > 0 {
		t.setEntries("env", append(taken, own...))
	}
}

// sayUnset tells of a variable that would have another value, because it refers to one that the container does not get.
func (t *fromApp) checkReferences(source, variable *yaml.Node, last map[string]int, took map[string]bool) {
	used := references(node.Text(variable, "value"))
	if len(used) == 0 {
		return
	}
	mayComeByEnvFrom := len(node.List(source, "envFrom")) > 0 && len(node.List(t.body, "envFrom")) == 0
	for _, used := range used {
		if _, set := last[used]; (set || mayComeByEnvFrom) && !took[used] {
			t.report(finding.Warning, finding.EnvSourceMissing,
				"the variable %s of container %q refers to %s, which container %q does not get before it; add it to transferEnv, or give it the same envFrom",
				node.Text(variable, "name"), node.Text(source, "name"), used, t.name)
		}
	}
}

// isGiven tells whether a variable of the app's is one that an injector gives it. By name it can
// be asked for all the same, unless it comes in later.
func (t *fromApp) isGiven(source, variable *yaml.Node, askedFor bool) bool {
	turn := 0
	if askedFor {
		turn = t.turn
	}
	return t.pod.Origins.adds(node.Text(source, "name"), variable, turn)
}

// sayGiven tells of a variable that was asked for by name, and comes by an injector that is not before this one.
func (t *fromApp) reportAdded(source *yaml.Node, name string, askedFor bool) {
	if askedFor {
		t.report(finding.Warning, finding.EnvSourceMissing,
			"container %q goes in without the variable %s of container %q, because an injector gives it, "+notBefore, t.name, name, node.Text(source, "name"))
	}
}

// notBefore is about something that an injector brings and that is not seen. What other runs bring never is: whether they come
// before or after cannot be told.
const notBefore = "and not before it in the same run; change their order, or put both into one SidecarInjectorList"

// transferSource is the container that a transfer takes variables from, or nil where it is not there.
func (t *fromApp) transferSource(transfer v1alpha1.TransferEnv) *yaml.Node {
	name := transfer.SourceContainerName
	if from := transfer.SourceContainerNameFrom; from != nil {
		mapping, key, _ := injector.MetadataKey(from.FieldRef.FieldPath)
		if name = node.Text(t.pod.Node, "metadata", mapping, key); name == "" {
			t.report(finding.Warning, finding.EnvSourceMissing,
				"container %q goes in without the variables of another, because the pod template has no %s, which would name it; add it",
				t.name, from.FieldRef.FieldPath)
			return nil
		}
	}
	source := t.source(name)
	switch _, brought := t.pod.Origins.containers[name]; {
	case source != nil:
	case brought:
		t.report(finding.Warning, finding.EnvSourceMissing,
			"container %q goes in without the variables of container %q, because an injector brings that one, "+notBefore, t.name, name)
	default:
		t.report(finding.Warning, finding.EnvSourceMissing,
			"container %q goes in without the variables of container %q, because there is none of that name; correct transferEnv, or add it", t.name, name)
	}
	return source
}

// sayMissing tells of variables that neither the source nor the body itself has.
func (t *fromApp) checkWanted(source *yaml.Node, wanted []string, last map[string]int, own []*yaml.Node) {
	hint := ""
	if len(node.List(source, "envFrom")) > 0 {
		hint = " (what comes by envFrom has no name here: give the sidecar that envFrom)"
	}
	for _, name := range wanted {
		if _, set := last[name]; !set && indexOfName(own, name) < 0 {
			t.report(finding.Warning, finding.EnvSourceMissing, "container %q goes in without the variable %s, because container %q has none of that name%s; correct transferEnv, or add it",
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

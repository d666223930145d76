package apply

import (
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/schema"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// transferEnv adds variables of other containers in front of the body's own, which may refer to them. A variable that
// the body has stays as it is.
func (r *recipient) transferEnv(transfers []v1alpha1.TransferEnv) {
	own := node.List(r.body, "env")
	has := namesOf(own)
	took := map[string]bool{}
	var taken []*node.Node
	for _, transfer := range transfers {
		source := r.transferSource(transfer)
		if source == nil {
			continue
		}
		wanted := transfer.EnvNames
		if transfer.EnvName != "" {
			wanted = []string{transfer.EnvName}
		}
		env := r.entries(source, "env", func(variable *node.Node) bool {
			return slices.Contains(wanted, node.Text(variable, "name"))
		})
		last := map[string]int{} // Kubernetes takes the last of a name
		for i, variable := range env {
			last[node.Text(variable, "name")] = i
		}
		if !r.pod.Room.Charge(len(wanted) * (len(own) + len(env)) * meter.PerValue) {
			return
		}
		r.checkWanted(source, wanted, last, own)
		for i, variable := range env {
			if !r.pod.Room.Charge(meter.PerShared+len(wanted)*meter.PerValue) || r.pod.Room.IsFull() {
				return
			}
			name := node.Text(variable, "name")
			if name == "" || last[name] != i || wanted != nil && !slices.Contains(wanted, name) || has[name] {
				continue
			}
			r.checkReferences(source, variable, last, took)
			taken = append(taken, variableOf(source, variable))
			has[name] = true
			took[name] = true
		}
	}
	if len(taken) > 0 {
		r.setEntries("env", append(taken, own...))
	}
}

// checkReferences reports a variable that would have another value, because it refers to one that the container does
// not get.
func (r *recipient) checkReferences(source *source, variable *node.Node, last map[string]int, took map[string]bool) {
	used := pods.UsedVariables(node.Text(variable, "value"))
	if len(used) == 0 {
		return
	}
	mayComeByEnvFrom := len(node.List(source.body, "envFrom")) > 0 && len(node.List(r.body, "envFrom")) == 0
	for _, used := range used {
		if _, set := last[used]; (set || mayComeByEnvFrom) && !took[used] {
			r.report(finding.Warning, finding.EnvSourceMissing,
				"the variable %s of container %q refers to %s, which container %q does not get before it; "+
					"add it to transferEnv, or give it the same envFrom",
				node.Text(variable, "name"), source.name, used, r.name)
		}
	}
}

// notBefore is the remedy for something that an injector adds and that does not count. What other runs add never
// counts, because it is not known whether they come before or after.
const notBefore = "and not before it in the same run; change their order, or put both into one SidecarInjectorList"

// transferSource returns the container that a transfer takes variables from, or nil if it is not there.
func (r *recipient) transferSource(transfer v1alpha1.TransferEnv) *source {
	name := transfer.SourceContainerName
	if from := transfer.SourceContainerNameFrom; from != nil {
		mapping, key, _ := schema.MetadataKey(from.FieldRef.FieldPath)
		if name = node.Text(r.pod.Before, "metadata", mapping, key); name == "" {
			r.report(finding.Warning, finding.EnvSourceMissing,
				"container %q is added without the variables of another, because the pod template has no %s, "+
					"which would name it; add it",
				r.name, from.FieldRef.FieldPath)
			return nil
		}
	}
	source := r.source(name)
	if source == nil {
		why := "there is none of that name; correct transferEnv, or add it"
		if !r.pod.isApps(name) {
			why = "an injector adds that container, " + notBefore
		}
		r.report(finding.Warning, finding.EnvSourceMissing,
			"container %q is added without the variables of container %q, because %s", r.name, name, why)
	}
	return source
}

// checkWanted reports variables that neither the source nor the body has.
func (r *recipient) checkWanted(source *source, wanted []string, last map[string]int, own []*node.Node) {
	hint := ""
	if len(node.List(source.body, "envFrom")) > 0 {
		hint = " (the names of variables from envFrom are not known here: give the sidecar the same envFrom)"
	}
	for _, name := range wanted {
		_, isSet := last[name]
		switch {
		case isSet || indexOfName(own, name) >= 0:
		case indexOfName(r.added(source, "env"), name) >= 0:
			r.report(finding.Warning, finding.EnvSourceMissing,
				"container %q is added without the variable %s of container %q, "+
					"because an injector adds that variable, "+notBefore,
				r.name, name, source.name)
		default:
			r.report(finding.Warning, finding.EnvSourceMissing,
				"container %q is added without the variable %s, because container %q has none of that name%s; "+
					"correct transferEnv, or add it",
				r.name, name, source.name, hint)
		}
	}
}

// variableOf returns a variable of a container as another container must have it to get the same value.
func variableOf(source *source, variable *node.Node) *node.Node {
	taken := node.Fresh(variable)
	// Without a name, the reference is to the resources of the container that has the variable.
	if ref := node.Get(taken, "valueFrom", "resourceFieldRef"); ref != nil && ref.Kind == node.MappingNode &&
		node.Text(ref, "containerName") == "" {
		node.Set(ref, "containerName", node.String(source.name))
	}
	return taken
}

package admission

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/pod"
)

// mutating returns the policy that injects. Operations on the app's containers come first, because they use the indexes that these have
// in the pod; then what is inserted.
func (c *compiler) mutating() *policy {
	c.leaveRefused()
	c.addAppContainers(containersList)
	c.addAppContainers(initContainersList)
	c.addPodSpec()
	c.addMetadata()
	c.addVolumes()
	c.addPullSecrets()
	c.addContainers()
	c.createFirst()
	c.removeUnused()
	c.guard()
	return &c.policy
}

// guard makes the matchConditions a variable that the mutation begins with. Kubernetes 1.37 cannot write what a mutation copies from the
// pod after conditions were evaluated, because these change the representation of the pod for the mutation.
func (c *compiler) guard() {
	var parts []part
	for _, condition := range c.conditions {
		parts = append(parts, part{condition.comment, "(" + condition.expression + ")"})
	}
	applies := namedExpression{"applies", "whether the policy has an effect on the pod", conjunction(parts), c.conditions[0].source}
	c.conditions, c.variables = nil, append([]namedExpression{applies}, c.variables...)
}

// podList is a list of a pod, with its name, which is also that of the variable with the names of its entries, and its path.
type podList struct{ name, path string }

var (
	containersList     = podList{pod.Main, "/spec/" + pod.Main}
	initContainersList = podList{pod.Init, "/spec/" + pod.Init}
)

// names returns the variable with the names of the entries as they are in the pod.
func (l podList) names() string { return "variables." + l.name }

// entries returns the expression for the containers in the list.
func (l podList) entries() string {
	if l == initContainersList { // it may be absent
		return "object.spec.?initContainers.orValue([])"
	}
	return "object.spec." + l.name
}

// bothLists returns the expression for the pod's containers and init containers.
func bothLists() string {
	return "(" + containersList.entries() + " + " + initContainersList.entries() + ")"
}

// operate adds operations to the policy.
func (c *compiler) operate(comment, format string, args ...any) {
	c.operations = append(c.operations, operations{comment, fmt.Sprintf(format, args...), c.source})
}

// creation is a list or mapping of the pod that is created if it is absent and one of the conditions holds.
type creation struct {
	field      string // as an expression behind object, such as .spec.?securityContext
	path       string
	empty      string
	conditions []string
	source     source
}

// create makes sure that a list or mapping exists if a condition holds. All are created once, before all other operations: creating one
// again would remove what was added to it.
func (c *compiler) create(field, path, empty, condition string) {
	for i := range c.creations {
		if c.creations[i].path == path {
			c.creations[i].conditions = append(c.creations[i].conditions, condition)
			return
		}
	}
	c.creations = append(c.creations, creation{field, path, empty, []string{condition}, c.source})
}

// createFirst puts the operations that create lists and mappings in front of the others.
func (c *compiler) createFirst() {
	all := make([]operations, 0, len(c.creations)+len(c.operations))
	for _, made := range c.creations {
		slices.Sort(made.conditions)
		condition := strings.Join(slices.Compact(made.conditions), " || ")
		if strings.Contains(condition, " || ") {
			condition = "(" + condition + ")"
		}
		all = append(all, operations{
			made.path + ", if it is absent and something is added to it",
			fmt.Sprintf("(%s && !object%s.hasValue() ? [JSONPatch{op: \"add\", path: %s, value: %s}] : [])",
				condition, made.field, quote(made.path), made.empty),
			made.source,
		})
	}
	c.operations = append(all, c.operations...)
}

// first returns the expression for the first index of a list of names that meets a condition on the index i and the name n, or the
// size of the list.
func first(list, condition string) string {
	return fmt.Sprintf("(%s.transformList(i, n, %s, i) + [size(%s)])[0]", list, condition, list)
}

// inserted returns the expression for a list with one more entry at an index.
func inserted(list, at, entry string) string {
	return fmt.Sprintf("%[1]s.transformList(i, n, i < %[2]s, n) + [%[3]s] + %[1]s.transformList(i, n, i >= %[2]s, n)", list, at, entry)
}

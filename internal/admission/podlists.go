package admission

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/jsonpointer"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// podSpecList is a list in the pod spec that injectors add to. Each of them finds what those before it added, so variables hold the list
// as it is after each injector.
type podSpecList struct {
	path    []string
	begin   string // the variable with the pod's own list
	current string // the variable with the list so far
}

// addToList adds to a list of the pod spec the entries that it does not have.
func (c *compiler) addToList(in *compiled, entries *node.Node, path []string) {
	if len(entries.Content) == 0 {
		return
	}
	list, field, id := c.podSpecList(path), strings.Join(path, "."), in.id+"_"+strings.Join(path[1:], "_")
	wanted := c.add(id+"_wanted", "what "+in.Name+" adds to "+field, "dyn("+literal(entries)+")")
	row := pod.Of(path...)
	extended := list.current
	if row.Grows {
		extended = extendedAliases(list.current, wanted)
	}
	list.current = c.add(id, field+" with it", fmt.Sprintf("!%s ? %s :\n%s +\n%s.filter(w, !(%s))",
		in.selected, list.current, extended, wanted, hasWanted(row, list.current)))
}

// podSpecList returns the list at a path, and adds the variable with the pod's own for its first injector.
func (c *compiler) podSpecList(path []string) *podSpecList {
	field := strings.Join(path, ".")
	if known := c.podLists[field]; known != nil {
		return known
	}
	begin := c.add("pod_"+strings.Join(path[1:], "_"), field+" of the pod", "object"+optionalPath(path)+".orValue([])")
	list := &podSpecList{path: path, begin: begin, current: begin}
	if c.podLists == nil {
		c.podLists = map[string]*podSpecList{}
	}
	c.podLists[field] = list
	return list
}

// setLists sets the lists of the pod spec that changed.
func (c *compiler) setLists() {
	for _, field := range slices.Sorted(maps.Keys(c.podLists)) {
		list := c.podLists[field]
		c.operate(field+", with what injectors add", "(%[1]s == %[2]s ? [] :\n  [JSONPatch{op: \"add\", path: %[3]s, value: %[2]s}])",
			list.begin, list.current, quote(jsonpointer.New(list.path...)))
	}
}

// hasWanted returns the condition that a list has the entry w, or one with its key.
func hasWanted(row *pod.Row, list string) string {
	if !row.IsKeyed() {
		return "w in " + list
	}
	conditions := make([]string, len(row.Keys))
	for i, key := range row.Keys {
		conditions[i] = fmt.Sprintf(`e.?%[1]s.orValue("") == w.?%[1]s.orValue("")`, key)
	}
	return fmt.Sprintf("%s.exists(e, %s)", list, all(conditions))
}

// extendedAliases returns the expression for host aliases with the hostnames that they lack. If several have the same address, the first
// one counts.
func extendedAliases(list, wanted string) string {
	const address, hostnames = `e.?ip.orValue("")`, "e.?hostnames.orValue([])"
	return fmt.Sprintf(`%[1]s.transformList(i, e,
  // unless it lacks hostnames, and is the first of its address
  !%[2]s.exists(w, w.ip == %[3]s && !w.?hostnames.orValue([]).all(h, h in %[4]s)) ||
  %[1]s.map(e, %[3]s).indexOf(%[3]s) != i ? e : {
    "ip": dyn(%[3]s),
    "hostnames": dyn(%[4]s +
      %[2]s.filter(w, w.ip == %[3]s)[0].hostnames.filter(h, !(h in %[4]s)))
  })`, list, wanted, address, hostnames)
}

package admission

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/jsonpointer"
)

// podSpecList is a list in the pod spec that injectors add to. Each of them finds what those before it added, so variables hold the list
// as it is after each injector.
type podSpecList struct {
	path    []string
	begin   string // the variable with the pod's own list
	current string // the variable with the list so far
}

// keyFields are the fields by which Pillion tells the entries of lists of the pod spec apart. Entries of other lists are compared as a
// whole.
var keyFields = map[string][]string{
	"resourceClaims": {"name"}, "schedulingGates": {"name"}, "options": {"name"}, "sysctls": {"name"}, "hostAliases": {"ip"},
	"evictionResponders": {"name"}, "topologySpreadConstraints": {"topologyKey", "whenUnsatisfiable"},
}

// addToList adds to a list of the pod spec the entries that it does not have.
func (c *compiler) addToList(in *compiled, entries *yaml.Node, path []string) {
	if len(entries.Content) == 0 {
		return
	}
	list, field, id := c.podSpecList(path), strings.Join(path, "."), in.id+"_"+strings.Join(path[1:], "_")
	wanted := c.add(id+"_wanted", "what "+in.Name+" adds to "+field, "dyn("+literal(entries)+")")
	name := path[len(path)-1]
	extended := list.current
	if isExtended(name) {
		extended = extendedAliases(list.current, wanted)
	}
	list.current = c.add(id, field+" with it", fmt.Sprintf("!%s ? %s :\n%s +\n%s.filter(w, !(%s))",
		in.selected, list.current, extended, wanted, hasWanted(name, list.current)))
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
func hasWanted(name, list string) string {
	keys := keyFields[name]
	if keys == nil {
		return "w in " + list
	}
	conditions := make([]string, len(keys))
	for i, key := range keys {
		conditions[i] = fmt.Sprintf(`e.?%[1]s.orValue("") == w.?%[1]s.orValue("")`, key)
	}
	return fmt.Sprintf("%s.exists(e, %s)", list, all(conditions))
}

// isExtended reports whether entries of a list get what the payload's entries of their keys have in addition. This is so for host aliases:
// entries of other lists have nothing else, or are one choice.
func isExtended(list string) bool { return list == "hostAliases" }

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

package admission

import (
	"fmt"

	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// checkEntries checks that a list of the pod spec has the entries of the payload, or others with their keys.
func (v *validator) checkEntries(list *pod.Row, entries *node.Node, at, path string) {
	for _, entry := range entries.Content {
		entry = node.Resolve(entry)
		what := path + " lacks " + node.Brief(entry)
		switch {
		case list.Grows:
			v.lacks(what, "!"+v.hasAlias(entry, at))
		case list.IsKeyed():
			v.lacks(what, fmt.Sprintf("!%s.orValue([]).exists(e, %s)", at, all(v.equalKeys(list.Keys, entry))))
		case isSelectorExtended(entry):
			v.lacks(what, fmt.Sprintf("!%s.orValue([]).exists(e, %s)", at, all(equalFields(withoutSelectors(entry), nil, "e"))))
		default:
			v.lacks(what, fmt.Sprintf("!(%s in %s.orValue([]))", literal(entry), at))
		}
	}
}

// equalKeys returns the conditions that the entry e of a list has the key of another one.
func (v *validator) equalKeys(keys []string, entry *node.Node) []string {
	var conditions []string
	for _, key := range keys {
		wanted := `""`
		if value := node.Get(entry, key); !node.IsNull(value) {
			wanted = literal(value)
		}
		conditions = append(conditions, fmt.Sprintf(`e.?%s.orValue("") == %s`, key, wanted))
	}
	return conditions
}

// hasAlias returns the condition that a pod has a host alias: the first one of its address has its hostnames.
func (v *validator) hasAlias(alias *node.Node, list string) string {
	same := fmt.Sprintf("%s.orValue([]).filter(e, %s)", list, all(v.equalKeys(pod.InSpec("hostAliases").Keys, alias)))
	hostnames := node.Get(alias, "hostnames")
	if node.IsNull(hostnames) || len(hostnames.Content) == 0 {
		return fmt.Sprintf("(size(%s) > 0)", same)
	}
	return fmt.Sprintf("%s.all(h, h in %s[?0].?hostnames.orValue([]))", literal(hostnames), same)
}

// isSelectorExtended reports whether the API server extends the labelSelector of a term of a pod affinity by the pod's labels. It does so
// after mutating policies ran and before validating ones do.
func isSelectorExtended(n *node.Node) bool {
	return n != nil && (node.Get(n, "matchLabelKeys") != nil || node.Get(n, "mismatchLabelKeys") != nil ||
		isSelectorExtended(node.Get(n, "podAffinityTerm")))
}

// withoutSelectors returns a term of a pod affinity without its labelSelector.
func withoutSelectors(term *node.Node) *node.Node {
	rest := node.Mapping()
	for key, value := range node.Fields(term) {
		switch key {
		case "labelSelector":
		case "podAffinityTerm":
			node.Set(rest, key, withoutSelectors(value))
		default:
			node.Set(rest, key, value)
		}
	}
	return rest
}

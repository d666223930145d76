package version

import (
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// matchAnywhere returns for each wanted entry of a list the index of the present one, or -1: the same entry, a copy of
// it, or one of its key that is not the same as another wanted one. It finds each entry only once by its key.
func matchAnywhere(path string, present, wanted []*node.Node) []int {
	byIdentity := make(map[node.Identity]int, len(present))
	byNode := make(map[*node.Node]int, len(present))
	for i, entry := range present {
		byNode[entry] = i
		if !node.IsNew(entry) {
			byIdentity[node.IdentityOf(entry)] = i
		}
	}
	now := make([]int, len(wanted))
	taken := make([]bool, len(present))
	missing := false
	for i, entry := range wanted {
		at, known := byIdentity[node.IdentityOf(entry)]
		if node.IsNew(entry) || !known {
			at, known = byNode[entry]
		}
		if now[i] = at; known {
			taken[at] = true
		} else {
			now[i] = -1
			missing = true
		}
	}
	if !missing {
		return now
	}
	byKey := map[string][]int{}
	for i, entry := range present {
		if !taken[i] {
			key := stamp.KeyOf(path, entry)
			byKey[key] = append(byKey[key], i)
		}
	}
	for i, entry := range wanted {
		if now[i] >= 0 || node.IsRestored(entry) { // a restored entry goes to where it was
			continue
		}
		if key := stamp.KeyOf(path, entry); len(byKey[key]) > 0 {
			now[i] = byKey[key][0]
			byKey[key] = byKey[key][1:]
		}
	}
	return now
}

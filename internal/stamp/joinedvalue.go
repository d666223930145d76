package stamp

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/joined"
	"pillion.dev/pillion/internal/yaml/node"
)

// joinedValue is a value that injectors joined parts to.
type joinedValue struct {
	separator string
	parts     []joined.Part
}

// joinedValues are the values that injectors joined parts to, by variable.
type joinedValues map[Thing]joinedValue

// add adds a part. All parts of a value have the same separator.
func (all *joinedValues) add(j Joined) {
	if *all == nil {
		*all = joinedValues{}
	}
	v, known := (*all)[j.Variable]
	if !known {
		v.separator = j.Separator
	}
	if v.separator == j.Separator {
		v.parts = append(v.parts, j.Part)
		(*all)[j.Variable] = v
	}
}

// joinedBy returns the values that owners joined parts to.
func joinedBy(owners ...[]Owner) joinedValues {
	var all joinedValues
	for _, each := range owners {
		for _, o := range each {
			for _, part := range o.JoinedParts() {
				all.add(part)
			}
		}
	}
	return all
}

// at returns what was joined to the value that a path leads to, and its variable.
func (all joinedValues) at(path string) (variable Thing, v joinedValue, ok bool) {
	if len(all) == 0 || last(path) != valueKey {
		return Thing{}, joinedValue{}, false
	}
	variable = ThingAt(ThingAt(path).Path)
	v, ok = all[variable]
	return variable, v, ok
}

func (all joinedValues) has(variable Thing) bool { return all[variable].separator != "" }

// list returns the path of the entries of the value of a variable.
func (v joinedValue) list(variable Thing) string { return join(variable.value().Inside(), v.separator) }

// split returns the entries of a value. It is empty for a value that is not a string.
func (v joinedValue) split(value *yaml.Node) []*yaml.Node {
	var entries []*yaml.Node
	if node.IsString(value) {
		for _, text := range joined.Split(node.Resolve(value).Value, v.separator, v.parts) {
			entries = append(entries, node.String(text))
		}
	}
	return entries
}

// text returns the value that entries are.
func (v joinedValue) text(entries []*yaml.Node) string {
	texts := make([]string, len(entries))
	for i, entry := range entries {
		texts[i] = entry.Value
	}
	return strings.Join(texts, v.separator)
}

// withoutValue returns a variable without its value.
func withoutValue(variable *yaml.Node) *yaml.Node {
	rest := node.Clone(node.Resolve(variable))
	node.Delete(rest, valueKey)
	return rest
}

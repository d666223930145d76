package version

import (
	"cmp"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/joined"
	"pillion.dev/pillion/internal/text/yaml/node"
)

const valueKey = "value"

// joinedValue is a value that injectors joined parts to.
type joinedValue struct {
	separator string
	parts     []joined.Part
}

// joinedValues are the values that injectors joined parts to, by variable.
type joinedValues map[stamp.Address]joinedValue

// joinedBy returns the values that owners joined parts to. All parts of a value have the same separator.
func joinedBy(owners ...[]stamp.Owner) joinedValues {
	all := joinedValues{}
	for _, some := range owners {
		for _, o := range some {
			for _, j := range o.JoinedParts() {
				v := all[j.Variable]
				v.separator = cmp.Or(v.separator, j.Separator)
				if v.separator == j.Separator {
					v.parts = append(v.parts, j.Part)
					all[j.Variable] = v
				}
			}
		}
	}
	return all
}

// at returns what was joined to the value that a path leads to, and its variable.
func (all joinedValues) at(path string) (variable stamp.Address, v joinedValue, ok bool) {
	if len(all) == 0 || !strings.HasSuffix(path, "/"+valueKey) {
		return stamp.Address{}, joinedValue{}, false
	}
	variable = stamp.AddressOf(stamp.AddressOf(path).Path)
	v, ok = all[variable]
	return variable, v, ok
}

func (all joinedValues) has(variable stamp.Address) bool { return all[variable].separator != "" }

// remove returns the app's text in a value, and the parts that are in it, in their order there. A value that is not a
// string has none.
func (v joinedValue) remove(value *node.Node) (app string, found []joined.Part) {
	if !node.IsString(value) {
		return "", nil
	}
	return joined.Remove(node.Resolve(value).Value, v.separator, v.parts)
}

// removeParts removes parts from the value of a variable. What is left stays as it is, if that is all of it, or is
// written as it was before, if the content is the same.
func (u *undoer) removeParts(p *editedNode, variable stamp.Address, v joinedValue, all []named) {
	var present *node.Node
	value := p.find(valueKey)
	if len(value) > 0 {
		present = p.Node.Content[value[0]]
	}
	app, found := v.remove(present)
	u.steps += len(all) + len(node.Text(present))
	stays := map[string]bool{}
	for _, part := range found {
		stays[part.Text] = true
	}
	isChanged := false
	for _, n := range all {
		switch {
		case u.done[n.Address] || u.addedByOthers[n.Address]:
		case n.Address != stamp.Part(variable, v.separator, n.Key) || !stays[n.Key]:
			u.missing(p, n)
		default:
			stays[n.Key] = false
			isChanged = true
		}
		u.done[n.Address] = true
	}
	if !isChanged {
		return
	}
	goes := func(part joined.Part) bool { return !stays[part.Text] }
	left := joined.Add(app, v.separator, slices.DeleteFunc(found, goes))
	if written, isWritten := u.writtenAs(variable.Child(valueKey), left); isWritten {
		p.Node.Content[value[0]] = u.restored(written)
	} else if left == "" {
		p.remove(value[0])
		p.close()
	} else {
		p.Node.Content[value[0]] = node.StringLike(present, left)
	}
}

// writtenAs returns how a value was written that has a text again, according to the first stamp that knows it. The
// others may know an earlier value of the app.
func (u *undoer) writtenAs(at stamp.Address, text string) (written string, ok bool) {
	for _, o := range u.owners {
		before := o.Changes[at].Before
		if before == nil {
			continue
		}
		n, err := stamp.ReadText(*before)
		if err == nil && (node.IsString(n) && n.Value == text || node.IsNull(n) && text == "") {
			return *before, true
		}
	}
	return "", false
}

// removeVariable removes a variable that an owner added and joined something to, unless there is more in it than its
// name. Then somebody else needs it, and it is the app's from now on.
func (u *undoer) removeVariable(p *editedNode, n named) {
	all := p.find(n.Key)
	if len(all) == 0 {
		u.missing(p, n)
		return
	}
	rest := node.Clone(node.Resolve(p.Node.Content[all[0]]))
	if value := node.Get(rest, valueKey); node.IsString(value) && value.Value == "" {
		node.Delete(rest, valueKey)
	}
	if n.IsOf(n.Address, rest) {
		p.remove(all[0])
	}
}

// text returns the wanted text at a path. A value that has the same text of the app and the same parts stays as it is,
// wherever a person has put them, if the parts of the run are in the wanted order.
func (r rebaser) text(path string, present, wanted *node.Node) *node.Node {
	variable, v, isJoined := r.joined.at(path)
	if !isJoined {
		return wanted
	}
	among := func(all map[stamp.Address]bool, parts []joined.Part) []joined.Part {
		isOthers := func(part joined.Part) bool { return !all[stamp.Part(variable, v.separator, part.Text)] }
		return slices.DeleteFunc(slices.Clone(parts), isOthers)
	}
	app, parts := v.remove(present)
	wantedApp, wantedParts := v.remove(wanted)
	if app == wantedApp && len(parts) == len(wantedParts) &&
		slices.Equal(among(r.old, parts), among(r.isNew, wantedParts)) {
		return present
	}
	return wanted
}

// keysIn returns the keys of the entries of the list at a path. Those of a value are the parts in it.
func (all joinedValues) keysIn(view *stamp.View, path string) []string {
	var keys []string
	variable, _, isJoined := stamp.JoinedVariable(path)
	if !isJoined {
		for _, entry := range view.List(path) {
			keys = append(keys, stamp.KeyOf(path, entry))
		}
		return keys
	}
	_, found := all[variable].remove(view.At(variable.Inside(), valueKey))
	for _, part := range found {
		keys = append(keys, part.Text)
	}
	return keys
}

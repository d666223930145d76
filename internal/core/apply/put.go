package apply

import (
	"fmt"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/joined"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Put writes what the injector wants, for which the plan ran on the app alone, into a version of the pod template that has what other
// injectors have put in. What they have put in as well stays as it is: it is equal, or a conflict that is reported. The view is that of the
// app with what the injector wants.
func (p *Pod) Put(version *node.Node, alone *stamp.View) []finding.Finding {
	w := writer{
		Pod:    p,
		root:   &place{now: version, clones: p.Clones},
		places: map[string]*place{},
		alone:  alone,
	}
	findings := len(p.findings)
	for _, wanted := range p.changes() {
		if wanted.IsEntry {
			w.putEntry(wanted)
		} else {
			w.putValue(w.at(wanted.Path), wanted.Address, wanted.Value)
		}
	}
	var done []stamp.Joined
	for _, part := range p.WantsJoined {
		w.join(part, partsOf(slices.Concat(p.Owners.Joined(part.Variable), done), part))
		done = append(done, part)
	}
	for _, g := range p.grown {
		growIn(w.at("spec").own(), g.podResource, g.otherwise, g.amount)
	}
	return p.findings[findings:]
}

// changes returns what becomes of the app, except what is joined to its values and added to its quantities. Transformers change more than
// the injector wants.
func (p *Pod) changes() []*Intent {
	all := make([]*Intent, 0, len(p.Intents))
	for i := range p.Intents {
		if w := &p.Intents[i]; !w.IsApps {
			all = append(all, w)
		}
	}
	if !p.isTransformed {
		return all
	}
	isKnown := map[stamp.Address]bool{}
	for _, w := range all {
		isKnown[w.Address] = true
	}
	for _, part := range p.WantsJoined {
		isKnown[part.Variable] = true
		isKnown[part.Variable.Child("value")] = true
	}
	for at := range p.Grown {
		isKnown[at] = true
	}
	for _, w := range stamp.Difference(p.App, p.Node) {
		if !isKnown[w.Address] {
			all = append(all, &Intent{Wanted: w})
		}
	}
	return all
}

// writer writes into a version of a pod template. What is on the way to a change is copied once.
type writer struct {
	*Pod
	root   *place
	places map[string]*place // by path
	alone  *stamp.View       // the app with what the injector wants
}

// at returns the mapping or list at a path.
func (w *writer) at(path string) *place {
	if path == "" {
		return w.root
	}
	if known := w.places[path]; known != nil {
		return known
	}
	to := stamp.AddressOf(path)
	above := w.at(to.Path)
	inside := above.fieldAt(to.Key)
	if above.now != nil && above.now.Kind == node.SequenceNode {
		index := indexOfKey(to.Path, above.now.Content, to.Key)
		if index < 0 {
			inside = place{now: node.Mapping()} // somebody has taken it out
		} else {
			inside = above.entryAt(index)
			inside.own() // because the index may change
		}
	}
	w.places[path] = &inside
	return &inside
}

func indexOfKey(path string, entries []*node.Node, key string) int {
	return slices.IndexFunc(entries, func(entry *node.Node) bool { return stamp.KeyOf(path, entry) == key })
}

// putValue sets a value in a mapping. Of something that others may have added to as well, it adds what is missing.
func (w *writer) putValue(into *place, at stamp.Address, value *node.Node) {
	present := node.Get(into.now, at.Key)
	isBoth := func(kind node.Kind) bool { return present != nil && present.Kind == kind && value.Kind == kind }
	row := pod.At(at.Path).Child(at.Key)
	switch {
	case node.IsNull(present):
		set(into, at.Key, node.Fresh(value))
	case isBoth(node.MappingNode) && !row.Whole:
		for key, inner := range node.Fields(value) {
			w.putValue(w.at(at.Inside()), at.Child(key), inner)
		}
	case isBoth(node.SequenceNode) && node.IsNull(w.Owners.App().At(at.Path, at.Key)):
		for _, entry := range value.Content {
			list := w.at(at.Inside())
			if indexOfKey(at.Inside(), list.now.Content, stamp.KeyOf(at.Inside(), entry)) < 0 {
				node.Insert(list.own(), len(list.now.Content), node.Fresh(entry))
			}
		}
	case !w.Owners.IsOthers(at):
		set(into, at.Key, node.Fresh(value))
	}
}

// set sets a key of a mapping, which is made if it is missing.
func set(into *place, key string, value *node.Node) {
	if node.IsNull(into.now) {
		set(into.in, into.field, node.Mapping())
		*into = into.in.fieldAt(into.field)
	}
	node.Set(into.own(), key, value)
}

// putEntry adds an entry to a list, or replaces the app's of the same key.
func (w *writer) putEntry(wanted *Intent) {
	list := w.at(wanted.Path)
	index := -1
	if list.now != nil {
		index = indexOfKey(wanted.Path, list.now.Content, wanted.Key)
	}
	if index >= 0 && w.Owners.IsOthers(wanted.Address) {
		return
	}
	entry := w.alone.At(wanted.Path, wanted.Key)
	into := list.own()
	if index >= 0 {
		row := pod.At(wanted.Path)
		into.Content = slices.DeleteFunc(slices.Clone(into.Content), func(present *node.Node) bool {
			return present != into.Content[index] && row.HasKeyOf(entry)(present)
		})
		index = indexOfKey(wanted.Path, into.Content, wanted.Key)
		if !wanted.Moves {
			into.Content[index] = entry
			return
		}
		into.Content = slices.Delete(into.Content, index, index+1)
	}
	node.Insert(into, w.positionOf(wanted, into.Content, entry), entry)
}

// positionOf returns where a new entry goes in a list: a container where its operation says, and anything else behind what others have put
// between the same entries of the app. A variable goes behind those that it uses.
func (w *writer) positionOf(wanted *Intent, entries []*node.Node, entry *node.Node) int {
	if wanted.place != nil {
		return w.position(entries, *wanted.place, stamp.AddressOf(wanted.Path).Key, entry)
	}
	isApps := func(n *node.Node) bool { return w.Owners.App().At(wanted.Path, stamp.KeyOf(wanted.Path, n)) != nil }
	next := ""
	isBehind := false
	for _, n := range w.alone.List(wanted.Path) {
		switch key := stamp.KeyOf(wanted.Path, n); {
		case key == wanted.Key:
			isBehind = true
		case isBehind && next == "" && isApps(n):
			next = key
		}
	}
	at := len(entries)
	if next != "" {
		if found := indexOfKey(wanted.Path, entries, next); found >= 0 {
			at = found
		}
	}
	if used := behindUsed(entries, entry); pod.At(wanted.Path).Expands && used > at {
		at = used
		for at < len(entries) && !isApps(entries[at]) {
			at++
		}
	}
	return at
}

// join joins a part to the value of a variable.
func (w *writer) join(part stamp.Joined, others []joined.Part) {
	env := w.at(part.Variable.Path)
	index := -1
	if env.now != nil {
		index = indexOfKey(part.Variable.Path, env.now.Content, part.Variable.Key)
	}
	if index < 0 {
		alone := w.alone.At(part.Variable.Path, part.Variable.Key)
		entry := node.Clone(alone)
		node.Set(entry, "value", node.StringLike(node.Get(alone, "value"), part.Part.Text))
		list := env.own()
		node.Insert(list, w.positionOf(&Intent{Wanted: stamp.Wanted{Address: part.Variable}}, list.Content, alone), entry)
		return
	}
	if len(others) == 0 && w.Owners.IsOthers(part.Variable) {
		return // another injector has replaced or set all of it
	}
	variable := w.at(part.Variable.Inside())
	value := node.Get(variable.now, "value")
	text := node.Text(value)
	if slices.Contains(joined.Split(text, part.Separator, others), part.Part.Text) {
		return
	}
	own := w.Owners.App().List(part.Variable.Path)
	if used := usedBehind(own, env.now.Content, index, part.Part.Text); used != "" && indexOfName(own, part.Variable.Key) < 0 {
		problem := fmt.Sprintf("comes before %q, which the value that is joined to it uses; "+
			"put this injector before the one that adds %q", used, part.Variable.Key)
		w.refuseJoin(part, problem+CausedByOthers(w.Owners.Names()))
		return
	}
	made, isClear := withPart(text, part, others)
	if !isClear {
		w.refuseJoin(part, overlaps(part, text))
		return
	}
	node.Set(variable.own(), "value", node.StringLike(value, made))
}

func (w *writer) refuseJoin(part stamp.Joined, problem string) {
	path := w.At(w.viewBefore().FieldOf(part.Variable, ""))
	container := stamp.ContainerOf(part.Variable.Path).Key
	w.report(finding.Error, finding.EnvConflict, path, "env variable %q of the app's container %q %s",
		part.Variable.Key, container, problem)
}

package learn

import (
	"slices"
	"strings"

	"pillion.dev/pillion/internal/meter"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// addition is something that pods have only after: a container, a volume, a variable of an app's container, or a field.
type addition struct {
	section string   // of the config
	path    []string // of the value in a pod template; the last step is the name or the key
	samples []sample
}

// sample is the addition in one pod, or in one container of it.
type sample struct {
	pair  int
	value *node.Node
	place place

	container *node.Node // of the app, that has it
	isInit    bool
	replaces  bool // something different was there
	join      string
	joinOrder string
}

// place is where something is in a list, between what was there before.
type place struct {
	isFirst, isLast bool   // before or after everything that was there before
	after, before   string // the names of its neighbours of that
}

// The sections of a config that are no fields of their own, because they are made of several.
const (
	native      = "native"
	labels      = "labels"
	annotations = "annotations"
	podSpec     = "podSpec"
)

// additions are those of all pairs, in the order in which they were found.
type additions struct {
	byPath map[string]*addition
	all    []*addition
	steps  *meter.Meter
}

// maxAdditions is how many different additions are looked at. Whatever is left out is reported as not learned.
const maxAdditions = 1000

func collect(pairs []*Pair, steps *meter.Meter) *additions {
	a := &additions{byPath: map[string]*addition{}, steps: steps}
	for i, p := range pairs {
		a.metadata(i, p, labels)
		a.metadata(i, p, annotations)
		before, after := node.Get(p.before, "spec"), node.Get(p.after, "spec")
		a.containers(i, before, after)
		for _, list := range []string{"volumes", "imagePullSecrets"} {
			had := map[string]*node.Node{}
			for _, entry := range node.List(before, list) {
				had[node.Text(entry, "name")] = entry
			}
			for _, entry := range node.List(after, list) {
				if name := node.Text(entry, "name"); !node.Equal(had[name], entry) {
					a.add(list, sample{pair: i, value: entry, replaces: had[name] != nil}, "spec", list, name)
				}
			}
		}
		rest := func(spec *node.Node) *node.Node { // without what has a section of its own
			m := node.Mapping()
			for key, value := range node.Fields(spec) {
				if pod.InSpec(key).Move == "" {
					m.Content = append(m.Content, node.String(key), value)
				}
			}
			return m
		}
		a.fields(i, rest(before), rest(after), pod.Of("spec"), "spec")
	}
	return a
}

func (a *additions) add(section string, s sample, path ...string) {
	key := section + "\x00" + strings.Join(path, "\x00")
	found := a.byPath[key]
	if found == nil {
		if len(a.all) == maxAdditions {
			return
		}
		found = &addition{section: section, path: path}
		a.byPath[key] = found
		a.all = append(a.all, found)
	}
	found.samples = append(found.samples, s)
}

// isKept reports whether a pair lacks an addition because it had something at the same place before, which an injector leaves.
func (a *additions) isKept(one *addition, p *Pair) bool {
	switch one.section {
	case native, pod.Main, pod.Init:
		return false
	case "env", "envFrom", "volumeMounts":
		return p.own[one.section+" "+one.path[len(one.path)-1]]
	default:
		return a.isAt(p.before, one.path)
	}
}

// isAt reports whether a template has something at a path, on which the entries of lists are named by their keys.
func (a *additions) isAt(n *node.Node, path []string) bool {
	row := pod.Of()
	for _, step := range path {
		switch n = node.Resolve(n); {
		case n == nil:
			return false
		case n.Kind == node.SequenceNode:
			i := slices.IndexFunc(node.List(n), func(entry *node.Node) bool { return entryKey(row, entry) == step })
			if !a.steps.Charge(len(n.Content)) || i < 0 {
				return false
			}
			n = node.List(n)[i]
		default:
			n = node.Get(n, step)
		}
		row = row.Child(step)
	}
	return n != nil
}

// entryKey returns what identifies an entry of a list: its key, or its whole content.
func entryKey(row *pod.Row, entry *node.Node) string {
	if key := row.Key(entry); key != "" {
		return key
	}
	return string(node.AppendCanonical(nil, entry))
}

// added returns the entries of a list that have no counterpart in another.
func added(row *pod.Row, before, after []*node.Node) (new []*node.Node) {
	known := map[string]bool{}
	for _, entry := range before {
		known[entryKey(row, entry)] = true
	}
	for _, entry := range after {
		if !known[entryKey(row, entry)] {
			new = append(new, entry)
		}
	}
	return new
}

func (a *additions) metadata(i int, p *Pair, field string) {
	before := node.Get(p.before, "metadata", field)
	for key, value := range node.Fields(node.Get(p.after, "metadata", field)) {
		if had := node.Get(before, key); !node.Equal(had, value) {
			a.add(field, sample{pair: i, value: value, replaces: had != nil}, "metadata", field, key)
		}
	}
}

// fields adds the fields of a pod spec that are new, as deep inside as possible.
func (a *additions) fields(i int, before, after *node.Node, row *pod.Row, path ...string) {
	for key, value := range node.Fields(after) {
		had, inside, at := node.Get(before, key), row.Child(key), append(slices.Clone(path), key)
		switch {
		case had == nil && (value.Kind == node.ScalarNode || inside.Whole || len(value.Content) == 0):
			a.add(podSpec, sample{pair: i, value: value}, at...)
		case value.Kind == node.MappingNode && (had == nil || had.Kind == node.MappingNode) && !inside.Whole:
			a.fields(i, had, value, inside, at...)
		case value.Kind == node.SequenceNode && (had == nil || had.Kind == node.SequenceNode):
			for _, entry := range added(inside, node.List(had), node.List(value)) {
				a.add(podSpec, sample{pair: i, value: entry}, append(slices.Clone(at), entryKey(inside, entry))...)
			}
		}
	}
}

func (a *additions) containers(i int, before, after *node.Node) {
	own := map[string]*node.Node{}
	for _, c := range pod.Containers(before) {
		own[node.Text(c, "name")] = c
	}
	for _, list := range pod.ContainerLists {
		entries := node.List(after, list)
		places := placesOf(pod.InSpec(list), entries, func(name string) bool { return own[name] != nil })
		for at, c := range entries {
			name := node.Text(c, "name")
			if had := own[name]; had != nil {
				a.appContainer(i, had, c, list == pod.Init)
				continue
			}
			section := list
			if pod.IsNative(list, c) {
				section = native
			}
			a.add(section, sample{pair: i, value: c, place: places[at]}, "spec", list, name)
		}
	}
}

// placesOf returns the places of the entries of a list.
func placesOf(row *pod.Row, entries []*node.Node, isOwn func(key string) bool) []place {
	places := make([]place, len(entries))
	last := ""
	for i, entry := range entries {
		places[i].isFirst, places[i].after = last == "", last
		if key := row.Key(entry); isOwn(key) {
			last = key
		}
	}
	next := ""
	for i, entry := range slices.Backward(entries) {
		places[i].isLast, places[i].before = next == "", next
		if key := row.Key(entry); isOwn(key) {
			next = key
		}
	}
	return places
}

// appLists are the lists of the app's containers that injectors add to.
var appLists = []string{"env", "envFrom", "volumeMounts"}

// appContainer adds what a container of the app has in addition.
func (a *additions) appContainer(i int, before, after *node.Node, isInit bool) {
	for _, list := range appLists {
		row, had := pod.InContainer(list), map[string]*node.Node{}
		for _, entry := range node.List(before, list) {
			had[entryKey(row, entry)] = entry
		}
		entries := node.List(after, list)
		places := placesOf(row, entries, func(key string) bool { return had[key] != nil })
		for at, entry := range entries {
			key := entryKey(row, entry)
			s := sample{pair: i, value: entry, place: places[at], container: before, isInit: isInit}
			if own := had[key]; own != nil {
				if node.Equal(own, entry) {
					continue
				}
				s.replaces, s.place = true, place{isFirst: true, isLast: true}
				s.value, s.join, s.joinOrder = joinedTo(own, entry)
			}
			a.add(list, s, "spec", pod.Main, "*", list, key)
		}
	}
}

// joinedTo returns what was joined to the value of a variable, with the separator and the order, or the new variable if nothing was.
func joinedTo(before, after *node.Node) (part *node.Node, join, order string) {
	old, value := node.Text(before, "value"), node.Text(after, "value")
	if old == "" || len(value) <= len(old)+1 {
		return after, "", ""
	}
	isSeparator := func(b byte) bool { return strings.IndexByte(" :;,", b) >= 0 }
	variable := func(text string) *node.Node {
		return node.Mapping(node.String("name"), node.Get(after, "name"), node.String("value"), node.String(text))
	}
	if rest, found := strings.CutPrefix(value, old); found && isSeparator(rest[0]) {
		return variable(rest[1:]), rest[:1], ""
	}
	if rest, found := strings.CutSuffix(value, old); found && isSeparator(rest[len(rest)-1]) {
		return variable(rest[:len(rest)-1]), rest[len(rest)-1:], "Before"
	}
	return after, "", ""
}

// group is additions that the same pods have.
type group struct {
	additions []*addition
	has       map[int]bool // the pairs that have them, and those that lack one
	lacks     map[int]bool
}

// maxGroups is how many injectors are learned at once. More are too many to review, and are reported as not learned.
const maxGroups = 16

// groups returns the additions by the pods that have them, in their order.
func (a *additions) groups(pairs []*Pair) (all []*group) {
	for _, one := range a.all {
		has, lacks := map[int]bool{}, map[int]bool{}
		for _, s := range one.samples {
			has[s.pair] = true
		}
		if !a.steps.Charge(len(pairs)) {
			return nil
		}
		for i, p := range pairs {
			if !has[i] && !a.isKept(one, p) {
				lacks[i] = true
			}
		}
		at := slices.IndexFunc(all, func(g *group) bool { return isDisjoint(g.has, lacks) && isDisjoint(g.lacks, has) })
		switch {
		case at < 0 && len(all) == maxGroups:
			continue
		case at < 0:
			at = len(all)
			all = append(all, &group{has: map[int]bool{}, lacks: map[int]bool{}})
		}
		g := all[at]
		g.additions = append(g.additions, one)
		for i := range has {
			g.has[i] = true
		}
		for i := range lacks {
			g.lacks[i] = true
		}
	}
	return all
}

func isDisjoint(a, b map[int]bool) bool {
	for i := range a {
		if b[i] {
			return false
		}
	}
	return true
}

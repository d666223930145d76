package learn

import (
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/config/variable"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// addition is something that pods have only after: a container, a volume, a variable of an app's container, a label, a
// field.
type addition struct {
	path    []string // of the value in a pod template; the container of the app that has it is "*"
	samples []sample
}

// sample is the addition in one pod, or in one container of it.
type sample struct {
	pair      *Pair
	path      []string
	value     *node.Node
	container *node.Node       // of the app, that has it
	replaced  *node.Node       // what was there before
	subject   variable.Subject // whose variables may be in the value
}

func (a *addition) isContainer() bool { return len(a.path) == 3 && isContainerList(a.path[1]) }
func (a *addition) key() string       { return a.path[len(a.path)-1] }

// isInApp reports whether a path leads to something that injectors add to the app's containers.
func isInApp(path []string) bool {
	return len(path) == 5 && isContainerList(path[1]) && slices.Contains([]string{"env", "envFrom", "volumeMounts"}, path[3])
}

func isContainerList(field string) bool { return slices.Contains(pod.ContainerLists[:], field) }

// maxAdditions is how many different containers, labels and so on are looked at. More are too many to review, and are
// reported as not learned.
const maxAdditions = 500

// collect returns the additions of all pairs, in the order in which they were found.
func collect(pairs []*Pair) (all []*addition) {
	byPath := map[string]*addition{}
	for _, p := range pairs {
		for _, d := range compare(p.before, p.after) {
			path := d.path[:unit(d.path)]
			s := sample{pair: p, path: path, value: p.at(p.after, path...), replaced: p.at(p.before, path...), subject: p.subject}
			switch {
			case s.value == nil:
				continue
			case isInApp(path):
				s.container = p.at(p.before, path[:3]...)
				s.subject.Container = injector.ContainerValues(s.container)
				path = []string{"spec", pod.Main, "*", path[3], path[4]}
			case s.replaced != nil && path[0] == "spec":
				continue // a change, which injectors do not make
			}
			key := strings.Join(path, "\x00")
			a := byPath[key]
			if a == nil {
				if len(all) >= maxAdditions {
					continue
				}
				a = &addition{path: path}
				byPath[key], all = a, append(all, a)
			}
			if last := len(a.samples) - 1; last < 0 || a.samples[last].value != s.value { // and not a second difference of the same entry
				a.samples = append(a.samples, s)
			}
		}
	}
	return all
}

// unit returns how many steps of a path lead to what an injector adds as a whole.
func unit(path []string) int {
	if len(path) > 4 && isInApp(path[:5]) {
		return 5
	}
	for i := 2; i < len(path); i++ {
		if pod.Element(typeAt(path[:i])) != nil { // an entry of a list
			return i + 1
		}
	}
	return len(path)
}

// isOwn reports whether a container of the app had something before at the address of an addition.
func (a *addition) isOwn(p *Pair, list, container string) bool {
	return p.at(p.before, "spec", list, container, a.path[3], a.path[4]) != nil
}

// isKept reports whether a pair lacks an addition because it had something at the same address before, which an injector
// leaves. The names are those of the app's containers that get the addition, if not all of them do.
func (a *addition) isKept(p *Pair, names []string) bool {
	if !isInApp(a.path) {
		return !a.isContainer() && p.at(p.before, a.path...) != nil
	}
	isReceiver := false
	for position, c := range pod.Containers(node.Get(p.before, "spec")) {
		name := node.Text(c, "name")
		if a.isOwn(p, position.List, name) {
			return true
		}
		isReceiver = isReceiver || names == nil || slices.Contains(names, name)
	}
	return !isReceiver
}

// receivers returns the names of the app's containers that have an addition, or none if all have it, whether init
// containers do, and whether some had something else there, and keep it.
func (a *addition) receivers() (names []string, includeInit, isKept bool) {
	has, isName, in := map[*node.Node]bool{}, map[string]bool{}, map[*Pair]bool{}
	for _, s := range a.samples {
		has[s.container], isName[node.Text(s.container, "name")], in[s.pair] = true, true, true
		includeInit = includeInit || s.path[1] == pod.Init
	}
	areAll := true
	for p := range in {
		for position, c := range pod.Containers(node.Get(p.before, "spec")) {
			if !has[c] && (position.List == pod.Main || includeInit) {
				isOwn := a.isOwn(p, position.List, node.Text(c, "name"))
				areAll, isKept = areAll && isOwn, isKept || isOwn
			}
		}
	}
	if !areAll {
		names = slices.Sorted(maps.Keys(isName))
	}
	return names, includeInit, isKept
}

// neighbours is where a new entry is in a list, among what was there before: before or after all of it, or behind or in
// front of an entry.
type neighbours struct {
	isFirst, isLast bool
	after, before   string // the keys of its neighbours
	leadsNative     bool   // a native sidecar that is new comes behind it
}

// neighbours returns where the entries of most samples are. Of the neighbours on both sides, those that more samples have
// count.
func (a *addition) neighbours() (most neighbours) {
	var all []neighbours
	for _, s := range a.samples {
		if s.replaced == nil {
			at := s.neighbours()
			most.leadsNative = most.leadsNative || at.leadsNative
			all = append(all, at)
		}
	}
	front := mostCommon(all, func(at neighbours) string { return at.after })
	back := mostCommon(all, func(at neighbours) string { return at.before })
	if len(all) > 0 && len(front) >= len(back) {
		most.after = front[0].after
		most.isFirst = most.after == ""
	}
	if len(all) > 0 && len(back) >= len(front) {
		most.before = back[0].before
		most.isLast = most.before == ""
	}
	return most
}

// neighbours returns the neighbours of the sample in its list.
func (s sample) neighbours() (at neighbours) {
	list := s.path[:len(s.path)-1]
	row := pod.Of(list...)
	own := s.pair.entriesOf(s.pair.at(s.pair.before, list...), row)
	isBehind := false
	for _, entry := range node.List(s.pair.at(s.pair.after, list...)) {
		key := entryKey(row, entry)
		switch {
		case entry == s.value:
			isBehind = true
		case own[key] == nil:
			at.leadsNative = at.leadsNative || isBehind && pod.IsNative(list[len(list)-1], entry)
		case !isBehind:
			at.after = key
		case at.before == "":
			at.before = key
		}
	}
	return at
}

// group is additions that the same pods have.
type group struct {
	additions []*addition
	has       map[*Pair]bool // whether pairs have all of them or lack one, except those for which it does not matter
}

// maxGroups is how many injectors are learned at once. More are too many to review.
const maxGroups = 16

// groupsOf returns the additions by the pods that have them.
func groupsOf(all []*addition, pairs []*Pair) (groups []*group) {
	for _, a := range all {
		one := &group{has: map[*Pair]bool{}}
		for _, s := range a.samples {
			one.has[s.pair] = true
		}
		var names []string
		if isInApp(a.path) {
			names, _, _ = a.receivers()
		}
		for _, p := range pairs {
			if !one.has[p] && !a.isKept(p, names) {
				one.has[p] = false
			}
		}
		if i := slices.IndexFunc(groups, one.fits); i >= 0 {
			maps.Copy(groups[i].has, one.has)
			one = groups[i]
		} else if len(groups) < maxGroups {
			groups = append(groups, one)
		}
		one.additions = append(one.additions, a)
	}
	return groups
}

// fits reports whether no pair has the additions of one group and lacks those of the other.
func (g *group) fits(other *group) bool {
	for p, isThere := range g.has {
		if isThereToo, matters := other.has[p]; matters && isThereToo != isThere {
			return false
		}
	}
	return true
}

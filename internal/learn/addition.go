package learn

import (
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/meter"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// addition is something that pods have only after: a container, a volume, a variable of an app's container, a label, a field.
type addition struct {
	path    []string // of the value in a pod template; the container of the app that has it is "*"
	samples []sample
}

// sample is the addition in one pod, or in one container of it.
type sample struct {
	pair      int
	path      []string
	value     *node.Node
	container *node.Node // of the app, that has it
	replaced  *node.Node // what was there before
}

// appLists are the lists of the app's containers that injectors add to.
var appLists = []string{"env", "envFrom", "volumeMounts"}

// isContainer and isInApp report what an addition is.
func (a *addition) isContainer() bool { return len(a.path) == 3 && isContainerList(a.path[1]) }
func (a *addition) isInApp() bool     { return len(a.path) == 5 && a.path[2] == "*" }
func (a *addition) key() string       { return a.path[len(a.path)-1] }

func isContainerList(field string) bool { return slices.Contains(pod.ContainerLists[:], field) }

// maxAdditions is how many different labels, annotations, volumes and so on are looked at. The others are reported as not learned.
const maxAdditions = 500

// collect returns the additions of all pairs, in the order in which they were found.
func collect(pairs []*Pair, find finder) (all []*addition) {
	byPath, counts := map[string]*addition{}, map[string]int{}
	for i, p := range pairs {
		last := ""
		for _, d := range compare(p.before, p.after) {
			size := unit(d.path)
			s := sample{pair: i, path: d.path[:size], value: find.at(p.after, d.path[:size]...)}
			here := strings.Join(s.path, "\x00")
			if s.value == nil || here == last { // a second difference of the same entry
				continue
			}
			last = here
			s.replaced = find.at(p.before, s.path...)
			path := s.path
			switch {
			case size == 5 && isContainerList(path[1]) && slices.Contains(appLists, path[3]):
				s.container = find.at(p.before, path[:3]...)
				path = []string{"spec", pod.Main, "*", path[3], path[4]}
			case size != 3 && isContainerList(path[1]), s.replaced != nil && path[0] == "spec":
				continue // a change, which injectors do not make
			}
			key := strings.Join(path, "\x00")
			if byPath[key] == nil && counts[path[1]] < maxAdditions {
				counts[path[1]]++
				byPath[key] = &addition{path: path}
				all = append(all, byPath[key])
			}
			if byPath[key] != nil {
				byPath[key].samples = append(byPath[key].samples, s)
			}
		}
	}
	return all
}

// unit returns how many steps of a path lead to what an injector adds as a whole.
func unit(path []string) int {
	if len(path) > 4 && isContainerList(path[1]) && slices.Contains(appLists, path[3]) {
		return 5
	}
	for i := 2; i < len(path) && !isContainerList(path[1]); i++ {
		if pod.Element(typeAt(path[:i])) != nil { // an entry of a list
			return i + 1
		}
	}
	return len(path)
}

// isKept reports whether a pair lacks an addition because it had something at the same place before, which an injector leaves. The names
// are those of the app's containers that get the addition, if not all of them do.
func (a *addition) isKept(p *Pair, names []string, find finder) bool {
	if !a.isInApp() {
		return !a.isContainer() && find.at(p.before, a.path...) != nil
	}
	isReceiver := false
	for place, c := range pod.Containers(node.Get(p.before, "spec")) {
		name := node.Text(c, "name")
		isReceiver = isReceiver || names == nil || slices.Contains(names, name)
		if find.at(p.before, "spec", place.List, name, a.path[3], a.path[4]) != nil {
			return true
		}
	}
	return !isReceiver
}

// receivers returns the names of the app's containers that have an addition, or none if all have it, whether init containers do, and
// whether some had something else there, and keep it.
func (a *addition) receivers(pairs []*Pair, find finder) (names []string, includeInit, isKept bool) {
	type container struct {
		pair int
		name string
	}
	has, with, in := map[container]bool{}, map[string]bool{}, map[int]bool{}
	for _, s := range a.samples {
		c := container{s.pair, node.Text(s.container, "name")}
		has[c], with[c.name], in[c.pair] = true, true, true
		includeInit = includeInit || s.path[1] == pod.Init
	}
	areAll := true
	for pair := range in {
		for place, c := range pod.Containers(node.Get(pairs[pair].before, "spec")) {
			name := node.Text(c, "name")
			if place.List == pod.Init && !includeInit || has[container{pair, name}] {
				continue
			}
			isOwn := find.at(pairs[pair].before, "spec", place.List, name, a.path[3], a.path[4]) != nil
			areAll, isKept = areAll && isOwn, isKept || isOwn
		}
	}
	if areAll {
		return nil, includeInit, isKept
	}
	return slices.Sorted(maps.Keys(with)), includeInit, isKept
}

// place is where a sample is in its list, among what was there before.
type place struct {
	isFirst, isLast bool   // before or after all of it
	after, before   string // the keys of its neighbours
	leadsNative     bool   // a native sidecar that is new comes behind it
}

func (s sample) place(p *Pair, find finder) place {
	list := s.path[:len(s.path)-1]
	row, here := pod.Of(list...), place{isFirst: true, isLast: true}
	if s.replaced != nil {
		return here
	}
	own, isBehind := find.entries(find.at(p.before, list...), row), false
	for _, entry := range node.List(find.at(p.after, list...)) {
		switch key := entryKey(row, entry); {
		case entry == s.value:
			isBehind = true
		case isBehind && own[key] == nil && pod.IsNative(list[len(list)-1], entry):
			here.leadsNative = true
		case own[key] == nil:
		case !isBehind:
			here.after, here.isFirst = key, false
		case here.isLast:
			here.before, here.isLast = key, false
		}
	}
	return here
}

// group is additions that the same pods have.
type group struct {
	additions  []*addition
	has, lacks map[int]bool // the pairs that have all of them, and those that lack one
}

// chosen returns some of all pairs.
func chosen(all []*Pair, some map[int]bool) (found []*Pair) {
	for i, p := range all {
		if some[i] {
			found = append(found, p)
		}
	}
	return found
}

// maxGroups is how many injectors are learned at once. More are too many to review.
const maxGroups = 16

// groupsOf returns the additions by the pods that have them.
func groupsOf(all []*addition, pairs []*Pair, find finder, steps *meter.Meter) (groups []*group) {
	isDisjoint := func(a, b map[int]bool) bool {
		for i := range a {
			if b[i] {
				return false
			}
		}
		return true
	}
	for _, a := range all {
		one := &group{has: map[int]bool{}, lacks: map[int]bool{}}
		for _, s := range a.samples {
			one.has[s.pair] = true
		}
		var names []string
		if a.isInApp() {
			names, _, _ = a.receivers(pairs, find)
		}
		for i, p := range pairs {
			if steps.Charge(1) && !one.has[i] && !a.isKept(p, names, find) {
				one.lacks[i] = true
			}
		}
		fits := func(g *group) bool { return isDisjoint(g.has, one.lacks) && isDisjoint(g.lacks, one.has) }
		if i := slices.IndexFunc(groups, fits); i >= 0 {
			maps.Copy(groups[i].has, one.has)
			maps.Copy(groups[i].lacks, one.lacks)
			one = groups[i]
		} else if len(groups) < maxGroups {
			groups = append(groups, one)
		}
		one.additions = append(one.additions, a)
	}
	return groups
}

package ledger

import (
	"slices"
	"strings"

	"pillion.dev/pillion/internal/core/stamp"
)

// Owners is an index from what is in a pod template to the injectors that put it there: those of other runs, and those
// before in the run. It grows with each ledger. The zero value has none.
type Owners struct {
	all    []Ledger
	adds   map[stamp.Address][]int          // indexes of those that put it in
	enters map[stamp.Address][]int          // indexes of those that put something into a container or a variable
	finds  map[stamp.Address][]int          // indexes of those that want it, or something in it, as the app has it
	joined map[stamp.Address][]stamp.Joined // what they joined to a variable
}

// Add adds an injector. Of its entries, those are kept that the app has; the stamp has the others.
func (o *Owners) Add(one Ledger) {
	if len(o.all) == 0 {
		o.adds = map[stamp.Address][]int{}
		o.enters = map[stamp.Address][]int{}
		o.finds = map[stamp.Address][]int{}
		o.joined = map[stamp.Address][]stamp.Joined{}
	}
	index := len(o.all)
	one.Entries = one.Entries.found()
	o.all = append(o.all, one)
	for _, at := range one.Stamp.Addresses() {
		o.adds[at] = append(o.adds[at], index)
	}
	for at := range one.Stamp.Enters() {
		o.enters[at] = append(o.enters[at], index)
	}
	for _, part := range one.Stamp.JoinedParts() {
		o.joined[part.Variable] = append(o.joined[part.Variable], part)
	}
	for _, found := range one.Entries {
		for _, at := range withParents(found.Address) {
			o.finds[at] = append(o.finds[at], index)
		}
	}
}

// withParents returns an address, and those of the container and the variable that it is in.
func withParents(at stamp.Address) []stamp.Address {
	all := []stamp.Address{at}
	if container := stamp.ContainerOf(at.Path); container != (stamp.Address{}) {
		all = append(all, container)
	}
	if variable, _, isPart := stamp.JoinedVariable(at.Path); isPart {
		all = append(all, variable)
	}
	return all
}

// Count returns how many injectors there are.
func (o *Owners) Count() int { return len(o.all) }

// Names returns the names of the injectors up to a count: those of the run first.
func (o *Owners) Names(count int) string {
	var ofRun, others []string
	for _, one := range o.all[:count] {
		if one.IsOfRun {
			ofRun = append(ofRun, one.Injector)
		} else {
			others = append(others, one.Injector)
		}
	}
	return strings.Join(append(ofRun, others...), ", ")
}

// Has reports whether an injector put in something.
func (o *Owners) Has(at stamp.Address) bool { return len(o.adds[at]) > 0 }

// HasOtherRuns reports whether an injector of another run put in something.
func (o *Owners) HasOtherRuns(at stamp.Address) bool {
	return slices.ContainsFunc(o.adds[at], func(i int) bool { return !o.all[i].IsOfRun })
}

// IsWantedByRun reports whether an injector of the run put in something, or wants what the app has.
func (o *Owners) IsWantedByRun(at stamp.Address) bool {
	return len(o.finds[at]) > 0 || slices.ContainsFunc(o.adds[at], func(i int) bool { return o.all[i].IsOfRun })
}

// Joined returns what injectors joined to a variable.
func (o *Owners) Joined(variable stamp.Address) []stamp.Joined { return o.joined[variable] }

package transformers

import (
	"maps"
	"math"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/injector"
)

// Others is what injectors of other runs have put into a pod.
type Others struct {
	Containers map[string]string // their names, and their marks
	Volumes    []string
	Given      []Given
}

// Given is an entry that an injector has given to a container of the app's.
type Given struct {
	List, Container string
	Entry           *yaml.Node
}

// And is the same with what injectors of other runs have put into a pod. Nothing of theirs is seen: whether they run
// before or after must make no difference. What those that go in bring as well is seen from their turn on.
func (b *Brought) And(others Others, goingIn []*injector.Injector) *Brought {
	all := *b
	all.containers, all.volumes, all.theirs = maps.Clone(b.containers), maps.Clone(b.volumes), map[string]int{}
	all.policies, all.neighbours = maps.Clone(b.policies), maps.Clone(b.neighbours)
	ours := b.firstTurns(goingIn)
	for name, mark := range others.Containers {
		all.containers[name] = ours.containers.of(name)
		all.readMark(name, mark)
	}
	for _, name := range others.Volumes {
		all.volumes[name] = ours.volumes.of(name)
	}
	for _, g := range others.Given {
		all.theirs[theirKey(g.Container, g.Entry)] = ours.givenTo(g).of(textOf(g.Entry))
	}
	return &all
}

// turns are the first turns of things, by what they are found by.
type turns map[string]int

func (t turns) add(key string, turn int) {
	if at, known := t[key]; !known || turn < at {
		t[key] = turn
	}
}

// of is a turn that never comes where there is none.
func (t turns) of(key string) int {
	if at, known := t[key]; known {
		return at
	}
	return math.MaxInt
}

// firstTurns are those in which what some of a run's injectors bring comes in.
type firstTurns struct {
	containers, volumes turns
	given               map[string]turns // by container; made when it is asked for
	starts              map[string]int
	injectors           []*injector.Injector
}

func (b *Brought) firstTurns(injectors []*injector.Injector) *firstTurns {
	f := &firstTurns{containers: turns{}, volumes: turns{}, given: map[string]turns{}, starts: b.starts, injectors: injectors}
	for _, in := range injectors {
		for _, volume := range in.Volumes {
			f.volumes.add(volume.Name, b.starts[in.Name])
		}
		for _, list := range [][]injector.Container{in.InitContainers, in.Containers} {
			for _, c := range list {
				f.containers.add(c.Name, b.turns[container{in.Name, c.Name}])
			}
		}
	}
	return f
}

// givenTo is what the injectors give to the container of an entry.
func (f *firstTurns) givenTo(g Given) turns {
	if given, known := f.given[g.Container]; known {
		return given
	}
	given := turns{}
	for _, in := range f.injectors {
		s := shareOf(in, g.Container, g.List == initContainers)
		for _, list := range [][]*yaml.Node{s.prepend, s.behind, s.mounts} {
			for _, entry := range list {
				given.add(textOf(entry), f.starts[in.Name])
			}
		}
	}
	f.given[g.Container] = given
	return given
}

// theirKey is the same for entries of one container that say the same.
func theirKey(container string, entry *yaml.Node) string { return container + "\x00" + textOf(entry) }

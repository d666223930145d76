package payload

import (
	"maps"
	"math"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/injector"
)

// OtherRuns is what injectors of other runs added to a pod template, as far as their stamps tell.
type OtherRuns struct {
	Containers, Volumes []string
	Entries             []AppEntry
}

// AppEntry is an entry that an injector added to a list of a container of the app, such as a variable.
type AppEntry struct {
	List, Container string
	Entry           *yaml.Node
}

// With returns the origins together with what injectors of other runs added. None of that counts, because it must make no
// difference whether they run before or after; what an injector that goes in adds as well counts from its turn on.
func (o *Origins) With(others OtherRuns, goingIn ...*injector.Injector) *Origins {
	all := *o
	all.containers, all.volumes, all.otherRuns = maps.Clone(o.containers), maps.Clone(o.volumes), map[string]int{}
	first := o.firstTurns(goingIn)
	for _, name := range others.Containers {
		all.containers[name] = first.containers.orNever(name)
	}
	for _, name := range others.Volumes {
		all.volumes[name] = first.volumes.orNever(name)
	}
	for _, e := range others.Entries {
		all.otherRuns[otherRunsKey(e.Container, e.Entry)] = first.entriesFor(e).orNever(contentKey(e.Entry))
	}
	return &all
}

// turns are the first turns of things, by their keys.
type turns map[string]int

func (t turns) add(key string, turn int) {
	if at, known := t[key]; !known || turn < at {
		t[key] = turn
	}
}

// orNever returns the turn of a key, or one that never comes.
func (t turns) orNever(key string) int {
	if at, known := t[key]; known {
		return at
	}
	return math.MaxInt
}

// firstTurns are those in which what some of a run's injectors add goes in.
type firstTurns struct {
	containers, volumes turns
	entries             map[string]turns // by container of the app; computed when first needed
	starts              map[string]int
	injectors           []*injector.Injector
}

func (o *Origins) firstTurns(injectors []*injector.Injector) *firstTurns {
	f := &firstTurns{containers: turns{}, volumes: turns{}, entries: map[string]turns{}, starts: o.starts, injectors: injectors}
	for _, in := range injectors {
		for _, volume := range in.Volumes {
			f.volumes.add(volume.Name, o.starts[in.Name])
		}
		for _, c := range slices.Concat(in.InitContainers, in.Containers) {
			f.containers.add(c.Name, o.turns[containerID{in.Name, c.Name}])
		}
	}
	return f
}

// entriesFor returns the turns of what the injectors add to the container of an entry.
func (f *firstTurns) entriesFor(e AppEntry) turns {
	if known, ok := f.entries[e.Container]; ok {
		return known
	}
	added := turns{}
	for _, in := range f.injectors {
		p := newAppPayload(in, e.Container, e.List == initContainers)
		for _, entry := range slices.Concat(p.envBefore, p.envAfter, p.mounts) {
			added.add(contentKey(entry), f.starts[in.Name])
		}
	}
	f.entries[e.Container] = added
	return added
}

// otherRunsKey is the same for entries of one container with the same content.
func otherRunsKey(container string, entry *yaml.Node) string {
	return container + "\x00" + contentKey(entry)
}

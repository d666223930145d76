package transformers

import (
	"maps"
	"math"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/node"
)

// Brought says what the injectors of a run bring, so that it can be told from the app's own, and
// in which order. It goes by names, because on a second run what was brought is there already.
type Brought struct {
	containers, volumes map[string]int // the last turn in which the name comes in
	turns               map[container]int
	policies            map[string]v1alpha1.PodInjectPolicy // of the containers, by name
	neighbours          map[string]string                   // what containers go behind, by name
	given               givens
	traceless           bool // whether an injector leaves no stamp, so that what it has brought looks like the app's
}

// container is a container of an injector, by their names.
type container struct{ injector, name string }

// BroughtBy looks at all injectors of a run, in their order.
func BroughtBy(injectors ...*injector.Injector) *Brought {
	b := &Brought{
		containers: map[string]int{}, volumes: map[string]int{}, turns: map[container]int{},
		policies: map[string]v1alpha1.PodInjectPolicy{}, neighbours: map[string]string{}, given: givens{},
	}
	turn := 0
	for _, in := range injectors {
		b.traceless = b.traceless || in.Spec.Stamp == v1alpha1.StampNone
		for _, volume := range in.Volumes {
			b.volumes[volume.Name] = turn
		}
		for _, rule := range in.AppContainers {
			for _, entry := range slices.Concat(rule.Env, rule.VolumeMounts) {
				b.given.add(entry, turn, !in.Literal && strings.Contains(node.Brief(entry), "${"))
			}
		}
		for _, list := range [][]injector.Container{in.InitContainers, in.Containers} {
			for _, c := range list {
				turn++
				b.containers[c.Name] = turn
				b.turns[container{in.Name, c.Name}] = turn
				b.policies[c.Name], b.neighbours[c.Name] = c.PodInjectPolicy, c.After
			}
		}
		turn++
	}
	return b
}

// And is the same with what injectors of other runs have put into a pod: containers, by their names and with
// their marks, volumes, and entries of the app's containers. Nothing of theirs is seen: whether they run before
// or after must make no difference.
func (b *Brought) And(containers map[string]string, volumes []string, entries []*yaml.Node) *Brought {
	all := &Brought{
		containers: maps.Clone(b.containers), volumes: maps.Clone(b.volumes), turns: b.turns,
		policies: maps.Clone(b.policies), neighbours: maps.Clone(b.neighbours), given: maps.Clone(b.given), traceless: b.traceless,
	}
	for name, mark := range containers {
		all.containers[name] = math.MaxInt
		all.readMark(name, mark)
	}
	for _, name := range volumes {
		all.volumes[name] = math.MaxInt
	}
	for _, entry := range entries {
		all.given.add(entry, math.MaxInt, false)
	}
	return all
}

// before tells whether a name is the app's, or else comes in before a turn, whoever brings it.
// What comes later must not be seen even where it is there: on the first run it was not.
func before(turns map[string]int, name string, turn int) bool {
	at, brought := turns[name]
	return !brought || at < turn
}

package transformers

import (
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// Brought says what the injectors of a run bring, so that it can be told from the app's own, and
// in which order. It goes by names, because on a second run what was brought is there already.
type Brought struct {
	containers, volumes map[string]int // the turn in which the name comes in
	turns               map[container]int
	starts              map[string]int                      // the turns of injectors, by name
	policies            map[string]v1alpha1.PodInjectPolicy // of the containers, by name
	neighbours          map[string]string                   // what containers go behind, by name
	given               givens
	theirs              map[string]int // what injectors of other runs have given to containers, and the turn in which it comes by this one
	traceless           bool           // whether an injector leaves no stamp, so that what it has brought looks like the app's
}

// container is a container of an injector, by their names.
type container struct{ injector, name string }

// BroughtBy looks at all injectors of a run, in their order.
func BroughtBy(injectors ...*injector.Injector) *Brought {
	b := &Brought{
		containers: map[string]int{}, volumes: map[string]int{}, turns: map[container]int{}, starts: map[string]int{},
		policies: map[string]v1alpha1.PodInjectPolicy{}, neighbours: map[string]string{}, given: givens{},
		traceless: slices.ContainsFunc(injectors, func(in *injector.Injector) bool { return in.Spec.Stamp == v1alpha1.StampNone }),
	}
	turn := 0
	for _, in := range injectors {
		b.starts[in.Name] = turn
		for _, volume := range in.Volumes {
			b.comes(b.volumes, volume.Name, turn)
		}
		for _, rule := range in.AppContainers {
			for _, entry := range slices.Concat(rule.Env, rule.VolumeMounts) {
				b.comes(b.given, givenKey(entry, !in.Literal && strings.Contains(node.Brief(entry), "${")), turn)
			}
		}
		for _, list := range [][]injector.Container{in.InitContainers, in.Containers} {
			for _, c := range list {
				turn++
				b.comes(b.containers, c.Name, turn)
				b.turns[container{in.Name, c.Name}] = turn
				b.policies[c.Name], b.neighbours[c.Name] = c.PodInjectPolicy, c.After
			}
		}
		turn++
	}
	return b
}

// comes notes a turn in which something comes in. The first counts, as what the run's injectors had put in is taken out before
// any of them goes in. Without stamps it stays there, and the last counts.
func (b *Brought) comes(turns map[string]int, key string, turn int) {
	if _, known := turns[key]; !known || b.traceless {
		turns[key] = turn
	}
}

// before tells whether a name is the app's, or else comes in before a turn, whoever brings it.
// What comes later must not be seen even where it is there: on the first run it was not.
func before(turns map[string]int, name string, turn int) bool {
	at, brought := turns[name]
	return !brought || at < turn
}

package transformers

import "pillion.dev/pillion/internal/injector"

// Brought says what the injectors of a run bring, so that it can be told from the app's own, and
// in which order. It goes by names, because on a second run what was brought is there already.
type Brought struct {
	containers, volumes map[string]int // the last turn in which the name comes in
	turns               map[container]int
}

// container is a container of an injector, by their names.
type container struct{ injector, name string }

// BroughtBy looks at all injectors of a run, in their order.
func BroughtBy(injectors ...*injector.Injector) *Brought {
	b := &Brought{containers: map[string]int{}, volumes: map[string]int{}, turns: map[container]int{}}
	turn := 0
	for _, in := range injectors {
		for _, volume := range in.Volumes {
			b.volumes[volume.Name] = turn
		}
		for _, list := range [][]injector.Container{in.InitContainers, in.Containers} {
			for _, c := range list {
				turn++
				b.containers[c.Name] = turn
				b.turns[container{in.Name, c.Name}] = turn
			}
		}
		turn++
	}
	return b
}

// before tells whether a name is the app's, or else comes in before a turn, whoever brings it.
// What comes later must not be seen even where it is there: on the first run it was not.
func before(turns map[string]int, name string, turn int) bool {
	at, brought := turns[name]
	return !brought || at < turn
}

package payload

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// Origins records what injectors add to a pod template, and in which order, so that it can be told from what the app has.
// It goes by names, because on a second run everything is there already.
//
// Each container of the run's injectors has a turn. What goes in at a later turn must not count even if it is there: on
// the first run it was not.
type Origins struct {
	containers, volumes map[string]int // the turn in which the name goes in
	turns               map[containerID]int
	starts              map[string]int // the first turns of injectors, by name
	appEntries          map[string]int // the turns of entries for containers of the app, see appEntryKey
	otherRuns           map[string]int // the same for what injectors of other runs added, see otherRunsKey
	hasUnstamped        bool           // an injector leaves no stamp, so that what it added looks like the app's
}

// containerID is a container of an injector, by their names.
type containerID struct{ injector, name string }

// NewOrigins returns what the injectors of a run add, in their order.
func NewOrigins(injectors ...*injector.Injector) *Origins {
	o := &Origins{
		containers: map[string]int{}, volumes: map[string]int{}, turns: map[containerID]int{}, starts: map[string]int{},
		appEntries:   map[string]int{},
		hasUnstamped: slices.ContainsFunc(injectors, func(in *injector.Injector) bool { return in.Spec.Stamp == v1alpha1.StampNone }),
	}
	turn := 0
	for _, in := range injectors {
		o.starts[in.Name] = turn
		for _, volume := range in.Volumes {
			o.setTurn(o.volumes, volume.Name, turn)
		}
		for _, rule := range in.AppContainers {
			for _, each := range rule.Each() {
				for _, entry := range slices.Concat(each.Env, each.VolumeMounts) {
					o.setTurn(o.appEntries, appEntryKey(entry, !in.Literal && strings.Contains(node.Brief(entry), "${")), turn)
				}
			}
		}
		for _, list := range [...][]injector.Container{in.InitContainers, in.Containers} {
			for _, c := range list {
				turn++
				o.setTurn(o.containers, c.Name, turn)
				o.turns[containerID{in.Name, c.Name}] = turn
			}
		}
		turn++
	}
	return o
}

// setTurn records a turn in which something goes in. The first counts, because what the run's injectors added before is
// taken out before any of them goes in. Without stamps it stays there, and the last counts.
func (o *Origins) setTurn(turns map[string]int, key string, turn int) {
	if _, known := turns[key]; !known || o.hasUnstamped {
		turns[key] = turn
	}
}

// isBefore reports whether a name is the app's, or goes in before a turn.
func isBefore(turns map[string]int, name string, turn int) bool {
	at, isAdded := turns[name]
	return !isAdded || at < turn
}

// appEntryKey returns the key by which Origins finds an entry that injectors add to containers of the app: its content,
// because a pod may have thousands of mounts and variables. Of an entry that differs from pod to pod, only its name and
// mount path are known.
func appEntryKey(entry *yaml.Node, varies bool) string {
	if varies {
		return nameKey(entry)
	}
	return contentKey(entry)
}

// adds reports whether injectors add such an entry to a container of the app, in a turn or later. As with names, it makes
// no difference whether it is there already.
func (o *Origins) adds(container string, entry *yaml.Node, turn int) bool {
	if len(o.otherRuns) > 0 {
		if at, isAdded := o.otherRuns[otherRunsKey(container, entry)]; isAdded && at >= turn {
			return true
		}
	}
	if len(o.appEntries) == 0 {
		return false
	}
	for _, key := range []string{contentKey(entry), nameKey(entry)} {
		if at, isAdded := o.appEntries[key]; isAdded && at >= turn {
			return true
		}
	}
	return false
}

// contentKey is the same for entries with the same content.
func contentKey(entry *yaml.Node) string { return string(node.AppendCanonical([]byte("text "), entry)) }

// nameKey is the same for entries of the same name and mount path.
func nameKey(entry *yaml.Node) string {
	return "key " + node.Text(entry, "name") + "\x00" + node.Text(entry, "mountPath")
}

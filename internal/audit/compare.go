package audit

import (
	"fmt"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/declared"
	"pillion.dev/pillion/internal/pods/live"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// sides are what is declared for a pod by all injectors, and the pod.
type sides struct {
	pod        *node.Node
	want, is   *stamp.View
	autoscaler autoscaler
}

func newSides(wanted, running *node.Node) *sides {
	return &sides{
		pod:        running,
		want:       stamp.NewView(wanted),
		is:         stamp.NewView(running),
		autoscaler: newAutoscaler(running),
	}
}

// comparison compares what one injector declares for a pod with the pod.
type comparison struct {
	*sides
	row *Row
	// What is declared, and what of it is missing: in all, and of the sidecars.
	all, sidecars tally
	parts         map[stamp.Address]bool // the declared variables of which only parts are declared
}

// partsOf returns the variables among things that other things are joined to.
func partsOf(things []stamp.Address) map[stamp.Address]bool {
	joined := map[stamp.Address]bool{}
	for _, thing := range things {
		if variable, _, isPart := stamp.JoinedVariable(thing.Path); isPart {
			joined[variable] = true
		}
	}
	parts := map[stamp.Address]bool{}
	for _, thing := range things {
		if joined[thing] {
			parts[thing] = true
		}
	}
	return parts
}

// compare compares what was added to the wanted template, according to its stamp, with the pod, and sets the result in
// the row.
func (s *subject) compare(row *Row, key string) {
	row.State = Current
	added := s.injection.stamps[key]
	if added == nil { // nothing is declared that the pod does not have
		return
	}
	if s.sides == nil {
		s.sides = newSides(s.injection.wanted, s.withDeclaredNames())
	}
	things := added.Addresses()
	c := comparison{sides: s.sides, row: row, parts: partsOf(things)}
	for _, thing := range things {
		if thing.Path != "metadata/annotations" || thing.Key != pod.DefaultContainer {
			c.compare(thing)
		}
	}
	switch {
	case len(row.Fields) == 0:
	case c.sidecars.areMissing(), c.all.areMissing():
		row.State = Missing
	default:
		row.State = Stale
	}
}

// compare compares one thing that is declared.
func (c *comparison) compare(thing stamp.Address) {
	wanted, found := c.want.At(thing.Path, thing.Key), c.is.At(thing.Path, thing.Key)
	switch variable, _, isPart := stamp.JoinedVariable(thing.Path); {
	case isPart && c.parts[variable] && c.is.At(variable.Path, variable.Key) == nil:
		return // the variable itself is missing, and declared
	case c.parts[thing] && found != nil:
		c.all.count(false)
		return // its parts are compared; others may have joined more to it
	}
	differences := declared.InPod(wanted, found, append(strings.Split(thing.Path, "/"), thing.Key)...)
	at := c.fieldOf(thing, found == nil)
	isContainer := stamp.IsContainers(thing.Path)
	elsewhere := ""
	if isContainer && found == nil {
		elsewhere = c.listOf(thing.Key)
	}
	isThere := found != nil && (thing.Path != "spec" || !live.IsDefault(thing.Key, found)) || elsewhere != ""
	isMissing := !isThere && len(differences) > 0
	c.all.count(isMissing)
	if isContainer {
		c.sidecars.count(isMissing)
		c.addImage(thing.Key, found)
	}
	for _, d := range differences {
		if isContainer && d.Live != nil && c.isExcused(thing.Key, d) {
			continue
		}
		field := Field{Path: strings.Clone(node.Join(at, d.Path)), Declared: inWords(d.Declared), Live: brief(d.Live), IsMissing: d.Live == nil}
		if elsewhere != "" {
			field.Live, field.IsMissing = "is in "+elsewhere+" instead", false
		}
		c.row.Fields = append(c.row.Fields, field)
	}
}

// listOf returns the list in which the pod has a container, or "". A native sidecar may have been a plain one before.
func (c *comparison) listOf(name string) string {
	for _, list := range pod.ContainerLists {
		if c.is.At(pod.InSpec(list).Path, name) != nil {
			return list
		}
	}
	return ""
}

// isExcused reports whether a difference in a sidecar is none that matters. It adds infos about differences that have a
// known cause.
func (c *comparison) isExcused(container string, d declared.Difference) bool {
	switch by := c.autoscaler.nameFor(container, d.Path); {
	case d.Declared == nil:
		return false
	case d.Path == "image" && isSameImage(d.Declared.Value, d.Live.Value):
		return true
	case d.Path == "image" && isMirrored(d.Declared.Value, d.Live.Value):
		c.inform(finding.ImageFromMirror, "the image of container %s is %s, which is the declared %s from another registry",
			container, brief(d.Live), brief(d.Declared))
		return true
	case by != "":
		c.inform(finding.ResourcesChanged, "%s of container %s is %s, set by the vertical pod autoscaler %s; declared is %s",
			d.Path, container, brief(d.Live), by, brief(d.Declared))
		return true
	}
	return false
}

func (c *comparison) inform(code finding.Code, format string, args ...any) {
	c.row.Infos = append(c.row.Infos, Info{code, fmt.Sprintf(format, args...)})
}

// tally counts what is declared, and what of it is missing.
type tally struct{ declared, missing int }

func (t *tally) count(isMissing bool) {
	t.declared++
	if isMissing {
		t.missing++
	}
}

func (t *tally) areMissing() bool { return t.declared > 0 && t.missing == t.declared }

// inWords returns a declared value, which is nil if the pod has an entry too many.
func inWords(value *node.Node) string {
	if value == nil {
		return "nothing"
	}
	return brief(value)
}

// brief returns a node in words that share no memory with its text.
func brief(n *node.Node) string { return strings.Clone(node.Brief(n)) }

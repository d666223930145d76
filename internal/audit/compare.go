package audit

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/declared"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// comparison compares what is declared for a pod with the pod.
type comparison struct {
	row        *Row
	pod        *yaml.Node
	want, is   *stamp.View
	autoscaler autoscaler
	limits     limitRange
	// What is declared, and what of it is missing: in all, and of the sidecars.
	all, sidecars tally
}

// compare compares what a stamp says was added to the wanted template with the pod, and gives the row the result.
func (s *subject) compare(row *Row, key string) {
	row.State = Current
	stamps, _ := stamp.Read(s.injection.wanted)
	if stamps[key] == nil { // nothing is declared that the pod does not have
		return
	}
	pod := s.withDeclaredNames()
	c := comparison{
		row: row, pod: pod, want: stamp.NewView(s.injection.wanted), is: stamp.NewView(pod),
		autoscaler: newAutoscaler(pod), limits: newLimitRange(pod),
	}
	for _, thing := range stamps[key].Things() {
		if thing.Path != "metadata/annotations" || thing.Key != defaultContainer {
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
func (c *comparison) compare(thing stamp.Thing) {
	wanted, found := c.want.At(thing.Path, thing.Key), c.is.At(thing.Path, thing.Key)
	differences := declared.InPod(wanted, found, append(strings.Split(thing.Path, "/"), thing.Key)...)
	at := c.want.FieldOf(thing, "")
	if found != nil {
		at = c.is.FieldOf(thing, "")
	}
	isMissing := found == nil && len(differences) > 0
	c.all.count(isMissing)
	isContainer := stamp.IsContainers(thing.Path)
	if isContainer {
		c.sidecars.count(isMissing)
		c.addImage(thing.Key, found)
	}
	for _, d := range differences {
		if isContainer && d.Live != nil && c.isExcused(thing.Key, d) {
			continue
		}
		c.row.Fields = append(c.row.Fields, Field{
			Path: strings.Clone(joined(at, d.Path)), Declared: brief(d.Declared), Live: brief(d.Live), IsMissing: d.Live == nil,
		})
	}
}

// isExcused reports whether a difference in a sidecar is none that matters. It adds infos about differences that have a known cause.
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
	case c.limits.sets(container, d.Path):
		c.inform(finding.ResourcesChanged, "%s of container %s is %s, set by a LimitRange because it was not declared when the pod was created",
			d.Path, container, brief(d.Live))
	}
	return false
}

func (c *comparison) inform(code finding.Code, format string, args ...any) {
	c.row.Infos = append(c.row.Infos, Info{code, fmt.Sprintf(format, args...)})
}

// defaultContainer is an annotation that says which container is the app's. It does nothing.
const defaultContainer = "kubectl.kubernetes.io/default-container"

// tally counts what is declared, and what of it is missing.
type tally struct{ declared, missing int }

func (t *tally) count(isMissing bool) {
	t.declared++
	if isMissing {
		t.missing++
	}
}

func (t *tally) areMissing() bool { return t.declared > 0 && t.missing == t.declared }

func joined(at, path string) string {
	if path == "" {
		return at
	}
	return at + "." + path
}

// brief returns a node in words that share no memory with its text.
func brief(n *yaml.Node) string { return strings.Clone(node.Brief(n)) }

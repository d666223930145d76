package engine

import (
	"cmp"
	"slices"
	"strings"
	"unique"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/selection"
	"pillion.dev/pillion/internal/core/outcome"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// workload is one workload, with the results of the steps so far.
type workload struct {
	run     *run
	item    *manifest.Item
	kind    pods.Kind
	guard   *selection.Decision // whether it can be changed at all
	waiting []*runInjector      // those that are not rolled out to it

	read               *node.Node // the document as it was read
	wrapped            *node.Node // the object in it, with templates around bare pod specs
	document, original *node.Node // the same with the names that the config has, see declareNames
	copied, changed    *node.Node // the version under change; nil until the first injector acts on it
	isTouched          bool       // whether the version differs

	memory   memory
	pods     []pod
	outcomes []outcome.Outcome       // of the injectors, by their index
	app      *appVersion             // nil until it is needed
	texts    map[*node.Node]string   // the text of nodes that were restored from stamps
	written  func(*node.Node) string // how nodes of the original are written; nil until a stamp has to record it

	result *outcome.Workload // what is known so far
	failed bool              // whether there is an error
	added  int               // the bytes that injectors have added, at least
	lost   int               // findings that are only counted
}

// appVersion is a workload without anything that any injector added, according to its stamps.
type appVersion struct {
	document, object *node.Node // made of the nodes of the original
	isStamped        bool       // whether it differs from the original
}

// room returns how much may be added to the workload.
func (w *workload) room() *meter.Room { return w.run.meter.Room(manifest.MaxItemBytes, w.added) }

// report adds a finding about one injector.
func (w *workload) report(m *runInjector, f finding.Finding) {
	f.Injector = m.injector.Name
	w.add(&w.outcomes[m.index].Findings, f)
}

// reportGeneral adds a finding that concerns no injector in particular.
func (w *workload) reportGeneral(f finding.Finding) { w.add(&w.result.General, f) }

// Limits on the findings about a workload, which may have thousands of containers with long names.
const (
	maxFindings     = 100    // of one injector that are shown, errors first
	maxCollected    = 10_000 // of one injector, to choose from
	maxMessageBytes = 4 << 10
)

// add adds a finding to others. If there are very many, it is only counted, except that it replaces one that matters
// less.
func (w *workload) add(to *[]finding.Finding, f finding.Finding) {
	w.failed = w.failed || f.Severity == finding.Error
	w.run.meter.Charge(meter.PerFinding + len(f.Message))
	if last := maxCollected - 1; len(*to) > last {
		w.lost++
		if (*to)[last].Severity >= f.Severity {
			return
		}
		*to = (*to)[:last]
	}
	f.Message = escape.Clip(f.Message, maxMessageBytes)
	if at := f.Field; at != nil && max(len(at.Path), len(at.Current), len(at.Proposed)) > maxMessageBytes {
		f.Field = &finding.Field{
			Path: escape.Clip(at.Path, maxMessageBytes), Current: escape.Clip(at.Current, maxMessageBytes),
			Proposed: escape.Clip(at.Proposed, maxMessageBytes),
		}
	}
	*to = append(*to, f)
}

// capped returns the findings that are shown: all, or the worst and how many more there are.
func (w *workload) capped(findings []finding.Finding) []finding.Finding {
	if len(findings) <= maxFindings {
		return findings
	}
	slices.SortStableFunc(findings, func(a, b finding.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	more := newFinding(findings[maxFindings].Severity, finding.MoreFindings, nil,
		"%d more findings about this workload are not shown", len(findings)-maxFindings+w.lost)
	more.Injector = findings[0].Injector
	w.lost = 0
	return append(findings[:maxFindings:maxFindings], more)
}

// newWorkload returns a workload that no step has changed.
func (r *run) newWorkload(item *manifest.Item, object *node.Node) *outcome.Workload {
	return &outcome.Workload{
		Object: r.objectOf(item, object),
		File:   fileOf(item, object),
		Before: item.Text,
		Line:   1,
	}
}

// objectOf identifies an item, in the namespace of the run if it has none. The texts are cloned, those that many objects
// share once, so that results do not keep the text of the whole item in memory. Of a name that the API server generates,
// the beginning counts. Names that the API server refuses as too long are shortened here, for all findings about them.
func (r *run) objectOf(item *manifest.Item, object *node.Node) finding.Object {
	generated := strings.TrimSuffix(node.Text(object, "metadata", "generateName"), "-")
	return finding.Object{
		APIVersion: unique.Make(escape.Clip(item.APIVersion, maxNameBytes)).Value(),
		Kind:       unique.Make(escape.Clip(item.Kind, maxNameBytes)).Value(),
		Namespace:  cmp.Or(ownName(node.Text(object, "metadata", "namespace")), r.namespace),
		Name:       ownName(cmp.Or(node.Text(object, "metadata", "name"), generated)),
	}
}

// maxNameBytes is the longest name of an object.
const maxNameBytes = 253

func ownName(name string) string {
	return escape.Clip(strings.Clone(name[:min(len(name), maxNameBytes+1)]), maxNameBytes)
}

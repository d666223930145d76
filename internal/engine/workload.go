package engine

import (
	"cmp"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/parse"
)

// workload is one workload, with the results of the steps so far.
type workload struct {
	run  *run
	item manifest.Item
	kind podtemplate.Kind

	arena              *parse.Arena // the memory of what was read
	read               *yaml.Node   // the document as it was read
	document, original *yaml.Node   // the same with the names that the config has, see restoreNames
	copied, changed    *yaml.Node   // the version under change; nil until the first injector acts on it
	isTouched          bool         // whether the version differs

	pods     []pod
	outcomes []outcome.Outcome     // of the injectors, by their index
	renamed  [][]renamed           // by pod
	pristine *pristine             // nil until it is needed
	texts    map[*yaml.Node]string // the text of nodes that were restored from stamps
	below    map[*yaml.Node]int    // how many lines were above such entries of lists

	result outcome.Workload // what is known so far
	failed bool             // whether there is an error
}

// pristine is a workload without anything that any injector added, according to its stamps.
type pristine struct {
	document, object *yaml.Node // made of the nodes of the original
	isStamped        bool       // whether it differs from the original

	// The text is read only if a stamp has to record how something of the app was written.
	isRead   bool
	views    []*stamp.View // of its pod templates
	source   func(*yaml.Node) stamp.Layout
	original func(*yaml.Node) stamp.Layout // the same for the nodes of the original
}

// report adds a finding about one injector.
func (w *workload) report(m *member, f finding.Finding) {
	o := &w.outcomes[m.index]
	f.Injector = m.injector.Name
	o.Findings = append(o.Findings, f)
	w.failed = w.failed || f.Severity == finding.Error
}

// reportGeneral adds a finding that concerns no injector in particular.
func (w *workload) reportGeneral(f finding.Finding) {
	w.result.General = append(w.result.General, f)
	w.failed = w.failed || f.Severity == finding.Error
}

// ownVersion returns a version of a document that can be changed, and the object in it.
func ownVersion(document *yaml.Node) (copied, object *yaml.Node) {
	copied = node.Clone(document)
	object = node.OwnEntry(copied, 0)
	if object.Kind == yaml.SequenceNode { // the item is in a list
		object = node.OwnEntry(object, 0)
	}
	return copied, object
}

// newWorkload returns a workload that no step has changed.
func (r *run) newWorkload(item manifest.Item, index int, object *yaml.Node) outcome.Workload {
	return outcome.Workload{
		Object: r.objectOf(item, object), File: fileOf(item, object), Index: index, Before: item.Text, Line: 1,
	}
}

// objectOf identifies an item, in the namespace of the run if it has none. The texts are cloned, so that findings do not keep the
// text of the whole item in memory.
func (r *run) objectOf(item manifest.Item, object *yaml.Node) finding.Object {
	return finding.Object{
		APIVersion: item.APIVersion,
		Kind:       item.Kind,
		Namespace:  cmp.Or(strings.Clone(node.Text(object, "metadata", "namespace")), r.namespace),
		Name:       strings.Clone(node.Text(object, "metadata", "name")),
	}
}

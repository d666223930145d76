package engine

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/selection"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// workload is one workload on its way through the steps.
type workload struct {
	run  *run
	item manifest.Item
	kind podtemplate.Kind

	document, original *yaml.Node // as it came
	copied, changed    *yaml.Node // the version under change; nil until the first injector acts on it
	isTouched          bool       // whether the version differs

	pods     []pod
	pristine *pristine             // nil until it is needed
	texts    map[*yaml.Node]string // the text of nodes that were restored from stamps
	below    map[*yaml.Node]int    // how many lines stood above such entries of lists

	result outcome.Workload // what is known so far
	failed bool             // whether there is an error
}

// report adds a finding about one injector.
func (w *workload) report(m *member, f finding.Finding) {
	o := &w.result.Outcomes[m.index]
	f.Injector = m.injector.Name
	o.Findings = append(o.Findings, f)
	w.failed = w.failed || f.Severity == finding.Error
}

// reportGeneral adds a finding about no injector in particular.
func (w *workload) reportGeneral(f finding.Finding) {
	w.result.General = append(w.result.General, f)
	w.failed = w.failed || f.Severity == finding.Error
}

// ownVersion makes a version of a document that can be changed, and returns the object in it.
func ownVersion(document *yaml.Node) (copied, object *yaml.Node) {
	copied = node.Clone(document)
	object = node.OwnEntry(copied, 0)
	if object.Kind == yaml.SequenceNode { // the item stands in a list
		object = node.OwnEntry(object, 0)
	}
	return copied, object
}

func objectOf(item manifest.Item, object *yaml.Node) finding.Object {
	return finding.Object{
		APIVersion: item.APIVersion,
		Kind:       item.Kind,
		// Clones, because what a finding holds must not keep the text of the whole item alive.
		Namespace: strings.Clone(node.Text(object, "metadata", "namespace")),
		Name:      strings.Clone(node.Text(object, "metadata", "name")),
	}
}

// pod is one pod template of a workload on its way through the steps.
type pod struct {
	work      *workload
	index     int // among the pods of the workload
	candidate selection.Candidate
	template  podtemplate.Template // as it came
	stamps    stamped              // as they came
	plan      plan

	undone stamp.Undone
	bared  podtemplate.Template // without what the run's injectors had added
	made   []made
	moved  map[string]map[string]bool // what has changed places in lists, by path and key
	drifts *driftIndex                // nil until it is needed, as is the next
	// addedByOthers are the injectors of other runs by what they have added.
	addedByOthers map[stamp.Thing][]string
}

// made is what one injector did to the pod template.
type made struct {
	by     *member
	stamp  *stamp.Stamp
	shared map[stamp.Thing]bool        // what of it others had added already
	has    func(container string) bool // whether it is in the pod, as the injector wants it
}

// version is the pod template in the version under change.
func (p *pod) version() podtemplate.Template { return p.template.In(p.work.changed) }

// subject is what the variables of payloads are about, given a version of the pod template.
func (p *pod) subject(version podtemplate.Template) injector.Subject {
	return injector.Subject{Object: &p.work.result.Object, Template: version}
}

// report adds a finding about an injector and this pod template.
func (p *pod) report(m *member, f finding.Finding) {
	f.Message = p.located(f.Message)
	p.work.report(m, f)
}

func (p *pod) reportAll(m *member, findings []finding.Finding) {
	for _, f := range findings {
		p.report(m, f)
	}
}

// located begins a message with the path of the pod template, where the workload has several.
func (p *pod) located(message string) string {
	if len(p.work.pods) < 2 || strings.HasPrefix(message, p.template.Path) {
		return message
	}
	return p.template.Path + ": " + message
}

// podSpec is the pod spec as the place of a finding.
func (p *pod) podSpec() *finding.Field { return &finding.Field{Path: p.template.At("spec")} }

// annotation is an annotation of the pod template as the place of a finding.
func (p *pod) annotation(key string) *finding.Field {
	return &finding.Field{Path: p.template.At("metadata.annotations[" + key + "]")}
}

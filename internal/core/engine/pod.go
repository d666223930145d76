package engine

import (
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/config/selection"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// pod is one pod template of a workload, as it was read.
type pod struct {
	workload  *workload
	number    int // among the pods of the workload
	candidate selection.Candidate
	template  pods.Template
	view      *stamp.View // of it; nil until it is needed
	stamps    stamped
	names     map[*runInjector]pods.Declared
	renamed   []renamed
	found     map[int32]*node.Node // the names of renamed references in the file
}

// change is what the run does to a pod template. Each step fills in what the later ones need.
type change struct {
	*pod

	todo     todo            // by decide
	injected map[string]bool // see injectedNames
	known    knownOwners     // see owners
	app      knownView       // see appView

	owned           pods.Template // in the version under change, safe to change; without a node until the first change
	undone          version.Undone
	withoutInjected pods.Template // without what the run's injectors had added

	injections   []injection
	lateWarnings []lateWarnings
	placed       ledger.Entries // the new entries of the injectors so far
	index        version.Index  // of the version under change
}

// newChange returns a change that no step has filled in, except that it is known which injectors stay.
func (p *pod) newChange(others []stamp.Owner) *change {
	c := p.workload.memory.changes.lend()
	*c = change{
		pod:        p,
		todo:       todo{others: others},
		injections: c.injections[:0],
		placed:     c.placed[:0],
	}
	return c
}

// knownOwners are the injectors that have put something in, once they are asked for.
type knownOwners struct {
	owners  ledger.Owners
	isKnown bool
}

// knownView is a view of the app.
type knownView struct {
	view *stamp.View
	of   *node.Node
}

// stamped is what a pod template has of stamps. The keys of the maps are those of the annotations.
type stamped struct {
	stamps  map[string]*stamp.Stamp
	broken  map[string]error
	adopted map[string]bool              // the stamps that adopt made
	refused map[string][]finding.Finding // why an injector cannot adopt what is there
}

// todo is what the injectors of the run do to one pod template.
type todo struct {
	inject []*runInjector
	remove []*runInjector
	undo   []stamp.Owner // the stamps of both: what they name is removed first
	others []stamp.Owner // the stamps of all other injectors
}

// injection is what one injector did to the pod template.
type injection struct {
	by     *runInjector
	before pods.Template // the version before it
	owners int           // how many of the pod's owners had put something in before
	failed bool          // whether something could not be added, so that it is not complete

	// These are set if there is no conflict with others.
	stamp  *stamp.Stamp
	shared map[stamp.Address]bool      // what of it others had added already
	has    func(container string) bool // whether it is in the pod, as the injector wants it
}

// version returns the pod template in the version under change, for reading until it changes.
func (c *change) version() pods.Template {
	if c.owned.Node != nil {
		return c.owned
	}
	return c.template.In(c.workload.changed)
}

// ownVersion returns the pod template in the version under change, safe to change. Snapshots of it stay as they are.
func (c *change) ownVersion() pods.Template {
	if c.owned.Node == nil {
		c.owned = c.template.Own(c.workload.changed, &c.workload.memory.clones)
	} else {
		c.owned.OwnAgain()
	}
	return c.owned
}

// viewBefore returns a view of the pod template as it was read.
func (p *pod) viewBefore() *stamp.View {
	if p.view == nil {
		p.view = p.workload.newView(p.template.Node)
	}
	return p.view
}

// subject returns what the variables of payloads refer to, given a version of the pod template.
func (c *change) subject(template pods.Template) injector.Subject {
	subject := injector.Subject{Object: &c.workload.result.Object, Template: template, Room: c.workload.room()}
	if c.workload.run.refersToApp {
		subject.App = c.variablesOfApp
	}
	return subject
}

// report adds a finding about an injector and this pod template.
func (p *pod) report(m *runInjector, f finding.Finding) {
	f.Message = p.located(f.Message)
	p.workload.report(m, f)
}

// reportGeneral adds a finding about this pod template that concerns no injector in particular.
func (p *pod) reportGeneral(f finding.Finding) {
	f.Message = p.located(f.Message)
	p.workload.reportGeneral(f)
}

func (p *pod) reportAll(m *runInjector, findings []finding.Finding) {
	for _, f := range findings {
		p.report(m, f)
	}
}

// located puts the path of the pod template in front of a message if the workload has several.
func (p *pod) located(message string) string {
	if len(p.workload.pods) < 2 || strings.HasPrefix(message, p.template.Path) {
		return message
	}
	return p.template.Path + ": " + message
}

// podSpec returns the pod spec as the field of a finding.
func (p *pod) podSpec() *finding.Field { return &finding.Field{Path: p.template.At("spec")} }

// annotation returns an annotation of the pod template as the field of a finding.
func (p *pod) annotation(key string) *finding.Field {
	return &finding.Field{Path: p.template.At("metadata.annotations[" + key + "]")}
}

package engine

import (
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/selection"
	"pillion.dev/pillion/internal/stamp"
)

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
}

// stamped is what the stamps of a pod template say. The maps are by the keys of their annotations.
type stamped struct {
	stamps  map[string]*stamp.Stamp
	broken  map[string]error
	adopted map[string]bool              // the stamps that are made up
	refused map[string][]finding.Finding // why an injector cannot adopt what is there
}

// plan is what the injectors of the run do to one pod template.
type plan struct {
	inject []*member
	remove []*member
	undo   []stamp.Owner // the stamps of both: what they name is taken out first
	others []stamp.Owner // the stamps of all other injectors
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

// Package engine takes the items of a stream through the whole way, one at a time: decide, undo,
// transform, check, stamp and write. Run does so for a ResourceList, Apply for plain manifests.
package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/cost"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/report"
)

// What a run has to say is values; these names let other programs speak of them.
type (
	// Finding is one line for people and machines.
	Finding = finding.Finding
	// Severity says how much a finding matters.
	Severity = finding.Severity
	// Code is the reason behind a finding.
	Code = finding.Code
	// Object names the Kubernetes object that a finding is about.
	Object = finding.Object
	// Field is the place inside the object.
	Field = finding.Field
	// File is where the object came from.
	File = finding.File
	// Counts is what happened to the workloads of a run.
	Counts = report.Counts
	// Cost is what sidecars ask for, of all pods together.
	Cost = cost.Total
)

// The severities of findings.
const (
	Info    = finding.Info
	Warning = finding.Warning
	Error   = finding.Error
)

// Report is what a run has to say.
type Report struct {
	// Findings are the decisions and problems, in the order of the items.
	Findings []Finding
	// Counts is what happened to the workloads.
	Counts Counts
	// Cost is what the sidecars add, or would add where the run has failed.
	Cost Cost

	level    Severity
	outcomes []outcome // of each item, for who shows them one by one
}

// Failed tells whether any finding is an error. Then no item was changed.
func (r Report) Failed() bool { return finding.HasError(r.Findings) }

// Say writes what people should see: every finding of the level that the config asks for,
// worst first, what the sidecars cost, and one line that counts.
func (r Report) Say(w io.Writer) error { return r.SayAs(w, r.level, report.Line) }

// Level is the lowest severity that the config wants to be said.
func (r Report) Level() Severity { return r.level }

// SayAs is Say with another level, and with findings written as the caller likes.
func (r Report) SayAs(w io.Writer, least Severity, line func(Finding) string) error {
	said := slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool { return f.Code == finding.Cost })
	if err := report.Text(w, said, least, line); err != nil {
		return err
	}
	last := r.Counts.String()
	if sum := r.Cost.String(); sum != "" && !r.Failed() {
		last = sum + "\n" + last
	}
	switch {
	case r.Failed() && r.Counts.Workloads == 0:
		last = "no workload was looked at; nothing was changed"
	case r.Failed():
		last += "; nothing was changed"
	}
	_, err := fmt.Fprintln(w, last)
	return err
}

// takeBack says of what was going to be changed that it was not.
func (r *Report) takeBack() {
	r.Counts.HeldBack = r.Counts.Injected + r.Counts.Updated + r.Counts.Removed
	r.Counts.Injected, r.Counts.Updated, r.Counts.Removed = 0, 0, 0
	holdBack(r.Findings)
}

// holdBack says of changes that they are not written.
func holdBack(findings []Finding) {
	for i, f := range findings {
		if isChange(f.Code) {
			findings[i].Code, findings[i].Message = finding.HeldBack, "not written, because there are errors: "+f.Message
		}
	}
}

// Run reads a ResourceList, injects what its functionConfig declares, and writes it. Where
// the report has failed, what is written are the items as they came, with the results that
// say why. An error means that the input is not a ResourceList, or that the context has ended: then
// nothing is written.
func Run(ctx context.Context, text []byte, out io.Writer) (Report, error) {
	stream, err := manifest.Read(text)
	if err != nil {
		return Report{}, err
	}
	if !stream.ResourceList {
		return Report{}, errors.New("the input is not a ResourceList (apiVersion: config.kubernetes.io/v1, kind: ResourceList), which is what kustomize and kpt " +
			"send to a function; to run it on plain manifests: pillion inject -c injector.yaml -f -")
	}
	injectors, said := readConfig(stream)
	r := Report{Findings: said, level: Warning}
	var changed map[int][]byte
	if !r.Failed() {
		if changed, r, err = inject(ctx, stream.Items, injectors); err != nil {
			return Report{}, err
		}
		r.Findings = append(said, r.Findings...)
	}
	if r.Failed() {
		changed = nil
		r.takeBack()
	}
	r.outcomes = nil // they hold the texts of items
	return r, writeResourceList(out, stream, changed, r.Findings)
}

func readConfig(stream *manifest.Stream) ([]*injector.Injector, []Finding) {
	var config *yaml.Node
	if stream.Config != nil {
		var err error
		if _, config, err = stream.Config.Parse(); err != nil && !manifest.IsOddKey(err) {
			return nil, []Finding{{Severity: Error, Code: finding.InvalidConfig, Message: "the functionConfig cannot be read: " + err.Error()}}
		}
	}
	injectors, said := injector.Read(config)
	if file := fileOf(manifest.Item{}, config); file != nil {
		for i := range said {
			said[i].File = file
		}
	}
	return injectors, said
}

// level is the lowest severity that any of the injectors wants to be said.
func level(injectors []*injector.Injector) Severity {
	lowest := Error
	for _, in := range injectors {
		switch in.Spec.Report {
		case v1alpha1.ReportInfo:
			return Info
		case v1alpha1.ReportWarning:
			lowest = Warning
		}
	}
	return lowest
}

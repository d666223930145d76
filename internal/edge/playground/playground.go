// Package playground runs a config on manifests for a page in a browser. It has no files and no flags, and says
// everything at once: the diff, every decision, and what the config becomes elsewhere.
package playground

import (
	"context"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/config/preset"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/export/patch"
	"pillion.dev/pillion/internal/export/policy"
	"pillion.dev/pillion/internal/output/page"
	"pillion.dev/pillion/internal/output/report"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/escape"
)

// configFile and manifestsFile are how messages call the two texts.
const configFile, manifestsFile = "injector.yaml", "manifests.yaml"

// Result is what the page shows.
type Result struct {
	Marks   []Mark            // problems at a line of one of the texts, worst first
	Said    []page.Line       // other problems
	Summary string            // the lines with which the command ends
	Rows    []page.Row        // the decisions
	Help    map[string]string // what the codes in the rows mean, and what to do about them
	Diff    []string          // the lines of hunks; empty if nothing changes
	Outputs []Output
	// Selectors are what would select workloads that are skipped because of their labels, by their lines.
	Selectors map[int]Selector
}

// Mark is a problem at a line of one of the texts.
type Mark struct {
	File           string
	Line           int
	Severity, Text string
}

// Output is what a config becomes elsewhere, or the problems that prevent it.
type Output struct {
	Name, Text string
	Problems   []page.Line
}

// Run runs a config on manifests, as explain and diff do. Unlike these, it takes objects that were read back from a
// cluster, because people paste what kubectl prints, and shows what happens to the workloads beside one that is refused.
func Run(config, manifests string) Result {
	source := finding.Source{File: configFile, Text: []byte(config)}
	read, findings := engine.ReadConfig(source)
	text := []byte(manifests)
	var applied engine.Result
	if !finding.HasError(findings) {
		// It fails if the context ends, which it does not.
		applied, _ = engine.Apply(context.Background(), read.Showing().WithGuarded().KeepingGoing(),
			finding.Source{File: manifestsFile, Text: text, MayBeEmpty: true})
	}
	run := applied.Run
	run.Config = findings
	run.DryRun = true
	run.KeepGoing = false
	if run.IsRefused() { // as in a command without the flag
		run = run.HoldBack()
	}

	var summary strings.Builder
	// There are no findings above this level, and a builder takes everything.
	_ = report.RunSummary(&summary, run, finding.Error+1, finding.Finding.String)
	model := report.Page{Run: run, Injectors: read.Names()}.Model()
	result := Result{Said: model.Notes, Summary: summary.String(), Rows: model.Rows, Diff: diff(text, applied)}
	result.Help = help(result.Rows)
	result.addFindings(run.FindingsFrom(finding.Warning))
	result.Selectors = selectors(source.Text, text, read.Injectors(), run.Workloads)
	result.Outputs = []Output{injected(text, applied, result.Summary)}
	result.Outputs = append(result.Outputs, exports(read.Injectors(), source.Text)...)
	return result
}

// addFindings adds the problems with a line to the marks, and the others to what is said.
func (r *Result) addFindings(findings []finding.Finding) {
	slices.SortStableFunc(findings, func(a, b finding.Finding) int { return int(b.Severity - a.Severity) })
	for _, f := range findings {
		if file := f.File; file != nil && file.Line > 0 {
			f.File = nil // for a line without its position
			r.Marks = append(r.Marks, Mark{file.Path, file.Line, f.Severity.String(), f.String()})
			continue
		}
		r.Said = append(r.Said, page.Lines([]finding.Finding{f})...)
	}
}

// help returns what the codes of rows mean, and what to do about them.
func help(rows []page.Row) map[string]string {
	all := map[string]string{}
	for _, row := range rows {
		for _, line := range row.Lines {
			all[line.Code] = finding.Code(line.Code).Help()
		}
	}
	return all
}

// diff returns the lines of what changes.
func diff(text []byte, applied engine.Result) []string {
	if len(applied.Edits) == 0 || len(applied.Edits[0]) == 0 {
		return nil
	}
	stays := func(w *outcome.Workload) bool { return !w.IsWritten }
	written := slices.DeleteFunc(slices.Clone(applied.Run.Workloads), stays)
	hunks, _ := report.Hunks(text, applied.Edits[0], written)
	lines := strings.TrimSuffix(strings.ReplaceAll(string(hunks), "\r\n", "\n"), "\n")
	return strings.Split(escape.VisibleLines(lines), "\n")
}

// injected returns the manifests with their sidecars. If workloads are refused, it says so, and the others have theirs.
func injected(text []byte, applied engine.Result, summary string) Output {
	output := Output{Name: "After"}
	if len(applied.Edits) == 0 || applied.Run.IsRefused() {
		summary = strings.TrimSpace(summary)
		last := summary[strings.LastIndex(summary, "\n")+1:]
		output.Problems = []page.Line{{Class: finding.Error.String(), Text: last}}
	}
	if len(applied.Edits) > 0 && len(applied.Edits[0]) > 0 || len(output.Problems) == 0 {
		output.Text = string(edit.Apply(text, applied.Edits[0]))
	}
	return output
}

// exports returns the injectors in other forms, as export and explain -v print them.
func exports(injectors []*injector.Injector, config []byte) []Output {
	if len(injectors) == 0 {
		return nil
	}
	policies, refused := policy.New(injectors, policy.Options{
		Minor:         policy.Minor(injectors),
		Mutate:        true,
		Validate:      true,
		Actions:       policy.DefaultActions,
		FailurePolicy: "Fail",
		Digest:        policy.Digest(config),
	})
	admission := Output{Name: "Policy", Problems: page.Lines(refused)}
	if !finding.HasError(refused) {
		admission.Text = string(policies.YAML())
	}
	patches, refused := patch.New(injectors)
	kustomize := Output{Name: "Patches", Problems: page.Lines(refused)}
	if len(refused) == 0 {
		kustomize.Text = string(patches.Component())
	}
	var words strings.Builder
	for _, in := range injectors {
		for _, line := range in.Plan().Words() {
			words.WriteString(escape.Line(line) + "\n")
		}
	}
	return []Output{admission, kustomize, {Name: "Plan", Text: words.String()}}
}

// Preset is a ready-made config.
type Preset struct{ Name, Summary, Text string }

// Presets returns all presets, with examples for their settings.
func Presets() []Preset {
	var all []Preset
	for _, p := range preset.All {
		if text, err := p.Injector(configFile, p.Example()); err == nil { // tests make all of them
			all = append(all, Preset{p.Name, p.Summary, text})
		}
	}
	return all
}

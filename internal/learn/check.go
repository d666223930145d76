package learn

import (
	"context"
	"fmt"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/spelling"
	"pillion.dev/pillion/internal/text/yaml/emit"
	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
)

// Check is what became of a pair when the learned config was injected into what it was before.
type Check struct {
	Pair        *Pair
	Refused     string // why the injection was refused
	Differences []Difference
}

// IsEqual reports whether the pod template came out as in the pair.
func (c Check) IsEqual() bool { return c.Refused == "" && len(c.Differences) == 0 }

// check reads a config as any other, injects it into what pairs were before, and compares the result with what they are
// after.
func check(ctx context.Context, pairs []*Pair, text []byte) ([]Check, error) {
	config, findings := engine.ReadConfig(finding.Source{Text: text})
	if err := finding.Err(findings); err != nil {
		return nil, err
	}
	sources := make([]finding.Source, len(pairs))
	for i, p := range pairs {
		sources[i].Text = emit.Object(node.Fresh(p.object))
	}
	result, err := engine.Apply(ctx, config.WithGuarded().KeepingGoing(), sources...)
	if err != nil {
		return nil, err
	}
	checks := make([]Check, len(pairs))
	for _, w := range result.Run.Workloads {
		for _, f := range w.Findings() {
			if f.Severity == finding.Error {
				checks[w.Index].Refused = f.Message
			}
		}
	}
	for i, p := range pairs {
		got := p.before
		if text := result.Texts[i]; text != nil {
			document, err := yamlread.Document(text)
			if err != nil {
				return nil, err
			}
			got = p.injected(document.Content[0])
		}
		checks[i].Pair = p
		if checks[i].Refused == "" {
			checks[i].Differences = compare(got, p.after)
		}
	}
	return checks, nil
}

// injected returns the pod template of the pair in an object with what was learned, in normal form.
func (p *Pair) injected(object *node.Node) *node.Node {
	template := p.normal(p.template.In(p.kind.Wrapped(object)).Node)
	at := []string{"metadata", "annotations", pod.DefaultContainer} // which Pillion sets
	if node.Get(p.before, at...) == nil && node.Get(p.after, at...) == nil {
		node.Delete(node.Get(template, at[:2]...), pod.DefaultContainer)
	}
	return template
}

// differences returns findings about what was not learned, one for each field, with the pods that have it.
func differences(checks []Check) (findings []finding.Finding) {
	pods := map[string][]string{} // by the paths that differ in them
	for _, c := range checks {
		add := func(path, message string) {
			pods[path] = append(pods[path], c.Pair.Object.String())
			if path == "" || len(pods[path]) == 1 {
				findings = append(findings, finding.Finding{
					Severity: finding.Warning,
					Code:     finding.NotLearned,
					Message:  message,
					Object:   &c.Pair.Object,
					Field:    &finding.Field{Path: path},
				})
			}
		}
		if c.Refused != "" {
			add("", "this config is refused: "+c.Refused)
		}
		for _, d := range c.Differences {
			add(d.Path(), fmt.Sprintf("%s is %s after, and %s with this config", d.Path(), Shown(d.Want), Shown(d.Got)))
		}
	}
	for i, f := range findings {
		all := pods[f.Field.Path]
		if f.Field.Path == "" || len(checks) == 1 {
			continue
		}
		const most = 300 // bytes
		findings[i].Message += fmt.Sprintf("; it differs in %d of %s", len(all), spelling.Plural(len(checks), "pod template"))
		if len(all) > 1 {
			findings[i].Message += ": " + escape.Clip(strings.Join(all, ", "), most)
		}
	}
	return findings
}

// Shown returns a value for people.
func Shown(value *node.Node) string {
	if value == nil {
		return "missing"
	}
	return node.Brief(value)
}

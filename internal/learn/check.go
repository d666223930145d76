package learn

import (
	"context"
	"fmt"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/yaml/node"
	yamlread "pillion.dev/pillion/internal/yaml/read"
)

// Check is what became of a pair when the learned config was injected into what it was before.
type Check struct {
	Pair        *Pair
	Refused     string // why the injection was refused
	Differences []Difference
}

// IsEqual reports whether the pod template came out as in the pair.
func (c Check) IsEqual() bool { return c.Refused == "" && len(c.Differences) == 0 }

// check reads a config as any other, injects it into what pairs were before, and compares the result with what they are after. If the
// config is not valid, the findings are why, and there are no checks.
func check(ctx context.Context, pairs []*Pair, text []byte, keepSecrets bool) (Learned, error) {
	config, findings := engine.ReadConfig(engine.Source{Text: text})
	if finding.HasError(findings) {
		return Learned{Findings: findings}, nil
	}
	sources, checks := make([]engine.Source, len(pairs)), make([]Check, len(pairs))
	for i, p := range pairs {
		sources[i].Text, checks[i].Pair = written(node.Fresh(p.object)), p
	}
	result, err := engine.Apply(ctx, config.WithGuarded().KeepingGoing(), sources...)
	if err != nil {
		return Learned{}, err
	}
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
				return Learned{}, err
			}
			got = p.injected(document.Content[0])
		}
		if checks[i].Refused == "" {
			checks[i].Differences = compare(got, p.after)
		}
	}
	return Learned{Checks: checks, Findings: differences(checks, keepSecrets)}, nil
}

// injected returns the pod template of the pair in an object with what was learned, in normal form.
func (p *Pair) injected(object *node.Node) *node.Node {
	const forKubectl = "kubectl.kubernetes.io/default-container" // which Pillion sets
	template := p.normal(p.template.In(object).Node)
	if at := []string{"metadata", "annotations", forKubectl}; node.Get(p.before, at...) == nil && node.Get(p.after, at...) == nil {
		node.Delete(node.Get(template, at[:2]...), forKubectl)
	}
	return template
}

// differences returns findings about what was not learned, one for each field, with how many pod templates have it.
func differences(checks []Check, keepSecrets bool) (findings []finding.Finding) {
	counts := map[string]int{}
	for _, c := range checks {
		add := func(path, message string) {
			findings = append(findings, finding.Finding{
				Severity: finding.Warning, Code: finding.NotLearned, Message: message, Object: &c.Pair.Object, Field: &finding.Field{Path: path},
			})
		}
		if c.Refused != "" {
			add("", "this config is refused: "+c.Refused)
		}
		for _, d := range c.Differences {
			path := d.Path()
			counts[path]++
			if counts[path] == 1 {
				add(path, fmt.Sprintf("%s is %s after, and %s with this config", path, d.Shown(d.Want, keepSecrets), d.Shown(d.Got, keepSecrets)))
			}
		}
	}
	for i, f := range findings {
		if others := counts[f.Field.Path] - 1; others > 0 {
			findings[i].Message += fmt.Sprintf(" (and differs in %s)", outcome.Plural(others, "other pod template"))
		}
	}
	return findings
}

// Shown returns a value for people.
func (d Difference) Shown(value *node.Node, keepSecrets bool) string {
	switch {
	case value == nil:
		return "missing"
	case !keepSecrets && holdsSecret(d.path, value):
		return placeholder
	}
	return node.Brief(value)
}

package learn

import (
	"context"
	"fmt"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/escape"
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

// check reads a config as any other, injects it into what pairs were before, and compares the result with what they are
// after.
func check(ctx context.Context, pairs []*Pair, text []byte, keepSecrets bool) ([]Check, error) {
	config, findings := engine.ReadConfig(engine.Source{Text: text})
	if err := finding.Err(findings); err != nil {
		return nil, err
	}
	sources := make([]engine.Source, len(pairs))
	for i, p := range pairs {
		sources[i].Text = written(node.Fresh(p.object))
	}
	result, err := engine.Apply(ctx, config.WithGuarded().KeepingGoing(), sources...)
	if err != nil {
		return nil, err
	}
	refused := make([]finding.Finding, len(pairs))
	for _, w := range result.Run.Workloads {
		for _, f := range w.Findings() {
			if f.Severity == finding.Error {
				refused[w.Index] = f
			}
		}
	}
	checks := make([]Check, len(pairs))
	for i, p := range pairs {
		got := p.before
		if text := result.Texts[i]; text != nil {
			document, err := yamlread.Document(text)
			if err != nil {
				return nil, err
			}
			got = p.injected(document.Content[0])
		}
		checks[i] = p.check(got, refused[i], keepSecrets)
	}
	return checks, nil
}

// check compares what became of the pair with what it is after. Then it hides credentials in both.
func (p *Pair) check(got *node.Node, refused finding.Finding, keepSecrets bool) Check {
	c := Check{Pair: p, Refused: refused.Message}
	if c.Refused == "" {
		c.Differences = compare(got, p.after)
	}
	if keepSecrets || c.IsEqual() {
		return c
	}
	found := hide(p.after, "")
	for i, d := range c.Differences {
		c.Differences[i].IsHidden = node.Equal(d.Got, d.Want)
	}
	for _, one := range append(found, hide(got, "")...) {
		const recognisable = 6 // bytes: a message may have only the beginning of a value
		if strings.Contains(refused.Message, one.Value[:min(len(one.Value), recognisable)]) {
			c.Refused = string(refused.Code) + ", with a message about what looks like a credential"
		}
	}
	return c
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

// differences returns findings about what was not learned, one for each field, with the pods that have it. What differs
// only because it is hidden is none of them: there is a finding about that already.
func differences(checks []Check, votes votes) (findings []finding.Finding) {
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
			if d.IsHidden {
				continue
			}
			path := d.Path()
			message := fmt.Sprintf("%s is %s after, and %s with this config", path, Shown(d.Want), Shown(d.Got))
			if most, isChosen := votes[pathKey(d.path)]; isChosen && d.Got != nil {
				message += fmt.Sprintf(", as in %d of %s", most.count, outcome.Plural(most.of, "pod template"))
			}
			add(path, message)
		}
	}
	for i, f := range findings {
		if others := pods[f.Field.Path]; f.Field.Path != "" && len(others) > 1 {
			const most = 300 // bytes
			findings[i].Message += fmt.Sprintf(" (and differs in %s: %s)",
				outcome.Plural(len(others)-1, "other pod template"), escape.Clip(strings.Join(others[1:], ", "), most))
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

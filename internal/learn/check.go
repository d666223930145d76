package learn

import (
	"context"
	"fmt"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/pod"
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
	checks, err := inject(ctx, pairs, config)
	return Learned{Checks: checks, Findings: differences(checks, keepSecrets)}, err
}

func inject(ctx context.Context, pairs []*Pair, config engine.Config) ([]Check, error) {
	var sources []engine.Source
	at := map[*node.Node]int{}
	for _, p := range pairs {
		if _, isThere := at[p.object]; !isThere {
			at[p.object] = len(sources)
			sources = append(sources, engine.Source{Text: written(node.Fresh(p.object))})
		}
	}
	result, err := engine.Apply(ctx, config.WithGuarded().KeepingGoing(), sources...)
	if err != nil {
		return nil, err
	}
	refused := map[int]string{}
	for _, w := range result.Run.Workloads {
		for _, f := range w.Findings() {
			if f.Severity == finding.Error {
				refused[w.Index] = f.Message
			}
		}
	}
	kinds, checks := pod.NewKinds(), make([]Check, len(pairs))
	for i, p := range pairs {
		index := at[p.object]
		checks[i] = Check{Pair: p, Refused: refused[index]}
		got := p.before
		if text := result.Texts[index]; text != nil {
			if got, err = templateIn(text, kinds, p); err != nil {
				return nil, err
			}
		}
		if checks[i].Refused == "" {
			checks[i].Differences = compare(got, p.after)
		}
	}
	return checks, nil
}

// templateIn returns the pod template of a pair in its object's text, in normal form.
func templateIn(text []byte, kinds pod.Kinds, p *Pair) (*node.Node, error) {
	document, err := yamlread.Document(text)
	if err != nil {
		return nil, err
	}
	kind, _ := kinds.Find(p.Object.APIVersion, p.Object.Kind)
	for _, template := range kind.Templates(document.Content[0]) {
		if template.Path != p.path {
			continue
		}
		result := normal(template.Node)
		if at := []string{"metadata", "annotations", defaultContainerKey}; node.Get(p.before, at...) == nil && node.Get(p.after, at...) == nil {
			node.Delete(node.Get(result, "metadata", "annotations"), defaultContainerKey) // Pillion sets it for kubectl only
		}
		return result, nil
	}
	return nil, fmt.Errorf("%s has no pod template at %s", p.Object, p.path)
}

// differences returns findings about what was not learned, one for each field, with how many pod templates have it.
func differences(checks []Check, keepSecrets bool) (findings []finding.Finding) {
	counts := map[string]int{}
	for _, c := range checks {
		for _, d := range c.Differences {
			counts[d.Path()]++
		}
	}
	add := func(c Check, path, message string) {
		findings = append(findings, finding.Finding{
			Severity: finding.Warning, Code: finding.NotLearned, Message: message, Object: &c.Pair.Object, Field: &finding.Field{Path: path},
		})
	}
	for _, c := range checks {
		if c.Refused != "" {
			add(c, "", "this config is refused: "+c.Refused)
		}
		for _, d := range c.Differences {
			path := d.Path()
			message := fmt.Sprintf("%s is %s after, and %s with this config", path, d.Shown(d.Want, keepSecrets), d.Shown(d.Got, keepSecrets))
			switch counts[path] {
			case 0: // it is reported already
				continue
			case 1:
			default:
				message += fmt.Sprintf(" (and differs in %s)", outcome.Plural(counts[path]-1, "other pod template"))
			}
			add(c, path, message)
			counts[path] = 0
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

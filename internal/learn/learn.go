// Package learn reads an injection backwards: from pods before and after something changed them, such as a webhook, it finds the injectors
// that make the same changes.
//
// It looks only at what an injector can add, and generalises it over all pods. What it learned is then injected into the pods from before,
// and whatever does not come out as in the pods from after is reported. So nothing is lost silently, whatever the rules here do not know.
package learn

import (
	"context"
	"errors"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/meter"
	"pillion.dev/pillion/internal/yaml/node"
)

// Options are what a person can choose.
type Options struct {
	Name        string // of the injector; empty for the name of the first container
	KeepSecrets bool   // values that look like credentials are written
}

// Learned is a config, and what is to be known about it.
type Learned struct {
	Text     []byte
	Findings []finding.Finding
	Checks   []Check // of all pairs, in their order
}

// From returns a config that turns what pairs had before into what they have after.
func From(ctx context.Context, pairs []*Pair, options Options) (Learned, error) {
	steps := meter.New(0)
	found := collect(pairs, steps)
	if err := comparable(pairs, found); err != nil {
		return Learned{}, err
	}
	config := newConfig(generaliser{pairs, steps}, found.groups(pairs), options.Name)
	if steps.Exceeded() {
		return Learned{}, errors.New("the pods have too many differences to compare them all; name fewer of them")
	}
	if len(config.injectors) == 0 {
		return Learned{}, errors.New("nothing of what changed is the same in several pods, or can be expressed by an injector")
	}
	refused, err := config.validate()
	if err != nil {
		return Learned{}, err
	}
	checks, err := inject(ctx, pairs, config.text())
	if err != nil {
		return Learned{}, err
	}
	learned := Learned{Checks: checks, Findings: append(refused, differences(checks, options.KeepSecrets)...)}
	if !options.KeepSecrets {
		learned.Findings = append(learned.Findings, config.hideSecrets()...)
	}
	learned.Text = config.document(learned.Findings)
	return learned, nil
}

// comparable returns an error for pairs of which nothing can be learned, with the probable reason.
func comparable(pairs []*Pair, found *additions) error {
	isSame := !slices.ContainsFunc(pairs, func(p *Pair) bool { return !node.Equal(p.before, p.after) })
	isRelated := slices.ContainsFunc(pairs, func(p *Pair) bool {
		after := p.containers(p.after)
		return slices.ContainsFunc(p.containers(p.before), func(name string) bool { return slices.Contains(after, name) })
	})
	switch {
	case isSame:
		return errors.New("there is nothing to learn: the pods are the same before and after")
	case !isRelated:
		return errors.New("the two versions have no container in common, so one cannot have become the other; name two versions of one pod")
	case len(found.all) == 0:
		return errors.New("the pods have nothing after that they did not have before, and injectors only add; " +
			"if the two are in the wrong order, name what is in Git first, and then what runs")
	}
	return nil
}

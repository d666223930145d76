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

// From returns a config that turns what pairs had before into what they have after. If there is none, the findings are the differences.
func From(ctx context.Context, pairs []*Pair, options Options) (Learned, error) {
	find, steps := finder{}, meter.New(0)
	found := collect(pairs, find)
	if err := checkPairs(pairs, found); err != nil {
		return unlearned(pairs, options), err
	}
	config := newConfig(generaliser{pairs, find, steps}, groupsOf(found, pairs, find, steps), options.Name)
	if steps.Exceeded() {
		return Learned{}, errors.New("the pods have too many differences to compare them all; name fewer of them")
	}
	if len(config) == 0 {
		return unlearned(pairs, options), errors.New("nothing of what changed is the same in several pods, or can be expressed by an injector")
	}
	learned, err := check(ctx, pairs, config.text(nil), options.KeepSecrets)
	if err != nil {
		return Learned{}, err
	}
	if !options.KeepSecrets {
		learned.Findings = append(learned.Findings, config.hideSecrets()...)
	}
	learned.Text = config.text(learned.Findings)
	return learned, nil
}

// unlearned returns the differences of pairs.
func unlearned(pairs []*Pair, options Options) Learned {
	checks := make([]Check, len(pairs))
	for i, p := range pairs {
		checks[i] = Check{Pair: p, Differences: compare(p.before, p.after)}
	}
	return Learned{Findings: differences(checks, options.KeepSecrets)}
}

// checkPairs returns an error for pairs of which nothing can be learned, with the probable reason.
func checkPairs(pairs []*Pair, found []*addition) error {
	isSame := !slices.ContainsFunc(pairs, func(p *Pair) bool { return !node.Equal(p.before, p.after) })
	isLess := !slices.ContainsFunc(pairs, func(p *Pair) bool { return len(names(p.before)) <= len(names(p.after)) })
	isRelated := slices.ContainsFunc(pairs, func(p *Pair) bool {
		isAfter := map[string]bool{}
		for _, name := range names(p.after) {
			isAfter[name] = true
		}
		return slices.ContainsFunc(names(p.before), func(name string) bool { return isAfter[name] })
	})
	switch {
	case isSame:
		return errors.New("there is nothing to learn: the pods are the same before and after")
	case !isRelated:
		return errors.New("the two versions have no container in common, so one cannot have become the other; name two versions of one pod")
	case isLess:
		return errors.New("the pods have fewer containers after than before; if the two are in the wrong order, name what is in Git first, " +
			"and then what runs")
	case len(found) == 0:
		return errors.New("the pods have nothing after that they did not have before, and injectors only add")
	}
	return nil
}

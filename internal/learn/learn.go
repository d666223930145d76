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

// ErrNothing is the error if there is nothing to learn.
var ErrNothing = errors.New("there is nothing to learn: the pods are the same before and after")

// From returns a config that turns what pairs had before into what they have after.
func From(ctx context.Context, pairs []*Pair, options Options) (Learned, error) {
	if err := comparable(pairs); err != nil {
		return Learned{}, err
	}
	additions := collect(pairs)
	general := generaliser{pairs: pairs, steps: meter.New(0)}
	config := newConfig(general, additions.groups(len(pairs)), options.Name)
	if len(config.injectors) == 0 {
		return Learned{}, errors.New("nothing of what changed can be expressed by an injector, which adds and does not change or remove; " +
			"compare the two by diff")
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
	learned.Text = config.document(pairs, learned.Findings)
	return learned, nil
}

// comparable returns an error for pairs of which nothing can be learned, with the probable reason.
func comparable(pairs []*Pair) error {
	isSame, isShrunk := true, true
	for _, p := range pairs {
		isSame = isSame && node.Equal(p.before, p.after)
		isShrunk = isShrunk && len(p.containers(p.before)) > len(p.containers(p.after))
	}
	switch {
	case isSame:
		return ErrNothing
	case isShrunk:
		return errors.New("the pods have fewer containers after than before; name what is in Git first, and then what runs")
	}
	shares := func(p *Pair) bool {
		return slices.ContainsFunc(p.containers(p.before), func(name string) bool { return slices.Contains(p.containers(p.after), name) })
	}
	if !slices.ContainsFunc(pairs, shares) {
		return errors.New("the two versions have no container in common, so one cannot have become the other; name two versions of one pod")
	}
	return nil
}

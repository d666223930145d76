// Package learn reads an injection backwards: from pods before and after something changed them, such as a webhook, it finds the injectors
// that make the same changes.
//
// It looks only at what an injector can add, and generalises it over all pods. What it learned is then injected into the pods from before,
// and whatever does not come out as in the pods from after is reported. So nothing is lost silently, whatever the rules here do not know.
package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pod"
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
	if problems := validation.IsDNS1123Subdomain(cmp.Or(options.Name, "learned")); len(problems) > 0 {
		return Learned{}, fmt.Errorf("%q is not the name of an injector: %s", options.Name, problems[0])
	}
	if err := checkPairs(pairs); err != nil {
		return unlearned(pairs, options), err
	}
	votes := votes{}
	config := newConfig(pairs, groupsOf(collect(pairs), pairs), options.Name, votes)
	var hidden []finding.Finding
	if !options.KeepSecrets {
		hidden = config.hideSecrets()
	}
	config = slices.DeleteFunc(config, func(d *draft) bool { return !d.repair() })
	if len(config) == 0 {
		return unlearned(pairs, options), errors.New("nothing of what changed is the same in several pods, " +
			"or can be expressed by an injector; if the two versions are in the wrong order, name what is in Git first, and then what runs")
	}
	checks, err := check(ctx, pairs, config.text(nil), options.KeepSecrets)
	if err != nil {
		return Learned{}, err
	}
	findings := append(differences(checks, votes), hidden...)
	return Learned{Text: config.text(findings), Findings: findings, Checks: checks}, nil
}

// unlearned returns the differences of pairs.
func unlearned(pairs []*Pair, options Options) Learned {
	checks := make([]Check, len(pairs))
	for i, p := range pairs {
		checks[i] = p.check(p.before, finding.Finding{}, options.KeepSecrets)
	}
	return Learned{Findings: differences(checks, nil)}
}

// checkPairs returns an error for pairs of which nothing can be learned, with the probable reason.
func checkPairs(pairs []*Pair) error {
	isSame, isRelated := true, false
	for _, p := range pairs {
		isSame = isSame && node.Equal(p.before, p.after)
		for place, c := range pod.Containers(node.Get(p.before, "spec")) {
			isRelated = isRelated || p.at(p.after, "spec", place.List, node.Text(c, "name")) != nil
		}
	}
	if isSame {
		return errors.New("there is nothing to learn: the pods are the same before and after")
	}
	if !isRelated {
		return errors.New("the two versions have no container in common, so one cannot have become the other; name two versions of one pod")
	}
	return nil
}

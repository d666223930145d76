// Package learn reads an injection backwards: from pods before and after something changed them, such as a webhook, it
// finds the injectors that make the same changes.
//
// It looks only at what an injector can add, and generalises it over all pods. What it learned is then injected into
// the pods from before, and whatever does not come out as in the pods from after is reported. So nothing is lost
// silently, whatever the rules here do not know.
package learn

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Learned is a config, and what is to be known about it.
type Learned struct {
	Text     []byte
	Findings []finding.Finding
	Checks   []Check // of all pairs, in their order
}

// From returns a config that turns what pairs had before into what they have after. If there is none, the findings are
// the differences. The name is that of the injector, or empty for the name of its first container.
func From(ctx context.Context, pairs []*Pair, name string) (Learned, error) {
	if problems := validation.IsDNS1123Subdomain(cmp.Or(name, "learned")); len(problems) > 0 {
		return Learned{}, fmt.Errorf("%q is not the name of an injector: %s", name, problems[0])
	}
	if err := checkPairs(pairs); err != nil {
		return unlearned(pairs), err
	}
	config := newConfig(pairs, groupsOf(collect(pairs), pairs), name).repaired()
	if len(config) == 0 {
		return unlearned(pairs), errors.New("nothing of what changed is the same in several pods, " +
			"or can be expressed by an injector; if the two versions are in the wrong order, name what is in Git first, and then what runs")
	}
	checks, err := check(ctx, pairs, config.text(nil))
	if err != nil {
		return Learned{}, err
	}
	findings := differences(checks)
	for _, d := range config {
		findings = append(findings, d.hiddenIn(d.spec, "spec")...)
	}
	return Learned{Text: config.text(findings), Findings: findings, Checks: checks}, nil
}

// unlearned returns the differences of pairs.
func unlearned(pairs []*Pair) Learned {
	checks := make([]Check, len(pairs))
	for i, p := range pairs {
		checks[i] = Check{Pair: p, Differences: compare(p.before, p.after)}
	}
	return Learned{Findings: differences(checks)}
}

// checkPairs returns an error for pairs of which nothing can be learned, with the probable reason.
func checkPairs(pairs []*Pair) error {
	isSame, isRelated := true, false
	for _, p := range pairs {
		isSame = isSame && node.Equal(p.before, p.after)
		for position, c := range pod.Containers(node.Get(p.before, "spec")) {
			isRelated = isRelated || p.at(p.after, "spec", position.List, node.Text(c, "name")) != nil
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

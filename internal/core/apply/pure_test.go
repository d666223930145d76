package apply_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// TestAPlanChangesNothing runs all plans of the engine's cases on all of their pod templates, and makes sure that not a
// node of these changes.
func TestAPlanChangesNothing(t *testing.T) {
	archives, err := filepath.Glob("../engine/testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	runs := 0
	for _, path := range archives {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		plans, apps := plansAndApps(txtar.Parse(text))
		for _, plan := range plans {
			for _, app := range apps {
				before := printed(app) + printedPlan(plan)
				pod := alone(app)
				findings := pod.want(plan, nil, nil)
				if !finding.HasError(findings) {
					pod.Alone()
				}
				if after := printed(app) + printedPlan(plan); after != before {
					t.Errorf("%s: a plan, or what it has, changes\n%s\ninto\n%s", path, before, after)
				}
				runs++
			}
		}
	}
	const least = 500
	if runs < least {
		t.Errorf("%d runs are too few", runs)
	}
}

// plansAndApps returns the plans of a case, and its pod templates. What cannot be read is left out.
func plansAndApps(archive *txtar.Archive) (plans []*injector.Plan, apps []*node.Node) {
	for _, file := range archive.Files {
		if file.Name != "config" && file.Name != "items" {
			continue
		}
		stream, err := manifest.Read(file.Data)
		if err != nil {
			continue
		}
		for _, item := range stream.Items {
			_, object, err := item.Parse()
			if err != nil {
				continue
			}
			if file.Name == "items" {
				apps = append(apps, templatesIn(object)...)
				continue
			}
			injectors, problems := injector.Read(object)
			if finding.HasError(problems) {
				continue
			}
			for _, in := range injectors {
				plans = append(plans, in.Plan())
			}
		}
	}
	return plans, apps
}

// templatesIn returns what looks like a pod template.
func templatesIn(n *node.Node) (all []*node.Node) {
	n = node.Resolve(n)
	if containers := node.Get(n, "spec", "containers"); containers != nil && containers.Kind == node.SequenceNode {
		return []*node.Node{n}
	}
	for _, child := range n.Content {
		all = append(all, templatesIn(child)...)
	}
	return all
}

// printed returns all that a node is, with that of its aliases.
func printed(n *node.Node) string {
	var b strings.Builder
	node.Visit(n, func(n *node.Node) {
		fmt.Fprintf(&b, "%s %s %v\n", n.Tag, n.Value, n.Style)
	})
	return string(node.AppendCanonical(nil, n)) + b.String()
}

// printedPlan returns what a plan adds, which all pods share.
func printedPlan(plan *injector.Plan) string {
	var b strings.Builder
	for _, step := range plan.Steps {
		for _, op := range step.Operations {
			for _, n := range []*node.Node{op.Value, op.Native} {
				if n != nil {
					b.WriteString(printed(n))
				}
			}
		}
	}
	return b.String()
}

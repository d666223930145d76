package injector

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/pods/pod"
)

func (c checker) checkSelectors() {
	c.CheckSelector(schema.InSpec("selector"), c.spec.Selector)
	c.CheckSelector(schema.InSpec("namespaceSelector"), c.spec.NamespaceSelector)
	for i, selector := range c.spec.NeverInjectSelector {
		at := schema.InSpec("neverInjectSelector").Index(i)
		c.CheckSelector(at, &selector)
		if len(selector.MatchLabels)+len(selector.MatchExpressions) == 0 {
			c.Warnf(at, "",
				"an empty selector matches every pod, so that nothing is injected; remove it or add matchLabels")
		}
	}
}

func (c checker) checkRules() {
	for i, rule := range c.spec.Rules {
		at := schema.InSpec("rules").Index(i)
		require := func(entries []string, field, example string) {
			c.Require(len(entries) > 0, at, field,
				"a rule with no "+field+" matches nothing; write them, such as "+example)
		}
		require(rule.APIGroups, "apiGroups", `["apps"], [""] for the core group or ["*"] for all`)
		require(rule.APIVersions, "apiVersions", `["v1"] or ["*"] for all`)
		require(rule.Resources, "resources", `["deployments"] or ["*"] for all`)
		for j, group := range rule.APIGroups {
			if name, version, ok := strings.Cut(group, "/"); ok {
				c.Refuse(schema.Problem{
					At:       at.Key("apiGroups").Index(j),
					Current:  group,
					Proposed: name,
					Message: fmt.Sprintf("%q is a group and a version; write %q here, and %q under apiVersions",
						group, name, version),
				})
			}
		}
		for j, resource := range rule.Resources {
			c.checkResource(at.Key("resources").Index(j), resource)
		}
	}
}

func (c checker) checkResource(at schema.Path, resource string) {
	switch lower := strings.ToLower(resource); {
	case resource == "*":
	case strings.Contains(resource, "/"):
		whole, _, _ := strings.Cut(resource, "/")
		c.Refuse(schema.Problem{At: at, Current: resource, Proposed: whole, Message: fmt.Sprintf(
			"%q is a subresource, which no manifest holds; write %q", resource, whole)})
	case resource != lower:
		plural := strings.TrimSuffix(lower, "s") + "s"
		c.Refuse(schema.Problem{At: at, Current: resource, Proposed: plural, Message: fmt.Sprintf(
			"%q is not a resource; write the lower-case plural of the kind, such as deployments", resource)})
	default:
		c.CheckValid(at, resource, "resource name", validation.IsDNS1123Label)
		c.warnIfMisspelt(at, resource)
	}
}

// warnIfMisspelt reports a resource that is spelt almost like one that holds pods: it matches nothing.
func (c checker) warnIfMisspelt(at schema.Path, resource string) {
	var known []string
	for _, kind := range pod.NewKinds(c.spec.Workloads) {
		known = append(known, kind.Resource)
	}
	slices.Sort(known)
	found := schema.Problem{At: at, Current: resource, Message: fmt.Sprintf(
		"no resource that holds pods is called %q", resource)}
	if !slices.Contains(known, resource) && found.Propose(resource, known) {
		c.Warn(found)
	}
}

// checkNames checks the names and globs of workloads.
func (c checker) checkNames(field string, entries []string) {
	c.CheckGlobs(schema.InSpec(field), entries, "workload name", "excludeNames", validation.IsDNS1123Subdomain)
}

func (c checker) checkWorkloads() {
	for i, workload := range c.spec.Workloads {
		at := schema.InSpec("workloads").Index(i)
		if workload.Group != "" {
			c.CheckValid(at.Key("group"), workload.Group, "API group", validation.IsDNS1123Subdomain)
		}
		c.Require(workload.Kind != "", at, "kind", "a workload needs a kind, such as FlinkDeployment; write it")
		c.Require(workload.PodTemplates != nil || len(workload.PodSpecs) > 0, at, "podTemplates",
			"a workload needs the paths of its pod templates, such as [spec.template], "+
				"or [] for a kind that gets no sidecars; write them, or podSpecs")
		c.checkPaths(at.Key("podTemplates"), workload.PodTemplates)
		c.checkPaths(at.Key("podSpecs"), workload.PodSpecs)
	}
}

// checkPaths checks the paths that lead to the pods of a kind.
func (c checker) checkPaths(at schema.Path, paths []string) {
	for i, text := range paths {
		if !pod.IsPath(text) {
			c.Refusef(at.Index(i), text,
				"%q is not a path to pods; write field names with dots between them, and [] after a list, "+
					"such as spec.tasks[].template, but no list in a pod, such as containers[]", schema.Shown(text))
		}
	}
}

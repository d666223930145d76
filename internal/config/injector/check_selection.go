package injector

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/internal/pods/pod"
)

func (c checker) checkSelectors() {
	c.checkSelector(inSpec("selector"), c.spec.Selector)
	c.checkSelector(inSpec("namespaceSelector"), c.spec.NamespaceSelector)
	for i, selector := range c.spec.NeverInjectSelector {
		at := inSpec("neverInjectSelector").index(i)
		c.checkSelector(at, &selector)
		if len(selector.MatchLabels)+len(selector.MatchExpressions) == 0 {
			c.warnf(at, "",
				"an empty selector matches every pod, so that nothing is injected; remove it or add matchLabels")
		}
	}
}

func (c checker) checkRules() {
	for i, rule := range c.spec.Rules {
		at := inSpec("rules").index(i)
		require := func(entries []string, field, example string) {
			c.require(len(entries) > 0, at, field,
				"a rule with no "+field+" matches nothing; write them, such as "+example)
		}
		require(rule.APIGroups, "apiGroups", `["apps"], [""] for the core group or ["*"] for all`)
		require(rule.APIVersions, "apiVersions", `["v1"] or ["*"] for all`)
		require(rule.Resources, "resources", `["deployments"] or ["*"] for all`)
		for j, group := range rule.APIGroups {
			if name, version, ok := strings.Cut(group, "/"); ok {
				c.refuse(problem{at: at.key("apiGroups").index(j), current: group, proposed: name, message: fmt.Sprintf(
					"%q is a group and a version; write %q here, and %q under apiVersions", group, name, version)})
			}
		}
		for j, resource := range rule.Resources {
			c.checkResource(at.key("resources").index(j), resource)
		}
	}
}

func (c checker) checkResource(at path, resource string) {
	switch lower := strings.ToLower(resource); {
	case resource == "*":
	case strings.Contains(resource, "/"):
		whole, _, _ := strings.Cut(resource, "/")
		c.refuse(problem{at: at, current: resource, proposed: whole, message: fmt.Sprintf(
			"%q is a subresource, which no manifest holds; write %q", resource, whole)})
	case resource != lower:
		plural := strings.TrimSuffix(lower, "s") + "s"
		c.refuse(problem{at: at, current: resource, proposed: plural, message: fmt.Sprintf(
			"%q is not a resource; write the lower-case plural of the kind, such as deployments", resource)})
	default:
		c.checkValid(at, resource, "resource name", validation.IsDNS1123Label)
		c.warnIfMisspelt(at, resource)
	}
}

// warnIfMisspelt reports a resource that is spelt almost like one that holds pods: it matches nothing.
func (c checker) warnIfMisspelt(at path, resource string) {
	var known []string
	for _, kind := range pod.NewKinds(c.spec.Workloads) {
		known = append(known, kind.Resource)
	}
	slices.Sort(known)
	found := problem{at: at, current: resource, message: fmt.Sprintf(
		"no resource that holds pods is called %q", resource)}
	if !slices.Contains(known, resource) && found.propose(resource, known) {
		c.warn(found)
	}
}

// checkNames checks the names and globs of workloads.
func (c checker) checkNames(field string, entries []string) {
	c.checkGlobs(inSpec(field), entries, "workload name", "excludeNames", validation.IsDNS1123Subdomain)
}

func (c checker) checkWorkloads() {
	for i, workload := range c.spec.Workloads {
		at := inSpec("workloads").index(i)
		if workload.Group != "" {
			c.checkValid(at.key("group"), workload.Group, "API group", validation.IsDNS1123Subdomain)
		}
		c.require(workload.Kind != "", at, "kind", "a workload needs a kind, such as FlinkDeployment; write it")
		c.require(workload.PodTemplates != nil || len(workload.PodSpecs) > 0, at, "podTemplates",
			"a workload needs the paths of its pod templates, such as [spec.template], "+
				"or [] for a kind that gets no sidecars; write them, or podSpecs")
		c.checkPaths(at.key("podTemplates"), workload.PodTemplates)
		c.checkPaths(at.key("podSpecs"), workload.PodSpecs)
	}
}

// checkPaths checks the paths that lead to the pods of a kind.
func (c checker) checkPaths(at path, paths []string) {
	for i, text := range paths {
		if !pod.IsPath(text) {
			c.refusef(at.index(i), text,
				"%q is not a path to pods; write field names with dots between them, and [] after a list, "+
					"such as spec.tasks[].template, but no list in a pod, such as containers[]", clip(text, maxShown))
		}
	}
}

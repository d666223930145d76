package injector

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/text/glob"
)

// NamespaceOf returns the namespace of a workload, or the one that a workload without a namespace will go to. It is
// empty if neither is known.
func (i *Injector) NamespaceOf(workload *finding.Object) string {
	return cmp.Or(workload.Namespace, i.Spec.DefaultNamespace)
}

// DependsOnNamespace reports whether the injector selects workloads by their namespaces, beyond leaving Kubernetes' own
// alone.
func (i *Injector) DependsOnNamespace() bool {
	return i.RequiresNamespace() || len(i.Spec.Namespaces.Exclude) > 0
}

// RequiresNamespace reports whether the injector selects only workloads of some namespaces, so that it cannot select
// one whose namespace is not known.
func (i *Injector) RequiresNamespace() bool {
	include := i.Spec.Namespaces.Include
	return isSelective(i.Spec.NamespaceSelector) || len(include) > 0 && !glob.NewList(include...).Match("")
}

// isSelective reports whether a selector does not match everything.
func isSelective(selector *metav1.LabelSelector) bool {
	return selector != nil && len(selector.MatchLabels)+len(selector.MatchExpressions) > 0
}

func (c checker) checkNamespaces() {
	for _, name := range slices.Sorted(maps.Keys(c.spec.NamespaceLabels)) {
		c.CheckValid(schema.InSpec("namespaceLabels").Key(name), name, "namespace name", validation.IsDNS1123Label)
	}
	if name := c.spec.DefaultNamespace; name != "" {
		c.CheckValid(schema.InSpec("defaultNamespace"), name, "namespace name", validation.IsDNS1123Label)
	}
	at := schema.InSpec("namespaces")
	namespaces := c.spec.Namespaces
	const excluding = "namespaces.exclude"
	if !c.CheckGlobs(at.Key("include"), namespaces.Include, "namespace name", excluding, validation.IsDNS1123Label) ||
		!c.CheckGlobs(at.Key("exclude"), namespaces.Exclude, "namespace name", excluding, validation.IsDNS1123Label) {
		return
	}
	for i, entry := range namespaces.Include {
		c.checkIncluded(at.Key("include").Index(i), entry)
	}
	for i, entry := range namespaces.Exclude {
		if isAll(entry) {
			c.Warnf(at.Key("exclude").Index(i), entry,
				"%q excludes every namespace, so that nothing is injected; write a narrower glob",
				entry)
		}
	}
}

// isAll reports whether an entry is a way to write all namespaces.
func isAll(entry string) bool { return entry != "" && strings.Trim(entry, "*") == "" }

// checkIncluded reports an entry of include that has no effect, because exclude or Kubernetes' own namespaces take
// precedence. A glob that matches one of the latter does not include it; that is not reported if exclude shows that it
// is intended.
func (c checker) checkIncluded(at schema.Path, entry string) {
	included := glob.NewList(entry)
	excluded := glob.NewList(c.spec.Namespaces.Exclude...)
	isGlob := glob.HasWildcard(entry)
	if !isGlob && excluded.Match(entry) || slices.Contains(c.spec.Namespaces.Exclude, entry) {
		c.Refusef(at, entry, "the namespace %q is in namespaces.exclude too; remove it from one of them", entry)
		return
	}
	for _, reserved := range c.spec.Namespaces.ReservedNamespaces() {
		if isGlob && !isAll(entry) && included.Match(reserved) && !excluded.Match(reserved) {
			c.Warnf(at, entry,
				"%q does not include %s, because Kubernetes' own namespaces are included only by their full names; "+
					"add %[2]s to namespaces.include or to namespaces.exclude", entry, reserved)
		}
	}
}

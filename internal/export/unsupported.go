package export

import (
	"regexp"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/injector"
)

// findUnsupported returns the fields that patches cannot express.
func findUnsupported(in *injector.Injector, s scope) []limit {
	l := limits{in: in}
	l.addSelection(s)
	l.addContainers(containers, in.Containers)
	l.addContainers(initContainers, in.InitContainers)
	l.addPayload()
	l.addPolicies()
	return l.list
}

func (l *limits) addSelection(s scope) {
	spec := &l.in.Spec
	l.addIf(spec.Action != v1alpha1.Inject, "action",
		"patches can add to a pod, but neither remove nor verify; only Inject can be exported, not %s", spec.Action)
	l.addIf(spec.Paused, "paused", "a paused injector changes nothing, so there is nothing to export")
	l.addIf(l.in.Paused && !spec.Paused, "injectionStrategy.paused",
		"a paused SidecarSet changes nothing, so there is nothing to export")
	l.addIf(spec.Adopt, "adopt",
		"whether a container can be adopted depends on the pod; patches can only stop the build if the name is taken")
	l.addLabels(s)
	l.addIf(spec.NamespaceSelector != nil, "namespaceSelector",
		"a target cannot select by the labels of namespaces; list the namespaces under namespaces.include")
	for i, name := range s.namespaces {
		l.addIf(injector.IsNamespacePattern(name), index("namespaces.include", i),
			"a target also matches the namespace that an object had before kustomize changed it, "+
				"so %q may select other objects than Pillion does; write full names", name)
	}
	isReserved := slices.Contains(spec.Namespaces.ReservedNamespaces(), spec.DefaultNamespace)
	l.addIf(spec.DefaultNamespace != "" && (isReserved || l.in.DependsOnNamespace()), "defaultNamespace",
		"a target does not match objects without a namespace; set the namespace of the objects, and remove the field")
	l.addIf(len(spec.ExcludeNames) > 0, "excludeNames",
		"a target cannot exclude names; label the workloads, and use neverInjectSelector with selectorScope: Workload")
	for i, name := range spec.Names {
		l.addIf(regexp.QuoteMeta(name) != name, index("names", i),
			"a target also matches the name that an object had before kustomize added a prefix, "+
				"so %q may select other objects than Pillion does; write full names", name)
	}
	n := max(1, len(s.namespaces)) * max(1, len(s.names))
	l.addIf(n > maxTargets, "names",
		"each name in each namespace needs its own patches; these are %d, and at most %d are possible; select by labels instead",
		n, maxTargets)
	l.addIf(spec.Policy == v1alpha1.PolicyDisabled, "policy",
		"a target cannot select by a marker on a pod template; "+
			"export with policy: enabled, and select by rules, names or the workload's labels")
	for i := range spec.Workloads {
		l.add(index("workloads", i), "kustomize cannot merge the lists of a %s, and would replace them; run Pillion on it instead",
			spec.Workloads[i].Kind)
	}
	for _, resource := range s.unsupported {
		l.add("rules", "kustomize cannot merge the lists of %s, and would replace them; run Pillion on them instead", resource)
	}
	l.addIf(len(s.kinds) == 0 && len(s.unsupported) == 0, "rules",
		"they match no kind that patches support; these are Pod, ReplicationController and the kinds of apps/v1 and batch/v1")
}

// addLabels adds limits for selectors: a target selects by the labels of the object, which are those of the pod only if the
// object is a Pod.
func (l *limits) addLabels(s scope) {
	const remedy = "a target selects by the labels of the workload, not by those of its pod template; " +
		"label the workloads and set selectorScope: Workload"
	spec := &l.in.Spec
	onObject := spec.SelectorScope == v1alpha1.ScopeWorkload || s.hasOnlyPods()
	selects := spec.Selector != nil && len(spec.Selector.MatchLabels)+len(spec.Selector.MatchExpressions) > 0
	l.addIf(selects && !onObject, "selector", remedy+", or select by rules or names")
	for i := range spec.NeverInjectSelector {
		field := index("neverInjectSelector", i)
		_, ok := opposite(&spec.NeverInjectSelector[i])
		l.addIf(!onObject, field, remedy)
		l.addIf(onObject && !ok, field, "a target can exclude by one label, but not by a combination; write one label in each entry")
	}
}

func (l *limits) addContainers(list string, all []injector.Container) {
	for i, c := range all {
		add := func(unsupported bool, field, format string, args ...any) {
			l.addIf(unsupported, index(list, i)+field, format, args...)
		}
		add(c.Mode == v1alpha1.ModeAuto, ".mode",
			"its list depends on whether the pod is meant to finish, as in every ConfigMap and before Kubernetes 1.29; "+
				"declare it in a SidecarInjector with mode Native or Container")
		const neighbour = "where %q is, if the pod has it, differs from pod to pod; remove the field"
		add(c.Before != "", ".before", neighbour, c.Before)
		add(c.After != "", ".after", neighbour, c.After)
		add(list == containers && c.PodInjectPolicy == v1alpha1.BeforeAppContainer && c.Mode != v1alpha1.ModeNative, ".podInjectPolicy",
			"a sidecar in front of the app needs an annotation with the name of the app's container, so that kubectl uses that one, "+
				"and the name differs from pod to pod; use AfterAppContainer")
		add(c.ShareVolumePolicy != nil && c.ShareVolumePolicy.Type == v1alpha1.ShareEnabled, ".shareVolumePolicy",
			"the app's mounts differ from pod to pod; list the mounts instead")
		add(c.ShareVolumeDevicePolicy != nil && c.ShareVolumeDevicePolicy.Type == v1alpha1.ShareEnabled, ".shareVolumeDevicePolicy",
			"the app's devices differ from pod to pod; list the devices instead")
		add(len(c.TransferEnv) > 0, ".transferEnv", "the app's variables differ from pod to pod; list the variables instead")
		add(c.Resources != nil, ".resourcesPolicy", "the app's resources differ from pod to pod; set the resources of the sidecar instead")
		add(len(c.AllowOverride) > 0, ".allowOverride",
			"patches do not read the pod's annotations that override %s; remove the field", strings.Join(c.AllowOverride, ", "))
	}
}

func (l *limits) addPayload() {
	for _, field := range l.in.Variables() {
		l.list = append(l.list, limit{field, "the value of a variable differs from pod to pod; write the value instead"})
	}
	for i := range l.in.AppContainers {
		l.add(index("appContainers", i),
			"a patch names its containers, and adds those that a pod does not have; it cannot select the existing ones")
	}
	for i, patch := range l.in.PodMetadata {
		l.addIf(patch.Policy == v1alpha1.PatchMergeJSON, index(patchPodMetadata, i)+".patchPolicy",
			"patches cannot merge into the JSON of an annotation; use Retain or Overwrite")
	}
}

func (l *limits) addPolicies() {
	spec := &l.in.Spec
	conflict := spec.OnConflict
	const name = "%s depends on the pod; patches can only stop the build if the name is taken, as Error does"
	l.addIf(conflict.Container != v1alpha1.ContainerError, "onConflict.container", name, conflict.Container)
	l.addIf(conflict.Volume != v1alpha1.ConflictError, "onConflict.volume", name, conflict.Volume)
	l.addIf(conflict.Port != v1alpha1.PortError, "onConflict.port",
		"%s depends on the app's ports, which patches do not check; use Error", conflict.Port)
	l.addIf(spec.HostNetwork != v1alpha1.PodInject, "hostNetwork",
		"a target cannot select by the host's network; only Inject can be exported, not %s", spec.HostNetwork)
	l.addIf(spec.PodResources == v1alpha1.PodResourcesShare, "podResources",
		"patches add the same sidecar to all pods, with or without resources of their own; remove the resources of the sidecar instead")
	l.addIf(spec.HelmHooks != v1alpha1.PodInject, "helmHooks",
		"kustomize and Flux run no Helm hooks; only Inject can be exported, not %s", spec.HelmHooks)
}

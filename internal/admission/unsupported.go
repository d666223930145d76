package admission

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/pod"
)

// The first minor versions of Kubernetes 1 that have each kind of policy.
const (
	firstValidating = 30
	firstMutating   = 34
)

// limits collects the fields of an injector that policies cannot express.
type limits struct {
	in       *injector.Injector
	options  Options
	findings []finding.Finding
}

// mostContainers bounds the containers of all injectors together. With more, every policy is longer than the API server allows.
const mostContainers = 300

// findTooMany returns an error finding if injectors have so many containers that it would take long to find that policies are too long.
func findTooMany(injectors []*injector.Injector) []finding.Finding {
	all := 0
	for _, in := range injectors {
		if all += len(in.Containers) + len(in.InitContainers); all > mostContainers {
			l := limits{in: in}
			l.add("containers", "with this injector, there are more than %d containers, which is too much for the API server; use fewer",
				mostContainers)
			return l.findings
		}
	}
	return nil
}

// findUnsupported returns an error finding for each field of the injectors that policies cannot express.
func findUnsupported(injectors []*injector.Injector, options Options) []finding.Finding {
	if tooMany := findTooMany(injectors); tooMany != nil {
		return tooMany
	}
	var findings []finding.Finding
	for _, in := range injectors {
		l := limits{in: in, options: options}
		l.addVersion()
		l.addSelection()
		l.addContainers(pod.Main, in.Containers)
		l.addContainers(pod.Init, in.InitContainers)
		l.addPayload()
		l.addPodSpec()
		l.addNewFields()
		l.addPolicies()
		findings = append(findings, l.findings...)
	}
	return slices.Concat(findings, findShared(injectors), findVolumes(injectors), findDefaultContainers(injectors))
}

// add adds a finding for a field of the spec, such as "containers[0].resourcesPolicy".
func (l *limits) add(field, format string, args ...any) {
	l.addAt(fieldPath(l.in, field), fmt.Sprintf(format, args...))
}

// fieldPath returns where a field of the spec, such as "containers[0].resourcesPolicy", is in the config.
func fieldPath(in *injector.Injector, field string) string {
	rest := ""
	if end := strings.IndexAny(field, ".["); end >= 0 {
		field, rest = field[:end], field[end:]
	}
	return in.At(field) + rest
}

func (l *limits) addAt(at, reason string) {
	l.findings = append(l.findings, finding.Finding{
		Severity: finding.Error, Code: finding.NotExportable, Injector: l.in.Name,
		Field: &finding.Field{Path: at}, Message: at + ": " + reason,
	})
}

func (l *limits) addIf(condition bool, field, format string, args ...any) {
	if condition {
		l.add(field, format, args...)
	}
}

func (l *limits) addVersion() {
	switch minor := l.options.Minor; {
	case minor < firstValidating:
		l.add("kubernetesVersion", "Kubernetes 1.%d has no admission policies; 1.%d is the first that has them", minor, firstValidating)
	case minor < firstMutating && l.options.Mutate:
		l.add("kubernetesVersion", "Kubernetes 1.%d has no MutatingAdmissionPolicy; 1.%d is the first that has it, "+
			"so export with --only validate", minor, firstMutating)
	}
}

func (l *limits) addSelection() {
	spec := &l.in.Spec
	l.addIf(spec.Action != v1alpha1.Inject, "action",
		"a new pod has nothing to remove or to verify; only Inject can be exported, not %s", spec.Action)
	l.addIf(spec.Adopt, "adopt", "policies do not take over what a pod has; adopt it in the manifests, and remove the field from the config "+
		"for admission")
	l.addIf(spec.Paused, "paused", "a paused injector changes nothing, so there is nothing to export")
	l.addIf(l.in.Paused && !spec.Paused, "injectionStrategy.paused", "a paused SidecarSet changes nothing, so there is nothing to export")
	l.addIf(spec.SelectorScope != v1alpha1.ScopePodTemplate, "selectorScope",
		"a pod does not know the labels of its workload; label the pod template, and remove the field")
	l.addIf(len(spec.Rules) > 0 && !slices.ContainsFunc(spec.Rules, isForAll), "rules",
		"a pod does not know the kind of its workload; select by labels or namespaces instead")
	l.addIf(len(spec.Names) > 0, "names", "a pod does not know the name of its workload; select by labels instead")
	l.addIf(len(spec.ExcludeNames) > 0, "excludeNames",
		"a pod does not know the name of its workload; label the pods, and use neverInjectSelector")
	l.addIf(spec.PodResources == v1alpha1.PodResourcesShare, "podResources",
		"policies add the same sidecar to all pods, with or without resources of their own; remove the resources of the sidecar instead")
	l.addIf(spec.HelmHooks != v1alpha1.PodInject, "helmHooks",
		"a pod does not know whether its workload is a Helm hook; only Inject can be exported, not %s", spec.HelmHooks)
}

// isForAll reports whether a rule matches every workload.
func isForAll(r v1alpha1.Rule) bool {
	return slices.Contains(r.APIGroups, "*") && slices.Contains(r.APIVersions, "*") && slices.Contains(r.Resources, "*")
}

func (l *limits) addContainers(list string, all []injector.Container) {
	for i, c := range all {
		add := func(isUnsupported bool, field, reason string) {
			l.addIf(isUnsupported, fmt.Sprintf("%s[%d]%s", list, i, field), "%s", reason)
		}
		add(c.Mode == v1alpha1.ModeAuto, ".mode",
			"its list depends on whether the pod is meant to finish, as in every ConfigMap and before Kubernetes 1.29; "+
				"declare it in a SidecarInjector with mode Native or Container")
		const position = "policies do not check whether that is a plain container in a pod; remove the field, or set mode to Container"
		add(c.Before != "" && c.Mode == v1alpha1.ModeNative, ".before", position)
		add(c.After != "" && c.Mode == v1alpha1.ModeNative, ".after", position)
		const order = "policies place init containers beside those of the pod only; list them in the order that they should have"
		add(list == pod.Init && l.in.Has(c.Before), ".before", order)
		add(list == pod.Init && l.in.Has(c.After), ".after", order)
		add(c.ShareVolumePolicy != nil && c.ShareVolumePolicy.Type == v1alpha1.ShareEnabled, ".shareVolumePolicy",
			"policies cannot tell which mounts of the app would work in the sidecar; list the mounts instead")
		add(c.ShareVolumeDevicePolicy != nil && c.ShareVolumeDevicePolicy.Type == v1alpha1.ShareEnabled, ".shareVolumeDevicePolicy",
			"policies cannot compare the paths of the app's devices; list the devices instead")
		add(len(c.TransferEnv) > 0, ".transferEnv",
			"policies do not copy variables of the app's containers; list the variables instead")
		add(c.Resources != nil, ".resourcesPolicy",
			"the API server's expressions cannot compute with resources; set the resources of the sidecar instead")
		add(len(c.AllowOverride) > 0, ".allowOverride",
			"policies do not read annotations that override fields; remove allowOverride, or add the sidecar to manifests with pillion inject")
	}
}

func (l *limits) addPayload() {
	for _, text := range l.in.Texts() {
		l.addText(text)
	}
	for i, rule := range l.in.AppContainers {
		for n, mount := range rule.VolumeMounts {
			l.addIf(pod.InContainer("volumeMounts").Key(mount) == tokenPath, fmt.Sprintf("appContainers[%d].volumeMounts[%d].mountPath", i, n),
				"the API server mounts the token of the ServiceAccount there before policies run; use another path")
		}
	}
	for i, patch := range l.in.PodMetadata {
		l.addIf(patch.Policy == v1alpha1.PatchMergeJSON, fmt.Sprintf("patchPodMetadata[%d].patchPolicy", i),
			"the API server's expressions cannot read the JSON of an annotation; use Retain or Overwrite")
	}
}

func (l *limits) addPolicies() {
	spec := &l.in.Spec
	conflict := spec.OnConflict
	l.addIf(conflict.Container != v1alpha1.ContainerError, "onConflict.container",
		"the pod arrives with defaults, so policies cannot tell what is the app's own; only Error can be exported, not %s", conflict.Container)
	l.addChecks()
	l.addIf(spec.Expect != nil, "expect", "policies see one pod at a time and do not count; remove the field from the config for admission")
}

package form

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/glob"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// sidecarSetChecker checks a SidecarSet.
type sidecarSetChecker struct {
	*schema.Problems
	*sidecarSet
}

// check reports what OpenKruise refuses beyond the rules for every injector.
func (s sidecarSetChecker) check() {
	if name := s.Metadata.Name; strings.Contains(name, ".") {
		s.Refusef("metadata.name", name,
			"%q has a dot; a SidecarSet's name is of letters, digits and hyphens", schema.Shown(name))
	}
	s.Require(s.Spec.Selector != nil, "spec", "selector",
		"a SidecarSet needs a selector; write the labels of the pods that get the sidecar")
	s.checkNotEmpty("spec.selector", s.Spec.Selector)
	s.checkNotEmpty("spec.namespaceSelector", s.Spec.NamespaceSelector)
	switch isBeta := s.APIVersion == sidecarSetBeta; {
	case isBeta && s.Spec.Namespace != "":
		s.Malformf("spec.namespace", "namespace",
			"v1beta1 has no namespace; write namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAME}}")
	case !isBeta && s.Spec.CustomVersion != "":
		s.Malformf("spec.customVersion", "customVersion",
			"in v1alpha1 it is the label apps.kruise.io/sidecarset-custom-version; write that, or apiVersion: "+
				sidecarSetBeta)
	case glob.HasWildcard(s.Spec.Namespace):
		s.Refusef("spec.namespace", s.Spec.Namespace,
			"%q has a wildcard, and a SidecarSet is for one namespace; use namespaceSelector instead",
			schema.Shown(s.Spec.Namespace))
	}
	if len(s.containers()) == 0 {
		s.requireOnce("spec.containers", "spec.containers",
			"a SidecarSet needs a container; write at least one under containers or initContainers")
	}
	s.checkMountedVolumes()
	r := s.Spec.InjectionStrategy.Revision
	s.Require(r == nil || r.RevisionName != nil || r.CustomVersion != nil,
		"spec.injectionStrategy.revision", "revisionName",
		"a revision needs a revisionName or a customVersion; write one, or remove revision")
	s.checkUpdateStrategy()
	s.checkResourcesPolicies()
	s.checkTransfers()
	for i, patch := range s.Spec.PatchPodMetadata {
		if at := schema.InSpec("patchPodMetadata").Index(i); len(patch.Annotations) == 0 {
			s.requireOnce(at, at.Key("annotations"), "there is nothing here for the pod's metadata; write annotations")
		}
	}
}

// requireOnce reports a missing field, and marks its parent so that the checks for every injector do not report it
// again.
func (s sidecarSetChecker) requireOnce(parent, at schema.Path, message string) {
	before := len(s.Findings)
	s.Missing(at, message)
	if len(s.Findings) > before {
		s.Malformed = append(s.Malformed, parent)
	}
}

func (s sidecarSetChecker) checkNotEmpty(at schema.Path, selector *metav1.LabelSelector) {
	if selector != nil && len(selector.MatchLabels)+len(selector.MatchExpressions) == 0 {
		s.Refusef(at, "", "the selector is empty, which OpenKruise refuses; add matchLabels or matchExpressions")
	}
}

// checkMountedVolumes reports mounts of volumes that the SidecarSet does not have. OpenKruise refuses them, and
// the sidecar would depend on the names of the app's volumes.
func (s sidecarSetChecker) checkMountedVolumes() {
	used := s.usedVolumes()
	delete(used, "") // a missing name is reported elsewhere
	for _, volume := range s.Spec.Volumes {
		delete(used, volume.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(used)) {
		for _, at := range used[name] {
			s.Refusef(at.Key("name"), name,
				"spec.volumes has no volume %q, and OpenKruise refuses the mount of another; add it",
				schema.Shown(name))
		}
	}
}

// checkUpdateStrategy checks the updateStrategy although it is not used, so that OpenKruise accepts what is accepted
// here.
func (s sidecarSetChecker) checkUpdateStrategy() {
	update := s.Spec.UpdateStrategy
	at := schema.Path("spec.updateStrategy")
	if update.Type == notUpdate {
		return
	}
	s.checkNotEmpty(at.Key("selector"), update.Selector)
	p := update.Partition
	s.NotBoth(update.Selector != nil && p != nil &&
		(p.Type == intstr.String || p.IntVal != 0), at, "selector", "partition")
	s.checkNumberOfPods(at.Key("partition"), update.Partition)
	s.checkNumberOfPods(at.Key("maxUnavailable"), update.MaxUnavailable)
	priority := update.PriorityStrategy
	priorityAt := at.Key("priorityStrategy")
	s.NotBoth(len(priority.OrderPriority) > 0 &&
		len(priority.WeightPriority) > 0, priorityAt, "orderPriority", "weightPriority")
	for i, term := range priority.WeightPriority {
		if term.Weight < 0 || term.Weight > 100 {
			s.Refusef(priorityAt.Key("weightPriority").Index(i).Key("weight"), strconv.Itoa(int(term.Weight)),
				"a weight is from 0 to 100, and not %d", term.Weight)
		}
	}
	for i, term := range update.ScatterStrategy {
		s.Require(term.Key != "", at.Key("scatterStrategy").Index(i), "key",
			"a term needs the key of a label; write it")
	}
}

// checkNumberOfPods checks a number of pods or a percentage of them.
func (s sidecarSetChecker) checkNumberOfPods(at schema.Path, value *intstr.IntOrString) {
	if value == nil {
		return
	}
	if n, err := intstr.GetScaledValueFromIntOrPercent(value, 100, true); err != nil || n < 0 {
		s.Refusef(at, value.String(),
			"%q is neither a number of pods nor a percentage; write one such as 1 or 10%%",
			schema.Shown(value.String()))
	}
}

// checkTransfers reports transfers of no variable, which OpenKruise ignores: without names, an injector takes all.
func (s sidecarSetChecker) checkTransfers() {
	for _, c := range s.containers() {
		for i, transfer := range c.TransferEnv {
			if at := c.at.Key("transferEnv").Index(i); transfer.EnvName == "" && len(transfer.EnvNames) == 0 {
				s.requireOnce(at, at.Key("envNames"),
					"a transfer needs the names of variables; write envNames, or remove it")
			}
		}
	}
}

func (s sidecarSetChecker) checkResourcesPolicies() {
	for _, c := range s.containers() {
		if c.ResourcesPolicy == nil {
			continue
		}
		at := c.at.Key("resourcesPolicy")
		s.Require(c.ResourcesPolicy.TargetContainersMode != "", at, "targetContainersMode",
			"a resourcesPolicy needs a targetContainersMode; write sum or max")
		if s.NotBoth(len(c.Resources.Limits)+
			len(c.Resources.Requests) > 0, c.at, "resources", "resourcesPolicy") {
			s.Malformed = append(s.Malformed, at) // so that the checks for every injector do not report it again
		}
		if c.list == pod.Init && (c.RestartPolicy == nil || *c.RestartPolicy != corev1.ContainerRestartPolicyAlways) {
			s.Refusef(at, "",
				"only an init container with restartPolicy: Always can have a resourcesPolicy; "+
					"write that, or remove it")
		}
	}
}

// warnOfUnused warns of fields that have no effect on a manifest, because they are about pods that run or about the
// history of the SidecarSet: Git has the history, and the workload's own rollout replaces pods.
func (s sidecarSetChecker) warnOfUnused(spec *node.Node) {
	if s.Spec.InjectionStrategy.Paused {
		s.Warn(schema.Problem{
			At: "spec.injectionStrategy.paused", Current: "true", Proposed: "false", Code: finding.Paused,
			Message: "the SidecarSet is paused, so nothing is injected; write false or remove it to inject",
		})
	}
	if s.Spec.InjectionStrategy.Revision != nil {
		s.Ignoref("spec.injectionStrategy.revision", "",
			"revisions are not looked up, and the SidecarSet is injected as it is in this file; remove the field")
	}
	if len(node.Keys(node.Get(spec, "updateStrategy"))) > 0 {
		s.Ignoref("spec.updateStrategy", "",
			"it is not used, because the workload's own rollout replaces the pods; remove it")
	}
	for _, c := range s.containers() {
		s.warnOfUpgrade(c.at.Key("upgradeStrategy"), c.Name, c.UpgradeStrategy)
	}
	used := s.usedVolumes()
	for i, volume := range s.Spec.Volumes {
		if volume.Name != "" && used[volume.Name] == nil {
			s.Ignoref(schema.InSpec("volumes").Index(i), volume.Name,
				"no container of the SidecarSet mounts volume %q, so it is not injected; mount it or remove it",
				schema.Shown(volume.Name))
		}
	}
	if s.Spec.Namespace != "" && s.Spec.NamespaceSelector != nil {
		s.Ignoref("spec.namespaceSelector", "", "it is not used, because spec.namespace is set; keep one of the two")
	}
	if annotations := s.Metadata.Annotations; annotations[canaryAnnotation] == "true" {
		s.Ignoref(schema.Path("metadata.annotations").Key(canaryAnnotation), "",
			"this annotation is not used, so the pods would get both SidecarSets; "+
				"exclude these pods in the selector of %q",
			annotations[baseAnnotation])
	}
}

func (s sidecarSetChecker) warnOfUpgrade(at schema.Path, name string, upgrade upgradeStrategy) {
	switch {
	case upgrade.UpgradeType == hotUpgrade:
		s.Ignoref(at, string(upgrade.UpgradeType),
			"there is no hot upgrade: OpenKruise would add %[1]s-1 and %[1]s-2, "+
				"and Pillion adds %[1]s once; the workload's own rollout replaces it", name)
	case upgrade != upgradeStrategy{}:
		s.Ignoref(at, string(upgrade.UpgradeType),
			"it is not used, because the workload's own rollout replaces the sidecar; remove it")
	}
}

package injector

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/glob"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// sidecarSetChecker checks a SidecarSet.
type sidecarSetChecker struct {
	*problems
	*sidecarSet
}

// check reports what OpenKruise refuses beyond the rules for every injector.
func (s sidecarSetChecker) check() {
	if name := s.Metadata.Name; strings.Contains(name, ".") {
		s.refusef("metadata.name", name,
			"%q has a dot; a SidecarSet's name is of letters, digits and hyphens", clip(name, maxShown))
	}
	s.require(s.Spec.Selector != nil, "spec", "selector",
		"a SidecarSet needs a selector; write the labels of the pods that get the sidecar")
	s.checkNotEmpty("spec.selector", s.Spec.Selector)
	s.checkNotEmpty("spec.namespaceSelector", s.Spec.NamespaceSelector)
	switch isBeta := s.APIVersion == sidecarSetBeta; {
	case isBeta && s.Spec.Namespace != "":
		s.malformf("spec.namespace", "namespace",
			"v1beta1 has no namespace; write namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAME}}")
	case !isBeta && s.Spec.CustomVersion != "":
		s.malformf("spec.customVersion", "customVersion",
			"in v1alpha1 it is the label apps.kruise.io/sidecarset-custom-version; write that, or apiVersion: "+
				sidecarSetBeta)
	case glob.HasWildcard(s.Spec.Namespace):
		s.refusef("spec.namespace", s.Spec.Namespace,
			"%q has a wildcard, and a SidecarSet is for one namespace; use namespaceSelector instead",
			clip(s.Spec.Namespace, maxShown))
	}
	if len(s.containers()) == 0 {
		s.requireOnce("spec.containers", "spec.containers",
			"a SidecarSet needs a container; write at least one under containers or initContainers")
	}
	s.checkMountedVolumes()
	r := s.Spec.InjectionStrategy.Revision
	s.require(r == nil || r.RevisionName != nil || r.CustomVersion != nil,
		"spec.injectionStrategy.revision", "revisionName",
		"a revision needs a revisionName or a customVersion; write one, or remove revision")
	s.checkUpdateStrategy()
	s.checkResourcesPolicies()
	s.checkTransfers()
	for i, patch := range s.Spec.PatchPodMetadata {
		if at := inSpec("patchPodMetadata").index(i); len(patch.Annotations) == 0 {
			s.requireOnce(at, at.key("annotations"), "there is nothing here for the pod's metadata; write annotations")
		}
	}
}

// requireOnce reports a missing field, and marks its parent so that the checks for every injector do not report it
// again.
func (s sidecarSetChecker) requireOnce(parent, at path, message string) {
	before := len(s.findings)
	s.missing(at, message)
	if len(s.findings) > before {
		s.malformed = append(s.malformed, parent)
	}
}

func (s sidecarSetChecker) checkNotEmpty(at path, selector *metav1.LabelSelector) {
	if selector != nil && len(selector.MatchLabels)+len(selector.MatchExpressions) == 0 {
		s.refusef(at, "", "the selector is empty, which OpenKruise refuses; add matchLabels or matchExpressions")
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
			s.refusef(at.key("name"), name,
				"spec.volumes has no volume %q, and OpenKruise refuses the mount of another; add it",
				clip(name, maxShown))
		}
	}
}

// checkUpdateStrategy checks the updateStrategy although it is not used, so that OpenKruise accepts what is accepted
// here.
func (s sidecarSetChecker) checkUpdateStrategy() {
	update := s.Spec.UpdateStrategy
	at := path("spec.updateStrategy")
	if update.Type == notUpdate {
		return
	}
	s.checkNotEmpty(at.key("selector"), update.Selector)
	p := update.Partition
	s.notBoth(update.Selector != nil && p != nil &&
		(p.Type == intstr.String || p.IntVal != 0), at, "selector", "partition")
	s.checkNumberOfPods(at.key("partition"), update.Partition)
	s.checkNumberOfPods(at.key("maxUnavailable"), update.MaxUnavailable)
	priority := update.PriorityStrategy
	priorityAt := at.key("priorityStrategy")
	s.notBoth(len(priority.OrderPriority) > 0 &&
		len(priority.WeightPriority) > 0, priorityAt, "orderPriority", "weightPriority")
	for i, term := range priority.WeightPriority {
		if term.Weight < 0 || term.Weight > 100 {
			s.refusef(priorityAt.key("weightPriority").index(i).key("weight"), strconv.Itoa(int(term.Weight)),
				"a weight is from 0 to 100, and not %d", term.Weight)
		}
	}
	for i, term := range update.ScatterStrategy {
		s.require(term.Key != "", at.key("scatterStrategy").index(i), "key",
			"a term needs the key of a label; write it")
	}
}

// checkNumberOfPods checks a number of pods or a percentage of them.
func (s sidecarSetChecker) checkNumberOfPods(at path, value *intstr.IntOrString) {
	if value == nil {
		return
	}
	if n, err := intstr.GetScaledValueFromIntOrPercent(value, 100, true); err != nil || n < 0 {
		s.refusef(at, value.String(),
			"%q is neither a number of pods nor a percentage; write one such as 1 or 10%%",
			clip(value.String(), maxShown))
	}
}

// checkTransfers reports transfers of no variable, which OpenKruise ignores: without names, an injector takes all.
func (s sidecarSetChecker) checkTransfers() {
	for _, c := range s.containers() {
		for i, transfer := range c.TransferEnv {
			if at := c.at.key("transferEnv").index(i); transfer.EnvName == "" && len(transfer.EnvNames) == 0 {
				s.requireOnce(at, at.key("envNames"), "a transfer needs the names of variables; write envNames, or remove it")
			}
		}
	}
}

func (s sidecarSetChecker) checkResourcesPolicies() {
	for _, c := range s.containers() {
		if c.ResourcesPolicy == nil {
			continue
		}
		at := c.at.key("resourcesPolicy")
		s.require(c.ResourcesPolicy.TargetContainersMode != "", at, "targetContainersMode",
			"a resourcesPolicy needs a targetContainersMode; write sum or max")
		if s.notBoth(len(c.Resources.Limits)+
			len(c.Resources.Requests) > 0, c.at, "resources", "resourcesPolicy") {
			s.malformed = append(s.malformed, at) // so that the checks for every injector do not report it again
		}
		if c.list == pod.Init && (c.RestartPolicy == nil || *c.RestartPolicy != corev1.ContainerRestartPolicyAlways) {
			s.refusef(at, "",
				"only an init container with restartPolicy: Always can have a resourcesPolicy; "+
					"write that, or remove it")
		}
	}
}

// warnOfUnused warns of fields that have no effect on a manifest, because they are about pods that run or about the
// history of the SidecarSet: Git has the history, and the workload's own rollout replaces pods.
func (s sidecarSetChecker) warnOfUnused(spec *node.Node) {
	if s.Spec.InjectionStrategy.Paused {
		s.warn(problem{
			at: "spec.injectionStrategy.paused", current: "true", proposed: "false", code: finding.Paused,
			message: "the SidecarSet is paused, so nothing is injected; write false or remove it to inject",
		})
	}
	if s.Spec.InjectionStrategy.Revision != nil {
		s.ignoref("spec.injectionStrategy.revision", "",
			"revisions are not looked up, and the SidecarSet is injected as it is in this file; remove the field")
	}
	if len(node.Keys(node.Get(spec, "updateStrategy"))) > 0 {
		s.ignoref("spec.updateStrategy", "",
			"it is not used, because the workload's own rollout replaces the pods; remove it")
	}
	for _, c := range s.containers() {
		s.warnOfUpgrade(c.at.key("upgradeStrategy"), c.Name, c.UpgradeStrategy)
	}
	used := s.usedVolumes()
	for i, volume := range s.Spec.Volumes {
		if volume.Name != "" && used[volume.Name] == nil {
			s.ignoref(inSpec("volumes").index(i), volume.Name,
				"no container of the SidecarSet mounts volume %q, so it is not injected; mount it or remove it",
				clip(volume.Name, maxShown))
		}
	}
	if s.Spec.Namespace != "" && s.Spec.NamespaceSelector != nil {
		s.ignoref("spec.namespaceSelector", "", "it is not used, because spec.namespace is set; keep one of the two")
	}
	if annotations := s.Metadata.Annotations; annotations[canaryAnnotation] == "true" {
		s.ignoref(path("metadata.annotations").key(canaryAnnotation), "",
			"this annotation is not used, so the pods would get both SidecarSets; "+
				"exclude these pods in the selector of %q",
			annotations[baseAnnotation])
	}
}

func (s sidecarSetChecker) warnOfUpgrade(at path, name string, upgrade upgradeStrategy) {
	switch {
	case upgrade.UpgradeType == hotUpgrade:
		s.ignoref(at, string(upgrade.UpgradeType),
			"there is no hot upgrade: OpenKruise would add %[1]s-1 and %[1]s-2, "+
				"and Pillion adds %[1]s once; the workload's own rollout replaces it", name)
	case upgrade != upgradeStrategy{}:
		s.ignoref(at, string(upgrade.UpgradeType),
			"it is not used, because the workload's own rollout replaces the sidecar; remove it")
	}
}

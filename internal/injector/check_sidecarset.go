package injector

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/internal/sidecarset"
	"pillion.dev/pillion/internal/yaml/node"
)

// check holds a SidecarSet to the rules that OpenKruise has beyond those of every injector.
func (s sidecarSet) check() {
	if name := s.shell.Metadata.Name; strings.Contains(name, ".") {
		s.refusef("metadata.name", name, "%q has a dot; a SidecarSet's name is of letters, digits and hyphens", clip(name, maxShown))
	}
	if s.spec.Selector == nil {
		s.require("spec.selector", "a SidecarSet needs a selector; write the labels of the pods that get the sidecar")
	}
	s.checkNotEmpty("spec.selector", s.spec.Selector)
	s.checkNotEmpty("spec.namespaceSelector", s.spec.NamespaceSelector)
	if len(s.spec.Containers)+len(s.spec.InitContainers) == 0 {
		s.requireContainers()
	}
	s.checkVolumesOf("containers", s.spec.Containers)
	s.checkVolumesOf("initContainers", s.spec.InitContainers)
	s.checkRevision()
	s.checkUpdateStrategy()
	s.checkFromApp("containers", s.spec.Containers)
	s.checkFromApp("initContainers", s.spec.InitContainers)
	s.checkAnnotations()
}

// checkAnnotations asks each patch for annotations, which are all that a SidecarSet sets.
func (s sidecarSet) checkAnnotations() {
	for i, patch := range s.spec.PatchPodMetadata {
		if at := specAt("patchPodMetadata").index(i); len(patch.Annotations) == 0 {
			s.require(at.key("annotations"), "there is nothing here for the pod's metadata; write annotations")
			s.malformed = append(s.malformed, at) // and once is enough
		}
	}
}

func (s sidecarSet) checkNotEmpty(at path, selector *metav1.LabelSelector) {
	if selector != nil && len(selector.MatchLabels)+len(selector.MatchExpressions) == 0 {
		s.refusef(at, "", "the selector is empty, which OpenKruise refuses; add matchLabels or matchExpressions")
	}
}

// requireContainers says what is missing once, for SidecarSets and for injectors alike.
func (s sidecarSet) requireContainers() {
	before := len(s.findings)
	s.require("spec.containers", "a SidecarSet needs a container; write at least one under containers or initContainers")
	if len(s.findings) > before {
		s.malformed = append(s.malformed, "spec.containers")
	}
}

// checkVolumesOf checks that what a container mounts is in the SidecarSet: OpenKruise asks for
// it, and without it the sidecar would depend on what the app happens to call its volumes.
func (s sidecarSet) checkVolumesOf(list string, containers []sidecarset.Container) {
	volumes := map[string]bool{"": true} // a mount without a name is said elsewhere
	for _, volume := range s.spec.Volumes {
		volumes[volume.Name] = true
	}
	missing := func(at path, name string) {
		if !volumes[name] {
			s.refusef(at.key("name"), name, "spec.volumes has no volume %q, which OpenKruise asks for; add it", clip(name, maxShown))
		}
	}
	for i := range containers {
		at := specAt(list).index(i)
		for j, mount := range containers[i].VolumeMounts {
			missing(at.key("volumeMounts").index(j), mount.Name)
		}
		for j, device := range containers[i].VolumeDevices {
			missing(at.key("volumeDevices").index(j), device.Name)
		}
	}
}

func (s sidecarSet) checkRevision() {
	if r := s.spec.InjectionStrategy.Revision; r != nil && r.RevisionName == nil && r.CustomVersion == nil {
		s.require("spec.injectionStrategy.revision.revisionName", "a revision needs a revisionName or a customVersion; write one, or remove revision")
	}
}

// checkUpdateStrategy checks what is not used here all the same, so that a SidecarSet that
// passes here passes there.
func (s sidecarSet) checkUpdateStrategy() {
	update, at := s.spec.UpdateStrategy, path("spec.updateStrategy")
	if update.Type == sidecarset.NotUpdate {
		return
	}
	s.checkNotEmpty(at.key("selector"), update.Selector)
	if update.Selector != nil && isSet(update.Partition) {
		s.refusef(at.key("partition"), update.Partition.String(), "partition and selector cannot both be given; keep one")
	}
	s.checkShare(at.key("partition"), update.Partition)
	s.checkShare(at.key("maxUnavailable"), update.MaxUnavailable)
	if priority := update.PriorityStrategy; priority != nil {
		if len(priority.OrderPriority) > 0 && len(priority.WeightPriority) > 0 {
			s.refusef(at.key("priorityStrategy"), "", "orderPriority and weightPriority cannot both be given; keep one")
		}
		for i, term := range priority.WeightPriority {
			if term.Weight < 0 || term.Weight > 100 {
				s.refusef(at.key("priorityStrategy").key("weightPriority").index(i).key("weight"), strconv.Itoa(int(term.Weight)),
					"a weight is from 0 to 100, and not %d", term.Weight)
			}
		}
	}
	for i, term := range update.ScatterStrategy {
		if term.Key == "" {
			s.require(at.key("scatterStrategy").index(i).key("key"), "a term needs the key of a label; write it")
		}
	}
}

func isSet(value *intstr.IntOrString) bool {
	return value != nil && (value.Type == intstr.String || value.IntVal != 0)
}

// checkShare checks a number of pods or a percentage of them.
func (s sidecarSet) checkShare(at path, value *intstr.IntOrString) {
	if value == nil {
		return
	}
	share, isPercentage := strings.CutSuffix(value.String(), "%")
	n, err := strconv.Atoi(share)
	if err != nil || n < 0 || isPercentage != (value.Type == intstr.String) {
		s.refusef(at, value.String(), "%q is neither a number of pods nor a percentage; write one such as 1 or 10%%", clip(value.String(), maxShown))
	}
}

// sayWhatOthersDo warns of what a SidecarSet does to pods that run, or by its history. Nothing of
// that reaches a manifest: Git has the history, and the workload's own rollout replaces pods.
func (s sidecarSet) sayWhatOthersDo(spec *yaml.Node) {
	if s.spec.InjectionStrategy.Paused {
		s.warn(problem{at: "spec.injectionStrategy.paused", current: "true", proposed: "false", message: "the SidecarSet is paused, so nothing is injected; " +
			"write false or remove it to inject"})
	}
	if s.spec.InjectionStrategy.Revision != nil {
		s.warn(problem{at: "spec.injectionStrategy.revision", message: "revisions are not looked up; the SidecarSet is injected as it stands here, " +
			"and its history is in Git"})
	}
	if len(node.Keys(node.Get(spec, "updateStrategy"))) > 0 {
		s.warn(problem{at: "spec.updateStrategy", message: "it is not used: Git and the workload's own rollout bring a change to the pods"})
	}
	s.sayUpgrades("containers", s.spec.Containers)
	s.sayUpgrades("initContainers", s.spec.InitContainers)
	s.sayNothingTransferred("containers", s.spec.Containers)
	s.sayNothingTransferred("initContainers", s.spec.InitContainers)
	s.sayUnused()
	if s.namespace != "" && s.spec.NamespaceSelector != nil {
		s.warn(problem{at: "spec.namespaceSelector", message: "it is not used, because spec.namespace stands before it; keep one"})
	}
	if s.shell.Metadata.Annotations[sidecarset.CanaryAnnotation] == "true" {
		at := path("metadata.annotations").key(sidecarset.CanaryAnnotation)
		s.warn(problem{at: at, message: fmt.Sprintf("no SidecarSet stands in for another here; take the pods that this one is for out of the selector of %q",
			s.shell.Metadata.Annotations[sidecarset.BaseAnnotation])})
	}
}

func (s sidecarSet) sayUpgrades(list string, containers []sidecarset.Container) {
	for i, c := range containers {
		at := specAt(list).index(i).key("upgradeStrategy")
		switch upgrade := c.UpgradeStrategy; {
		case upgrade.UpgradeType == sidecarset.HotUpgrade:
			s.warn(problem{at: at, current: string(upgrade.UpgradeType), message: fmt.Sprintf("there is no hot upgrade: OpenKruise would add %[1]s-1 and %[1]s-2, "+
				"and here %[1]s goes in once; the workload's own rollout replaces it", c.Name)})
		case upgrade != sidecarset.UpgradeStrategy{}:
			s.warn(problem{at: at, current: string(upgrade.UpgradeType), message: "it is not used: the workload's own rollout replaces the sidecar"})
		}
	}
}

// sayUnused tells of volumes that stay out, as they do with OpenKruise.
func (s sidecarSet) sayUnused() {
	used := s.volumesInUse()
	for i, volume := range s.spec.Volumes {
		if volume.Name != "" && !used[volume.Name] {
			s.warn(problem{at: specAt("volumes").index(i), current: volume.Name, message: fmt.Sprintf(
				"no container of the SidecarSet mounts volume %q, so it is not injected; mount it or remove it", clip(volume.Name, maxShown))})
		}
	}
}

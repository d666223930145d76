package admission

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// findReplaced returns an error finding for each conflict whose outcome depends on whether something of the pod was replaced before: a
// policy that runs again could not tell.
func findReplaced(injectors []*injector.Injector) []finding.Finding {
	var findings []finding.Finding
	containers, volumes := replacedNames{}, replacedNames{}
	var replacing []string // the names of the containers that replace those of a pod
	for _, in := range injectors {
		if in.Spec.OnConflict.Container == v1alpha1.ContainerReplace {
			replacing = append(replacing, containerNames(in)...)
		}
	}
	for _, in := range injectors {
		l := limits{in: in}
		for _, container := range containersOf(in) {
			containers.add(&l, "container", container.Name, string(in.Spec.OnConflict.Container), container.Body, container.Mode)
			isOther := func(name string) bool { return name != container.Name }
			l.addIf(in.Spec.OnConflict.Port == v1alpha1.PortKeep && len(node.List(container.Body, "ports")) > 0 &&
				slices.ContainsFunc(replacing, isOther), "onConflict.port",
				"other containers of the list replace those of a pod (onConflict.container), so it depends on the order which ports of %q "+
					"are taken; use Error for one of the two", container.Name)
		}
		leavesUnclear := func(other *injector.Injector) bool {
			return other != in && other.Spec.OnConflict.Container != v1alpha1.ContainerError && len(containersOf(other)) > 0
		}
		for _, text := range in.Texts() {
			if text.Rule < 0 && text.UsesContainer() && slices.ContainsFunc(injectors, leavesUnclear) {
				l.addAt(text.Path, "another injector keeps or replaces a container of the pod that has its name (onConflict.container), and a "+
					"policy does not see whether that is the app's default container; write the value instead of the variable, or use Error there")
			}
		}
		for _, volume := range in.Volumes {
			volumes.add(&l, "volume", volume.Name, string(in.Spec.OnConflict.Volume), volume.Body, "")
		}
		findings = append(findings, l.findings...)
	}
	return findings
}

// replacedNames finds things that two injectors declare in different ways, and that one of them replaces or the later one keeps, by their
// names. Pillion refuses a pod that gets both. A policy sees one of them, and cannot tell whether it is the app's.
type replacedNames map[string]struct {
	policy string
	body   *yaml.Node
	mode   v1alpha1.Mode // of a container: one of another mode is another one
}

func (r replacedNames) add(l *limits, kind, name, policy string, body *yaml.Node, mode v1alpha1.Mode) {
	known, isKnown := r[name]
	isReplaced := policy == string(v1alpha1.ConflictReplace) || known.policy == string(v1alpha1.ConflictReplace)
	isEqual := isKnown && node.Equal(known.body, body) && known.mode == mode
	l.addIf(isKnown && isReplaced && (known.policy != policy || !isEqual), "onConflict."+kind,
		"another injector declares the %[1]s %[2]q as well, in another way or with another onConflict.%[1]s, and one of them replaces it; "+
			"give them different names", kind, name)
	l.addIf(isKnown && !isReplaced && !isEqual && policy == string(v1alpha1.ConflictKeep), "onConflict."+kind,
		"another injector declares the %[1]s %[2]q in another way, and a policy cannot tell it from one of the app, which is kept; "+
			"give them different names, or use Error", kind, name)
	known.policy, known.body, known.mode = policy, body, mode
	r[name] = known
}

// findDefaultContainers returns an error finding for each annotation that names the default container, if another injector may want to set
// it because of its sidecars: Pillion refuses a pod for which they want different ones.
func findDefaultContainers(injectors []*injector.Injector) []finding.Finding {
	var findings []finding.Finding
	for _, in := range injectors {
		l := limits{in: in}
		hasSidecars := func(other *injector.Injector) bool { return other != in && len(other.Containers) > 0 }
		for i, patch := range in.PodMetadata {
			for key, value := range node.Fields(patch.Annotations) {
				l.addIf(namesDefaultContainer(key) && !node.IsNull(value) && slices.ContainsFunc(injectors, hasSidecars),
					fmt.Sprintf("patchPodMetadata[%d].annotations[%q]", i, key),
					"another injector has containers and sets the annotation for them if the pod does not, and policies do not know who set it; "+
						"remove it, or set it in the injector with the containers only")
			}
		}
		findings = append(findings, l.findings...)
	}
	return findings
}

package check

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Annotations that the API server checks. Those for profiles are older than the fields, and must not contradict them.
const (
	appArmorAnnotation         = "container.apparmor.security.beta.kubernetes.io/"
	seccompContainerAnnotation = "container.seccomp.security.alpha.kubernetes.io/"
	seccompPodAnnotation       = "seccomp.security.alpha.kubernetes.io/pod"
	deletionCostAnnotation     = "controller.kubernetes.io/pod-deletion-cost"
)

// profileAnnotations reports annotations that choose another profile than the field that replaced them, and
// those of AppArmor for containers that do not exist.
func (p *checkedPod) profileAnnotations() {
	annotations := map[string]string{} // those for profiles
	for key, value := range node.Fields(node.Get(p.Node, "metadata", "annotations")) {
		if strings.HasPrefix(key, appArmorAnnotation) || strings.HasPrefix(key, seccompContainerAnnotation) || key == seccompPodAnnotation {
			annotations[key] = node.Text(value)
		}
	}
	if len(annotations) == 0 {
		return
	}
	containers := names{}
	for _, c := range p.containers {
		containers.add(c.name)
	}
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		if name, found := strings.CutPrefix(key, appArmorAnnotation); found && !containers[name] {
			p.add(finding.InvalidPod, key, p.At("metadata.annotations["+key+"]"),
				fmt.Sprintf("the annotation %s is for a container that the pod does not have; remove it", key))
		}
	}
	const seccomp, appArmor = "seccompProfile", "appArmorProfile"
	p.compareProfile(annotations, seccompPodAnnotation, p.whole(), node.Get(p.spec, "securityContext", seccomp), seccomp)
	for _, c := range p.containers {
		p.compareProfile(annotations, seccompContainerAnnotation+c.name, c, node.Get(c.Node, "securityContext", seccomp), seccomp)
		profile := node.Get(c.Node, "securityContext", appArmor)
		if node.IsNull(profile) {
			profile = node.Get(p.spec, "securityContext", appArmor)
		}
		if node.Text(p.spec, "os", "name") != "windows" {
			p.compareProfile(annotations, appArmorAnnotation+c.name, c, profile, appArmor)
		}
	}
}

// compareProfile reports an annotation that differs from the field that replaced it.
func (p *checkedPod) compareProfile(annotations map[string]string, key string, c container, profile *node.Node, field string) {
	text, found := annotations[key]
	if !found || node.IsNull(profile) {
		return
	}
	var same bool
	switch node.Text(profile, "type") {
	case "Unconfined":
		same = text == "unconfined"
	case "RuntimeDefault":
		same = text == "runtime/default" || text == "docker/default" && field == "seccompProfile"
	case "Localhost":
		same = text == "localhost/"+node.Text(profile, "localhostProfile")
	default:
		return
	}
	if !same {
		p.add(finding.InvalidPod, key+" field", p.path(c, "securityContext."+field),
			fmt.Sprintf("the %s of %s and the annotation %s must be the same; change one of them", field, c, key))
	}
}

// deletionCost reports a cost that is not a whole number.
func (p *checkedPod) deletionCost() {
	value := node.Text(p.Node, "metadata", "annotations", deletionCostAnnotation)
	if value == "" {
		return
	}
	number, err := strconv.ParseInt(value, 10, 32)
	if err != nil || strconv.FormatInt(number, 10) != value {
		p.add(finding.InvalidPod, deletionCostAnnotation, p.At("metadata.annotations["+deletionCostAnnotation+"]"),
			fmt.Sprintf("the annotation %s is %q, which must be a whole number; correct it", deletionCostAnnotation, value))
	}
}

// Annotations reports annotations of a pod template, including stamps, that are too long together.
func Annotations(before, after pod.Template) []finding.Finding {
	has := annotationBytes(after)
	if has <= pod.MaxAnnotationBytes || annotationBytes(before) > pod.MaxAnnotationBytes {
		return nil
	}
	return []finding.Finding{{
		Severity: finding.Error, Code: finding.AnnotationsTooLong, Field: &finding.Field{Path: after.At("metadata.annotations")},
		Message: fmt.Sprintf("the annotations would have %d bytes together, and Kubernetes allows %d; shorten some",
			has, pod.MaxAnnotationBytes),
	}}
}

func annotationBytes(template pod.Template) int {
	bytes := 0
	for key, value := range node.Fields(node.Get(template.Node, "metadata", "annotations")) {
		bytes += len(key) + len(node.Text(value))
	}
	return bytes
}

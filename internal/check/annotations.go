package check

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// The annotations that chose profiles before there were fields for them. The API server still compares the two.
const (
	appArmorAnnotation         = "container.apparmor.security.beta.kubernetes.io/"
	seccompContainerAnnotation = "container.seccomp.security.alpha.kubernetes.io/"
	seccompPodAnnotation       = "seccomp.security.alpha.kubernetes.io/pod"
	deletionCostAnnotation     = "controller.kubernetes.io/pod-deletion-cost"
)

func (p *pod) annotations() *yaml.Node { return node.Get(p.Node, "metadata", "annotations") }

// profileAnnotations checks that annotations that choose a profile agree with the fields that do,
// and that AppArmor's are for containers that are there.
func (p *pod) profileAnnotations() {
	annotations := node.Map(p.annotations())
	if len(annotations) == 0 {
		return
	}
	var have names
	for _, c := range p.containers {
		have.add(c.name)
	}
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		if name, found := strings.CutPrefix(key, appArmorAnnotation); found && !have.has(name) {
			p.wrong(finding.InvalidPod, key, p.At("metadata.annotations["+key+"]"),
				"the annotation %s is for a container that the pod does not have; take it out", key)
		}
	}
	p.agree(annotations, seccompPodAnnotation, p.whole(), node.Get(p.Spec(), "securityContext", "seccompProfile"), "seccompProfile")
	for _, c := range p.containers {
		p.agree(annotations, seccompContainerAnnotation+c.name, c, node.Get(c.Node, "securityContext", "seccompProfile"), "seccompProfile")
		profile := node.Get(c.Node, "securityContext", "appArmorProfile")
		if node.IsNull(profile) {
			profile = node.Get(p.Spec(), "securityContext", "appArmorProfile")
		}
		if node.Text(p.Spec(), "os", "name") != "windows" {
			p.agree(annotations, appArmorAnnotation+c.name, c, profile, "appArmorProfile")
		}
	}
}

// agree compares an annotation with the field that has taken its place.
func (p *pod) agree(annotations map[string]string, key string, c container, profile *yaml.Node, field string) {
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
		p.wrong(finding.InvalidPod, key+" field", p.path(c, "securityContext."+field),
			"the %s of %s and the annotation %s must be the same; change one of them", field, c.shown(), key)
	}
}

// deletionCost checks that the annotation for it is a number.
func (p *pod) deletionCost() {
	value := node.Text(p.annotations(), deletionCostAnnotation)
	if value == "" {
		return
	}
	number, err := strconv.ParseInt(value, 10, 32)
	if err != nil || strconv.FormatInt(number, 10) != value {
		p.wrong(finding.InvalidPod, deletionCostAnnotation, p.At("metadata.annotations["+deletionCostAnnotation+"]"),
			"the annotation %s is %q, which must be a whole number; correct it", deletionCostAnnotation, value)
	}
}

// Annotations checks that the annotations of a pod template, stamps among them, have room together.
func Annotations(before, after podtemplate.Template) []finding.Finding {
	has := annotationBytes(after)
	if has <= podtemplate.MaxAnnotationBytes || annotationBytes(before) > podtemplate.MaxAnnotationBytes {
		return nil
	}
	return []finding.Finding{{
		Severity: finding.Error, Code: finding.AnnotationsTooLong, Field: &finding.Field{Path: after.At("metadata.annotations")},
		Message: "the annotations would have " + strconv.Itoa(has) + " bytes together, and Kubernetes takes " + strconv.Itoa(podtemplate.MaxAnnotationBytes) +
			"; shorten some, or set spec.stamp to None",
	}}
}

func annotationBytes(template podtemplate.Template) int {
	bytes := 0
	for key, value := range node.Map(template.Node, "metadata", "annotations") {
		bytes += len(key) + len(value)
	}
	return bytes
}

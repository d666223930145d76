package selection

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/spelling"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Candidate is a pod template that may get a sidecar, with the workload around it.
type Candidate struct {
	Object   *finding.Object
	Kind     pod.Kind
	Workload *node.Node
	Template pod.Template

	// These are read once for all injectors.
	labels    []labels.Set      // see allLabels
	misplaced []misplacedLabels // see findMisplaced; nil until it is needed
	isHidden  bool              // whether not all that a config may select by is known
}

// misplacedLabels are labels at a path of the workload where they have no effect on pods.
type misplacedLabels struct {
	path string
	set  labels.Set
}

// The indexes of allLabels.
const ofPod, ofWorkload = 0, 1

// NewCandidate returns the candidate that a pod template of a workload is.
func NewCandidate(object *finding.Object, kind pod.Kind, workload *node.Node, template pod.Template) Candidate {
	if namespace := kind.NamespaceOfPods(workload, object.Namespace); namespace != object.Namespace {
		inNamespace := *object
		inNamespace.Namespace = namespace
		object = &inNamespace
	}
	return Candidate{
		Object:   object,
		Kind:     kind,
		Workload: workload,
		Template: template,
		isHidden: isHidden(object, workload, template),
	}
}

// allLabels returns the labels of the pod, and of the workload. An injector without a selector needs none.
func (c *Candidate) allLabels() []labels.Set {
	if c.labels == nil {
		c.labels = []labels.Set{
			node.Map(c.Template.Node, "metadata", "labels"),
			node.Map(c.Workload, "metadata", "labels"),
		}
	}
	return c.labels
}

// findMisplaced returns the path of labels that match a selector, and that are a level above or below those of the pod,
// or "".
func (c *Candidate) findMisplaced(selector labels.Selector) string {
	if c.misplaced == nil {
		c.misplaced = c.readMisplaced()
	}
	for _, labels := range c.misplaced {
		if selector.Matches(labels.set) {
			return labels.path
		}
	}
	return ""
}

// readMisplaced reads the labels on the way from the workload to the pod spec, and in it, except those of the pod.
func (c *Candidate) readMisplaced() []misplacedLabels {
	found := []misplacedLabels{} // which is not nil
	at := c.Workload
	path := ""
	add := func(field string, set *node.Node) {
		if set != nil && path+field != c.Template.At("metadata.labels") {
			found = append(found, misplacedLabels{path + field, node.Map(set)})
		}
	}
	for step := range strings.SplitSeq(c.Template.At("spec"), ".") {
		at = node.Get(at, step)
		path += step + "."
		add("labels", node.Get(at, "labels"))
		add("metadata.labels", node.Get(at, "metadata", "labels"))
	}
	return found
}

// Finishes reports whether the pod is meant to end, so that a sidecar which is not native would keep it running.
func (c *Candidate) Finishes() bool {
	restart := node.Text(c.Template.Spec(), "restartPolicy")
	return c.Kind.Finishes || restart == "Never" || restart == "OnFailure"
}

// LabelsOf returns the labels that the selector applies to, each as key=value.
func (s *Selection) LabelsOf(c *Candidate) map[string]bool {
	all := map[string]bool{}
	for key, value := range s.labelsOfScope(c) {
		all[key+"="+value] = true
	}
	return all
}

// NearLabels returns labels, of those given, that are spelt almost like labels of the selector that are not among them.
func (s *Selection) NearLabels(existing []string) []string {
	if s.spec.Selector == nil {
		return nil
	}
	var near []string
	for _, key := range slices.Sorted(maps.Keys(s.spec.Selector.MatchLabels)) {
		label := key + "=" + s.spec.Selector.MatchLabels[key]
		if found := spelling.Nearest(label, existing); found != "" && !slices.Contains(existing, label) {
			near = append(near, found)
		}
	}
	return near
}

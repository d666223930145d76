package selection

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// Candidate is a pod template that may get a sidecar, with the workload around it.
type Candidate struct {
	Object   *finding.Object
	Kind     podtemplate.Kind
	Workload *yaml.Node
	Template podtemplate.Template
	Waited   []string // the injectors whose pending requests an injection has removed

	// These are read once for all injectors.
	podLabels, workloadLabels labelSet
	pending                   []*yaml.Node // the requests that the workload has
}

// NewCandidates returns a candidate for each pod template of a workload.
func NewCandidates(object *finding.Object, kind podtemplate.Kind, workload *yaml.Node) []Candidate {
	templates := kind.Templates(workload)
	candidates := make([]Candidate, len(templates))
	for i, template := range templates {
		candidates[i] = Candidate{
			Object: object, Kind: kind, Workload: workload, Template: template,
			podLabels:      newLabelSet(node.Get(template.Node, "metadata", "labels")),
			workloadLabels: newLabelSet(node.Get(workload, "metadata", "labels")),
			pending:        Pending(workload),
		}
	}
	return candidates
}

// Finishes reports whether the pod is meant to end, so that a sidecar which is not native would keep it running.
func (c *Candidate) Finishes() bool {
	restart := node.Text(c.Template.Spec(), "restartPolicy")
	return c.Kind.Finishes || restart == "Never" || restart == "OnFailure"
}

package selection

import (
	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/labels"

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

	podLabels, workloadLabels labels.Set // read once for all injectors
}

// NewCandidates returns a candidate for each pod template of a workload.
func NewCandidates(object *finding.Object, kind podtemplate.Kind, workload *yaml.Node) []Candidate {
	templates := kind.Templates(workload)
	candidates := make([]Candidate, len(templates))
	for i, template := range templates {
		candidates[i] = Candidate{
			Object: object, Kind: kind, Workload: workload, Template: template,
			podLabels:      node.Map(template.Node, "metadata", "labels"),
			workloadLabels: node.Map(workload, "metadata", "labels"),
		}
	}
	return candidates
}

// Finishes reports whether the pod is meant to end, so that a sidecar which is not native would keep it running.
func (c Candidate) Finishes() bool {
	restart := node.Text(c.Template.Spec(), "restartPolicy")
	return c.Kind.Finishes || restart == "Never" || restart == "OnFailure"
}

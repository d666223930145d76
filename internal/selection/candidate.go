package selection

import (
	"slices"

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

// The names of the Initializer, the first sidecar injection of Kubernetes.
const (
	initializerPrefix = "initializer.kubernetes.io/"
	initializerSuffix = ".initializer.kubernetes.io"
	initializerGroup  = "admissionregistration.k8s.io/"
)

// InitializerName returns the name of an injector in the lists of the classic Initializer.
func InitializerName(injector string) string { return injector + initializerSuffix }

// InitializerAnnotation returns the annotation by which a pod opts in, or out, in the classic way.
func InitializerAnnotation(injector string) string { return initializerPrefix + injector }

// Waits reports whether the workload has a pending request for an injector, as for a classic Initializer, or had one before the
// injector was injected.
func (c Candidate) Waits(injector string) bool {
	initializer := InitializerName(injector)
	for _, entry := range node.List(c.Workload, "metadata", "initializers", "pending") {
		if node.Text(entry, "name") == initializer {
			return true
		}
	}
	return slices.Contains(c.Waited, injector)
}

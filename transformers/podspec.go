package transformers

import (
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// synonyms are two names of one field; the pod may set it by the older one.
var synonyms = map[string]string{"serviceAccountName": "serviceAccount", "serviceAccount": "serviceAccountName"}

// setPodSpec sets the pod's other fields where the pod does not set them.
func setPodSpec(pod *Pod, in *injector.Injector) []finding.Finding {
	var fields []string
	for _, field := range node.Keys(in.PodSpec) {
		if synonym := synonyms[field]; synonym != "" && !node.IsNull(node.Get(pod.Spec(), synonym)) {
			continue
		}
		// Tried on a copy, lest a field that stays is written out where it is an alias.
		tried := merger{grows: true}
		tried.fillField(node.Clone(pod.Spec()), in.PodSpec, field, "")
		if tried.changed {
			actual := merger{grows: true}
			actual.fillField(pod.Spec(), in.PodSpec, field, "")
			fields = append(fields, field)
		}
	}
	if restart := node.Text(pod.Spec(), "restartPolicy"); restart == "Never" || restart == "OnFailure" {
		pod.Finishes = true // as a second run sees it
	}
	if len(fields) > 0 {
		pod.changes = append(pod.changes, "sets "+strings.Join(fields, ", "))
	}
	return nil
}

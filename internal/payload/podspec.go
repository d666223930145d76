package payload

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

// synonyms are the two names of one field. The pod may use either.
var synonyms = map[string]string{"serviceAccountName": "serviceAccount", "serviceAccount": "serviceAccountName"}

// setPodSpec sets other fields of the pod spec that the pod does not set.
func setPodSpec(pod *Pod) []finding.Finding {
	path := pod.At("spec")
	for _, field := range node.Keys(pod.payload.PodSpec) {
		if synonym := synonyms[field]; synonym != "" && !node.IsNull(node.Get(pod.Spec(), synonym)) {
			pod.keepSynonym(synonym, field)
			continue
		}
		// On a copy first, because owning a field that is an alias writes it out.
		tried := merger{grows: true}
		tried.fillField(node.Clone(pod.Spec()), pod.payload.PodSpec, field, path)
		pod.keepPodSpec(tried.fields)
		if tried.changed {
			actual := merger{grows: true}
			actual.fillField(pod.Spec(), pod.payload.PodSpec, field, path)
			pod.changed = true
		}
	}
	if restart := node.Text(pod.Spec(), "restartPolicy"); restart == "Never" || restart == "OnFailure" {
		pod.Finishes = true // as a second run sees it
	}
	return nil
}

package transformers

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// ImagePullSecrets adds the payload's imagePullSecrets that the pod does not have.
func ImagePullSecrets(pod *Pod, in *injector.Injector) []finding.Finding {
	const list = "imagePullSecrets"
	for _, secret := range in.ImagePullSecrets {
		if present := pod.entries(list); named(present, secret.Name) < 0 {
			pod.insert(list, len(present), node.Fresh(secret.Body))
		}
	}
	return nil
}

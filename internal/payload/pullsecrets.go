package payload

import "pillion.dev/pillion/finding"

// addImagePullSecrets adds the payload's imagePullSecrets that the pod does not have.
func addImagePullSecrets(pod *Pod) []finding.Finding {
	const list = "imagePullSecrets"
	for _, secret := range pod.payload.ImagePullSecrets {
		if present := pod.entries(list); indexOfName(present, secret.Name) < 0 {
			pod.insert(list, len(present), secret.Body)
		}
	}
	return nil
}

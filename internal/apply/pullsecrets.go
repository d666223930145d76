package apply

import "pillion.dev/pillion/finding"

// addImagePullSecrets adds the payload's imagePullSecrets that the pod does not have.
func addImagePullSecrets(pod *Pod) []finding.Finding {
	const list = "imagePullSecrets"
	for _, secret := range pod.payload.ImagePullSecrets {
		index := indexOfName(pod.entries(list), secret.Name)
		at := thingIn(list, secret.Name)
		if app, _ := pod.inApp(at, entryOrNil(pod.entries(list), index)); app != nil {
			continue
		}
		pod.wishes.addEntry(at.Path, secret.Body)
		if index < 0 {
			pod.insert(list, len(pod.entries(list)), secret.Body)
		}
	}
	return nil
}

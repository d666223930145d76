package v1alpha1

// NotInPodSpec tells of a pod field that spec.podSpec does not take, and what to do instead:
// what is merged by rules of its own has a field of its own.
func NotInPodSpec(field string) (remedy string, elsewhere bool) {
	switch field {
	case "containers":
		return "sidecars stand in spec.containers, and what the app's containers get in spec.appContainers; move it there", true
	case "initContainers", "volumes", "imagePullSecrets":
		return field + " have a field of their own, spec." + field + "; move them there", true
	case "ephemeralContainers":
		return "ephemeral containers are added to running pods alone, never to a manifest; remove them", true
	}
	return "", false
}

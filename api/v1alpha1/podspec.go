package v1alpha1

// NotInPodSpec reports whether spec.podSpec does not accept a pod field, because it has a field of
// its own in the spec, and returns what to do instead.
func NotInPodSpec(field string) (remedy string, elsewhere bool) {
	switch field {
	case "containers":
		return "sidecars belong in spec.containers, and what the app's containers get in spec.appContainers; move it there", true
	case "initContainers", "volumes", "imagePullSecrets":
		return field + " have a field of their own, spec." + field + "; move them there", true
	case "ephemeralContainers":
		return "ephemeral containers can only be added to running pods, not to a manifest; remove them", true
	}
	return "", false
}

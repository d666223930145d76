package selection

// initializerPrefix is in front of an injector's name in the annotation by which pods opted in, or out, of the
// Initializer, the first sidecar injection of Kubernetes.
const initializerPrefix = "initializer.kubernetes.io/"

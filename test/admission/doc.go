// Package admission compares the policies that Pillion exports with Pillion itself: the API server's own engine runs
// the policies on a pod, Pillion runs on the manifest of the same pod, and both must give the same pod.
package admission

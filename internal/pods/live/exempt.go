package live

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Exempt returns why nothing is expected of a pod, whatever is declared, with a sentence about the pod. The reason is
// empty for a pod that runs or is about to.
func Exempt(pod *node.Node) (reason finding.Code, message string) {
	annotations := node.Get(pod, "metadata", "annotations")
	switch phase := node.Text(pod, "status", "phase"); {
	case node.Get(annotations, "kubernetes.io/config.mirror") != nil: // only the kubelet's own have it
		return finding.MirrorPod, "it mirrors a static pod, which the kubelet runs from a file"
	case phase == "Succeeded", phase == "Failed":
		return finding.Finished, "it has finished"
	case !node.IsNull(node.Get(pod, "metadata", "deletionTimestamp")):
		return finding.Terminating, "it was deleted, and is terminating"
	default:
		return "", ""
	}
}

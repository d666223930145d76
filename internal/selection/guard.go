package selection

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// Guard decides whether a workload can be injected at all, whatever the config says.
func Guard(kind pod.Kind, workload *node.Node) *Decision {
	annotations := node.Get(workload, "metadata", "annotations")
	source := node.Text(annotations, "kubernetes.io/config.source")
	const liveObject = "it was read back from a cluster (%s); inject into the manifest that it was applied from, " +
		"or check what runs with pillion audit"
	switch isPod := kind.Kind == "Pod"; {
	case isPod && node.Get(annotations, "kubernetes.io/config.mirror") != nil:
		return skip(finding.MirrorPod, "it mirrors a static pod; change the file that the kubelet reads")
	case isPod && source != "" && source != "api":
		return skip(finding.MirrorPod, "it is a static pod, which the kubelet runs from a file")
	case node.Text(workload, "metadata", "uid") != "":
		return skipWithWarning(finding.LiveObject, liveObject, "metadata.uid")
	case hasStatus(workload):
		return skipWithWarning(finding.LiveObject, liveObject, "status")
	}
	ref := node.Get(workload, "spec", kind.Reference)
	if kind.Reference != "" && !node.IsNull(ref) && node.IsNull(node.Get(workload, "spec", "template")) {
		return skip(finding.WorkloadRef, "its pods come from %s/%s by spec.%s; the sidecar is injected there",
			node.Text(ref, "kind"), node.Text(ref, "name"), kind.Reference)
	}
	if node.Text(annotations, "config.kubernetes.io/local-config") == "true" {
		return skip(finding.LocalConfig, "it is local config, which does not reach the cluster")
	}
	return selected
}

// hasStatus reports whether a workload has a status. The empty one that code generators write does not count.
func hasStatus(workload *node.Node) bool {
	status := node.Get(workload, "status")
	if node.IsNull(status) {
		return false
	}
	return status.Kind != node.MappingNode || len(status.Content) > 0
}

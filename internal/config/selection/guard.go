package selection

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Guard decides whether a workload can be injected at all, whatever the config says.
func Guard(kind pod.Kind, workload *node.Node) *Decision {
	annotations := node.Get(workload, "metadata", "annotations")
	const liveObject = "it was read back from a cluster (%s); inject into the manifest that it was applied from, " +
		"or check what runs with pillion audit"
	switch {
	// The kubelet runs none from a manifest.
	case kind.Kind == "Pod" && node.Get(annotations, "kubernetes.io/config.mirror") != nil:
		return skip(finding.MirrorPod, "it mirrors a static pod; change the file that the kubelet reads")
	case LiveField(workload) != "":
		return skipWithWarning(finding.LiveObject, liveObject, LiveField(workload))
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

// LiveField returns a field by which an object was read back from a cluster, or "" if it was not. The empty status that
// code generators write does not count.
func LiveField(object *node.Node) string {
	status := node.Get(object, "status")
	switch {
	case node.Text(object, "metadata", "uid") != "":
		return "metadata.uid"
	case !node.IsNull(status) && (status.Kind != node.MappingNode || len(status.Content) > 0):
		return "status"
	}
	return ""
}

package selection

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// Guard is what keeps every injector away from a workload, whatever its config says.
func Guard(kind podtemplate.Kind, workload *yaml.Node) Decision {
	annotations := node.Get(workload, "metadata", "annotations")
	source := node.Text(annotations, "kubernetes.io/config.source")
	switch {
	case node.Text(annotations, "config.kubernetes.io/local-config") == "true":
		return skip(finding.LocalConfig, "it is local config, which does not reach the cluster")
	case node.Get(annotations, "kubernetes.io/config.mirror") != nil:
		return skip(finding.MirrorPod, "it mirrors a static pod; change the file that the kubelet reads")
	case source != "" && source != "api":
		return skip(finding.MirrorPod, "it is a static pod, which the kubelet runs from a file")
	case node.Text(workload, "metadata", "uid") != "":
		return skipLoudly(finding.LiveObject, "it was read back from a cluster (metadata.uid); inject into the manifest that it was applied from")
	case hasStatus(workload):
		return skipLoudly(finding.LiveObject, "it was read back from a cluster (status); inject into the manifest that it was applied from")
	}
	ref := node.Get(workload, "spec", kind.Reference)
	if kind.Reference != "" && !node.IsNull(ref) && node.IsNull(node.Get(workload, "spec", "template")) {
		return skip(finding.WorkloadRef, "its pods come from %s/%s by spec.%s; the sidecar goes in there",
			node.Text(ref, "kind"), node.Text(ref, "name"), kind.Reference)
	}
	return inject
}

// hasStatus leaves out the empty status that code generators write.
func hasStatus(workload *yaml.Node) bool {
	status := node.Get(workload, "status")
	if node.IsNull(status) {
		return false
	}
	return status.Kind != yaml.MappingNode || len(status.Content) > 0
}

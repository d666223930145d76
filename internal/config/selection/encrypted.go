package selection

import (
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

var encrypted = &Decision{
	Severity: finding.Error,
	Code:     finding.Encrypted,
	format:   "what a config may select by is encrypted with SOPS; decrypt it first",
}

// isHidden reports whether SOPS has encrypted something of a pod template that a config may select by. No label and no
// name that the API server takes begins so.
func isHidden(object *finding.Object, workload *node.Node, template pod.Template) bool {
	spec := template.Spec()
	values := []string{object.Name, object.Namespace, node.Text(spec, "hostNetwork"), node.Text(spec, "restartPolicy")}
	for _, of := range []*node.Node{workload, template.Node} {
		for _, value := range node.Fields(node.Get(of, "metadata", "labels")) {
			values = append(values, node.Text(value))
		}
	}
	return slices.ContainsFunc(values, func(value string) bool { return strings.HasPrefix(value, "ENC[") })
}

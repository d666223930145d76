package check

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// podRules are the rules that hold fields of a pod against each other.
var podRules = []func(*pod){
	(*pod).names,
	(*pod).ports,
	(*pod).hostPorts,
	(*pod).mountedVolumes,
	(*pod).deviceVolumes,
	(*pod).envVolumes,
	(*pod).podResources,
	(*pod).resourceClaims,
	(*pod).restarts,
	(*pod).resizes,
	(*pod).hooks,
	(*pod).hostNamespaces,
	(*pod).procMounts,
	(*pod).podProfiles,
	(*pod).sysctls,
	(*pod).operatingSystem,
	(*pod).hostProcesses,
	(*pod).dns,
	(*pod).hostname,
	(*pod).scheduling,
	(*pod).profileAnnotations,
	(*pod).deletionCost,
}

// containerRules are the rules that hold fields of one container against each other.
var containerRules = []func(*pod, container){
	(*pod).resources,
	(*pod).mountRules,
	(*pod).deviceRules,
	(*pod).probes,
	(*pod).handlers,
	(*pod).restartRules,
	(*pod).privileges,
	(*pod).containerProfiles,
}

// Container finds what is wrong with a container of a payload whatever pod it goes into. The paths
// of the findings begin at the container's own fields, such as volumeMounts[0].subPath.
func Container(body *yaml.Node, list string) []finding.Finding {
	p := &pod{Template: podtemplate.Template{Node: node.Mapping()}}
	c := newContainer(body, list)
	for _, rule := range containerRules {
		rule(p, c)
	}
	found := make([]finding.Finding, len(p.problems))
	for i, problem := range p.problems {
		found[i] = problem.Finding
		found[i].Field.Path = strings.TrimPrefix(found[i].Field.Path, p.path(c, ""))
	}
	return found
}

// set reports whether a field has a value. An empty mapping is one.
func set(n *yaml.Node, path ...string) bool { return !node.IsNull(node.Get(n, path...)) }

package check

import (
	"slices"
	"strings"
	"sync"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// podRules compare fields of a pod with each other.
var podRules = []func(*checkedPod){
	(*checkedPod).uniqueNames,
	(*checkedPod).ports,
	(*checkedPod).hostPorts,
	(*checkedPod).mountedVolumes,
	(*checkedPod).deviceVolumes,
	(*checkedPod).envVolumes,
	(*checkedPod).podResources,
	(*checkedPod).resourceClaims,
	(*checkedPod).restarts,
	(*checkedPod).resizes,
	(*checkedPod).hooks,
	(*checkedPod).hostNamespaces,
	(*checkedPod).procMounts,
	(*checkedPod).podProfiles,
	(*checkedPod).sysctls,
	(*checkedPod).operatingSystem,
	(*checkedPod).hostProcesses,
	(*checkedPod).dns,
	(*checkedPod).exclusive,
	(*checkedPod).scheduling,
	(*checkedPod).profileAnnotations,
	(*checkedPod).deletionCost,
	(*checkedPod).volumeSources,
}

// containerRules compare fields of one container with each other.
var containerRules = append([]containerRule{
	{check: (*checkedPod).mountPaths},
	{check: (*checkedPod).env},
}, payloadRules...)

// containerRule is a rule for one container. It depends on the values of some fields, and otherwise on which fields
// there are.
type containerRule struct {
	check  func(*checkedPod, container)
	fields []string
}

// payloadRules are the rules for a container that also hold for the container of a payload. The reader of configs
// checks the other containerRules itself.
var payloadRules = []containerRule{
	{(*checkedPod).resources, []string{"resources"}},
	{(*checkedPod).mountRules, []string{"volumeMounts", "volumeDevices", "securityContext"}},
	{(*checkedPod).deviceRules, []string{"volumeDevices"}},
	{(*checkedPod).probes, []string{"restartPolicy"}},
	{(*checkedPod).handlers, nil},
	{(*checkedPod).restartRules, []string{"restartPolicyRules"}},
	{(*checkedPod).privileges, []string{"securityContext"}},
	{(*checkedPod).profiles, []string{"securityContext"}},
}

// violation is a finding about a broken rule. Its key does not depend on positions in lists, so the same violation has
// the same key in another version of the pod.
type violation struct {
	finding.Finding
	Key string
}

// violations returns the rules that a pod template breaks. If another version of its spec is given, containers that are
// the same nodes in both versions are not checked by themselves.
func violations(template pod.Template, of Workload, other *node.Node) []violation {
	p := checkedPods.Get().(*checkedPod)
	defer checkedPods.Put(p)
	p.read(template, of, other)
	for _, rule := range podRules {
		rule(p)
	}
	for _, c := range p.containers {
		if !c.same && of.Valid[c.Node] != c.list {
			p.checkContainer(c)
		}
	}
	return p.violations
}

// checkedPods are those that were checked, for their memory.
var checkedPods = sync.Pool{New: func() any { return new(checkedPod) }}

func (p *checkedPod) checkContainer(c container) {
	for _, rule := range containerRules {
		rule.check(p, c)
	}
}

// ContainerViolations returns the rules that a container of a payload breaks in every pod. The paths
// in the findings begin at the container's own fields, such as volumeMounts[0].subPath. A rule that depends on a field
// whose value varies from pod to pod is left out.
func ContainerViolations(body *node.Node, list string, varies func(field string) bool) []finding.Finding {
	p := &checkedPod{Template: pod.Template{Node: node.Mapping()}}
	c := newContainer(body, list)
	for _, rule := range payloadRules {
		if !slices.ContainsFunc(rule.fields, varies) {
			rule.check(p, c)
		}
	}
	findings := make([]finding.Finding, len(p.violations))
	for i, v := range p.violations {
		findings[i] = v.Finding
		findings[i].Field.Path = strings.TrimPrefix(v.Field.Path, p.path(c, ""))
	}
	return findings
}

// Valid holds containers that break no rule by themselves, and the list for which that is so. They must not change any
// more, like those of a payload that goes into thousands of pods.
type Valid map[*node.Node]string

// Add adds a container of a list, unless it breaks a rule.
func (v Valid) Add(body *node.Node, list string) {
	p := &checkedPod{Template: pod.Template{Node: node.Mapping()}}
	p.checkContainer(newContainer(body, list))
	if len(p.violations) == 0 {
		v[body] = list
	}
}

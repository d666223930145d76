package transformers

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// fromApp is one container on its way to take over what its config says from the pod's other
// containers. It changes the body alone.
type fromApp struct {
	pod      *Pod
	name     string
	body     *yaml.Node
	list     string // where the container goes
	turn     int    // when it goes in
	findings []finding.Finding

	env    []*yaml.Node   // the body's variables, with those that its mounts need; nil until they are asked for
	places map[string]int // where they stand, by name
}

// takeFromApp gives a container's body what comes from the app's containers: variables, mounts,
// devices and resources.
func takeFromApp(pod *Pod, in *injector.Injector, c injector.Container, list string, body *yaml.Node) []finding.Finding {
	if c.ShareVolumePolicy == nil && c.ShareVolumeDevicePolicy == nil && len(c.TransferEnv) == 0 && c.Resources == nil {
		return nil
	}
	t := &fromApp{pod: pod, name: c.Name, body: body, list: list, turn: pod.origins().turns[containerID{in.Name, c.Name}]}
	t.transferEnv(c.TransferEnv)
	t.share(mounts, c.ShareVolumePolicy)
	t.share(devices, c.ShareVolumeDevicePolicy)
	t.computeResources(c.Resources)
	return t.findings
}

// say notes what was findings on the way.
func (t *fromApp) report(severity finding.Severity, code finding.Code, format string, args ...any) {
	t.findings = append(t.findings, newFinding(severity, code, t.pod.At("spec."+t.list), format, args...))
}

// source is the container to take from by its name, in either list: the app's, or one that was
// brought before.
func (t *fromApp) source(name string) *yaml.Node {
	if !isBefore(t.pod.Origins.containers, name, t.turn) {
		return nil
	}
	for _, list := range []string{containers, initContainers} {
		if at := indexOfName(t.pod.entries(list), name); at >= 0 {
			return t.pod.entries(list)[at]
		}
	}
	return nil
}

// isApps tells whether a container is the app's own.
func (t *fromApp) isApps(c *yaml.Node) bool {
	_, brought := t.pod.Origins.containers[node.Text(c, "name")]
	return !brought
}

// setEntries gives the body a list, or leaves it out where there is nothing to put into it.
func (t *fromApp) setEntries(list string, entries []*yaml.Node) {
	if len(entries) > 0 {
		node.Set(t.body, list, node.Sequence(entries...))
	}
}

// copyOf is a copy of the app's text that can stand anywhere: comments stay behind, aliases and
// merge keys are written out.
func copyOf(n *yaml.Node) *yaml.Node {
	n = node.Resolve(n)
	if n == nil || n.Kind == yaml.ScalarNode {
		return node.Fresh(n)
	}
	c := &yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag}
	if n.Kind == yaml.MappingNode {
		valueOf := node.Values(n)
		for _, key := range node.Keys(n) {
			c.Content = append(c.Content, node.String(key), copyOf(valueOf(key)))
		}
		return c
	}
	for _, entry := range n.Content {
		c.Content = append(c.Content, copyOf(entry))
	}
	return c
}

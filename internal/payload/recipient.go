package payload

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/meter"
	"pillion.dev/pillion/internal/yaml/node"
)

// recipient is a container of the payload that gets something from the app's containers. Only its body changes.
type recipient struct {
	pod      *Pod
	name     string
	body     *yaml.Node
	list     string // that the container goes into
	turn     int    // see Origins
	findings []finding.Finding
}

// takeFromApp returns a container's body with what it gets from the app's containers: variables, mounts, devices and resources.
func takeFromApp(pod *Pod, c injector.Container, list string, body *yaml.Node) (*yaml.Node, []finding.Finding) {
	if c.ShareVolumePolicy == nil && c.ShareVolumeDevicePolicy == nil && len(c.TransferEnv) == 0 && c.Resources == nil {
		return body, nil
	}
	turn := pod.origins().turns[containerID{pod.payload.Name, c.Name}]
	r := &recipient{pod: pod, name: c.Name, body: node.Fresh(body), list: list, turn: turn}
	r.transferEnv(c.TransferEnv)
	r.share(mounts(), c.ShareVolumePolicy)
	r.share(devices(), c.ShareVolumeDevicePolicy)
	r.computeResources(c.Resources)
	return r.body, r.findings
}

func (r *recipient) report(severity finding.Severity, code finding.Code, format string, args ...any) {
	r.pod.Room.Charge(meter.PerFinding)
	r.findings = append(r.findings, newFinding(severity, code, r.pod.At("spec."+r.list), format, args...))
}

// source returns a container of the app, or one that went in before, by its name; nil if there is none.
func (r *recipient) source(name string) *yaml.Node {
	if !isBefore(r.pod.Origins.containers, name, r.turn) {
		return nil
	}
	for _, list := range []string{containers, initContainers} {
		if at := indexOfName(r.pod.entries(list), name); at >= 0 {
			return r.pod.entries(list)[at]
		}
	}
	return nil
}

// isApps reports whether a container is the app's own.
func (r *recipient) isApps(c *yaml.Node) bool {
	_, isAdded := r.pod.Origins.containers[node.Text(c, "name")]
	return !isAdded
}

// setEntries sets a list of the body, unless it is empty.
func (r *recipient) setEntries(list string, entries []*yaml.Node) {
	if len(entries) > 0 && r.pod.Room.Take(node.Weight(node.Sequence(entries...))) {
		node.Set(r.body, list, node.Sequence(entries...))
	}
}

// copyOf returns a copy of a node of the app without comments, and with aliases and merge keys written out.
func copyOf(n *yaml.Node) *yaml.Node {
	n = node.Resolve(n)
	if n == nil || n.Kind == yaml.ScalarNode {
		return node.Fresh(n)
	}
	c := &yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag}
	if n.Kind == yaml.MappingNode {
		for key, value := range node.Fields(n) {
			c.Content = append(c.Content, node.String(key), copyOf(value))
		}
		return c
	}
	for _, entry := range n.Content {
		c.Content = append(c.Content, copyOf(entry))
	}
	return c
}

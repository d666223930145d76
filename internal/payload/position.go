package payload

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
)

// position returns the index in a list at which a new container goes. Behind the app's containers is the default, because
// orchestrators copy comments back by index; native sidecars go in front of the app's init containers, so that they run while
// those do. Of several that go to the same place, the one that goes in first is the first, whichever injector adds it.
func position(pod *Pod, c injector.Container, list string, body *yaml.Node) (int, []finding.Finding) {
	entries := pod.entries(list)
	var findings []finding.Finding
	if neighbour := c.Before + c.After; neighbour != "" {
		if at := indexOfName(entries, neighbour); at >= 0 {
			switch {
			case c.After != "":
				at = pod.behind(list, at)
				pod.setMark(c.Name, markBehind+c.After)
			case pod.isInjected(list, neighbour):
				pod.setMark(c.Name, pod.gap(list, at))
			}
			return at, nil
		}
		if at := indexOfName(pod.entries(containers), neighbour); at >= 0 && c.Mode == v1alpha1.ModeNative {
			return len(entries), []finding.Finding{newFinding(finding.Error, finding.PositionNotNative, pod.entryAt(containers, at),
				"container %q becomes a native sidecar, which is among the init containers, so it cannot be placed next to %q in %s; "+
					"write mode: Container, or name an init container", c.Name, neighbour, containers)}
		}
		findings = append(findings, newFinding(finding.Info, finding.PositionMissing, pod.At("spec."+list),
			"container %q cannot be placed next to %q, which is not in %s; podInjectPolicy decides its place", c.Name, neighbour, list))
	}
	pod.markSide(c, list, body)
	if injector.Leads(c.PodInjectPolicy, list, body) {
		return pod.front(list), findings
	}
	return len(entries), findings
}

// markSide records the side of the app's entries on which a container belongs, if it is not the default, and the app has none.
func (p *Pod) markSide(c injector.Container, list string, body *yaml.Node) {
	if isLeading := injector.Leads(c.PodInjectPolicy, list, body); isLeading != injector.Leads("", list, body) && !p.hasApps(list) {
		p.setMark(c.Name, sideMark(isLeading))
	}
}

// front returns the index behind the entries that injectors put in front of the app's. If the app has none, those count that
// would be in front of them.
func (p *Pod) front(list string) int {
	entries, policies, hasApps := p.entries(list), p.origins().policies, p.hasApps(list)
	at := slices.IndexFunc(entries, func(entry *yaml.Node) bool {
		name := node.Text(entry, "name")
		policy, isAdded := policies[name]
		inFront := isAdded && injector.Leads(policy, list, entry) || hasApps && p.isInjected(list, name)
		return !inFront
	})
	if at < 0 {
		return len(entries)
	}
	return at
}

// behind returns the index behind an entry of a list and those that injectors put there as well: between entries of the app, all
// of them; elsewhere, those that go behind the same entry.
func (p *Pod) behind(list string, at int) int {
	entries, neighbours := p.entries(list), p.origins().neighbours
	next := at + 1
	for next < len(entries) && p.isInjected(list, node.Text(entries[next], "name")) {
		next++
	}
	if neighbour := node.Text(entries[at], "name"); next == len(entries) || p.isInjected(list, neighbour) {
		for next = at + 1; next < len(entries) && neighbours[node.Text(entries[next], "name")] == neighbour; {
			next++
		}
	}
	return next
}

// gap returns the position mark of an index among the app's entries of a list; empty behind them all.
func (p *Pod) gap(list string, at int) string {
	entries := p.entries(list)
	isApps := func(entry *yaml.Node) bool { return !p.isInjected(list, node.Text(entry, "name")) }
	if !slices.ContainsFunc(entries[at:], isApps) {
		return ""
	}
	for _, entry := range slices.Backward(entries[:at]) {
		if isApps(entry) {
			return markBehind + node.Text(entry, "name")
		}
	}
	return markInFront
}

// hasApps reports whether one of the pod spec's lists has an entry of the app.
func (p *Pod) hasApps(list string) bool {
	return slices.ContainsFunc(p.entries(list), func(entry *yaml.Node) bool { return !p.isInjected(list, node.Text(entry, "name")) })
}

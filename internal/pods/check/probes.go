package check

import (
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/yaml/node"
)

var (
	probeFields = []string{"livenessProbe", "readinessProbe", "startupProbe"}
	hookFields  = []string{"postStart", "preStop"}

	// endlessFields are those that only a container that does not end has.
	endlessFields = append(slices.Clip(probeFields), "lifecycle")

	probeActions = []string{"exec", "httpGet", "tcpSocket", "grpc"}
	hookActions  = []string{"exec", "httpGet", "tcpSocket", "sleep"}
)

// probes reports probes and hooks of an init container that ends, and fields that a kind of probe does not have.
func (p *checkedPod) probes(c container) {
	for _, field := range endlessFields {
		if !c.runs && isSet(c.Node, field) {
			p.report(c, finding.InvalidContainer, field, field,
				"has a %s, which an init container has only with restartPolicy Always; remove it, or set restartPolicy", field)
		}
	}
	for _, field := range []string{"livenessProbe", "startupProbe"} {
		if threshold, ok := node.Int(c.Node, field, "successThreshold"); ok && threshold != 0 && threshold != 1 {
			p.report(c, finding.InvalidContainer, field+" successThreshold", field+".successThreshold",
				"has a %s with a successThreshold of %d, which must be 1; remove it", field, threshold)
		}
	}
	if isSet(c.Node, "readinessProbe", "terminationGracePeriodSeconds") {
		const field = "readinessProbe.terminationGracePeriodSeconds"
		p.report(c, finding.InvalidContainer, field, field,
			"has a readinessProbe with terminationGracePeriodSeconds, which only the other probes have; remove it")
	}
}

// handlers reports probes and hooks that do not have exactly one action.
func (p *checkedPod) handlers(c container) {
	for _, field := range probeFields {
		p.handler(c, field, node.Get(c.Node, field), probeActions)
	}
	for _, field := range hookFields {
		if hook := node.Get(c.Node, "lifecycle", field); hook != nil {
			p.handler(c, "lifecycle."+field, hook, hookActions)
		}
	}
}

func (p *checkedPod) handler(c container, field string, handler *node.Node, actions []string) {
	if node.IsNull(handler) {
		return
	}
	var given []string
	for _, action := range actions {
		if isSet(handler, action) {
			given = append(given, action)
		}
	}
	switch len(given) {
	case 0:
		p.report(c, finding.InvalidContainer, field, field, "has a %s without an action; add one of %s", field, strings.Join(actions, ", "))
	case 1:
	default:
		p.report(c, finding.InvalidContainer, field, field, "has a %s with the actions %s; keep one", field, strings.Join(given, " and "))
	}
}

// defaultGrace is how many seconds a pod has to end by default.
const defaultGrace = 30

// hooks reports hooks that sleep longer than the pod takes to end, and stop signals that its operating system does not
// have.
func (p *checkedPod) hooks() {
	grace, ok := node.Int(p.spec, "terminationGracePeriodSeconds")
	if !ok {
		grace = defaultGrace
	}
	system := node.Text(p.spec, "os", "name")
	for _, c := range p.containers {
		if !isSet(c.Node, "lifecycle") {
			continue
		}
		for _, field := range hookFields {
			if seconds, ok := node.Int(c.Node, "lifecycle", field, "sleep", "seconds"); ok && (seconds < 0 || seconds > grace) {
				p.report(c, finding.InvalidContainer, "sleep "+field, "lifecycle."+field+".sleep.seconds",
					"has a %s hook that sleeps for %d seconds, and the pod ends within %d; lower that, or raise terminationGracePeriodSeconds",
					field, seconds, grace)
			}
		}
		switch signal := node.Text(c.Node, "lifecycle", "stopSignal"); {
		case signal == "":
		case system == "":
			p.report(c, finding.InvalidContainer, "stopSignal", "lifecycle.stopSignal",
				"has a stopSignal, and the pod does not name its operating system; set spec.podSpec.os, or remove the signal")
		case system == "windows" && signal != "SIGTERM" && signal != "SIGKILL":
			p.report(c, finding.InvalidContainer, "stopSignal", "lifecycle.stopSignal",
				"has the stopSignal %s, which Windows does not have; write SIGTERM or SIGKILL", signal)
		}
	}
}

package check

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

var (
	probeFields = []string{"livenessProbe", "readinessProbe", "startupProbe"}
	hookFields  = []string{"postStart", "preStop"}

	probeActions = []string{"exec", "httpGet", "tcpSocket", "grpc"}
	hookActions  = []string{"exec", "httpGet", "tcpSocket", "sleep"}
)

// probes checks that an init container that ends has no probes or hooks, and that no probe has
// fields that only another sort of probe has.
func (p *pod) probes(c container) {
	for _, field := range append(probeFields, "lifecycle") {
		if !c.runs && set(c.Node, field) {
			p.wrong(finding.InvalidContainer, c.name+" "+field, p.path(c, field),
				"init container %q has a %s, which only one with restartPolicy Always has; remove it, or set restartPolicy", c.name, field)
		}
	}
	for _, field := range []string{"livenessProbe", "startupProbe"} {
		if threshold, ok := node.Int(c.Node, field, "successThreshold"); ok && threshold != 0 && threshold != 1 {
			p.wrong(finding.InvalidContainer, c.name+" "+field+" successThreshold", p.path(c, field+".successThreshold"),
				"the %s of container %q has a successThreshold of %d, which must be 1; remove it", field, c.name, threshold)
		}
	}
	if set(c.Node, "readinessProbe", "terminationGracePeriodSeconds") {
		const field = "readinessProbe.terminationGracePeriodSeconds"
		p.wrong(finding.InvalidContainer, c.name+" "+field, p.path(c, field),
			"the readinessProbe of container %q has terminationGracePeriodSeconds, which only the other probes have; remove it", c.name)
	}
}

// handlers checks that each probe and each hook does one thing.
func (p *pod) handlers(c container) {
	check := func(at string, handler *yaml.Node, actions []string) {
		if node.IsNull(handler) {
			return
		}
		var has []string
		for _, action := range actions {
			if set(handler, action) {
				has = append(has, action)
			}
		}
		switch {
		case len(has) == 0:
			p.wrong(finding.InvalidContainer, c.name+" "+at, p.path(c, at),
				"the %s of container %q does nothing; give it one of %s", at, c.name, strings.Join(actions, ", "))
		case len(has) > 1:
			p.wrong(finding.InvalidContainer, c.name+" "+at, p.path(c, at),
				"the %s of container %q has %s; keep one", at, c.name, strings.Join(has, " and "))
		}
	}
	for _, field := range probeFields {
		check(field, node.Get(c.Node, field), probeActions)
	}
	for _, field := range hookFields {
		check("lifecycle."+field, node.Get(c.Node, "lifecycle", field), hookActions)
	}
}

// hooks checks what hooks need of the pod: time to sleep, and a known operating system for a signal.
func (p *pod) hooks() {
	grace, ok := node.Int(p.Spec(), "terminationGracePeriodSeconds")
	if !ok {
		grace = 30
	}
	system := node.Text(p.Spec(), "os", "name")
	for _, c := range p.containers {
		if !set(c.Node, "lifecycle") {
			continue
		}
		for _, field := range hookFields {
			if seconds, ok := node.Int(c.Node, "lifecycle", field, "sleep", "seconds"); ok && (seconds < 0 || seconds > grace) {
				p.wrong(finding.InvalidContainer, c.name+" sleep "+field, p.path(c, "lifecycle."+field+".sleep.seconds"),
					"the %s hook of container %q sleeps for %d seconds, and the pod ends within %d; lower that, or raise "+
						"terminationGracePeriodSeconds", field, c.name, seconds, grace)
			}
		}
		switch signal := node.Text(c.Node, "lifecycle", "stopSignal"); {
		case signal == "":
		case system == "":
			p.wrong(finding.InvalidContainer, c.name+" stopSignal", p.path(c, "lifecycle.stopSignal"),
				"container %q has a stopSignal, and the pod does not name its operating system; set spec.podSpec.os, or remove the signal", c.name)
		case system == "windows" && signal != "SIGTERM" && signal != "SIGKILL":
			p.wrong(finding.InvalidContainer, c.name+" stopSignal", p.path(c, "lifecycle.stopSignal"),
				"container %q has the stopSignal %s, which Windows does not know; write SIGTERM or SIGKILL", c.name, signal)
		}
	}
}

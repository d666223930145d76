package engine

import (
	"fmt"
	"slices"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/check"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/work/meter"
)

// checkInjected reports what is wrong with the pod template as the injectors want it.
func (c *change) checkInjected() {
	if c.workload.kind.IsRelease { // whose pods are not known
		c.checkPostRenderers()
		return
	}
	c.checkWhole()
	c.reportLateWarnings()
}

// checkResult reports what is wrong with it as it will be, and what a person had changed in it.
func (c *change) checkResult() {
	c.reportDanglingMounts()
	c.reportDrifts()
	c.checkNotEmpty()
	c.checkContainers()
	c.checkUndone()
}

// checkNotEmpty refuses an injection that leaves a pod without a container, because its only one is a sidecar that
// becomes a native one. The API server does not take such a pod, and a later run would take it for a patch. A removal
// gives back what is left.
func (c *change) checkNotEmpty() {
	isEmpty := func(t pods.Template) bool { return len(node.List(t.Spec(), pods.Main)) == 0 }
	if c.workload.kind.Partial || isEmpty(c.template) || !isEmpty(c.version()) {
		return
	}
	at := &finding.Field{Path: c.template.At("spec." + pods.Main)}
	for _, m := range c.todo.inject {
		c.report(m, newFinding(finding.Error, finding.NoContainers, at,
			"the pod would have no container left, because all that it has were injected; add the app's container, "+
				"or keep the injector from this pod"))
	}
}

// checkWhole reports what the injectors made invalid that was valid before. The pod is checked once for all of them;
// only if something is wrong, it is checked after each of them, to find out who caused it.
func (c *change) checkWhole() {
	var checked []podSecurity // few differ
	for _, injection := range c.injections {
		m := injection.by
		if slices.Contains(checked, m.podSecurity) {
			continue
		}
		checked = append(checked, m.podSecurity)
		c.workload.run.meter.Charge(len(c.workload.item.Text) * meter.PerByteRead)
		if len(c.brokenBetween(m, c.injections[0].before, c.version())) > 0 {
			c.checkInjections()
			return
		}
	}
}

// checkInjections reports what each injector made invalid, with the names of the injectors before it, which may cause
// it.
func (c *change) checkInjections() {
	for i, injection := range c.injections {
		if !c.workload.run.meter.Charge(i*meter.PerEarlier + len(c.workload.item.Text)*meter.PerByteRead) {
			return
		}
		after := c.version()
		if i+1 < len(c.injections) {
			after = c.injections[i+1].before
		}
		if injection.failed {
			continue
		}
		for _, f := range c.brokenBetween(injection.by, injection.before, after) {
			if count := injection.owners; count > 0 {
				f.Message += "; the cause may be what other injectors add (" + c.owners().Names(count) + ")"
			}
			c.report(injection.by, f)
		}
	}
}

// brokenBetween returns what is invalid in a version of the pod template and was valid in the one before it, by the
// checks of an injector.
func (p *pod) brokenBetween(m *runInjector, before, after pods.Template) []finding.Finding {
	findings := check.APIRules(before, after, p.checkedWorkload())
	if s := m.podSecurity; s.level != "" {
		findings = append(findings, check.PodSecurity(before, after, s.level, s.major, s.minor)...)
	}
	return findings
}

// podSecurity is the level of the Pod Security Standards that an injector must not lower, and the version of these.
type podSecurity struct {
	level        v1alpha1.PodSecurityLevel
	major, minor int
}

func podSecurityOf(in *injector.Injector) podSecurity {
	major, minor := in.Version()
	return podSecurity{in.Spec.Checks.PodSecurity, major, minor}
}

func (p *pod) checkedWorkload() check.Workload {
	return check.Workload{Kind: p.workload.kind, Claims: pods.ClaimTemplates(p.workload.original), Valid: p.workload.run.valid}
}

// checkContainers checks the injectors' containers as they are in the end, with what a person changed in them.
func (c *change) checkContainers() {
	after := c.version()
	surroundings := c.workload.run.surroundings
	for _, injection := range c.injections {
		c.reportAll(injection.by, check.Required(after, injection.has, &injection.by.injector.Spec))
		namespace := surroundings.Namespaces[injection.by.injector.NamespaceOf(&c.workload.result.Object)]
		for _, sidecar := range injection.by.webhooks {
			if injection.has(sidecar.Container) {
				c.reportAll(injection.by, sidecar.CheckMarkers(after, namespace.Labels, namespace.Annotations))
			}
		}
	}
}

// checkUndone reports what undoing stamps made worse than it is in the file, unless an injector corrected it, because
// anyone may have written a stamp. It is an error for an injector that is added, and a warning for one that is removed.
func (c *change) checkUndone() {
	if len(c.todo.undo) == 0 {
		return
	}
	versions := check.Versions{InFile: c.template, Undone: c.withoutInjected, Result: c.version()}
	for _, f := range versions.APIRules(c.checkedWorkload()) {
		c.reportGeneral(f)
	}
	lost := map[podSecurity][]finding.Finding{}
	report := func(all []*runInjector, severity finding.Severity) {
		for _, m := range all {
			s := m.podSecurity
			if _, isKnown := lost[s]; !isKnown && s.level != "" {
				lost[s] = versions.PodSecurity(s.level, s.major, s.minor)
			}
			for _, f := range lost[s] {
				f.Severity = severity
				c.report(m, f)
			}
		}
	}
	report(c.todo.inject, finding.Error)
	report(c.todo.remove, finding.Warning)
}

// checkAnnotations refuses annotations that are too long together, for a later run or for Kubernetes.
func (c *change) checkAnnotations(after pods.Template, last *runInjector) {
	if total := stamp.Bytes(after.Node); total > pods.MaxAnnotationBytes && last != nil {
		c.reportTooLong(last, fmt.Errorf(
			"with those of other injectors it has %d bytes, and Kubernetes allows %d for all annotations together",
			total, pods.MaxAnnotationBytes))
		return
	}
	for _, f := range check.Annotations(c.template, after) {
		if len(c.injections) == 0 {
			c.reportGeneral(f)
			continue
		}
		c.report(c.injections[len(c.injections)-1].by, f)
	}
}

// reportDanglingMounts reports volumes that are removed with an injector although a remaining container mounts them.
// They are removed anyway, because removing restores the pod as it was before.
func (c *change) reportDanglingMounts() {
	if len(c.todo.undo) == 0 {
		return
	}
	version := c.version()
	view := c.workload.newView(version.Node)
	var mountedBy map[string]string // once a volume is gone
	for _, owner := range c.todo.undo {
		for _, t := range owner.Addresses() {
			if t.Path != "spec/volumes" || view.At(t.Path, t.Key) != nil {
				continue
			}
			if mountedBy == nil {
				mountedBy = mountingContainers(version)
				for _, claim := range pods.ClaimTemplates(c.workload.original) {
					delete(mountedBy, claim)
				}
			}
			if container := mountedBy[t.Key]; container != "" {
				c.report(c.workload.run.injectorByStampKey[owner.Key], newFinding(finding.Warning, finding.DanglingMount, c.podSpec(),
					"container %q mounts volume %q, which is removed with the injector; "+
						"remove the mount, or give the pod a volume of that name", container, t.Key))
			}
		}
	}
}

// mountingContainers returns the first container that mounts each volume, by the volumes' names.
func mountingContainers(template pods.Template) map[string]string {
	first := map[string]string{}
	for _, container := range pods.Containers(template.Spec()) {
		for _, mount := range pods.Mounted(container) {
			if volume := node.Text(mount, "name"); first[volume] == "" {
				first[volume] = node.Text(container, "name")
			}
		}
	}
	return first
}

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
func (p *pod) checkInjected() {
	p.checkWhole()
	p.reportLateWarnings()
}

// checkResult reports what is wrong with it as it will be, and what a person had changed in it.
func (p *pod) checkResult() {
	p.reportDanglingMounts()
	p.reportDrifts()
	p.checkNotEmpty()
	p.checkContainers()
	p.checkUndone()
}

// checkNotEmpty refuses an injection that leaves a pod without a container, because its only one is a sidecar that
// becomes a native one. The API server does not take such a pod, and a later run would take it for a patch. A removal
// gives back what is left.
func (p *pod) checkNotEmpty() {
	isEmpty := func(t pods.Template) bool { return len(node.List(t.Spec(), pods.Main)) == 0 }
	if p.workload.kind.Partial || isEmpty(p.template) || !isEmpty(p.version()) {
		return
	}
	at := &finding.Field{Path: p.template.At("spec." + pods.Main)}
	for _, m := range p.todo.inject {
		p.report(m, newFinding(finding.Error, finding.NoContainers, at,
			"the pod would have no container left, because all that it has were injected; add the app's container, "+
				"or keep the injector from this pod"))
	}
}

// checkWhole reports what the injectors made invalid that was valid before. The pod is checked once for all of them;
// only if something is wrong, it is checked after each of them, to find out who caused it.
func (p *pod) checkWhole() {
	var checked []podSecurity // few differ
	for _, injection := range p.injections {
		m := injection.by
		if slices.Contains(checked, m.podSecurity) {
			continue
		}
		checked = append(checked, m.podSecurity)
		p.workload.run.meter.Charge(len(p.workload.item.Text) * meter.PerByteRead)
		if len(p.brokenBetween(m, p.injections[0].before, p.version())) > 0 {
			p.checkInjections()
			return
		}
	}
}

// checkInjections reports what each injector made invalid, with the names of the injectors before it, which may cause
// it.
func (p *pod) checkInjections() {
	for i, injection := range p.injections {
		if !p.workload.run.meter.Charge(i*meter.PerEarlier + len(p.workload.item.Text)*meter.PerByteRead) {
			return
		}
		after := p.version()
		if i+1 < len(p.injections) {
			after = p.injections[i+1].before
		}
		if injection.failed {
			continue
		}
		for _, f := range p.brokenBetween(injection.by, injection.before, after) {
			if count := injection.owners; count > 0 {
				f.Message += "; the cause may be what other injectors add (" + p.owners().Names(count) + ")"
			}
			p.report(injection.by, f)
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
func (p *pod) checkContainers() {
	after := p.version()
	surroundings := p.workload.run.surroundings
	for _, injection := range p.injections {
		p.reportAll(injection.by, check.Required(after, injection.has, &injection.by.injector.Spec))
		namespace := surroundings.Namespaces[injection.by.injector.NamespaceOf(&p.workload.result.Object)]
		for _, sidecar := range injection.by.webhooks {
			if injection.has(sidecar.Container) {
				p.reportAll(injection.by, sidecar.CheckMarkers(after, namespace.Labels, namespace.Annotations))
			}
		}
	}
}

// checkUndone reports what undoing stamps made worse than it is in the file, unless an injector corrected it, because
// anyone may have written a stamp. It is an error for an injector that is added, and a warning for one that is removed.
func (p *pod) checkUndone() {
	if len(p.todo.undo) == 0 {
		return
	}
	versions := check.Versions{InFile: p.template, Undone: p.withoutInjected, Result: p.version()}
	for _, f := range versions.APIRules(p.checkedWorkload()) {
		p.reportGeneral(f)
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
				p.report(m, f)
			}
		}
	}
	report(p.todo.inject, finding.Error)
	report(p.todo.remove, finding.Warning)
}

// checkAnnotations refuses annotations that are too long together, for a later run or for Kubernetes.
func (p *pod) checkAnnotations(after pods.Template, last *runInjector) {
	if total := stamp.Bytes(after.Node); total > pods.MaxAnnotationBytes && last != nil {
		p.reportTooLong(last, fmt.Errorf(
			"with those of other injectors it has %d bytes, and Kubernetes allows %d for all annotations together",
			total, pods.MaxAnnotationBytes))
		return
	}
	for _, f := range check.Annotations(p.template, after) {
		if len(p.injections) == 0 {
			p.reportGeneral(f)
			continue
		}
		p.report(p.injections[len(p.injections)-1].by, f)
	}
}

// reportDanglingMounts reports volumes that are removed with an injector although a remaining container mounts them.
// They are removed anyway, because removing restores the pod as it was before.
func (p *pod) reportDanglingMounts() {
	if len(p.todo.undo) == 0 {
		return
	}
	version := p.version()
	view := p.workload.newView(version.Node)
	var mountedBy map[string]string // once a volume is gone
	for _, owner := range p.todo.undo {
		for _, t := range owner.Addresses() {
			if t.Path != "spec/volumes" || view.At(t.Path, t.Key) != nil {
				continue
			}
			if mountedBy == nil {
				mountedBy = mountingContainers(version)
				for _, claim := range pods.ClaimTemplates(p.workload.original) {
					delete(mountedBy, claim)
				}
			}
			if container := mountedBy[t.Key]; container != "" {
				p.report(p.workload.run.injectorByStampKey[owner.Key], newFinding(finding.Warning, finding.DanglingMount, p.podSpec(),
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

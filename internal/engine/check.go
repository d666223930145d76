package engine

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/check"
	pods "pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// checkWhole finds what an injector made invalid that was valid before.
func (p *pod) checkWhole(m *member, before, after podtemplate.Template) []finding.Finding {
	findings := check.APIRules(before, after, p.checkedWorkload())
	if level := m.injector.Spec.Checks.PodSecurity; level != "" {
		major, minor := m.injector.Version()
		findings = append(findings, check.PodSecurity(before, after, level, major, minor)...)
	}
	return findings
}

func (p *pod) checkedWorkload() check.Workload {
	return check.Workload{Kind: p.work.kind, Claims: podtemplate.ClaimTemplates(p.work.original), Valid: p.work.run.valid}
}

// checkContainers checks the injectors' containers as they are in the end, with what a person changed in them.
func (p *pod) checkContainers() {
	after := p.version()
	around := p.work.run.around
	for _, made := range p.made {
		p.reportAll(made.by, check.Required(after, made.has, &made.by.injector.Spec))
		namespace := around.Namespaces[made.by.injector.NamespaceOf(&p.work.result.Object)]
		for _, sidecar := range made.by.webhooks {
			if made.has(sidecar.Container) {
				p.reportAll(made.by, sidecar.CheckMarkers(after, namespace.Labels, namespace.Annotations))
			}
		}
	}
}

// checkUndone reports what undoing stamps made worse than it is in the file, unless an injector corrected it, because anyone
// may have written a stamp. It is an error for an injector that is added, and a warning for one that is removed.
func (p *pod) checkUndone() {
	if len(p.plan.undo) == 0 {
		return
	}
	versions := check.Versions{InFile: p.template, Undone: p.bared, Result: p.version()}
	for _, f := range versions.APIRules(p.checkedWorkload()) {
		p.reportGeneral(f)
	}
	for _, m := range p.plan.inject {
		p.checkSecurityUndone(versions, m, finding.Error)
	}
	for _, m := range p.plan.remove {
		p.checkSecurityUndone(versions, m, finding.Warning)
	}
}

func (p *pod) checkSecurityUndone(versions check.Versions, m *member, severity finding.Severity) {
	level := m.injector.Spec.Checks.PodSecurity
	if level == "" {
		return
	}
	major, minor := m.injector.Version()
	for _, f := range versions.PodSecurity(level, major, minor) {
		f.Severity = severity
		p.report(m, f)
	}
}

// checkAnnotations refuses annotations that are too long together, for a later run or for Kubernetes.
func (p *pod) checkAnnotations(after podtemplate.Template, last *member) {
	if total := stamp.Bytes(after.Node); total > podtemplate.MaxAnnotationBytes && last != nil {
		p.report(last, stampTooLong(stampsTooLong(total), p.annotation(last.key)))
		return
	}
	for _, f := range check.Annotations(p.template, after) {
		if len(p.made) == 0 {
			p.reportGeneral(f)
			continue
		}
		p.report(p.made[len(p.made)-1].by, f)
	}
}

// reportDanglingMounts reports volumes that are removed with an injector although a remaining container mounts them. They are
// removed anyway, because removing restores the pod as it was before.
func (p *pod) reportDanglingMounts() {
	if len(p.plan.undo) == 0 {
		return
	}
	version := p.version()
	view, mountedBy := stamp.NewView(version.Node), mountingContainers(version)
	for _, claim := range podtemplate.ClaimTemplates(p.work.original) {
		delete(mountedBy, claim)
	}
	for _, owner := range p.plan.undo {
		for _, t := range owner.Things() {
			if container := mountedBy[t.Key]; t.Path == volumesPath && container != "" && view.At(volumesPath, t.Key) == nil {
				p.report(p.work.run.owners[owner.Key], danglingMount(container, t.Key, p.podSpec()))
			}
		}
	}
}

// mountingContainers returns the first container that mounts each volume, by the volumes' names.
func mountingContainers(template podtemplate.Template) map[string]string {
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

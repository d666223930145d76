package engine

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	pods "pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// kept is what stays in a pod template although an injector wants something else, as warnings.
type kept struct {
	by       *member
	seen     podtemplate.Template // what its variables refer to
	findings []finding.Finding
	ofApp    []finding.Finding // the same if there were no other injector
	turn     int               // its index among those that have added something
}

// reportKept reports what stays although injectors want something else. It comes after all injectors, because a later one may
// have changed what stays, and the result must not depend on their order. If the workload is refused, only the app's values count:
// conflicts between injectors are errors.
func (p *pod) reportKept() {
	for _, k := range p.kept {
		switch {
		case p.work.failed:
			p.reportInFile(k.by, k.ofApp, p.pristine())
		case k.isChangedLater(p.made):
			p.reportInFile(k.by, p.applyAgain(k), p.version().Node)
		default:
			p.reportInFile(k.by, k.findings, k.seen.Node)
		}
	}
}

// reportInFile reports findings about a version of the pod template. Their paths become those of the file, which may have what the
// run's injectors had added before.
func (p *pod) reportInFile(m *member, findings []finding.Finding, version *yaml.Node) {
	paths, prefix := node.NewPaths(version, p.template.Node), p.template.At("")
	for _, f := range findings {
		if within, ok := strings.CutPrefix(f.Field.Path, prefix); ok {
			f.Field.Path = prefix + paths.Of(within)
		}
		p.report(m, f)
	}
}

// isChangedLater reports whether a later injector may have changed what stays, or replaced what was as this one wants it.
func (k kept) isChangedLater(all []made) bool {
	return k.turn+1 < len(all) && slices.ContainsFunc(all[k.turn+1:], func(m made) bool {
		return m.stamp.Replaces() || len(k.findings) > 0 && !m.stamp.Empty()
	})
}

// applyAgain returns what stays in the result of the run although an injector wants something else. The containers that it has added
// itself are as it wants them.
func (p *pod) applyAgain(k kept) []finding.Finding {
	in, findings := k.by.injector.For(p.subject(k.seen))
	if finding.HasError(findings) {
		return k.findings
	}
	applied, own := p.payloadPod(p.version().Copy()), p.made[k.turn].stamp
	applied.IsAdded = func(container string) bool {
		return slices.ContainsFunc(pods.ContainerLists[:], func(list string) bool { return own.Adds("spec/"+list, container) })
	}
	if finding.HasError(p.addTo(applied, in)) {
		return k.findings
	}
	return applied.Kept()
}

package engine

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
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
// have replaced what stays, and the result must not depend on their order. If the workload is refused, only the app's values count:
// conflicts between injectors are errors.
func (p *pod) reportKept() {
	for _, k := range p.kept {
		switch {
		case p.work.failed:
			p.reportInFile(k.by, k.ofApp, p.pristine())
		case k.isReplacedLater(p.made):
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

// isReplacedLater reports whether a later injector may have replaced what stays.
func (k kept) isReplacedLater(all []made) bool {
	return len(k.findings) > 0 && slices.ContainsFunc(all[min(k.turn+1, len(all)):], func(m made) bool { return m.stamp.Replaces() })
}

// applyAgain returns those of the warnings that are true of the result of the run, with the values there.
func (p *pod) applyAgain(k kept) []finding.Finding {
	applied, findings := p.apply(k.by, p.version().Copy(), k.seen)
	if finding.HasError(findings) {
		return k.findings
	}
	type wanted struct {
		code  finding.Code
		value string
	}
	known := map[wanted]bool{}
	for _, f := range k.findings {
		known[wanted{f.Code, f.Field.Proposed}] = true
	}
	return slices.DeleteFunc(slices.Clone(applied.Kept()), func(f finding.Finding) bool { return !known[wanted{f.Code, f.Field.Proposed}] })
}

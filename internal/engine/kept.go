package engine

import (
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/apply"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
)

// lateWarnings are about what may stay in a pod template although an injector wants something else.
type lateWarnings struct {
	by      *runInjector
	applied *apply.Pod
}

// reportKept reports what stays although injectors want something else. It comes after all injectors, because a later one may
// have changed what stays, and the result must not depend on their order. If the workload is refused, only the app's values count:
// conflicts between injectors are errors.
func (p *pod) reportKept() {
	if len(p.kept) == 0 {
		return
	}
	version := p.version().Node
	if p.work.failed {
		version = p.pristine()
	}
	view := stamp.NewView(version)
	for _, k := range p.kept {
		p.reportInFile(k.by, k.applied.Kept(view), version)
	}
}

// reportInFile reports findings about a version of the pod template. Their paths become those of the file, which may have what the
// run's injectors had added before.
func (p *pod) reportInFile(m *runInjector, findings []finding.Finding, version *node.Node) {
	if len(findings) == 0 {
		return
	}
	paths, prefix := node.NewPaths(version, p.template.Node), p.template.At("")
	for _, f := range findings {
		if within, ok := strings.CutPrefix(f.Field.Path, prefix); ok {
			f.Field.Path = prefix + paths.Of(within)
		}
		p.report(m, f)
	}
}

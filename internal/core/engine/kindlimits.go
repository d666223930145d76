package engine

import (
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// kindLimits refuses what an injector does to a bare pod spec if the schema of the kind has no place for it, so that the
// API server would drop it.
func (p *pod) kindLimits(own ledger.Ledger) (findings []finding.Finding) {
	kind := p.workload.kind
	if !p.template.IsBare { // like most
		return nil
	}
	values := own.Entries.Values()
	for _, at := range own.Stamp.Addresses() {
		steps := append(stamp.Steps(at.Path), at.Key)
		switch {
		case steps[0] != "spec":
			findings = append(findings, p.kindLimit("metadata",
				"the kind %s has no metadata of its pods that Pillion can write", kind.Kind))
		case kind.Fields != nil && !slices.Contains(kind.Fields, steps[1]):
			findings = append(findings, p.kindLimit("spec",
				"the schema of the kind %s has no %s for its pods, so the API server would drop it", kind.Kind, steps[1]))
		case kind.Mixed && steps[1] == "resources":
			findings = append(findings, p.kindLimit("spec.resources",
				"resources in a pod spec of the kind %s may be those of its main container", kind.Kind))
		case kind.Plain && at.Path == pods.InSpec(pods.Init).Path && node.Text(values.At(at), "restartPolicy") != "":
			findings = append(findings, p.kindLimit("spec."+pods.Init,
				"the schema of the kind %s has no restartPolicy of containers, so the API server would drop it, "+
					"and the pod would wait for the end of init container %q", kind.Kind, at.Key))
		case p.losesMain(at):
			findings = append(findings, p.kindLimit("spec."+pods.Main,
				"beside container %q, the controller of the kind %s finds the app's container only by the name %q",
				at.Key, kind.Kind, kind.Main))
		}
	}
	isSame := func(a, b finding.Finding) bool { return a.Message == b.Message }
	return slices.CompactFunc(findings, isSame)
}

func (p *pod) kindLimit(field, format string, args ...any) finding.Finding {
	at := &finding.Field{Path: p.template.At(field)}
	f := newFinding(finding.Error, finding.KindLimits, at, format, args...)
	f.Message += "; change that, or keep the kind out by spec.rules"
	return f
}

// losesMain reports whether the controller of the kind would not find the app's container beside one that was added.
func (p *pod) losesMain(added stamp.Address) bool {
	kind := p.workload.kind
	app := p.appTemplate()
	isLookedFor := kind.Main != "" && p.template.Path == kind.Specs[0] && node.Get(app, "spec", "model") == nil
	return isLookedFor && added.Path == pods.InSpec(pods.Main).Path &&
		len(node.List(app, "spec", pods.Main)) > 0 && stamp.At(app, added.Path, kind.Main) == nil
}

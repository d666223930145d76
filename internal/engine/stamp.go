package engine

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/transformers"
)

// writeStamps writes the injectors' stamps into the version under change, unless a later run would not accept them, and
// returns the pod template.
func (p *pod) writeStamps() *yaml.Node {
	target := &transformers.Pod{Template: p.template.Own(p.work.changed)}
	var last *member
	for _, made := range p.made {
		if made.stamp.Empty() {
			continue
		}
		last = made.by
		if made.by.injector.Spec.Stamp != v1alpha1.StampAnnotation {
			continue
		}
		text := made.stamp.String()
		if err := made.stamp.CheckText(text); err != nil {
			p.report(made.by, stampTooLong(err, p.annotation(made.by.key)))
			continue
		}
		for _, f := range target.Annotate(made.by.key, stamp.AsWritten(p.template.Node, made.by.key, text)) {
			p.work.reportGeneral(f)
		}
	}
	p.checkAnnotations(target.Template, last)
	return target.Node
}

package engine

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/stamp"
)

// readStamps reads the stamps of all pod templates.
func (w *workload) readStamps() {
	for i := range w.pods {
		w.pods[i].readStamps()
	}
	w.pristine = nil // adopting may have made it before all stamps were known
}

// readStamps reads the stamps of a pod template. Where an injector adopts what it finds, its stamp is made up: from there
// on, that goes out and comes in again like anything that the injector added itself.
func (p *pod) readStamps() {
	s := &p.stamps
	s.stamps, s.broken = stamp.Of(p.template.Node)
	if p.template.Broken != nil {
		return
	}
	for _, m := range p.work.run.members {
		if !m.injector.Spec.Adopt || s.stamps[m.key] != nil || s.broken[m.key] != nil || !m.selection.Decide(p.candidate).Inject {
			continue
		}
		if s.adopted == nil {
			s.adopted, s.refused = map[string]bool{}, map[string][]finding.Finding{}
		}
		p.plan.others = ownersOf(s.stamps)
		made, refused := p.adopt(m)
		if s.refused[m.key] = refused; made == nil {
			continue
		}
		if s.stamps == nil {
			s.stamps = map[string]*stamp.Stamp{}
		}
		s.stamps[m.key], s.adopted[m.key] = made, true
	}
}

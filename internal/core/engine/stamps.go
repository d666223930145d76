package engine

import (
	"maps"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/stamp"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// adoptAll gives each injector that adopts what it finds a new stamp for it. From then on, it is removed and added
// again like anything that the injector added itself.
func (p *pod) adoptAll() {
	s := &p.stamps
	if p.template.Broken != nil {
		return
	}
	for _, m := range p.workload.run.readyInjectors {
		hasStamp := s.stamps[m.key] != nil || s.broken[m.key] != nil
		if !m.injector.Spec.Adopt || hasStamp || !m.selection.Decide(&p.candidate).Inject {
			continue
		}
		if s.adopted == nil {
			s.adopted = map[string]bool{}
			s.refused = map[string][]finding.Finding{}
		}
		made, refused := p.newChange(p.ownersOf(s.stamps)).adopt(m)
		if s.refused[m.key] = refused; made == nil {
			continue
		}
		if s.stamps == nil {
			s.stamps = map[string]*stamp.Stamp{}
		}
		s.stamps[m.key] = made
		s.adopted[m.key] = true
	}
}

// ownersOf returns stamps with their keys, in order.
func (p *pod) ownersOf(stamps map[string]*stamp.Stamp) []stamp.Owner {
	if len(stamps) == 0 { // as at first
		return nil
	}
	var owners []stamp.Owner
	for _, key := range slices.Sorted(maps.Keys(stamps)) {
		owners = append(owners, p.owner(key, stamps[key]))
	}
	return owners
}

// owner returns a stamp with its key, and with the containers of the injector if that is part of the run.
func (p *pod) owner(key string, s *stamp.Stamp) stamp.Owner {
	o := stamp.Owner{Key: key, Stamp: s}
	if m := p.workload.run.injectorByStampKey[key]; m != nil {
		var known *injector.Plan
		o.Payload = func(container string) *node.Node {
			if known == nil {
				known = p.knownPlan(m)
			}
			if op := known.Container(container); op != nil {
				return op.Value
			}
			return nil
		}
	}
	return o
}

// writeStamps writes the injectors' stamps into the version under change, unless a later run would not accept them.
// That version is safe to change already, because every change made it so.
func (c *change) writeStamps() {
	target := c.owned          // only its metadata changes, which Set copies
	var annotations *node.Node // once it is safe to change
	var last *runInjector
	for _, injection := range c.injections {
		if injection.stamp.Empty() {
			continue
		}
		last = injection.by
		text := injection.stamp.String()
		if err := injection.stamp.Validate(text); err != nil {
			if len(text) > pods.MaxAnnotationBytes {
				c.reportTooLong(injection.by, err)
			} else {
				c.reportNotRecordable(injection.by, err)
			}
			continue
		}
		written := node.String(stamp.AsWritten(c.template.Node, injection.by.key, text))
		if annotations != nil { // there may be many stamps
			node.Set(annotations, injection.by.key, written)
			continue
		}
		before := node.Get(target.Node, "metadata", "annotations")
		for _, f := range target.SetNode(written, "metadata", "annotations", injection.by.key) {
			c.workload.reportGeneral(f)
		}
		if now := node.Get(target.Node, "metadata", "annotations"); now != before {
			annotations = now
		}
	}
	c.checkAnnotations(target, last)
}

func (p *pod) reportTooLong(m *runInjector, why error) {
	p.report(m, newFinding(finding.Error, finding.StampTooLong, p.annotation(m.key),
		"a later run could not read the stamp, which keeps what is replaced: %v; "+
			"replace less (spec.onConflict)", why))
}

// reportNotRecordable reports a change that a stamp cannot record. The reason is an alias in the manifest, or a
// transformer of a program.
func (p *pod) reportNotRecordable(m *runInjector, why error) {
	remedy := "in the manifest, write out what the YAML aliases there stand for"
	if len(p.workload.run.before)+len(p.workload.run.after) > 0 {
		remedy = "if a transformer of your program makes it, make it in another way; otherwise, " + remedy
	}
	p.report(m, newFinding(finding.Error, finding.NotRecordable, p.annotation(m.key),
		"the change could not be undone later, because the stamp cannot record it: %v; %s", why, remedy))
}

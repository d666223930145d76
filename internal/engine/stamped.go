package engine

import (
	"pillion.dev/pillion/internal/selection"
	"pillion.dev/pillion/internal/stamp"
)

// stamped is what the stamps of a pod template say.
type stamped struct {
	stamps  map[string]*stamp.Stamp // by their annotations' keys
	broken  map[string]error
	adopted map[string]bool      // the stamps that are made up
	refused map[string][]Finding // why an injector cannot take over what there is
}

// stampsOf reads the stamps of a pod template. Where an injector takes over what it finds, its stamp is
// made up: from there on, that goes out and comes in again like anything that it put in itself.
func (w *workload) stampsOf(c selection.Candidate) stamped {
	s := stamped{adopted: map[string]bool{}, refused: map[string][]Finding{}}
	s.stamps, s.broken = stamp.Read(c.Template.Node)
	if c.Template.Broken != nil {
		return s
	}
	for which, in := range w.injectors {
		key := stamp.Key(in.Name)
		if !in.Spec.Adopt || s.stamps[key] != nil || s.broken[key] != nil || !w.selections[which].Decide(c).Inject {
			continue
		}
		made, refused := (&pod{workload: w, Candidate: c, plan: plan{others: ownersOf(s.stamps)}}).adopt(which)
		if s.refused[key] = refused; made == nil {
			continue
		}
		if s.stamps == nil {
			s.stamps = map[string]*stamp.Stamp{}
		}
		s.stamps[key], s.adopted[key] = made, true
	}
	return s
}

func ownersOf(stamps map[string]*stamp.Stamp) []stamp.Owner {
	var owners []stamp.Owner
	for _, key := range sortedKeys(stamps) {
		owners = append(owners, stamp.Owner{Key: key, Stamp: stamps[key]})
	}
	return owners
}

package engine

import (
	"sync"
	"sync/atomic"

	"pillion.dev/pillion/internal/outcome"
)

// outcomeSets creates the outcomes of workloads. Of a hundred injectors, all but a few skip a workload, so their outcomes take no
// memory of their own.
type outcomeSets struct {
	first   []outcome.Outcome                 // as all injectors begin
	skipped []atomic.Pointer[outcome.Outcome] // the last outcome of each injector that only gives the reason why it skips a workload
	unused  sync.Pool                         // of *[]outcome.Outcome
}

// newOutcomeSets returns the outcomes of injectors, which are Skipped until a step decides otherwise.
func newOutcomeSets(members []*member) *outcomeSets {
	s := &outcomeSets{first: make([]outcome.Outcome, len(members)), skipped: make([]atomic.Pointer[outcome.Outcome], len(members))}
	for i, m := range members {
		s.first[i] = outcome.Outcome{Injector: m.injector.Name, Decision: outcome.Skipped}
	}
	return s
}

// borrow returns outcomes that can be changed until keep takes them back.
func (s *outcomeSets) borrow() []outcome.Outcome {
	unused, _ := s.unused.Get().(*[]outcome.Outcome)
	if unused == nil {
		made := make([]outcome.Outcome, len(s.first))
		unused = &made
	}
	copy(*unused, s.first)
	return *unused
}

// keep returns outcomes as the result of a run has them.
func (s *outcomeSets) keep(all []outcome.Outcome) []*outcome.Outcome {
	kept := make([]*outcome.Outcome, len(all))
	for i := range all {
		kept[i] = s.keepOne(i, &all[i])
	}
	s.unused.Put(&all)
	return kept
}

// keepOne returns the outcome of an injector: the last one, if this one is equal to it.
func (s *outcomeSets) keepOne(i int, o *outcome.Outcome) *outcome.Outcome {
	isShared := o.Decision == outcome.Skipped && o.Why == "" && o.Place == nil && len(o.Changes)+len(o.Findings) == 0
	if last := s.skipped[i].Load(); isShared && last != nil && last.Reason == o.Reason &&
		last.Matched == o.Matched && last.LacksNamespace == o.LacksNamespace && last.HasSidecar == o.HasSidecar {
		return last
	}
	kept := *o
	if isShared {
		s.skipped[i].Store(&kept)
	}
	return &kept
}

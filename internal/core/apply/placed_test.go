package apply_test

import (
	"testing"

	"pillion.dev/pillion/internal/core/stamp"
)

// TestPlaced has what is noted of where containers went, because the lists do not show it.
func TestPlaced(t *testing.T) {
	s := newScene(t, "containers: [{name: web}], initContainers: [{name: first}]",
		"containers: [{name: web}, {name: o}], initContainers: [{name: first}]")
	s.inject(t, "containers: [{name: a, image: i, mode: Container, before: o}, "+
		"{name: b, image: i, mode: Container, after: o}, {name: c, image: i, mode: Container, after: web}, "+
		"{name: n, image: i, mode: Native}]", nil)
	in := func(name string) stamp.Address { return stamp.InSpec("containers", name) }
	isBefore, isBeside := s.placed.Beside[in("a")]
	if !isBeside || !isBefore {
		t.Error("a is not noted as before another run's container")
	}
	if isBefore, isBeside := s.placed.Beside[in("b")]; !isBeside || isBefore {
		t.Error("b is not noted as after another run's container")
	}
	if _, isBeside := s.placed.Beside[in("c")]; isBeside {
		t.Error("c is noted as next to another run's container")
	}
	if !s.placed.Front[stamp.InSpec("initContainers", "n")] || len(s.placed.Front) != 1 {
		t.Errorf("in front are %v", s.placed.Front)
	}
	s.placed.Reset()
	if len(s.placed.Beside)+len(s.placed.Front) > 0 {
		t.Error("the next pod sees the places of this one")
	}
}

// TestPlacesNextToOthersAreForgotten has a pod of which all that is noted is next to a container of another run.
func TestPlacesNextToOthersAreForgotten(t *testing.T) {
	s := newScene(t, "containers: [{name: web}]", "containers: [{name: web}, {name: o}]")
	s.inject(t, "containers: [{name: a, image: i, mode: Container, before: o}]", nil)
	s.placed.Reset()
	if len(s.placed.Beside) > 0 {
		t.Error("the next pod sees the places of this one")
	}
}

package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// placed is a wish whose containers go to any place, also next to those of others.
func (s source) placed(name string, others []string) wish {
	w := s.orderly(name, s.chance(50))
	s.moveAround(&w, others)
	return w
}

// moveAround gives some of the containers of a wish other places.
func (s source) moveAround(w *wish, others []string) {
	w.sidecars = slices.Clone(w.sidecars)
	for i := range w.sidecars {
		if s.chance(60) {
			next := s.of(others...) + s.of("-c0", "-c1")
			if next == w.sidecars[i].name {
				continue
			}
			w.sidecars[i].knobs = s.of("mode: Container\nbefore: "+next, "mode: Container\nafter: "+next, "podInjectPolicy: BeforeAppContainer",
				"podInjectPolicy: AfterAppContainer", "mode: Container\npodInjectPolicy: BeforeAppContainer")
		}
	}
	w.envPosition = s.of("Prepend", "Append")
}

// TestLawsOfSeveralRuns claims for all orders of up to four injectors, of which some run together and the others on
// their own, that
//   - the steps again change nothing;
//   - without the others, what the injectors of one run leave is what they give alone, in the same order;
//   - without them, the others' entries are as they were in the file;
//   - a changed place is one in the end, by the same laws;
//   - removal in any order gives back the first bytes.
func TestLawsOfSeveralRuns(t *testing.T) {
	eachSeed(t, func(h *history, s source) {
		if s.chance(60) { // it takes long
			return
		}
		first := s.workload()
		names := []string{"d", "b", "c", "a"}[:1+s.IntN(4)]
		var wishes []wish
		for _, name := range names {
			wishes = append(wishes, s.placed(name, names))
		}
		together := 1 + s.IntN(len(wishes)) // so many run as a list
		for _, order := range permutations(len(wishes)) {
			var chosen []wish
			for _, i := range order {
				chosen = append(chosen, wishes[i])
			}
			run, others := chosen[:together], chosen[together:]
			h.laws(s, first, run, others)
			changed := slices.Clone(run)
			s.moveAround(&changed[s.IntN(len(changed))], names)
			h.lawsAfter(s, first, h.passes(first, run, others), changed, others)
			if h.failed {
				return
			}
		}
	})
}

// passes returns what a list and the steps behind it give.
func (h *history) passes(items string, run, others []wish) string {
	return h.inject(others, false, h.inject(run, true, items))
}

func (h *history) laws(s source, first string, run, others []wish) {
	h.Helper()
	h.lawsAfter(s, first, first, run, others)
	h.lawsAfter(s, first, h.inject(others, false, first), run, others)
}

// lawsAfter holds the laws against a list that runs on a file.
func (h *history) lawsAfter(s source, first, file string, run, others []wish) {
	h.Helper()
	after := h.inject(run, true, file)
	if again := h.inject(run, true, after); again != after {
		h.fail("the list again changes something")
	}
	if !isNextToOne(run, others) {
		h.sameOrder("without others, the list differs from a fresh one", h.inject(run, true, first), h.without(others, after))
	}
	h.sameOrder("without the list, the file differs", h.without(run, file), h.without(run, after))
	settled := h.passes(after, run, others)
	if again := h.passes(settled, run, others); again != settled {
		h.fail("the steps again change something:\n%s\n%s", order(h.T, settled), order(h.T, again))
	}
	all := slices.Concat(run, others)
	s.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	if bare := h.without(all, settled); bare != first {
		h.fail("removal does not give back the first bytes:\n%s\n%s", first, bare)
	}
	if h.failed {
		fmt.Fprintf(&h.log, "=== list\n%s=== others\n%s=== on\n%s=== gives\n%s", listed(run, "Inject"), listed(others, "Inject"), file, after)
	}
}

// isNextToOne reports whether injectors put something next to a container of others.
func isNextToOne(run, others []wish) bool {
	return slices.ContainsFunc(run, func(w wish) bool {
		return slices.ContainsFunc(w.sidecars, func(c sidecar) bool {
			return slices.ContainsFunc(others, func(other wish) bool { return strings.Contains(c.knobs, ": "+other.name+"-c") })
		})
	})
}

// without removes injectors one by one.
func (h *history) without(wishes []wish, items string) string {
	for _, w := range wishes {
		after, said, failed := step(h.T, single(w, "Remove"), items)
		if failed {
			h.fail("the removal is refused: %s", said)
		}
		items = after
	}
	return items
}

// permutations returns all orders of so many things.
func permutations(count int) [][]int {
	if count == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, rest := range permutations(count - 1) {
		for at := range count {
			all = append(all, slices.Insert(slices.Clone(rest), at, count-1))
		}
	}
	return all
}

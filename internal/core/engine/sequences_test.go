package engine_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
)

var seeds = flag.Uint64("seeds", 20, "how many sequences of config changes each claim is held against")

// step runs a config on a file, and tells what became of it.
func step(t *testing.T, config, items string) (after, said string, failed bool) {
	t.Helper()
	read, wrong := engine.ReadConfig(finding.Source{File: "config.yaml", Text: []byte(config)})
	if len(wrong) > 0 {
		return items, wrong[0].String(), true
	}
	result := apply(read, finding.Source{File: "web.yaml", Text: []byte(items)})
	var says strings.Builder
	for _, f := range result.Run.Findings() {
		says.WriteString(f.String() + "\n")
	}
	if result.Texts[0] == nil {
		return items, says.String(), result.Run.Failed()
	}
	after = string(result.Texts[0])
	if strings.Contains(items, "\r\n") && strings.Count(after, "\n") != strings.Count(after, "\r\n") {
		t.Errorf("the line ends are mixed:\n%q", after)
	}
	return after, says.String(), result.Run.Failed()
}

// history is a workload on its way through config changes, with what a failure needs to be told.
type history struct {
	*testing.T
	log    strings.Builder
	failed bool
}

// run runs one config, and makes sure that a second run and a Verify find nothing to do.
func (h *history) run(config func(action string) string, items string) (string, bool) {
	after, said, failed := step(h.T, config("Inject"), items)
	fmt.Fprintf(&h.log, "=== config\n%s=== on\n%s=== gives\n%s=== says\n%s", config("Inject"), items, after, said)
	if failed {
		if after != items {
			h.fail("a run that fails changes the items")
		}
		return after, false
	}
	h.accepted(items, after)
	h.keeps(items, after)
	if again, saidAgain, _ := step(h.T, config("Inject"), after); again != after {
		h.fail("a second run changes the items (-first +second):\n%s\n%s", cmp.Diff(after, again), saidAgain)
	}
	if verified, said, failed := step(h.T, config("Verify"), after); failed || verified != after {
		h.fail("a Verify right after fails, or changes the items:\n%s\n%s", cmp.Diff(after, verified), said)
	}
	verified, said, failed := step(h.T, config("Verify"), items)
	if failed != (after != items) || verified != items {
		h.fail("a Verify before it fails: %t, and the run changes the items: %t; it changes itself: %t\n%s", failed, after != items,
			verified != items, said)
	}
	return after, true
}

func (h *history) fail(format string, args ...any) {
	h.Helper()
	h.failed = true
	h.Errorf(format, args...)
}

func eachSeed(t *testing.T, do func(h *history, s source)) {
	for seed := range *seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			h := &history{T: t}
			do(h, newSource(seed))
			if h.failed {
				t.Log(h.log.String())
			}
		})
	}
}

// TestLastConfigDecides claims that of one injector's configs, only the last counts, byte for
// byte, and that removing gives back the first bytes.
func TestLastConfigDecides(t *testing.T) {
	eachSeed(t, func(h *history, s source) {
		first := s.file()
		items := first
		w := s.wish("a")
		for range 4 {
			if s.chance(15) && strings.Contains(items, marked) != strings.Contains(items, optedOut) {
				swap := strings.NewReplacer(marked, optedOut, optedOut, marked)
				items, first = swap.Replace(items), swap.Replace(first)
			}
			items = h.next(func(action string) string { return single(w, action) }, first, items)
			if h.failed {
				return
			}
			s.change(&w)
		}
	})
}

// next runs the next config of an injector on what the last one gave.
func (h *history) next(config func(action string) string, first, items string) string {
	anew, said, refused := step(h.T, config("Inject"), first)
	after, ok := h.run(config, items)
	if ok == refused {
		h.fail("on what the last config gave, it fails: %t; on the first items: %t: %s", !ok, refused, said)
	}
	if ok && !refused && after != anew {
		h.fail("the end state depends on an earlier config (-on the first items +on the last):\n%s", cmp.Diff(anew, after))
	}
	if ok {
		h.keepsComments(first, after)
	}
	if back, said, _ := step(h.T, config("Remove"), after); back != first {
		h.fail("removing does not give back the first bytes (-first +back):\n%s\n%s", cmp.Diff(first, back), said)
	}
	return after
}

// TestSequences runs every sequence in testdata/sequences: items, and one config after the other.
func TestSequences(t *testing.T) {
	eachArchive(t, "testdata/sequences/*.txtar", func(t *testing.T, _ string, archive *txtar.Archive) {
		h := &history{T: t}
		first := string(archive.Files[0].Data)
		items := first
		for _, f := range archive.Files[1:] {
			items = h.next(func(action string) string {
				return strings.ReplaceAll(string(f.Data), "action: Inject", "action: "+action)
			}, first, items)
		}
		if h.failed {
			t.Log(h.log.String())
		}
	})
}

// TestInjectorsGoTogether claims that several injectors, in one list or one after the other, leave
// a pod that depends on their last configs only, up to the order of lists; that the order in which
// they run changes no more than that; and that each goes out alone.
func TestInjectorsGoTogether(t *testing.T) {
	eachGroup(t, source.workload, source.wish, source.change)
}

// eachGroup runs generated injectors on generated workloads. Most of them must be accepted.
func eachGroup(t *testing.T, workload func(source) string, wishFor func(source, string) wish, change func(source, *wish)) {
	t.Helper()
	var rounds, refused atomic.Int64
	t.Run("seeds", func(t *testing.T) {
		eachSeed(t, func(h *history, s source) {
			var wishes []wish
			first := workload(s)
			for _, name := range []string{"a", "b", "c"}[:2+s.IntN(2)] {
				wishes = append(wishes, wishFor(s, name))
			}
			tried, fits := h.goTogether(s, first, wishes, func(w *wish) { change(s, w) })
			rounds.Add(tried)
			if !fits {
				refused.Add(1)
			}
		})
	})
	if refused.Load()*2 > rounds.Load() {
		t.Errorf("%d of %d rounds were refused, so that little was tried", refused.Load(), rounds.Load())
	}
}

// linesOf returns the lines of a text in the order of their content.
func linesOf(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// goTogether runs injectors three times, with a change before each except the first. It returns how often it ran them,
// and false if they were refused.
func (h *history) goTogether(s source, first string, wishes []wish, change func(*wish)) (tried int64, fits bool) {
	items, inOneList := first, s.chance(50)
	for i := range 3 {
		tried++
		anew, fits := h.round(wishes, inOneList, first)
		after, ok := h.round(wishes, inOneList, items)
		if !fits || !ok {
			return tried, false
		}
		h.samePods("the end state depends on earlier configs", anew, after)
		if strings.Contains(after, `"helper":"`) { // an earlier step learns with its next run that a container is the app's no more
			after, _ = h.round(wishes, inOneList, after)
		}
		if again, _ := h.round(wishes, inOneList, after); i > 0 && !inOneList && linesOf(again) == linesOf(after) {
			after = again // a later step may have left an entry to an earlier one alone, which gives it its place with the next run
		}
		if again, _ := h.round(wishes, inOneList, after); again != after {
			h.fail("the same injectors again change the items (-first +second):\n%s", cmp.Diff(after, again))
		}
		reversed := slices.Clone(wishes)
		slices.Reverse(reversed)
		if other, fits := h.round(reversed, inOneList, first); fits {
			h.samePods("the order of injectors matters", anew, other)
		}
		h.removeOneByOne(s, wishes, inOneList, first, after)
		if h.failed {
			return tried, true
		}
		items = after
		change(&wishes[s.IntN(len(wishes))])
		if s.chance(30) {
			s.Shuffle(len(wishes), func(i, j int) { wishes[i], wishes[j] = wishes[j], wishes[i] })
		}
	}
	return tried, true
}

// round runs all injectors once.
func (h *history) round(wishes []wish, inOneList bool, items string) (string, bool) {
	if inOneList {
		return h.run(func(action string) string { return listed(wishes, action) }, items)
	}
	for _, w := range wishes {
		var ok bool
		if items, ok = h.run(func(action string) string { return single(w, action) }, items); !ok {
			return items, false
		}
	}
	return items, true
}

// removeOneByOne takes the injectors out in some order, and makes sure that those that stay keep
// what is theirs, and that nothing is left in the end.
func (h *history) removeOneByOne(s source, wishes []wish, inOneList bool, first, with string) {
	left, items := slices.Clone(wishes), with
	for len(left) > 0 {
		out := s.IntN(len(left))
		after, said, failed := step(h.T, single(left[out], "Remove"), items)
		fmt.Fprintf(&h.log, "=== removing %s from\n%s=== gives\n%s=== says\n%s", left[out].name, items, after, said)
		if failed {
			h.fail("removing %s fails: %s", left[out].name, said)
			return
		}
		tookOver := strings.Contains(first, "helper") && strings.Contains(single(left[out], "Remove"), "name: helper")
		left = slices.Delete(left, out, out+1)
		if want, fits := h.round(left, inOneList, first); fits && len(left) > 0 {
			if tookOver { // what the app gets back gets what the others give it with their next run
				after, _ = h.round(left, inOneList, after)
			}
			h.samePods("removing an injector does not leave the others' as it was", want, after)
		}
		items = after
	}
	if strings.Contains(with, `"cut":`) || strings.Contains(with,
		`"helper":"`) { // where the app's entry gave way, blank lines around it may move
		first, items = withoutBlankLines(first), withoutBlankLines(items)
	}
	if strings.Contains(with, `"helper":"`) { // what was replaced comes back without anchors
		first, items = strings.ReplaceAll(first, " &env", ""), strings.ReplaceAll(items, " &env", "")
	}
	if items != first {
		h.fail("removing all does not give back the first bytes (-first +back):\n%s", cmp.Diff(first, items))
	}
}

func withoutBlankLines(text string) string {
	for strings.Contains(text, "\n\n") {
		text = strings.ReplaceAll(text, "\n\n", "\n")
	}
	return text
}

func (h *history) samePods(claim, want, got string) {
	h.Helper()
	if diff := cmp.Diff(canonical(h.T, want), canonical(h.T, got)); diff != "" {
		h.fail("%s (-want +got):\n%s", claim, diff)
	}
}

// canonical is what a manifest says to Kubernetes, its lists in an order of their own and
// without stamps.
func canonical(t *testing.T, items string) string {
	t.Helper()
	var object any
	if err := yaml.Unmarshal([]byte(items), &object); err != nil {
		t.Fatal(err)
	}
	text, err := yaml.Marshal(sorted(object))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func sorted(value any) any {
	switch value := value.(type) {
	case map[string]any:
		if name, joined := value["name"].(string); joined && joinedWith[name] != "" {
			value["value"] = sortedElements(value["value"], joinedWith[name])
		}
		for key, v := range value {
			if v = sorted(v); v == nil || strings.HasPrefix(key, "pillion.dev/injected-") {
				delete(value, key)
				continue
			}
			value[key] = sorted(v)
		}
		if len(value) == 0 {
			return nil
		}
	case []any:
		if len(value) == 0 {
			return nil
		}
		for i := range value {
			value[i] = sorted(value[i])
		}
		slices.SortFunc(value, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	}
	return value
}

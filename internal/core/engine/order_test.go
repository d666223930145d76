package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
)

// orderly is a wish that does not conflict with other wishes. Some of what it adds goes to the same place
// as theirs. A plain one gives no places, so that they are the usual ones.
func (s source) orderly(name string, isPlain bool) wish {
	w := wish{name: name, patchPolicy: "Retain", container: "Error", volume: "Error", variable: "Error"}
	for i := range 1 + s.IntN(2) {
		knobs := s.of("", "podInjectPolicy: AfterAppContainer", "after: prepare", "mode: Container", "mode: Container\nafter: app",
			"mode: Container\npodInjectPolicy: BeforeAppContainer", "mode: Container\nbefore: app", "mode: Container\nafter: helper")
		if isPlain {
			knobs = s.of("", "mode: Container")
		}
		fields := []string{"image: c:1", "workingDir: /${container.name}-${container.port:-0}"}
		w.sidecars = append(w.sidecars, sidecar{fmt.Sprintf("%s-c%d", name, i), knobs, fields})
	}
	for i := range s.IntN(2) {
		knobs := s.of("", "podInjectPolicy: BeforeAppContainer", "after: prepare", "before: prepare", "restartPolicy: Always")
		if isPlain {
			knobs = s.of("", "restartPolicy: Always")
		}
		w.inits = append(w.inits, sidecar{fmt.Sprintf("%s-i%d", name, i), knobs, []string{"image: i:1"}})
	}
	w.volumes = []string{"{name: " + name + "-v0, emptyDir: {}}"}
	w.secrets = []string{name + "-s0"}
	w.env = []string{strings.ToUpper(name) + "_E0: x", strings.ToUpper(name) + "_E1: \"${container.name}\""}
	w.envPosition, w.withInit, w.mount = s.of("Prepend", "Append"), s.chance(50), s.chance(50)
	w.podSpec = []string{"tolerations: [{key: " + name + ", operator: Exists}]"}
	return w
}

// renamed is a wish that brings the same by other names, in the same places.
func (w wish) renamed() wish {
	w.sidecars, w.inits = slices.Clone(w.sidecars), slices.Clone(w.inits)
	for _, list := range [][]sidecar{w.sidecars, w.inits} {
		for i := range list {
			list[i].name += "-new"
		}
	}
	w.volumes, w.env = []string{"{name: " + w.name + "-v0-new, emptyDir: {}}"}, []string{strings.ToUpper(w.name) + "_NEW: x"}
	w.secrets = []string{w.name + "-s0-new"}
	return w
}

// TestInjectorsKeepTheirOrder claims that what comes in by the first of several injectors stands first, in
// front of the app's as well as behind it, and that a list, separate steps, more runs and updates give the
// same text. If they give places, separate steps may have another order than a list.
func TestInjectorsKeepTheirOrder(t *testing.T) {
	eachSeed(t, func(h *history, s source) {
		first := s.workload()
		isPlain := s.chance(50)
		var wishes []wish
		for _, name := range []string{"d", "b", "c", "a"}[:2+s.IntN(3)] {
			wishes = append(wishes, s.orderly(name, isPlain))
		}
		list, ok := h.round(wishes, true, first)
		if !ok {
			h.fail("the injectors are refused")
			return
		}
		h.inOrder(wishes, list)
		same := func(claim string, wishes []wish, inOneList bool, items, want string) {
			h.Helper()
			h.sameOrder(claim, want, h.inject(wishes, inOneList, items))
		}
		sameSteps := func(claim string, wishes []wish, items, want string) {
			h.Helper()
			if isPlain {
				same(claim, wishes, false, items, want)
				return
			}
			got := h.inject(wishes, false, items)
			h.samePods(claim, want, got)
			h.sameOrder("steps twice change something", got, h.inject(wishes, false, got))
			same("a list does not set its order after steps", wishes, true, got, want)
		}
		sameSteps("separate steps differ from a list", wishes, first, list)
		same("a list changes what steps gave", wishes, true, list, list)
		same("steps change what a list gave", wishes, false, list, list)

		at := s.IntN(len(wishes))
		without, _, _ := step(h.T, single(wishes[at], "Remove"), list)
		same("a list does not put one back where it was", wishes, true, without, list)

		updated := slices.Clone(wishes)
		updated[at] = updated[at].renamed()
		anew := h.inject(updated, true, first)
		same("an update by a list depends on what was there", updated, true, list, anew)
		sameSteps("an update by steps depends on what was there", updated, list, anew)

		swapped := slices.Clone(wishes)
		slices.Reverse(swapped)
		anew = h.inject(swapped, true, first)
		turned, said, _ := step(h.T, listed(swapped, "Inject"), list)
		h.sameOrder("a list in another order does not move what is there", anew, turned)
		if strings.Contains(said, "Updated") != (turned != list) {
			h.fail("what moved is not told: %t\n%s", turned != list, said)
		}
	})
}

// inject is round, without what that makes sure of.
func (h *history) inject(wishes []wish, inOneList bool, items string) string {
	configs := []string{listed(wishes, "Inject")}
	if !inOneList {
		configs = nil
		for _, w := range wishes {
			configs = append(configs, single(w, "Inject"))
		}
	}
	for _, config := range configs {
		after, said, failed := step(h.T, config, items)
		if failed {
			h.fail("it is refused: %s", said)
		}
		items = after
	}
	return items
}

// sameOrder makes sure that two manifests say the same, with their lists in the same order.
func (h *history) sameOrder(claim, want, got string) {
	h.Helper()
	h.samePods(claim, want, got)
	if diff := cmp.Diff(order(h.T, want), order(h.T, got)); diff != "" {
		h.fail("%s (-want +got):\n%s", claim, diff)
	}
}

// inOrder makes sure that containers that ask for the same place stand in the order of their injectors, and so
// does everything else.
func (h *history) inOrder(wishes []wish, items string) {
	h.Helper()
	names := order(h.T, items)
	last := map[string]int{}
	follows := func(group, name string) {
		at := strings.Index(names, name)
		if at < 0 || at < last[group] {
			h.fail("%s stands in front of what came in before it:\n%s", name, names)
		}
		last[group] = at
	}
	for _, w := range wishes {
		for _, c := range slices.Concat(w.sidecars, w.inits) {
			follows(strings.TrimRight(c.name, "0123456789")[len(w.name):]+c.knobs, "/"+c.name+"\n")
		}
		follows("volume", "volumes/"+w.name+"-v0\n")
		follows("secret", "imagePullSecrets/"+w.name+"-s0\n")
		follows("env"+w.envPosition, "app/env/"+strings.ToUpper(w.name)+"_E0\n")
		follows("env"+w.envPosition, "app/env/"+strings.ToUpper(w.name)+"_E1\n")
	}
}

// order is the entries of the lists of a pod spec, by path, in their order.
func order(t *testing.T, items string) string {
	t.Helper()
	var object node.Node
	if err := yamlread.Into([]byte(items), &object); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var walk func(path string, n *node.Node)
	walk = func(path string, n *node.Node) {
		switch n.Kind {
		case node.DocumentNode:
			walk(path, n.Content[0])
		case node.MappingNode:
			for i := 0; i+1 < len(n.Content); i += 2 {
				walk(path+"/"+n.Content[i].Value, n.Content[i+1])
			}
		case node.SequenceNode:
			for _, entry := range n.Content {
				name := ""
				for i := 0; i+1 < len(entry.Content); i += 2 {
					if key := entry.Content[i].Value; key == "name" || key == "key" {
						name = entry.Content[i+1].Value
					}
				}
				b.WriteString(path + "/" + name + "\n")
				walk(path+"/"+name, entry)
			}
		}
	}
	walk("", &object)
	lines := strings.SplitAfter(b.String(), "\n")
	slices.SortStableFunc(lines, func(a, b string) int { return strings.Compare(listOf(a), listOf(b)) })
	return strings.Join(lines, "")
}

func listOf(line string) string { return line[:max(strings.LastIndex(line, "/"), 0)] }

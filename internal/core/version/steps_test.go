package version_test

import (
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	"pillion.dev/pillion/internal/text/joined"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// attack is a pod and the stamps in it, of the size of a number.
type attack struct {
	pod    string
	mine   *stamp.Stamp
	others []*stamp.Stamp
}

// attacks are stamps that anyone may write, each large in another way. They test number 16 of the claims
// in internal/core/engine/untrusted_test.go.
var attacks = map[string]func(n int) attack{
	"deep paths that lead nowhere": func(n int) attack {
		a := attack{pod: "spec: {a: {a: {a: {}}}}", mine: empty()}
		for i := range n {
			add(a.mine, "spec"+strings.Repeat("/a", 60)+"/"+fmt.Sprint(i), "x", hash)
		}
		return a
	},
	"keys that are not there": func(n int) attack {
		a := attack{pod: "metadata:\n  labels:\n" + lines(n, "    k%d: v\n"), mine: empty()}
		for i := range n {
			add(a.mine, "metadata/labels", fmt.Sprint("other", i), hash)
		}
		return a
	},
	"values that come back": func(n int) attack {
		a := attack{pod: "metadata: {labels: {a: b}}", mine: empty()}
		for i := range n {
			add(a.mine, "metadata/labels", fmt.Sprint("other", i), hash)
			replace(a.mine, "metadata/labels", fmt.Sprint("other", i), "b")
		}
		return a
	},
	"paths through keys that are not there": func(n int) attack {
		a := attack{pod: "spec:\n" + lines(n, "  k%d: v\n"), mine: empty()}
		for i := range n {
			add(a.mine, fmt.Sprint("spec/other", i), "x", hash)
		}
		return a
	},
	"paths through a merge key": func(n int) attack {
		a := attack{pod: "x: &x\n" + lines(n, "  a%d: v\n") + "spec:\n  <<: *x\n" + lines(n, "  k%d: v\n"), mine: empty()}
		for i := range n {
			add(a.mine, fmt.Sprint("spec/other", i), "x", hash)
		}
		return a
	},
	"variables": func(n int) attack {
		a := attack{pod: "spec:\n  containers:\n  - name: app\n    env:\n" + lines(n, "    - {name: E%d, value: v}\n"), mine: empty()}
		for i := range n {
			key := fmt.Sprint("E", i)
			add(a.mine, envPath, key, hash)
			replace(a.mine, envPath, key, "{name: "+key+"}")
		}
		return a
	},
	"joined values": func(n int) attack {
		pod := "spec:\n  containers:\n  - name: app\n    env:\n    - {name: E, value: \"" + lines(100*n, "a,b%d,") + "\"}\n"
		a := attack{pod: pod, mine: empty()}
		for i := range n {
			other, text := empty(), fmt.Sprint("b", i)
			add(other, envPath+"/E/value/,", text, partOf(text))
			a.others = append(a.others, other)
		}
		for i := range 100 {
			text := "a," + strings.Repeat("b,", i) + "b"
			add(a.mine, envPath+"/E/value/,", text, partOf(text))
		}
		return a
	},
	"joined variables": func(n int) attack {
		a := attack{pod: "spec:\n  containers:\n  - name: app\n    env:\n" + lines(n, "    - {name: E%d, value: \"a,b\"}\n"), mine: empty()}
		for i := range n {
			key := fmt.Sprint("E", i)
			add(a.mine, envPath, key, hash)
			add(a.mine, envPath+"/"+key+"/value/,", "b", partOf("b"))
			replace(a.mine, envPath+"/"+key, "value", "a")
		}
		return a
	},
	"containers": func(n int) attack {
		a := attack{pod: "spec:\n  containers:\n" + lines(n, "  - {name: c%d, image: i, env: [{name: A}]}\n"), mine: empty()}
		for i := range n {
			add(a.mine, fmt.Sprintf("spec/containers/c%d/env", i), "A", hash)
		}
		return a
	},
	"entries without a key": func(n int) attack {
		a := attack{pod: "spec:\n  tolerations:\n" + lines(n, "  - {key: a}\n"), mine: empty()}
		for i := range n {
			add(a.mine, "spec/tolerations", fmt.Sprint("#", i), hash)
		}
		return a
	},
	"stamps of others": func(n int) attack {
		a := attack{pod: "spec:\n  volumes:\n" + lines(n, "  - {name: v%d}\n"), mine: empty()}
		for i := range n {
			other := empty()
			add(other, "spec/volumes", fmt.Sprint("v", i), hash)
			add(a.mine, "spec/volumes", fmt.Sprint("v", i), hash)
			a.others = append(a.others, other)
		}
		return a
	},
}

const envPath = "spec/containers/app/env"

var hash = stamp.Fingerprint{Hash: "AAAAAA"}

func empty() *stamp.Stamp {
	return &stamp.Stamp{Changes: map[stamp.Address]stamp.Change{}}
}

func add(to *stamp.Stamp, path, key string, f stamp.Fingerprint) {
	at := stamp.Address{Path: path, Key: key}
	to.Changes[at] = stamp.Change{Fingerprint: f, Before: to.Changes[at].Before}
}

func replace(to *stamp.Stamp, path, key, text string) {
	at := stamp.Address{Path: path, Key: key}
	to.Changes[at] = stamp.Change{Fingerprint: to.Changes[at].Fingerprint, Before: &text}
}

func lines(n int, format string) string {
	var b strings.Builder
	for i := range n {
		if strings.Contains(format, "%d") {
			fmt.Fprintf(&b, format, i)
		} else {
			b.WriteString(format)
		}
	}
	return b.String()
}

// TestStepsGrowWithTheInput counts what twice the input takes: visited nodes, and allocations.
func TestStepsGrowWithTheInput(t *testing.T) {
	const small, most = 200, 2.5 // what grows with the square takes four times as many
	for name, make := range attacks {
		t.Run(name, func(t *testing.T) {
			steps, allocations := effort(t, make(small))
			moreSteps, moreAllocations := effort(t, make(2*small))
			if float64(moreSteps) > most*float64(steps) {
				t.Errorf("twice the input takes %d steps instead of %d", moreSteps, steps)
			}
			if moreAllocations > most*allocations {
				t.Errorf("twice the input takes %v allocations instead of %v", moreAllocations, allocations)
			}
		})
	}
}

// effort returns what it takes to read the stamps, to undo one of them, and to record and rebase the difference.
func effort(t *testing.T, a attack) (steps int, allocations float64) {
	t.Helper()
	text := a.mine.String()
	s, err := stamp.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	owners, others := owner(s), []stamp.Owner(nil)
	for i, other := range a.others {
		others = append(others, stamp.Owner{Key: stamp.Key(fmt.Sprint("other", i)), Stamp: other})
	}
	pod := template(t, a.pod)
	steps = version.UndoSteps(template(t, a.pod), owners, others)
	allocations = testing.AllocsPerRun(1, func() {
		read, err := stamp.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		undone := template(t, a.pod)
		version.Undo(undone, owner(read), others, nil)
		again := version.Difference(undone, pod).Stamp(stamp.Hashes{}, stamp.NewView(undone), node.Brief)
		version.Rebase(pod, undone, owners, owner(again), others)
		s.Enters()
	})
	return steps, allocations
}

// TestDepthTakesAStepPerLevel has a stamp that once took twice the time for every level.
func TestDepthTakesAStepPerLevel(t *testing.T) {
	steps := func(depth int) int {
		s := empty()
		add(s, "spec"+strings.Repeat("/a", depth), "x", hash)
		return version.UndoSteps(template(t, "spec: {}"), owner(s), nil)
	}
	if few, many := steps(10), steps(40); many > few+4*30 {
		t.Errorf("40 levels take %d steps, and 10 take %d", many, few)
	}
}

// partOf returns the fingerprint of a text that was joined to a value.
func partOf(text string) stamp.Fingerprint {
	s := &stamp.Stamp{}
	s.AddPart(stamp.Joined{Part: joined.Part{Text: text}})
	for _, c := range s.Changes {
		return c.Fingerprint
	}
	return stamp.Fingerprint{}
}

package version_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/splice"
)

const env = "spec/containers/web/env"

var wishes = []wish{
	{in: "spec/containers", put: "{name: logs, image: l}"},
	{in: "spec/containers", put: "{name: logs, image: other}", front: true},
	{in: "spec/containers", put: "{name: logs, image: l, args: [a, b, c]}"},
	{in: "spec/containers", put: "{name: logs, image: l, args: [a, x, y, c]}"},
	{in: "spec/containers", put: "{name: mesh, image: m, env: [{name: E, value: x}]}", front: true},
	{in: "spec/containers", put: "[{name: logs, image: l}, {name: tail, image: t}]"},
	{in: "spec/containers", put: "[{name: tail, image: t}, {name: mid, image: m}, {name: logs, image: l}]"},
	{in: "spec/containers", put: "{name: web, image: replaced}"},
	{in: "spec/initContainers", put: "{name: first, image: f, restartPolicy: Always}", front: true},
	{in: "spec/initContainers", put: "{name: last, image: f}"},
	{in: "spec/volumes", put: "{name: v, hostPath: {path: /}}"},
	{in: "spec/volumes", put: "{name: w, configMap: {name: c}}"},
	{in: "spec/imagePullSecrets", put: "{name: s}"},
	{in: "spec/tolerations", put: "{key: k, operator: Exists}"},
	{in: "spec/nodeSelector", put: "{'a/b': c~d, zone: a}"},
	{in: "spec/securityContext", put: "{runAsUser: 0}"},
	{in: "spec", put: "{priorityClassName: high, hostname: h}"},
	{in: "spec", put: "{dnsConfig: {options: [{name: ndots}], searches: [a, b]}}"},
	{in: "metadata/labels", put: "{l: a}"},
	{in: "metadata/annotations", put: "{note: 'it''s'}"},
	{in: env, put: "{name: E, value: x}"},
	{in: env, put: "{name: NEW, value: x}", front: true},
	{in: env, put: "[{name: M, value: m}, {name: NEXT, value: $(M)}]"},
	{in: env, put: "[{name: NEXT, value: $(M)}, {name: M, value: m}]", front: true},
	{in: "spec/containers/web/volumeMounts", put: "{name: v, mountPath: /v}"},
	{in: "spec/containers/web/envFrom", put: "{configMapRef: {name: c}}"},
	{in: "E", join: ":x"},
	{in: "E", join: ":y", front: true},
	{in: "NEW", join: ":x"},
	{in: "NEW", join: " z"},
}

// The apps that they are put into, as people write them.
var apps = []string{
	`spec:
  containers:
  - name: web
    image: w
`,
	`# the app
metadata:
  labels: {app: web} # its label
  annotations:
spec:

  # its containers
  containers:
    - name: web   # the first
      image: "w"
      env:
        # why
        - name: E
          value: 'a'   # a value
        - {name: OWN, value: "1"}
    - {name: db, image: d}
  volumes: []
  nodeSelector: {}
`,
	`metadata: {labels: {l: 'c'}, annotations: {note: "old"}} # one line
spec:
  resources: {requests: {cpu: "1", memory: 2.0Gi}, limits: {memory: 2048Mi}}
  initContainers: [{name: init, image: i}]
  containers: [{name: db, image: d}, {name: web, image: w, env: [{name: E}], volumeMounts: [{name: own, mountPath: /own}]}]
  volumes:
  - name: own
    emptyDir: {}
  - name: v
    emptyDir:
      medium: Memory # fast
  tolerations:
  - key: own
  securityContext: ~
`,
}

// What people change in a file that has been injected, each where its first text is.
var edits = [][2]string{
	{"    image: w\n", "    image: w2 # newer\n"},
	{"spec:\n", "spec:\n  hostNetwork: true\n"},
	{"  containers:\n", "  containers: # of the app\n"},
	{"  volumes:\n  - ", "  volumes:\n  - name: another\n    emptyDir: {}\n  - "},
	{"labels: {", "labels: {new: \"1\", "},
	{"        - {name: OWN, value: \"1\"}\n", ""},
	{"        # why\n", "        # because\n\n"},
	{"  tolerations:\n  - ", "  tolerations:\n  - {key: another}\n  - "},
	{", {name: web, image: w, ", ", {name: new, image: n}, {name: web, image: w, tty: true, "},
}

// TestUndoGivesTheAppBack has that stamps can be undone in either order, or at once, and that nothing stays, nor is
// anything lost, down to the byte. What the other one has put in stays.
func TestUndoGivesTheAppBack(t *testing.T) {
	forPairs(t, func(l *law, a, b file) {
		both := l.inject(a, "b", l.b)
		if both.text == "" {
			return
		}
		l.equal("what is left of both at once", l.undo(both, "a", "b").text, l.app.text)
		onlyB := l.undo(both, "a")
		l.same("what is left without the first", onlyB, b)
		l.equal("what is left after that", l.undo(onlyB, "b").text, l.app.text)
		onlyA := l.undo(both, "b")
		l.equal("what is left without the second", onlyA.text, a.text)
		l.equal("what is left after that", l.undo(onlyA, "a").text, l.app.text)
	})
}

// TestRebaseKeepsTheFile has that an injector that puts in the same again changes nothing, whatever people have changed
// in the file since and wherever the others have put something. If it puts in something else, nothing of the app and of
// others moves or changes.
func TestRebaseKeepsTheFile(t *testing.T) {
	forPairs(t, func(l *law, a, _ file) {
		both := l.inject(a, "b", l.b)
		if both.text == "" {
			return
		}
		l.equal("the first once more", l.again(both, "a", l.a).text, both.text)
		l.equal("the second once more", l.again(both, "b", l.b).text, both.text)
		other := l.again(a, "a", l.b)
		if other.text != "" {
			l.equal("the app without the other wish", l.undo(other, "a").text, l.app.text)
		}
		for _, edit := range edits {
			text := strings.Replace(both.text, edit[0], edit[1], 1)
			if edited := l.read(text); text != both.text {
				l.equal("the first in an edited file", l.again(edited, "a", l.a).text, text)
				l.equal("the second in an edited file", l.again(edited, "b", l.b).text, text)
			}
		}
	})
}

// TestOthersNeverMove has that all that is not an injector's own keeps its order and its text when that one puts in
// something else.
func TestOthersNeverMove(t *testing.T) {
	next := 0
	forPairs(t, func(l *law, a, _ file) {
		next = (next + 1) % len(wishes)
		l.c = wishes[next]
		all := l.inject(a, "c", l.c)
		if all.text == "" {
			return
		}
		if changed := l.again(all, "a", l.b); changed.text != "" {
			l.equal("without the other wish", l.undo(changed, "a").text, l.undo(all, "a").text)
			if l.b.in != l.c.in { // what both put in is where the other one has put it
				l.inOrder(changed)
			}
		}
	})
}

// inOrder checks that the entries of the second wish are in its order.
func (l *law) inOrder(changed file) {
	l.Helper()
	var names []string
	for _, entry := range l.b.entries() {
		names = append(names, stamp.KeyOf(l.b.in, entry))
	}
	var found []string
	for _, entry := range stamp.NewView(changed.template()).List(l.b.in) {
		if key := stamp.KeyOf(l.b.in, entry); slices.Contains(names, key) {
			found = append(found, key)
		}
	}
	if !slices.Equal(found, names) {
		l.Errorf("%q are in the order %q:\n%s", names, found, changed.text)
	}
}

// TestDriftIsWhatDiffers has that undoing reports just what somebody has changed of what was put in, and removes it.
func TestDriftIsWhatDiffers(t *testing.T) {
	forWishes(t, func(l *law, a file) {
		s := l.stamps(a)[0]
		for _, at := range s.Addresses() {
			if _, _, isPart := stamp.JoinedVariable(at.Path); isPart || s.IsJoined(at) {
				continue
			}
			list := within(a.own().template(), at.Path, false)
			present := list.Content[indexOf(at, list)]
			isRenamed := present.Kind == node.ScalarNode && stamp.Refers(at) // which kustomize does
			if hasKey := !strings.HasPrefix(at.Key, "#"); hasKey && !isRenamed {
				l.drifts(a, at, version.Drift{Present: changedBy(present)})
			}
			l.drifts(a, at, version.Drift{})
			if container := stamp.ContainerOf(at.Path); container.Key != "" {
				l.drifts(a, container, version.Drift{Lost: true})
			}
		}
		for _, part := range s.JoinedParts() {
			value := part.Variable.Child("value")
			at := stamp.Part(part.Variable, part.Separator, part.Part.Text)
			l.driftsBy(a, value, node.String("changed"), version.Drift{Address: at})
		}
		for _, edit := range edits {
			edited := l.read(strings.Replace(a.text, edit[0], edit[1], 1))
			if drifts := version.Undo(edited.own().template(), l.stamps(edited), nil, nil).Drifts; len(drifts) > 0 {
				l.Errorf("%q becomes %q, and it reports %v", edit[0], edit[1], drifts)
			}
		}
	})
}

// changedBy returns what a person may make of something.
func changedBy(n *node.Node) *node.Node {
	changed := node.Fresh(n)
	switch changed.Kind {
	case node.MappingNode:
		node.Set(changed, "changed", node.String("x"))
	case node.SequenceNode:
		changed.Content = append(changed.Content, node.String("x"))
	default:
		changed = node.String(changed.Value + "x")
	}
	return changed
}

// drifts checks what is reported if something becomes what is present, and that the app comes back, unless it has lost
// something itself.
func (l *law) drifts(a file, at stamp.Address, want version.Drift) {
	l.Helper()
	want.Address = at
	left := l.driftsBy(a, at, want.Present, want)
	empties := func(text string) int { return strings.Count(text, "[]") + strings.Count(text, "{}") }
	isEmptied := empties(left.text) > empties(l.app.text) // a person would have deleted it
	if !isEmptied && !want.Lost {
		l.same("the app", left, l.app)
	}
}

// driftsBy checks what is reported if something in a file becomes something else, or is removed, and returns the file
// without what was put in.
func (l *law) driftsBy(a file, at stamp.Address, changed *node.Node, want version.Drift) file {
	l.Helper()
	edited := a.own()
	list := within(edited.template(), at.Path, false)
	i := indexOf(at, list)
	switch {
	case changed != nil:
		list.Content[i] = changed
	case list.Kind == node.SequenceNode:
		list.Content = slices.Delete(list.Content, i, i+1)
	default:
		list.Content = slices.Delete(list.Content, i-1, i+1)
	}
	edited = l.write(a, edited, splice.Past{})
	next := edited.own()
	want.Owner = stamp.Key("a")
	undone := version.Undo(next.template(), l.stamps(edited), nil, nil)
	drifts := slices.Clone(undone.Drifts)
	isRight := len(drifts) == 1 && node.Equal(drifts[0].Present, want.Present)
	if isRight {
		drifts[0].Present = want.Present
		isRight = drifts[0] == want
	}
	if !isRight {
		l.Errorf("it reports %+v instead of %+v:\n%s", undone.Drifts, want, edited.text)
	}
	return l.write(edited, next, l.past(edited, undone, next))
}

// TestStampsAreReadAsTheyWereWritten has that the text of a stamp is read as the same one, and that no text with one
// byte changed, added or lost is read.
func TestStampsAreReadAsTheyWereWritten(t *testing.T) {
	forWishes(t, func(l *law, a file) {
		for _, owner := range l.stamps(a) {
			text := node.Text(a.template(), "metadata", "annotations", owner.Key)
			if owner.String() != text {
				l.Errorf("%s is read as %s", text, owner.Stamp)
			}
			for i := range text {
				for _, broken := range []string{
					text[:i] + text[i+1:], text[:i] + string(text[i]^1) + text[i+1:], text[:i] + "x" + text[i:],
				} {
					if s, err := stamp.Parse(broken); err == nil {
						l.Errorf("%s is read as %s", broken, s)
					}
				}
			}
		}
	})
}

// TestStampsInBlockScalarsAreTheSame has stamps as some tools write long lines.
func TestStampsInBlockScalarsAreTheSame(t *testing.T) {
	forWishes(t, func(l *law, a file) {
		key := stamp.Key("a")
		text := l.stamps(a)[0].String()
		block := l.read("metadata:\n  annotations:\n    other: x\n    " + key + ": |\n      " + text + "\nspec: {}\n")
		if got := l.stamps(block); len(got) != 1 || got[0].String() != text || stamp.Bytes(block.template()) != len(text) {
			l.Errorf("it is read as %v", got)
		}
		if written := stamp.AsWritten(block.template(), key, text); written != text+"\n" {
			l.Errorf("it is written as %q", written)
		}
		if written := stamp.AsWritten(block.template(), key, "another"); written != "another" {
			l.Errorf("another one is written as %q", written)
		}
	})
}

// TestOriginalsAreTheApps has that a stamp knows just what it has replaced, and what it put something into.
func TestOriginalsAreTheApps(t *testing.T) {
	forWishes(t, func(l *law, a file) {
		s := l.stamps(a)[0]
		var originals []stamp.Address
		entered := map[stamp.Address]bool{}
		for _, at := range s.Addresses() {
			if container := stamp.ContainerOf(at.Path); container.Key != "" {
				entered[container] = true
			}
			if variable, _, isPart := stamp.JoinedVariable(at.Path); isPart {
				entered[variable] = true
				continue
			}
			was := stamp.At(l.app.template(), at.Path, at.Key)
			if was == nil {
				continue
			}
			originals = append(originals, at)
			if c := s.Changes[at]; !c.IsOriginal(was) || c.IsOriginal(stamp.At(a.template(), at.Path, at.Key)) {
				l.Errorf("%v was %s", at, node.Brief(was))
			}
		}
		if got := s.Originals(); !slices.Equal(got, originals) {
			l.Errorf("the originals are %v, want %v", got, originals)
		}
		if got := s.Enters(); !maps.Equal(got, entered) {
			l.Errorf("it enters %v, want %v", got, entered)
		}
	})
}

// TestNamesOfOthersMayChange has that the fingerprint of something that refers to other objects is the same if only their
// names differ, as kustomize changes them, and that the names are told apart nevertheless.
func TestNamesOfOthersMayChange(t *testing.T) {
	at := stamp.InSpec("volumes", "w")
	volume := wished("{name: w, configMap: {name: c, optional: true}}")
	renamed := wished("{name: w, configMap: {name: c-1, optional: true}}")
	other := wished("{name: w, configMap: {name: c, optional: false}}")
	s := empty()
	stamp.Hashes{}.AddTo(s, at, volume)
	f := s.Changes[at]
	if !f.IsOf(at, volume) || !f.IsOf(at, renamed) || f.IsOf(at, other) {
		t.Errorf("the fingerprint is that of %t %t %t", f.IsOf(at, volume), f.IsOf(at, renamed), f.IsOf(at, other))
	}
	if !stamp.SameNames(at, volume, other) || stamp.SameNames(at, volume, renamed) || !stamp.Refers(at) {
		t.Error("names are not told apart")
	}
	if plain := stamp.InSpec("tolerations", "k"); stamp.Refers(plain) {
		t.Error("a toleration refers to something")
	}
}

// TestTextsThatCanBeKept has which texts mean the same in a stamp as where they are from.
func TestTextsThatCanBeKept(t *testing.T) {
	const value = "{a: b, c: [d]}"
	for text, isRight := range map[string]bool{
		value: true, "a: b # why\nc:\n- d": true, "# %\n{a: b, c: [d]}": true, "{a: \"b\", c: [d]}": true, "\n\n" + value: true,
		"a: b\n# ---\nc: [d]":     true,
		"%YAML 1.2\n--- " + value: false, "# c\n%TAG ! a\n" + value: false, "--- " + value: false, "---\n" + value: false,
		value + "\n---\n": false, value + "\n...\n": false, value + "\r---\r": false, value + "\n--- x": false,
		"&x " + value: false, "{a: &x b, c: [d]}": false, "{a: b, c: [&x d]}": false, "{a: b, c: [d, *x]}": false,
		"{a: b, c: [d], a: b}": false, "{c: [d], a: b}": false, "{a: b, c: [e]}": false, "{a: b, c: [d], e: }": false, "{a: b": false, "": false,
	} {
		if stamp.CanRecord(text, wished(value)) != isRight {
			t.Errorf("%q can be kept: %t", text, !isRight)
		}
	}
	deep := strings.Repeat("[", 70) + strings.Repeat("]", 70)
	if stamp.CanRecord(deep, wished(deep)) {
		t.Error("a text of 70 levels can be kept")
	}
}

// TestFieldsLeadToWhatTheyName has that a field path leads to what is at an address, and to the last step of it that is
// there.
func TestFieldsLeadToWhatTheyName(t *testing.T) {
	forWishes(t, func(l *law, a file) {
		view := stamp.NewView(a.template())
		visitAll("", a.template(), func(at stamp.Address, n *node.Node) {
			if view.At(at.Path, at.Key) != n {
				l.Errorf("%v leads to %v", at, view.At(at.Path, at.Key))
			}
			field := view.FieldOf(at, "")
			if found := node.Find(a.template(), field); found != n && node.OwnValue(parentOf(a, at), at.Key) != n {
				l.Errorf("%v is at %s", at, field)
			}
			if missing := view.FieldOf(at.Child("none"), ""); n.Kind == node.SequenceNode && missing != field {
				l.Errorf("what is not in %s is at %s", field, missing)
			}
		})
	})
}

func parentOf(f file, at stamp.Address) *node.Node {
	if at.Path == "" {
		return f.template()
	}
	above := stamp.AddressOf(at.Path)
	return stamp.At(f.template(), above.Path, above.Key)
}

// visitAll calls a function for all that is in a template.
func visitAll(path string, n *node.Node, see func(stamp.Address, *node.Node)) {
	for i, child := range n.Content {
		at := stamp.Address{Path: path}
		switch {
		case n.Kind == node.SequenceNode:
			at.Key = stamp.KeyOf(path, child)
		case i%2 == 0:
			continue
		default:
			at.Key = n.Content[i-1].Value
		}
		see(at, child)
		visitAll(at.Inside(), child, see)
	}
}

// TestMovedIsWhatChangedPlaces has all orders of four entries.
func TestMovedIsWhatChangedPlaces(t *testing.T) {
	const before = "{spec: {containers: [{name: a}, {name: b}, {name: c}, {name: d}]}}"
	s := empty()
	for _, name := range []string{"a", "b", "d"} {
		add(s, "spec/containers", name, hash)
	}
	for _, order := range []string{"abcd", "abdc", "bacd", "dabc", "bcda", "dcba", "acdb", "cab", "badc", ""} {
		var entries []string
		for _, name := range order {
			entries = append(entries, fmt.Sprintf("{name: %c}", name))
		}
		after := template(t, "{spec: {containers: ["+strings.Join(entries, ", ")+"]}}")
		got := ""
		for at := range version.Moved(template(t, before), after, owner(s)) {
			got += at.Key
		}
		want := ""
		for i, one := range order {
			hasPassed := func(j int, other rune) bool { return i < j && one > other || i > j && one < other }
			for j, other := range order {
				if hasPassed(j, other) && !strings.ContainsRune(want, one) {
					want += string(one)
				}
			}
		}
		if got, want := sorted(got), sorted(want); got != want {
			t.Errorf("abcd becomes %s: %q moved, want %q", order, got, want)
		}
	}
}

// sorted returns the letters of a text in order, in which two texts with the same entries are equal.
func sorted(text string) string {
	letters := []byte(text)
	slices.Sort(letters)
	return string(letters)
}

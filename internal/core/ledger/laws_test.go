package ledger_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/apply"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// What an injector may want, one thing each. The laws hold for all pairs of them, so that a failure is as small as it
// can be.
var wishes = []string{
	"containers: [{name: logs, image: 'l:1', mode: Container}]",
	"containers: [{name: logs, image: 'l:2', mode: Container}]",
	"containers: [{name: logs, image: 'l:1', mode: Native}]",
	"containers: [{name: web, image: w, mode: Container}], onConflict: {container: Replace}",
	"containers: [{name: web, image: other, mode: Container}], onConflict: {container: Replace}",
	"containers: [{name: web, image: w, tty: true, mode: Container}], onConflict: {container: Merge}",
	"containers: [{name: web, image: w, mode: Container}], onConflict: {container: Merge}",
	"initContainers: [{name: first, image: f}]",
	"containers: [{name: big, image: b, mode: Container, resources: {requests: {cpu: 100m}}}]",
	"volumes: [{name: v, emptyDir: {}}]",
	"volumes: [{name: v, hostPath: {path: /}}], onConflict: {volume: Replace}",
	"imagePullSecrets: [{name: s}]",
	"patchPodMetadata: [{labels: {l: a}}]",
	"patchPodMetadata: [{labels: {l: b}, patchPolicy: Overwrite}]",
	"patchPodMetadata: [{annotations: {j: '{\"a\":1}'}, patchPolicy: MergePatchJson}]",
	"podSpec: {nodeSelector: {zone: a}}",
	"podSpec: {nodeSelector: {disk: ssd}, tolerations: [{key: k}]}",
	"appContainers: [{env: [{name: E, value: x}]}]",
	"appContainers: [{env: [{name: E, value: x}]}], onConflict: {env: Replace}",
	"appContainers: [{env: [{name: E, value: y}]}], onConflict: {env: Replace}",
	"appContainers: [{env: [{name: E, value: x, join: ':'}]}]",
	"appContainers: [{env: [{name: E, value: y, join: ':'}]}]",
	"appContainers: [{env: [{name: E, value: x, join: ':', joinOrder: Before}]}]",
	"appContainers: [{env: [{name: E, value: x, join: ' '}]}]",
	"appContainers: [{volumeMounts: [{name: v, mountPath: /v}]}]",
}

// The apps that they are put into.
var apps = []string{
	"{spec: {containers: [{name: web, image: w}]}}",
	"{metadata: {labels: {l: a}, annotations: {}}, spec: {containers: [{name: web, image: w, env: [{name: E, value: a}]}], volumes: []}}",
	"{metadata: {labels: {l: c}}, spec: {resources: {requests: {cpu: 1}}, volumes: [{name: v, emptyDir: {}}], " +
		"containers: [{name: web, image: w, env: [{name: E, value: 'x:a'}]}]}}",
}

// TestClashesAreMutual checks that it makes no difference for a conflict which of two injectors comes first.
func TestClashesAreMutual(t *testing.T) {
	forPairs(t, func(t *testing.T, app, a, b string) {
		one := clashesOf(t, app, a, b)
		two := clashesOf(t, app, b, a)
		if strings.Join(one, ", ") != strings.Join(two, ", ") {
			t.Errorf("a before b: %q\nb before a: %q", one, two)
		}
	})
}

func clashesOf(t *testing.T, app, a, b string) []string {
	t.Helper()
	v := newVersion(t, app)
	if !v.add("a", a) {
		return nil
	}
	v.add("b", b)
	return v.clashes
}

// TestEqualLedgersAreShared checks that two injectors that want the same do not clash, and that it is there once.
func TestEqualLedgersAreShared(t *testing.T) {
	for _, app := range apps {
		for _, wish := range wishes {
			v := newVersion(t, app)
			if !v.add("a", wish) {
				continue
			}
			once := v.text(v.node)
			if !v.add("b", wish) {
				t.Errorf("%s\n%s\nclashes: %q", app, wish, v.clashes)
			} else if twice := v.text(v.node); twice != once {
				t.Errorf("%s\n%s\nonce:  %s\ntwice: %s", app, wish, once, twice)
			}
		}
	}
}

// TestOrderOfInjectorsIsFree checks that two injectors that do not clash make the same of an app in either order,
// except for the order of entries.
func TestOrderOfInjectorsIsFree(t *testing.T) {
	forPairs(t, func(t *testing.T, app, a, b string) {
		one := newVersion(t, app)
		two := newVersion(t, app)
		if !one.add("a", a) || !one.add("b", b) || !two.add("b", b) || !two.add("a", a) {
			return
		}
		if sorted(one.text(one.node)) != sorted(two.text(two.node)) {
			t.Errorf("a before b: %s\nb before a: %s", one.text(one.node), two.text(two.node))
		}
	})
}

// TestRemovalGivesTheAppBack checks that two injectors can be removed in either order, or at once, and that nothing of
// them stays.
func TestRemovalGivesTheAppBack(t *testing.T) {
	forPairs(t, func(t *testing.T, app, a, b string) {
		v := newVersion(t, app)
		if !v.add("a", a) || !v.add("b", b) {
			return
		}
		own := v.stamps
		for _, order := range [][][]stamp.Owner{{own}, {own[:1], own[1:]}, {own[1:], own[:1]}} {
			left := pods.Template{Node: v.node}.Copy().Node
			for i, removed := range order {
				others := slices.Concat(order[i+1:]...)
				version.Undo(left, removed, others, nil)
			}
			if got, want := v.text(left), v.text(v.app); got != want {
				t.Errorf("removed in %d steps: %s\nwant %s", len(order), got, want)
			}
		}
	})
}

// forPairs runs a check for each pair of wishes and each app.
func forPairs(t *testing.T, check func(t *testing.T, app, a, b string)) {
	t.Helper()
	for _, app := range apps {
		for _, a := range wishes {
			for _, b := range wishes {
				check(t, app, a, b)
				if t.Failed() {
					t.Fatalf("app: %s\na: %s\nb: %s", app, a, b)
				}
			}
		}
	}
}

// version is an app with what injectors put in, one after the other.
type layout struct {
	*testing.T
	app     *node.Node
	node    *node.Node
	owners  ledger.Owners
	stamps  []stamp.Owner
	placed  ledger.Entries
	clashes []string // of the last one
}

func newVersion(t *testing.T, app string) *layout {
	t.Helper()
	n := document(t, app)
	return &layout{T: t, app: n, node: n}
}

// add puts in what an injector wants, unless it clashes with those before.
func (v *layout) add(name, wish string) (isPut bool) {
	v.Helper()
	const config = "{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, metadata: {name: %s}, spec: {%s}}"
	in, problems := injector.Read(document(v.T, fmt.Sprintf(config, name, wish)))
	if finding.HasError(problems) {
		v.Fatalf("%s: %v", wish, problems)
	}
	app := stamp.NewView(v.app)
	others := apply.Seen{
		Before: v.node,
		Index:  new(version.Index),
		Owners: &v.owners,
		Names:  noNames{},
	}
	p, findings := apply.Want(apply.App{Template: pods.Template{Node: v.app}, View: app}, in[0].Plan(), others, nil, nil)
	if finding.HasError(findings) {
		return false
	}
	written := func(n *node.Node) string { return v.text(n) }
	s := p.Entries.Stamp(stamp.Hashes{}, app, written)
	if again, err := stamp.Parse(s.String()); !s.Empty() && (err != nil || !reflect.DeepEqual(again.Changes, s.Changes)) {
		v.Errorf("%s\nthe stamp %s is read as\n%v, %v", wish, s, again, err)
	}
	own := ledger.Ledger{Injector: name, IsOfRun: true, Stamp: s, Entries: p.Entries}
	for _, clash := range v.owners.Clashes(own, stamp.NewView(v.node), false) {
		v.clashes = append(v.clashes, clash.Inside())
	}
	slices.Sort(v.clashes)
	if len(v.clashes) > 0 {
		return false
	}
	next := version.Version{
		Template: pods.Template{Node: v.node}.Copy(),
		App:      app,
		Before:   stamp.NewView(v.node),
		Owners:   &v.owners,
		Index:    new(version.Index),
	}
	if finding.HasError(next.With(p.Entries)) {
		return false
	}
	v.stamps = append(v.stamps, stamp.Owner{Key: name, Stamp: s})
	v.placed = version.AppendPlaced(v.placed, p.Entries)
	next.Order(&version.Order{File: stamp.NewView(v.app), App: app, Now: v.stamps}, v.placed)
	v.node = next.Node
	v.owners.Add(own)
	return true
}

func (v *layout) text(n *node.Node) string {
	v.Helper()
	text, err := manifest.JSON(n)
	if err != nil {
		v.Fatal(err)
	}
	return string(text)
}

// sorted returns the letters of a text in order, in which two texts with the same entries are equal.
func sorted(text string) string {
	letters := []byte(text)
	slices.Sort(letters)
	return string(letters)
}

// noNames are the names of injectors of which no container is known.
type noNames struct{}

func (noNames) IsNamed(string) bool { return false }

func document(t *testing.T, text string) *node.Node {
	t.Helper()
	var document node.Node
	if err := read.Into([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	return document.Content[0]
}

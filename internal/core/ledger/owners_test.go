package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/yaml/node"
)

var (
	label     = stamp.Address{Path: "metadata/labels", Key: "l"}
	another   = stamp.Address{Path: "metadata/labels", Key: "m"}
	container = stamp.InSpec("containers", "web")
	variable  = container.Child("env").Child("E")
)

// of returns the ledger of an injector that puts in values.
func of(injector string, isOfRun bool, values map[stamp.Address]string) ledger.Ledger {
	app := stamp.NewView(node.Mapping())
	var entries ledger.Entries
	for at, value := range values {
		entries.Put(at, node.String(value))
	}
	s := entries.Stamp(stamp.Hashes{}, app, nil)
	return ledger.Ledger{Injector: injector, IsOfRun: isOfRun, Stamp: s, Entries: entries}
}

// TestClashesAreInOrder checks that clashes with injectors of the run come first, then by kind and by address, each
// once.
func TestClashesAreInOrder(t *testing.T) {
	var owners ledger.Owners
	values := map[stamp.Address]string{label: "a", another: "a"}
	owners.Add(of("other", false, values))
	owners.Add(of("first", true, values))
	owners.Add(of("second", true, values))
	own := of("own", true, map[stamp.Address]string{label: "b", another: "b"})
	own.Entries.Find(label, node.String("b")) // as well, which is the same clash
	before := stamp.NewView(document(t, "{metadata: {labels: {l: a, m: a}}}"))
	var got []string
	for _, clash := range owners.Clashes(own, before, false) {
		got = append(got, fmt.Sprintf("%s %s", strings.Join(clash.Injectors[:], " "), clash.Key))
	}
	want := "first own l, first own m, second own l, second own m, other own l, other own m"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

// TestAChangedValueClashes checks that two injectors clash if somebody has changed what both want, except in a live
// pod, which has defaults.
func TestAChangedValueClashes(t *testing.T) {
	var owners ledger.Owners
	owners.Add(of("other", false, map[stamp.Address]string{label: "a"}))
	own := of("own", true, map[stamp.Address]string{label: "a"})
	before := stamp.NewView(document(t, "{metadata: {labels: {l: changed}}}"))
	if clashes := owners.Clashes(own, before, false); len(clashes) != 1 || clashes[0].With.Injector != "other" {
		t.Errorf("got %v", clashes)
	}
	if clashes := owners.Clashes(own, before, true); len(clashes) > 0 {
		t.Errorf("in a live pod: %v", clashes)
	}
}

// TestWhoseItIs checks the lookups.
func TestWhoseItIs(t *testing.T) {
	var owners ledger.Owners
	if owners.Has(label) || owners.IsWantedByRun(label) || owners.Count() > 0 || owners.Names(0) != "" {
		t.Error("something is owned by nobody")
	}
	owners.Add(of("other", false, map[stamp.Address]string{label: "a"}))
	if !owners.Has(label) || !owners.HasOtherRuns(label) || owners.IsWantedByRun(label) || owners.Has(another) {
		t.Error("the label is not that of another run alone")
	}
	finding := of("finding", true, nil)
	finding.Entries.Find(variable, node.String("x"))
	owners.Add(finding)
	if owners.Has(variable) || !owners.IsWantedByRun(variable) || !owners.IsWantedByRun(container) {
		t.Error("what an injector finds is not put in, and the run wants it")
	}
	owners.Add(of("own", true, map[stamp.Address]string{another: "a"}))
	if !owners.IsWantedByRun(another) || owners.HasOtherRuns(another) {
		t.Error("the second label is not the run's")
	}
	if names := owners.Names(owners.Count()); names != "finding, own, other" {
		t.Errorf("names: %s", names)
	}
	if names := owners.Names(1); names != "other" {
		t.Errorf("the first name: %s", names)
	}
}

// TestEntriesHave checks that what is joined to a variable is not the variable.
func TestEntriesHave(t *testing.T) {
	var entries ledger.Entries
	entries.Join(0, stamp.Joined{Variable: variable, Separator: ":"}, nil)
	if entries.Has(variable) {
		t.Error("a joined part counts as the whole variable")
	}
	entries.Put(label, node.String("a"))
	entries.FindIn(container, node.Mapping())
	if !entries.Has(label) || !entries.Has(container) || entries.Has(another) {
		t.Error("an entry is lost")
	}
}

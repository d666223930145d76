// Package ledger knows who wants what of a pod template.
//
// The ledger of an injector is what it wants of the app, entry by entry: an address, a verb and a value. [Entries.Stamp]
// is its text, from which a later run knows what was put in.
//
// [Owners] is the index of the ledgers of those that have put something into the pod template already, and tells by
// lookups whose something is. [Owners.Clashes] compares the ledger of one more injector with these.
package ledger

import (
	"slices"

	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/joined"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Ledger is what an injector wants of a pod template.
type Ledger struct {
	Injector string
	// IsOfRun is set if it is an injector of the run. Of those of other runs, only the stamp is known.
	IsOfRun bool
	// Stamp is what changes the app.
	Stamp   *stamp.Stamp
	Entries Entries
}

// Entry is something that an injector wants of the app, as if there were no other injector.
type Entry struct {
	stamp.Address
	Verb Verb
	// Value is as the config has it, or as the app has it if that is just what is wanted. Of a Join, it is the variable if
	// the app has none.
	Value *node.Node
	// IsEntry is set for an entry of a list.
	IsEntry bool
	// Parts are what a Join joins to the value of a variable, with a separator.
	Parts     []joined.Part
	Separator string
	// Position is where a new entry goes in its list.
	Position injector.Position
}

// Verb is what becomes of the app by an entry.
type Verb int

// The verbs.
const (
	// Put means that the value is put in, also in place of what the app has.
	Put Verb = iota
	// Join means that parts are joined to the value of a variable.
	Join
	// Find means that the app has just that, so that no stamp names it.
	Find
	// FindIn means that a container of the app has all that is wanted of it, and may have more.
	FindIn
)

// IsApps reports whether the app has what is wanted.
func (e Entry) IsApps() bool { return e.Verb == Find || e.Verb == FindIn }

// Entries are what an injector wants, in the order in which it does.
type Entries []Entry

// Put adds something that is put in. The entry of a list has its own key, even if it replaces one with another key.
func (all *Entries) Put(at stamp.Address, value *node.Node) {
	if pod.At(at.Path).IsKeyed() {
		all.PutEntry(at.Path, value)
		return
	}
	*all = append(*all, Entry{Address: at, Value: value})
}

// PutEntry adds an entry of a list that is put in, and returns it.
func (all *Entries) PutEntry(list string, entry *node.Node) *Entry {
	at := stamp.Address{Path: list, Key: stamp.KeyOf(list, entry)}
	*all = append(*all, Entry{Address: at, Value: entry, IsEntry: true})
	return &(*all)[len(*all)-1]
}

// Join adds that something is joined to a variable, which is new if the app has none. All parts of a variable are one
// entry: the first from an index on, if there is one.
func (all *Entries) Join(from int, part stamp.Joined, isNew *node.Node) {
	if e := all.JoinOf(from, part.Variable); e != nil {
		e.Parts = append(e.Parts, part.Part)
		return
	}
	*all = append(*all, Entry{
		Address:   part.Variable,
		Verb:      Join,
		Value:     isNew,
		IsEntry:   true,
		Parts:     []joined.Part{part.Part},
		Separator: part.Separator,
	})
}

// JoinOf returns the entry, from an index on, that joins something to a variable, or nil.
func (all Entries) JoinOf(from int, variable stamp.Address) *Entry {
	for i := range all[from:] {
		if e := &all[from+i]; e.Verb == Join && e.Address == variable {
			return e
		}
	}
	return nil
}

// Find adds something that the app has.
func (all *Entries) Find(at stamp.Address, value *node.Node) {
	*all = append(*all, Entry{Address: at, Verb: Find, Value: value})
}

// FindIn adds a container of the app that has all that is wanted of it.
func (all *Entries) FindIn(container stamp.Address, app *node.Node) {
	*all = append(*all, Entry{Address: container, Verb: FindIn, Value: app})
}

// Has reports whether something is put in or found, as a whole.
func (all Entries) Has(at stamp.Address) bool {
	return slices.ContainsFunc(all, func(e Entry) bool { return e.Address == at && e.Verb != Join })
}

// Values finds what is put in.
type Values map[stamp.Address]*node.Node

// Values returns what is put in by its address.
func (all Entries) Values() Values {
	values := Values{}
	for i := range all {
		if e := &all[i]; e.Verb == Put {
			values[e.Address] = e.Value
		}
	}
	return values
}

// At returns what is wanted at an address, which may be inside of something that is put in, or nil.
func (v Values) At(at stamp.Address) *node.Node {
	if variable, separator, isPart := stamp.JoinedVariable(at.Path); isPart {
		if value := v.At(variable.Child("value")); node.IsString(value) && joined.Has(value.Value, separator, at.Key) {
			return node.String(at.Key)
		}
		return nil
	}
	for of := at; of.Path != ""; of = stamp.AddressOf(of.Path) {
		if value := v[of]; value != nil {
			return stamp.Within(value, of, at)
		}
	}
	return nil
}

// found returns the entries that the app has.
func (all Entries) found() Entries {
	return slices.DeleteFunc(slices.Clone(all), func(e Entry) bool { return !e.IsApps() })
}

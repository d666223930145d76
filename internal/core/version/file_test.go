package version_test

import (
	"flag"
	"maps"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/joined"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
	"pillion.dev/pillion/internal/text/yaml/splice"
)

// wish is what an injector puts into a pod template, one thing. The laws hold for all pairs of them, so that a failure
// is as small as it can be.
type wish struct {
	in    string // the path of a mapping or list, or the name of a variable, or one of the pod's own resources
	put   string // the fields of a mapping, or one or several entries of a list
	join  string // a separator and a text, which are joined to a variable
	front bool   // whether it goes before what is there
}

// law is what a law is held against: an app, and what up to three injectors put in, which are called a, b and c.
type law struct {
	*testing.T
	app     file
	a, b, c wish
}

// forWishes holds a law against each wish in each app that it can be put into.
func forWishes(t *testing.T, check func(l *law, a file)) {
	t.Helper()
	for _, app := range apps {
		for _, a := range wishes {
			l := &law{T: t, a: a}
			l.app = l.read(app)
			if injected := l.inject(l.app, "a", a); injected.text != "" {
				check(l, injected)
			}
			if t.Failed() {
				t.Fatalf("app:\n%s\na: %+v", app, a)
			}
		}
	}
}

var every = flag.Int("every", 7, "one of so many pairs of wishes is tried")

// forPairs is like forWishes for two wishes, each of which can be put into the app. Whether both can is left to the law.
func forPairs(t *testing.T, check func(l *law, a, b file)) {
	t.Helper()
	count := 0
	for _, app := range apps {
		for _, a := range wishes {
			for _, b := range wishes {
				count++
				if count%*every != 0 {
					continue
				}
				l := &law{T: t, a: a, b: b}
				l.app = l.read(app)
				withA := l.inject(l.app, "a", a)
				withB := l.inject(l.app, "b", b)
				if withA.text != "" && withB.text != "" {
					check(l, withA, withB)
				}
				if t.Failed() {
					t.Fatalf("app:\n%s\na: %+v\nb: %+v\nc: %+v", app, a, b, l.c)
				}
			}
		}
	}
}

func (l *law) equal(what, got, want string) {
	l.Helper()
	if got != want {
		l.Errorf("%s is\n%s\nwant\n%s", what, got, want)
	}
}

// same checks that two files mean the same, except for the order of entries.
func (l *law) same(what string, got, want file) {
	l.Helper()
	meaning := func(f file) string { return sorted(string(node.AppendCanonical(nil, f.template()))) }
	if meaning(got) != meaning(want) {
		l.Errorf("%s is\n%s\nwant\n%s", what, got.text, want.text)
	}
}

// file is a pod template as it is written.
type file struct {
	text     string
	document *node.Node
}

func (l *law) read(text string) file {
	l.Helper()
	document, err := read.Document([]byte(text))
	if err != nil {
		l.Fatalf("%v:\n%s", err, text)
	}
	return file{text, document}
}

func (f file) template() *node.Node { return f.document.Content[0] }

// own returns the file with a template that is safe to change.
func (f file) own() file {
	f.document, _ = new(node.Clones).OwnDocument(f.document)
	return f
}

// write returns the file with what was changed in a version of it.
func (l *law) write(f, next file, past splice.Past) file {
	l.Helper()
	return l.read(string(l.splice([]byte(f.text), f.document, next.document, past)))
}

func (l *law) splice(text []byte, before, after *node.Node, past splice.Past) []byte {
	l.Helper()
	edits, err := splice.Edits(text, before, after, past)
	if err != nil {
		l.Fatalf("%v:\n%s", err, text)
	}
	return edit.Apply(text, edits)
}

// past returns what is known of the text before the stamps in a file, and before what was just undone.
func (l *law) past(f file, undone version.Undone, next file) splice.Past {
	l.Helper()
	spliced := func(text []byte, before, after *node.Node) ([]byte, error) {
		return l.splice(text, before, after, splice.Past{}), nil
	}
	pristine := f.own()
	version.Undo(pristine.template(), l.stamps(f), nil, nil)
	return splice.Past{Texts: undone.Texts(next.template(), spliced), Pristine: pristine.document}
}

// stamps returns the stamps in a file.
func (l *law) stamps(f file) (owners []stamp.Owner) {
	l.Helper()
	all, broken := stamp.Read(f.template())
	if len(broken) > 0 {
		l.Fatalf("%v:\n%s", broken, f.text)
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		owners = append(owners, stamp.Owner{Key: key, Stamp: all[key]})
	}
	return owners
}

// split returns the stamps of some injectors in a file, and those of the others.
func (l *law) split(f file, names ...string) (some, others []stamp.Owner) {
	l.Helper()
	for _, owner := range l.stamps(f) {
		if slices.Contains(names, stamp.NameOf(owner.Key)) {
			some = append(some, owner)
		} else {
			others = append(others, owner)
		}
	}
	return some, others
}

// undo returns a file without what some injectors put in. Nobody has changed that.
func (l *law) undo(f file, names ...string) file {
	l.Helper()
	mine, others := l.split(f, names...)
	next := f.own()
	undone := version.Undo(next.template(), mine, others, nil)
	if len(undone.Drifts) > 0 {
		l.Errorf("nobody changed anything, and it reports %v:\n%s", undone.Drifts, f.text)
	}
	return l.write(f, next, l.past(f, undone, next))
}

// inject returns the app, or a file with what others have put into it, with what an injector puts in. It returns none if
// that is there, or excludes what is there.
func (l *law) inject(f file, name string, w wish) file {
	l.Helper()
	next := f.own()
	others := l.stamps(f)
	s, isPut := l.put(next.template(), l.app, w, others)
	if !isPut {
		return file{}
	}
	sign(next.template(), name, s)
	return l.write(f, next, l.past(f, version.Undone{}, next))
}

// again returns the file with what an injector puts in now in place of what it put in before, or none like inject.
func (l *law) again(f file, name string, w wish) file {
	l.Helper()
	app := l.undo(f, "a", "b", "c")
	old, others := l.split(f, name)
	next := f.own()
	undone := version.Undo(next.template(), old, others, nil)
	s, isPut := l.put(next.template(), app, w, others)
	if !isPut {
		return file{}
	}
	now := []stamp.Owner{{Key: stamp.Key(name), Stamp: s}}
	order := &version.Order{
		File:   stamp.NewView(f.template()),
		App:    stamp.NewView(app.template()),
		Undone: old,
		Now:    now,
		Others: others,
	}
	w.putInOrder(next.template(), order, app)
	sign(next.template(), name, s)
	past := l.past(f, undone, next)
	next.document.Content[0] = version.Rebase(f.template(), next.template(), old, now, others)
	return l.write(f, next, past)
}

// putInOrder puts the list in order that an injector puts entries into.
func (w wish) putInOrder(template *node.Node, order *version.Order, app file) {
	wanted, _ := w.wanted(app.template())
	for i := range wanted {
		if wanted[i].Verb != ledger.Join {
			wanted[i].Position.IsFront = w.front
		}
	}
	placed := version.AppendPlaced(nil, wanted)
	if len(placed) > 0 {
		path := placed[0].Path
		list := within(template, path, false)
		list.Content = order.List(path, list.Content, placed)
	}
}

// put puts what an injector wants into a version of a template that is safe to change, unless that has it or excludes it.
// It returns the stamp.
func (l *law) put(next *node.Node, app file, w wish, others []stamp.Owner) (s *stamp.Stamp, isPut bool) {
	l.Helper()
	wanted, isPossible := w.wanted(app.template())
	if !isPossible {
		return nil, false
	}
	s = wanted.Stamp(stamp.Hashes{}, stamp.NewView(app.template()), l.written(app))
	for _, other := range others {
		if excludes(s, other.Stamp) || excludes(other.Stamp, s) {
			return nil, false
		}
	}
	if w.front {
		slices.Reverse(wanted) // each goes before the last one
	}
	for _, one := range wanted {
		w.putOne(next, one)
	}
	return s, true
}

// sign writes the stamp of an injector into a template that is safe to change.
func sign(next *node.Node, name string, s *stamp.Stamp) {
	node.Set(within(next, "metadata/annotations", false), stamp.Key(name), node.String(s.String()))
}

// written returns how things are written in a file.
func (l *law) written(f file) stamp.Written {
	return splice.ReadTexts([]byte(f.text), f.document, stamp.CanRecord)
}

// excludes reports whether a stamp puts in something else than another one, or replaces what that one changes.
func excludes(s, other *stamp.Stamp) bool {
	for at, change := range other.Changes {
		variable, separator, isPart := stamp.JoinedVariable(at.Path)
		switch mine := s.Changes[at]; {
		case change.Hash == "":
		case mine.Hash != "" && mine.Fingerprint != change.Fingerprint:
			return true
		case isPart && s.Adds(variable.Path, variable.Key) && !s.IsJoined(variable):
			return true
		case isPart && s.IsJoined(variable) && s.Separator(variable) != separator:
			return true
		}
		if container := stamp.ContainerOf(at.Path); s.Adds(container.Path, container.Key) {
			return true
		}
	}
	return false
}

// wanted returns what an injector wants of an app, unless the app has that, or has something else that cannot be
// replaced.
func (w wish) wanted(app *node.Node) (all ledger.Entries, isPossible bool) {
	view := stamp.NewView(app)
	switch {
	case w.join != "":
		all.Join(0, stamp.Joined{
			Variable:  stamp.Address{Path: env, Key: w.in},
			Separator: w.join[:1],
			Part:      joined.Part{Text: w.join[1:], Before: w.front},
		}, nil)
		return all, true
	case w.isEntry():
		for _, entry := range w.entries() {
			at := stamp.Address{Path: w.in, Key: stamp.KeyOf(w.in, entry)}
			all = append(all, ledger.Entry{Address: at, Value: entry, IsEntry: true})
		}
	default:
		for key, value := range node.Fields(wished(w.put)) {
			all = append(all, ledger.Entry{Address: stamp.Address{Path: w.in, Key: key}, Value: value})
		}
	}
	isReplaceable := pod.At(w.in).Taken.Replace || strings.HasPrefix(w.in, "metadata/")
	for _, one := range all {
		present := view.At(one.Path, one.Key)
		if !node.IsNull(present) && (!isReplaceable || node.Equal(present, one.Value)) {
			return nil, false
		}
	}
	return all, true
}

func (w wish) isEntry() bool {
	return !strings.HasPrefix(w.in, "metadata/") && w.in != "spec" && w.in != "spec/nodeSelector" && w.in != "spec/securityContext"
}

// entries returns the entries of a list that are put in, if any are.
func (w wish) entries() []*node.Node {
	switch {
	case w.put == "" || !w.isEntry():
		return nil
	case w.put[0] == '[':
		return wished(w.put).Content
	default:
		return []*node.Node{wished(w.put)}
	}
}

// wished returns new nodes.
func wished(text string) *node.Node {
	document, err := read.Document([]byte(text))
	if err != nil {
		panic(err)
	}
	return node.Fresh(document.Content[0])
}

// putOne puts something into a template, unless an equal one is there.
func (w wish) putOne(next *node.Node, one ledger.Entry) {
	for _, part := range one.Parts {
		putPart(next, stamp.Joined{Variable: one.Address, Separator: one.Separator, Part: part})
		return
	}
	in := within(next, one.Path, one.IsEntry)
	i := indexOf(one.Address, in)
	switch {
	case i >= 0:
		if !node.Equal(in.Content[i], one.Value) {
			in.Content[i] = one.Value
		}
	case !one.IsEntry:
		node.Set(in, one.Key, one.Value)
	case w.front:
		node.Insert(in, 0, one.Value)
	default:
		node.Insert(in, len(in.Content), one.Value)
	}
}

// putPart joins something to a variable, unless it is there.
func putPart(next *node.Node, j stamp.Joined) {
	list := within(next, j.Variable.Path, true)
	i := indexOf(j.Variable, list)
	if i < 0 {
		i = len(list.Content)
		list.Content = append(list.Content, wished("{name: "+j.Variable.Key+", value: ''}"))
	}
	variable := node.OwnEntry(list, i)
	value := node.Text(variable, "value")
	switch {
	case joined.Has(value, j.Separator, j.Part.Text):
	case value == "":
		node.Set(variable, "value", node.String(j.Part.Text))
	case j.Part.Before:
		node.Set(variable, "value", node.StringLike(node.Get(variable, "value"), j.Part.Text+j.Separator+value))
	default:
		node.Set(variable, "value", node.StringLike(node.Get(variable, "value"), value+j.Separator+j.Part.Text))
	}
}

// within returns the mapping or list at a path, safe to change. What is missing is made.
func within(template *node.Node, path string, isList bool) *node.Node {
	n := template
	at := ""
	steps := stamp.Steps(path)
	for i, key := range steps {
		switch {
		case n.Kind == node.SequenceNode:
			n = node.OwnEntry(n, indexOf(stamp.Address{Path: at, Key: key}, n))
		case i == len(steps)-1 && isList && node.IsNull(node.Get(n, key)):
			node.Set(n, key, node.Sequence())
			n = node.Get(n, key)
		case key == "metadata" && node.Get(n, key) == nil:
			node.SetFirst(n, key, node.Mapping())
			n = node.Get(n, key)
		default:
			n = node.OwnMapping(n, key)
		}
		at = stamp.Address{Path: at, Key: key}.Inside()
	}
	return n
}

// indexOf returns the index of a value of a mapping, or of an entry of a list, or -1.
func indexOf(at stamp.Address, in *node.Node) int {
	for i, child := range in.Content {
		if in.Kind == node.SequenceNode && stamp.KeyOf(at.Path, child) == at.Key {
			return i
		}
		if in.Kind == node.MappingNode && i%2 == 0 && child.Value == at.Key {
			return i + 1
		}
	}
	return -1
}

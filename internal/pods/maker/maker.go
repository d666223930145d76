package maker

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Maker is an object, or a file, from which pods are made elsewhere.
type Maker struct {
	Kind *Kind
	// Object is the object. Of a file, it has the name as its kind, and no more.
	Object finding.Object
	File   *finding.File
	// From is the chart, or the repository with the path, that the pods are made from; empty if that is not known.
	From string
	// Besides is what else may decide that, in words; empty if nothing does. See Doubt.
	Besides string
	// Namespace is that of what is made; empty if that may be several, or is not known.
	Namespace string
	// Directories are those of repositories that the pods are made from, if nothing else makes them.
	Directories []Directory
	// Changed is which fields may change what is made of the directories, in words; empty if none does.
	Changed string
	// Root is the file of the kustomization that the object was built of; empty if it was read.
	Root string

	// Inside is what it makes besides pods that makes pods again, in words; empty in most cases. See InTemplates.
	Inside string

	// Cover is why nothing has to be done about it, in words; empty if something has.
	Cover string
	// Why is why it is not covered although it may seem so, in words; empty in most cases.
	Why string

	chart chartOfSource // see Resolve
}

// IsCovered reports whether nothing has to be done about it.
func (m *Maker) IsCovered() bool { return m.Cover != "" }

// Decision returns what reports say of it in place of a decision.
func (m *Maker) Decision() string {
	if m.IsCovered() {
		return "covered"
	}
	return "not checked"
}

// Says returns what is known about it, as the end of a sentence: from what the pods are made, and why that is not
// covered.
func (m *Maker) Says() string {
	about := ""
	if m.From != "" {
		about = " (from " + m.From + ")"
	}
	if m.Inside != "" {
		about += " (" + m.Inside + ")"
	}
	if m.Why != "" {
		about += ": " + m.Why
	}
	return about
}

// chartOfSource is a chart in a Source.
type chartOfSource struct {
	source Source
	name   string
}

// New returns the maker that an object of a kind is, or nil if it is only a patch for one.
func New(kind *Kind, about finding.Object, file *finding.File, object *node.Node) *Maker {
	isMarked := func(field string) bool { return !node.IsNull(at(object, field)) }
	if len(kind.MarkedBy) > 0 && !slices.ContainsFunc(kind.MarkedBy, isMarked) {
		return nil
	}
	m := &Maker{Kind: kind, Object: about, File: file, Namespace: text(object, kind.Namespace)}
	if kind.InOwnNamespace {
		m.Namespace = cmp.Or(m.Namespace, about.Namespace)
	}
	for _, chart := range kind.Charts {
		m.readChart(chart, object)
	}
	for _, field := range kind.Others {
		if !node.IsNull(at(object, field)) {
			m.Besides = field + " says what it is made from, too"
		}
	}
	if kind.Directory {
		m.readDirectories(object)
	}
	return m
}

// Unreadable returns the maker that an object of a kind may be, which cannot be read.
func Unreadable(kind *Kind, about finding.Object, file *finding.File) *Maker {
	return &Maker{Kind: kind, Object: about, File: file, Why: "it cannot be read"}
}

// Incomplete returns the maker that an object of a kind is with what a patch adds to it.
func Incomplete(kind *Kind, about finding.Object, file *finding.File) *Maker {
	return &Maker{Kind: kind, Object: about, File: file, Why: "a patch has to say what the pods are made from; build it with -k"}
}

// OfFile returns the maker that a file is. The name is what it is called, such as chart.
func OfFile(name, plural, path, from string, ways ...string) *Maker {
	return &Maker{
		Kind:   &Kind{Name: name, Noun: name, Plural: plural, Ways: ways},
		Object: finding.Object{Kind: name},
		File:   &finding.File{Path: path},
		From:   clipped(from),
	}
}

// MadeFrom says what the pods of a file are made from. The first one counts.
func (m *Maker) MadeFrom(from string) { m.addSource(clipped(from)) }

func (m *Maker) addSource(from string) {
	if m.From != "" && from != m.From {
		m.Besides = "it has several sources"
	}
	m.From = cmp.Or(m.From, from)
}

// InRevision says from which revision of a repository the pods are made. A commit and a pull request may be of anybody
// who can open one, and not only of those who can push branches and tags.
func (m *Maker) InRevision(revision string) {
	name := strings.TrimPrefix(strings.TrimPrefix(revision, "refs/heads/"), "refs/tags/")
	if foreignRevision().MatchString(name) {
		m.Besides = "its revision " + escape.Clip(revision, maxText) + " may be of a pull request"
	}
}

var foreignRevision = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(refs|pull|pull-requests|merge-requests|changes)/|^[0-9a-f]{7,64}$`)
})

// Doubt returns why From is not known to be all that the pods are made from, in words, or "".
func (m *Maker) Doubt() string {
	from := strings.TrimLeft(m.From, "./") // a chart may be in a directory beside that of the run
	switch {
	case m.Besides != "":
		return m.Besides
	case strings.Contains(from, "..."):
		return "what it is made from is too long"
	case strings.Count(from, "://") > 1 || slices.Contains(strings.Split(from, "/"), ".."):
		return "its path leads elsewhere"
	}
	return ""
}

func clipped(from string) string { return escape.Clip(withoutUser(from), maxText) }

// readChart reads from which chart the pods are made.
func (m *Maker) readChart(c Chart, object *node.Node) {
	name := text(object, c.Name)
	repository := text(object, c.Repository)
	source := Source{
		Kind:      text(object, c.SourceKind),
		Namespace: cmp.Or(text(object, c.SourceNamespace), m.Object.Namespace),
		Name:      text(object, c.SourceName),
	}
	if name == "" && repository == "" && source.Name == "" {
		return
	}
	if source.Name != "" {
		repository = source.String()
		m.chart = chartOfSource{source, name}
	}
	m.addSource(joined(repository, name))
	m.InRevision(text(object, c.Revision))
}

// withoutUser returns a URL without credentials, which reports must not have.
func withoutUser(url string) string {
	scheme, rest, hasScheme := strings.Cut(url, "://")
	host := rest
	if end := strings.IndexAny(rest, `/?#\`); end >= 0 {
		host = rest[:end]
	}
	at := strings.LastIndex(host, "@")
	if !hasScheme || at < 0 {
		return url
	}
	return scheme + "://" + rest[at+1:]
}

// joined returns a chart in a repository as one text.
func joined(repository, name string) string {
	repository = withoutUser(repository)
	if repository == "" || name == "" {
		return repository + name
	}
	return strings.TrimSuffix(repository, "/") + "/" + strings.TrimPrefix(name, "./")
}

// at returns what is at a path of keys, or nil.
func at(object *node.Node, field string) *node.Node {
	if field == "" {
		return nil
	}
	return node.Get(object, strings.Split(field, ".")...)
}

// maxText bounds what reports have of a field.
const maxText = 200

// text returns the text at a path of keys in one line of limited length, or "". What was cut off ends in dots, so that it
// is not taken for something else.
func text(object *node.Node, field string) string {
	value := at(object, field)
	if value == nil || value.Kind != node.ScalarNode || node.IsNull(value) {
		return ""
	}
	line, _, isCut := strings.Cut(strings.TrimSpace(value.Value), "\n")
	if isCut {
		line += "..."
	}
	return strings.Clone(escape.Clip(line, maxText)) // the object's text is not kept
}

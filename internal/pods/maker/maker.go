package maker

import (
	"cmp"
	"slices"
	"strings"

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
	// Namespace is that of what is made; empty if it is not known.
	Namespace string
	// Directories are those of repositories that the pods are made from, if nothing else makes them.
	Directories []Directory
	// Changes are the fields that may change pods on their way from the directories.
	Changes []string

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
	m := &Maker{Kind: kind, Object: about, File: file, Namespace: about.Namespace}
	if kind.Namespace != "" {
		m.Namespace = cmp.Or(text(object, kind.Namespace), about.Namespace)
	}
	for _, chart := range kind.Charts {
		m.readChart(chart, object)
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

// OfFile returns the maker that a file is. The name is what it is called, such as chart.
func OfFile(name, plural, path, from string, ways ...string) *Maker {
	return &Maker{
		Kind:   &Kind{Name: name, Noun: name, Plural: plural, Ways: ways},
		Object: finding.Object{Kind: name},
		File:   &finding.File{Path: path},
		From:   escape.Clip(withoutUser(from), maxText),
	}
}

// readChart reads from which chart the pods are made.
func (m *Maker) readChart(c Chart, object *node.Node) {
	name := text(object, c.Name)
	switch {
	case m.From != "":
	case c.Repository != "" && name != "":
		m.From = joined(text(object, c.Repository), name)
	case c.SourceName != "" && text(object, c.SourceName) != "":
		m.chart.name = name
		m.chart.source = Source{
			Kind:      text(object, c.SourceKind),
			Namespace: cmp.Or(text(object, c.SourceNamespace), m.Object.Namespace),
			Name:      text(object, c.SourceName),
		}
		m.From = joined(m.chart.source.Kind+"/"+m.chart.source.Name, name)
	default:
		m.From = name
	}
}

// withoutUser returns a URL without credentials, which reports must not have.
func withoutUser(url string) string {
	scheme, rest, hasScheme := strings.Cut(url, "://")
	host, path, hasPath := strings.Cut(rest, "/")
	at := strings.LastIndex(host, "@")
	if !hasScheme || at < 0 {
		return url
	}
	if hasPath {
		path = "/" + path
	}
	return scheme + "://" + host[at+1:] + path
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

package maker

import (
	"cmp"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
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

	// Cover is why nothing has to be done about it, in words; empty if something has.
	Cover string
	// Why is why it is not covered although it may seem so, in words; empty in most cases.
	Why string

	source reference // of a chart; see Resolve
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

// Directory is one of a repository.
type Directory struct {
	// URL is that of the repository. It is empty if a reference says which one it is, see Source.
	URL    string
	Source Source
	Path   string
}

// Source is an object that says where something comes from, such as a GitRepository of Flux.
type Source struct {
	Kind, Namespace, Name string
	URL                   string
}

// reference is a reference to a Source, with the chart in it.
type reference struct {
	Source
	chart string
}

// New returns what an object of a kind makes, or nil if it is only a patch for one.
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

// OfFile returns the maker that a file is. The name is what it is called, such as chart.
func OfFile(name, plural, path, from string, ways ...string) *Maker {
	return &Maker{
		Kind:   &Kind{Name: name, Noun: name, Plural: plural, Ways: ways},
		Object: finding.Object{Kind: name},
		File:   &finding.File{Path: path},
		From:   from,
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
		m.source = reference{chart: name, Source: Source{
			Kind:      text(object, c.SourceKind),
			Namespace: cmp.Or(text(object, c.SourceNamespace), m.Object.Namespace),
			Name:      text(object, c.SourceName),
		}}
		m.From = joined(m.source.Kind+"/"+m.source.Name, name)
	default:
		m.From = name
	}
}

// joined returns a chart in a repository as one text.
func joined(repository, name string) string {
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

// text returns the text at a path of keys in one line of limited length, or "".
func text(object *node.Node, field string) string {
	const most = 200
	value := at(object, field)
	if value == nil || value.Kind != node.ScalarNode || node.IsNull(value) {
		return ""
	}
	clipped, _, _ := strings.Cut(value.Value, "\n")
	if len(clipped) > most {
		clipped = strings.ToValidUTF8(clipped[:most], "") + "..."
	}
	return clipped
}

// NewSource returns the source that an object of Flux is, or nil if it is none.
func NewSource(about finding.Object, object *node.Node) *Source {
	url := text(object, "spec.url")
	if !strings.HasPrefix(about.APIVersion, "source.toolkit.fluxcd.io/") || url == "" {
		return nil
	}
	return &Source{Kind: about.Kind, Namespace: about.Namespace, Name: about.Name, URL: url}
}

// IsSource reports whether an object may say where something comes from.
func IsSource(apiVersion string) bool {
	return strings.HasPrefix(apiVersion, "source.toolkit.fluxcd.io/")
}

// sources finds sources by what refers to them.
type sources map[Source]string // to URLs; empty if there are several

// newSources returns sources by kind and name, with their namespaces and without. Objects in files often have no
// namespace, because a kustomization sets it.
func newSources(all []Source) sources {
	found := sources{}
	for _, s := range all {
		for _, key := range []Source{{Kind: s.Kind, Namespace: s.Namespace, Name: s.Name}, {Kind: s.Kind, Name: s.Name}} {
			if known, isKnown := found[key]; isKnown && known != s.URL {
				found[key] = ""
			} else {
				found[key] = s.URL
			}
		}
	}
	return found
}

// url returns the URL of a source that something refers to, and whether the run has the source.
func (s sources) url(of Source) (url string, isKnown bool) {
	of.URL = ""
	if url, isKnown = s[of]; isKnown {
		return url, true
	}
	of.Namespace = ""
	url, isKnown = s[of]
	return url, isKnown
}

// Resolve completes where the charts of makers come from by the sources of a run.
func Resolve(all []*Maker, known []Source) {
	found := newSources(known)
	for _, m := range all {
		if m.source.Name != "" {
			if url, _ := found.url(m.source.Source); url != "" {
				m.From = joined(url, m.source.chart)
			}
		}
		for i, d := range m.Directories {
			if d.Source.Name != "" {
				m.Directories[i].Source.URL, _ = found.url(d.Source)
			}
		}
	}
}

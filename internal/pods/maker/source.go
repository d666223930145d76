package maker

import (
	"cmp"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Source is an object that says where something comes from, such as a GitRepository of Flux. What refers to one has its
// kind, namespace and name, until Resolve completes it.
type Source struct {
	Kind      string
	Namespace string
	Name      string
	// URL is empty if the run does not have the object, or if it is not known what it says.
	URL string
	// Branch is the branch of a repository, or what stands in its place; empty for the default one.
	Branch string
	// File is the path of the file that has the object; empty if it was built.
	File string
	// Why is why it may have something else than the branch, in words; empty in most cases.
	Why string
}

// String returns the kind and the name.
func (s Source) String() string { return s.Kind + "/" + s.Name }

func (s Source) reference() Source { return Source{Kind: s.Kind, Namespace: s.Namespace, Name: s.Name} }

// GitRepository is the kind of the source that can be compared with a checkout.
const GitRepository = "GitRepository"

// plainSource are the fields of a GitRepository that do not change which files a branch has.
var plainSource = []string{
	"url", "ref", "interval", "timeout", "secretRef", "provider", "suspend", "verify", "serviceAccountName",
	"gitImplementation",
}

// plainRef are the fields by which a GitRepository takes what those have written who can push to the repository.
var plainRef = []string{"branch", "tag", "semver"}

// IsSource reports whether an object may say where something comes from.
func IsSource(apiVersion string) bool {
	return strings.HasPrefix(apiVersion, "source.toolkit.fluxcd.io/")
}

// withURL are the kinds of sources whose URL says where everything in them comes from.
var withURL = []string{GitRepository, "HelmRepository", "OCIRepository"}

// NewSource returns the source that an object of Flux is, or nil if it is none.
func NewSource(about finding.Object, file string, object *node.Node) *Source {
	if !slices.Contains(withURL, about.Kind) {
		s := UnreadableSource(about, file)
		s.Why = "what is in " + s.String() + " is said by other fields than a URL"
		return s
	}
	url := text(object, "spec.url")
	if url == "" {
		return nil
	}
	s := &Source{Kind: about.Kind, Namespace: about.Namespace, Name: about.Name, URL: url, File: file}
	if about.Kind == GitRepository {
		s.Branch = text(object, "spec.ref.branch")
		for _, field := range []string{"tag", "semver"} { // which take precedence
			if value := text(object, "spec.ref."+field); value != "" {
				s.Branch = field + " " + value // no branch has a space
			}
		}
		other := otherFields("spec.", at(object, "spec"), plainSource)
		s.Why = changing(append(other, otherFields("spec.ref.", at(object, "spec.ref"), plainRef)...), s.String())
	}
	return s
}

// UnreadableSource returns the source that an object may be, which cannot be read.
func UnreadableSource(about finding.Object, file string) *Source {
	s := &Source{Kind: about.Kind, Namespace: about.Namespace, Name: about.Name, File: file}
	s.Why = s.String() + " cannot be read"
	return s
}

// sources are what sources say, by what refers to them. The namespace is everywhere for all of a name.
type sources map[Source]Source

const everywhere = "*"

func newSources(all []Source) sources {
	found := sources{}
	for _, s := range all {
		found.add(s.reference(), s)
		found.add(Source{Kind: s.Kind, Namespace: everywhere, Name: s.Name}, s)
	}
	return found
}

func (s sources) add(reference, source Source) {
	if known, isKnown := s[reference]; isKnown {
		source = same(known, source)
	}
	s[reference] = source
}

// same returns what two sources of the same name say, if they say the same.
func same(a, b Source) Source {
	if a.URL != b.URL || a.Branch != b.Branch || a.Why != b.Why {
		return Source{Why: "there are several " + b.String() + ", which differ"}
	}
	return a
}

// complete returns a reference with what the run knows of the source. Objects in files often have no namespace, because a
// kustomization sets it: these may be meant by each reference, and a reference without one may mean each.
func (s sources) complete(reference Source) Source {
	reference = reference.reference()
	key := reference
	if key.Namespace == "" {
		key.Namespace = everywhere
	}
	found, isKnown := s[key]
	bare, isBare := s[Source{Kind: key.Kind, Name: key.Name}]
	switch {
	case isKnown && isBare:
		found = same(found, bare)
	case isBare:
		found = bare
	}
	reference.URL = found.URL
	reference.Branch = found.Branch
	reference.Why = found.Why
	return reference
}

// Resolve completes where the charts and directories of makers come from by the sources of a run.
func Resolve(all []*Maker, known []Source) {
	found := newSources(known)
	for _, m := range all {
		if m.chart.source.Name != "" {
			source := found.complete(m.chart.source)
			m.Besides = cmp.Or(m.Besides, source.Why)
			if source.URL != "" {
				m.From = joined(source.URL, m.chart.name)
			}
		}
		for i, d := range m.Directories {
			if d.Source.Name != "" {
				m.Directories[i].Source = found.complete(d.Source)
			}
		}
	}
}

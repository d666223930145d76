package maker

import (
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Source is an object that says where something comes from, such as a GitRepository of Flux.
type Source struct {
	Kind      string
	Namespace string
	Name      string
	URL       string
}

// Several is the URL of a source if the run has several of that name, so that it is not known which one is meant.
const Several = "one of several sources of this name"

// IsSource reports whether an object may say where something comes from.
func IsSource(apiVersion string) bool {
	return strings.HasPrefix(apiVersion, "source.toolkit.fluxcd.io/")
}

// NewSource returns the source that an object of Flux is, or nil if it is none.
func NewSource(about finding.Object, object *node.Node) *Source {
	url := text(object, "spec.url")
	if url == "" {
		return nil
	}
	return &Source{Kind: about.Kind, Namespace: about.Namespace, Name: about.Name, URL: url}
}

// sources are the URLs of sources by what refers to them.
type sources map[Source]string

// newSources returns sources by kind and name, with their namespaces and without. Objects in files often have no
// namespace, because a kustomization sets it.
func newSources(all []Source) sources {
	found := sources{}
	add := func(key Source, url string) {
		if known, isKnown := found[key]; isKnown && known != url {
			url = Several
		}
		found[key] = url
	}
	for _, s := range all {
		if s.Namespace != "" {
			add(Source{Kind: s.Kind, Namespace: s.Namespace, Name: s.Name}, s.URL)
		}
		add(Source{Kind: s.Kind, Name: s.Name}, s.URL)
	}
	return found
}

// url returns the URL of a source that something refers to, Several, or "" if the run does not have the source.
func (s sources) url(of Source) string {
	of.URL = ""
	if url, isKnown := s[of]; isKnown {
		return url
	}
	of.Namespace = ""
	return s[of]
}

// Resolve completes where the charts and directories of makers come from by the sources of a run.
func Resolve(all []*Maker, known []Source) {
	found := newSources(known)
	for _, m := range all {
		if m.chart.source.Name != "" {
			if url := found.url(m.chart.source); url != "" && url != Several {
				m.From = joined(url, m.chart.name)
			}
		}
		for i, d := range m.Directories {
			if d.Source.Name != "" {
				m.Directories[i].Source.URL = found.url(d.Source)
			}
		}
	}
}

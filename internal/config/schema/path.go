// Package schema reads the nodes of a config into its Go types. It is strict: what a type does not have, or a field
// cannot be, is a problem, and so is what an API server refuses in a pod.
//
// A [Decoder] reads, [Problems] collects findings, and a [Path] says where something was written. Rules that several
// fields share, such as those for names and globs, are methods of Problems.
package schema

import (
	"strconv"
	"strings"
)

// Path names a value of a config as people read it: spec.containers[0].name. Within the
// text of a ConfigMap's key, it continues after a colon: data.config: containers[0].name.
type Path string

// intoText is what separates the path of a text from a path within it.
const intoText = ": "

// Key returns the path of a value in the mapping at p.
func (p Path) Key(name string) Path {
	if strings.ContainsAny(name, ".[] \"\n") || name == "" {
		return p + Path("["+strconv.Quote(name)+"]")
	}
	if p == "" || strings.HasSuffix(string(p), intoText) {
		return p + Path(name)
	}
	return p + "." + Path(name)
}

// Index returns the path of an entry of the list at p.
func (p Path) Index(i int) Path {
	return p + Path("["+strconv.Itoa(i)+"]")
}

// join returns the path of what has a path below p.
func (p Path) join(below Path) Path {
	isInText := p == "" || strings.HasSuffix(string(p), intoText)
	switch isField := below != "" && below[0] != '.' && below[0] != '['; {
	case isInText:
		return p + Path(strings.TrimPrefix(string(below), "."))
	case isField:
		return p + "." + below
	}
	return p + below
}

// Text returns the path within the text at p.
func (p Path) Text() Path {
	return p + intoText
}

// String returns the path as messages show it.
func (p Path) String() string {
	return strings.TrimSuffix(string(p), intoText)
}

// Within reports whether p is q, or below it.
func (p Path) Within(q Path) bool {
	rest, ok := strings.CutPrefix(p.String(), q.String())
	return ok && (rest == "" || q.String() == "" || strings.ContainsRune(".[:", rune(rest[0])))
}

// parent returns the path of the mapping or list that p is in.
func (p Path) parent() Path {
	s := p.String()
	if i := strings.LastIndexAny(s, ".["); i >= 0 {
		return Path(s[:i])
	}
	return ""
}

// Positions are the paths of values in a config, by their paths in the form. A value that is not here is below its
// mapping or list, as in the form.
type Positions map[Path]Path

// Of returns where the value at a path of the form was written.
func (p Positions) Of(at Path) Path {
	for whole := at; ; whole = whole.parent() {
		if place, isMoved := p[whole]; isMoved {
			return place.join(at[len(whole):])
		}
		if whole == "" {
			return at
		}
	}
}

// NameAt is the path of an injector's name in the form.
const NameAt Path = "metadata.name"

// InSpec returns the path of a field of the spec in the form.
func InSpec(field string) Path { return Path("spec").Key(field) }

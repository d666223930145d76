package injector

import (
	"strconv"
	"strings"
)

// path names a value of a config as people read it: spec.containers[0].name. Within the
// text of a ConfigMap's key, it continues after a colon: data.config: containers[0].name.
type path string

// intoText is what separates the path of a text from a path within it.
const intoText = ": "

func (p path) key(name string) path {
	if strings.ContainsAny(name, ".[] \"\n") || name == "" {
		return p + path("["+strconv.Quote(name)+"]")
	}
	if p == "" || strings.HasSuffix(string(p), intoText) {
		return p + path(name)
	}
	return p + "." + path(name)
}

func (p path) index(i int) path {
	return p + path("["+strconv.Itoa(i)+"]")
}

// join returns the path of what has a path below p.
func (p path) join(below path) path {
	isInText := p == "" || strings.HasSuffix(string(p), intoText)
	switch isField := below != "" && below[0] != '.' && below[0] != '['; {
	case isInText:
		return p + path(strings.TrimPrefix(string(below), "."))
	case isField:
		return p + "." + below
	}
	return p + below
}

// text returns the path within the text at p.
func (p path) text() path {
	return p + intoText
}

func (p path) String() string {
	return strings.TrimSuffix(string(p), intoText)
}

// within reports whether p is q, or below it.
func (p path) within(q path) bool {
	rest, ok := strings.CutPrefix(p.String(), q.String())
	return ok && (rest == "" || q.String() == "" || strings.ContainsRune(".[:", rune(rest[0])))
}

// parent returns the path of the mapping or list that p is in.
func (p path) parent() path {
	s := p.String()
	if i := strings.LastIndexAny(s, ".["); i >= 0 {
		return path(s[:i])
	}
	return ""
}

// positions are the paths of values in a config, by their paths in the form. A value that is not here is below its
// mapping or list, as in the form.
type positions map[path]path

// of returns where the value at a path of the form was written.
func (p positions) of(at path) path {
	for whole := at; ; whole = whole.parent() {
		if place, isMoved := p[whole]; isMoved {
			return place.join(at[len(whole):])
		}
		if whole == "" {
			return at
		}
	}
}

// nameAt is the path of an injector's name in the form.
const nameAt path = "metadata.name"

// inSpec returns the path of a field of the spec in the form.
func inSpec(field string) path { return path("spec").key(field) }

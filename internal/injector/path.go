package injector

import (
	"strconv"
	"strings"
)

// path is a place in a config as people read it: spec.containers[0].name. Inside the
// text of a ConfigMap's key it goes on behind a colon: data.config: containers[0].name.
type path string

// intoText marks that what follows is inside a text.
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

// text is the place inside the text that stands at p.
func (p path) text() path {
	return p + intoText
}

func (p path) String() string {
	return strings.TrimSuffix(string(p), intoText)
}

// within tells whether p is the place q or a place below it.
func (p path) within(q path) bool {
	rest, ok := strings.CutPrefix(p.String(), q.String())
	return ok && (rest == "" || q.String() == "" || strings.ContainsRune(".[:", rune(rest[0])))
}

// parent is the mapping or list that p is in.
func (p path) parent() path {
	s := p.String()
	if i := strings.LastIndexAny(s, ".["); i >= 0 {
		return path(s[:i])
	}
	return ""
}

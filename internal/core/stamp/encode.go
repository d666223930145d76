package stamp

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/lex"
)

// format is the version of the texts that String writes, which they begin with.
const format = "1"

// String returns the stamp as the value of its annotation: the version of the format, what the injector did in each
// list and mapping, sorted by path, and a checksum, so that equal stamps have equal texts.
//
//	PATH(KEY:FINGERPRINT KEY="TEXT")  what was put in, and what was there before; both, if it was replaced
//	:FINGERPRINT                      an entry without a key
//	KEY&SEPARATOR<TEXT                a text that was joined in front of the value of a variable; > if behind it
//
// Paths are shortened. A path or key with special characters is in quotes, which are those of JSON, as are the texts.
func (s *Stamp) String() string { return string(s.text()) }

func (s *Stamp) text() []byte {
	const room = 128
	text := append(make([]byte, 0, room), format...)
	for words := s.words(); len(words) > 0; text = append(text, ')') {
		path := words[0].path
		before := byte('(')
		text = appendKey(append(text, ' '), path)
		for len(words) > 0 && words[0].path == path {
			at := words[0].Address
			text = s.appendAdded(append(text, before), at)
			before = ' '
			for ; len(words) > 0 && words[0].Address == at; words = words[1:] {
				text = words[0].appendPart(text)
			}
			text = s.appendBefore(text, at)
		}
	}
	return append(append(text, ' '), shortHash(text)...)
}

// word is something that the text of a stamp is about.
type word struct {
	Address
	path      string // that of the thing, shortened
	separator string
	text      string      // that was joined to the thing, with the separator
	part      Fingerprint // of it
}

// words returns what the stamp is about, in order. Something may be there more than once.
func (s *Stamp) words() []word {
	all := make([]word, 0, len(s.Changes))
	for at, c := range s.Changes {
		w := word{Address: at}
		if variable, separator, isJoined := JoinedVariable(at.Path); isJoined {
			w = word{Address: variable, separator: separator, text: at.Key, part: c.Fingerprint}
		}
		w.path = shorten(w.Path)
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b word) int {
		return cmp.Or(
			strings.Compare(a.path, b.path), strings.Compare(a.Key, b.Key), strings.Compare(a.separator, b.separator),
			strings.Compare(a.text, b.text))
	})
	return all
}

// appendAdded appends the key of something, and its fingerprint if it was put in.
func (s *Stamp) appendAdded(dst []byte, at Address) []byte {
	hash := s.Changes[at].Hash
	if hash == "" || at.Key != hashMark+hash {
		dst = appendKey(dst, at.Key)
	}
	if hash != "" {
		dst = append(append(dst, ':'), hash...)
	}
	return dst
}

// appendBefore appends what was there before.
func (s *Stamp) appendBefore(dst []byte, at Address) []byte {
	c := s.Changes[at]
	if c.Before != nil {
		dst = appendString(append(dst, '='), *c.Before)
	}
	return dst
}

// shorten returns a path in the form that the text of a stamp has.
func shorten(path string) string {
	for _, row := range pod.Shortened() {
		if isWithin(row.Path, path) {
			return row.Short + path[len(row.Path):]
		}
	}
	return path
}

// lengthen returns the path that shorten was given.
func lengthen(path string) string {
	for _, row := range pod.Shortened() {
		if isWithin(row.Short, path) {
			return row.Path + path[len(row.Short):]
		}
	}
	return path
}

// keyEnds are the characters that end a path or a key, unless it is in quotes.
const keyEnds = " :=[()&<>"

// endsKey has these characters, and that of quotes.
var endsKey = lex.SetOf(keyEnds + `"`)

// appendKey appends a text, in quotes if it has a character that ends it, or none.
func appendKey(dst []byte, text string) []byte {
	if text == "" {
		return append(dst, `""`...)
	}
	for i := range len(text) {
		if text[i] <= ' ' || text[i] >= 0x7f || endsKey[text[i]] {
			return appendString(dst, text)
		}
	}
	return append(dst, text...)
}

// appendString appends a JSON string. It does not escape <, > and &, which people find easier to read.
func appendString(dst []byte, text string) []byte {
	isEscaped := func(r rune) bool { return r < ' ' || r >= 0x7f || r == '"' || r == '\\' }
	if !strings.ContainsFunc(text, isEscaped) {
		return append(append(append(dst, '"'), text...), '"')
	}
	var quoted strings.Builder
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic(err) // any string can be encoded
	}
	return append(dst, strings.TrimSuffix(quoted.String(), "\n")...)
}

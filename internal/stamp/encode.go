package stamp

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/lex"
)

// format is the version of the texts that String writes, which they begin with.
const format = "1"

// askedWord is in the text of a stamp if the workload had a pending request.
const askedWord = "asked"

// String returns the stamp as the value of its annotation: the version of the format, what the injector did in each list and mapping,
// sorted by path, and a checksum, so that equal stamps have equal texts.
//
//	PATH(KEY:FINGERPRINT KEY="TEXT")  what was put in, and what was there before; both, if it was replaced
//	:FINGERPRINT                      an entry without a key
//	KEY&SEPARATOR<LENGTH:FINGERPRINT  a text that was joined in front of the value of a variable; > if it was joined behind it
//	KEY:+AMOUNT="TEXT"                what was added to a quantity, and how that was written; without a text, there was none
//	PATH[AT+BELOW]="TEXT"             an entry that was removed from a list; +BELOW is left out if it is 0
//
// Paths are shortened. A path or key with special characters is in quotes, which are those of JSON, as are the texts.
func (s *Stamp) String() string {
	const room = 128
	text := append(make([]byte, 0, room), format...)
	groups := s.groups()
	for _, path := range slices.SortedFunc(maps.Keys(groups), byShortPath) {
		text = append(appendKey(append(text, ' '), shorten(path)), '(')
		for i, key := range slices.Sorted(maps.Keys(groups[path])) {
			if i > 0 {
				text = append(text, ' ')
			}
			text = s.appendItem(text, Thing{path, key}, groups[path][key])
		}
		text = append(text, ')')
	}
	for _, path := range slices.SortedFunc(maps.Keys(s.Cut), byShortPath) {
		for _, entry := range s.Cut[path] {
			text = appendCut(appendKey(append(text, ' '), shorten(path)), entry)
		}
	}
	if s.Asked {
		text = append(append(text, ' '), askedWord...)
	}
	return string(append(append(text, ' '), shortHash(text)...))
}

func byShortPath(a, b string) int { return strings.Compare(shorten(a), shorten(b)) }

// groups returns the keys that the stamp has something about, by the paths of their lists and mappings, with what was joined to them.
func (s *Stamp) groups() map[string]map[string][]joinedPart {
	all := map[string]map[string][]joinedPart{}
	note := func(at Thing, parts ...joinedPart) { all = with(all, at, append(all[at.Path][at.Key], parts...)) }
	for at, f := range each(s.Added) {
		if variable, separator, isJoined := asJoined(at.Path); isJoined {
			note(variable, joinedPart{separator, f})
		} else {
			note(at)
		}
	}
	for at := range each(s.Grown) {
		note(at)
	}
	for at := range each(s.Was) {
		note(at)
	}
	return all
}

// joinedPart is a part of the value of a variable.
type joinedPart struct {
	separator string
	Fingerprint
}

// appendItem appends what the stamp has about a key.
func (s *Stamp) appendItem(dst []byte, at Thing, parts []joinedPart) []byte {
	f, isAdded := s.Added[at.Path][at.Key]
	if !isAdded || at.Key != hashMark+f.Hash {
		dst = appendKey(dst, at.Key)
	}
	if isAdded {
		dst = append(append(dst, ':'), f.Hash...)
	}
	slices.SortFunc(parts, func(a, b joinedPart) int {
		return cmp.Or(strings.Compare(a.separator, b.separator), cmp.Compare(a.Length, b.Length), strings.Compare(a.Hash, b.Hash))
	})
	for _, part := range parts {
		dst = append(appendKey(append(dst, '&'), part.separator), part.side())
		dst = append(append(strconv.AppendInt(dst, int64(part.Length), 10), ':'), part.Hash...)
	}
	if g, isGrown := s.Grown[at.Path][at.Key]; isGrown {
		dst = append(append(dst, ":+"...), g.Amount...)
		if g.Was != "" {
			dst = appendString(append(dst, '='), g.Was)
		}
	}
	if was, isReplaced := s.Was[at.Path][at.Key]; isReplaced {
		dst = appendString(append(dst, '='), was)
	}
	return dst
}

// appendCut appends an entry that was removed, behind the path of its list.
func appendCut(dst []byte, entry Entry) []byte {
	dst = strconv.AppendInt(append(dst, '['), int64(entry.At), 10)
	if entry.Below != 0 {
		dst = strconv.AppendInt(append(dst, '+'), int64(entry.Below), 10)
	}
	return appendString(append(dst, "]="...), entry.Text)
}

// shorten returns a path in the form that the text of a stamp has.
func shorten(path string) string {
	for _, row := range pod.Shortened() {
		if rest, found := strings.CutPrefix(path, row.Path); found && (rest == "" || rest[0] == '/') {
			return row.Short + rest
		}
	}
	return path
}

// lengthen returns the path that shorten was given.
func lengthen(path string) string {
	for _, row := range pod.Shortened() {
		if rest, found := strings.CutPrefix(path, row.Short); found && (rest == "" || rest[0] == '/') {
			return row.Path + rest
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

package stamp

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// format is the version of the texts that String writes, which they begin with.
const format = "1"

// askedWord is in the text of a stamp if the workload had a pending request.
const askedWord = "asked"

// String returns the stamp as the value of its annotation: the version of the format, words that are sorted by path, and a
// checksum, so that equal stamps have equal texts.
//
//	PATH:FINGERPRINT       what was put in, with its place behind it: < or >KEY
//	PATH="TEXT"            what was there before
//	PATH[AT+BELOW]="TEXT"  an entry that was removed from a list; +BELOW is left out if it is 0
//
// Paths are shortened. A path or key with special characters is in quotes, which are those of JSON, as are the texts.
func (s *Stamp) String() string {
	const room = 128
	text := append(make([]byte, 0, room), format...)
	for _, w := range wordsOf(s.Added) {
		f := s.Added[w.Path][w.Key]
		text = append(append(appendWord(text, w.path), ':'), f.Hash...)
		if f.Place != "" {
			text = appendKey(append(text, f.Place[0]), f.Place[1:])
		}
	}
	for _, w := range wordsOf(s.Was) {
		text = appendString(append(appendWord(text, w.path), '='), s.Was[w.Path][w.Key])
	}
	for _, path := range slices.SortedFunc(maps.Keys(s.Cut), func(a, b string) int { return strings.Compare(shorten(a), shorten(b)) }) {
		for _, entry := range s.Cut[path] {
			text = strconv.AppendInt(append(appendWord(text, shorten(path)), '['), int64(entry.At), 10)
			if entry.Below != 0 {
				text = strconv.AppendInt(append(text, '+'), int64(entry.Below), 10)
			}
			text = appendString(append(text, "]="...), entry.Text)
		}
	}
	if s.Asked {
		text = append(append(text, ' '), askedWord...)
	}
	return string(append(append(text, ' '), shortHash(text)...))
}

// word is a thing with its path as the text of a stamp has it.
type word struct {
	Thing
	path string
}

// wordsOf returns the things in a part of a stamp in the order of their paths.
func wordsOf[V any](part map[string]map[string]V) []word {
	var words []word
	for at := range each(part) {
		words = append(words, word{at, at.shortPath()})
	}
	slices.SortFunc(words, func(a, b word) int { return strings.Compare(a.path, b.path) })
	return words
}

// appendWord appends a space and a path, with which a word begins.
func appendWord(dst []byte, path string) []byte { return appendKey(append(dst, ' '), path) }

// appendKey appends a text, in quotes if it has a character that ends it.
func appendKey(dst []byte, text string) []byte {
	isSpecial := func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(keyEnds+`"`, r) }
	if strings.ContainsFunc(text, isSpecial) {
		return appendString(dst, text)
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

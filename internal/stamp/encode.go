package stamp

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/yaml/lex"
)

// format is the version of the texts that String writes, which they begin with.
const format = "1"

// askedWord is in the text of a stamp if the workload had a pending request.
const askedWord = "asked"

// String returns the stamp as the value of its annotation: the version of the format, words that are sorted by path, and a
// checksum, so that equal stamps have equal texts.
//
//	PATH:FINGERPRINT       what was put in; < follows if it was joined in front of a value
//	PATH:+AMOUNT="TEXT"    what was added to a quantity, and how that was written; without a text, there was none
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
		if f.InFront {
			text = append(text, inFront)
		}
	}
	for _, w := range wordsOf(s.Grown) {
		g := s.Grown[w.Path][w.Key]
		text = append(append(appendWord(text, w.path), ":+"...), g.Amount...)
		if g.Was != "" {
			text = appendString(append(text, '='), g.Was)
		}
	}
	for _, w := range wordsOf(s.Was) {
		text = appendString(append(appendWord(text, w.path), '='), s.Was[w.Path][w.Key])
	}
	if len(s.Cut) > 0 {
		text = s.appendCut(text)
	}
	if s.Asked {
		text = append(append(text, ' '), askedWord...)
	}
	return string(append(append(text, ' '), shortHash(text)...))
}

// appendCut appends the entries that were removed.
func (s *Stamp) appendCut(dst []byte) []byte {
	for _, path := range slices.SortedFunc(maps.Keys(s.Cut), func(a, b string) int { return strings.Compare(shorten(a), shorten(b)) }) {
		for _, entry := range s.Cut[path] {
			dst = strconv.AppendInt(append(appendWord(dst, shorten(path)), '['), int64(entry.At), 10)
			if entry.Below != 0 {
				dst = strconv.AppendInt(append(dst, '+'), int64(entry.Below), 10)
			}
			dst = appendString(append(dst, "]="...), entry.Text)
		}
	}
	return dst
}

// word is a thing with its path as the text of a stamp has it.
type word struct {
	Thing
	path string
}

// wordsOf returns the things in a part of a stamp in the order of their paths.
func wordsOf[V any](part map[string]map[string]V) []word {
	if len(part) == 0 {
		return nil
	}
	const usual = 4
	words := make([]word, 0, usual)
	for at := range each(part) {
		words = append(words, word{at, shorten(at.Inside())})
	}
	slices.SortFunc(words, func(a, b word) int { return strings.Compare(a.path, b.path) })
	return words
}

// appendWord appends a space and a path, with which a word begins.
func appendWord(dst []byte, path string) []byte { return appendKey(append(dst, ' '), path) }

// endsKey holds the characters that end a key without quotes.
var endsKey = lex.SetOf(keyEnds + `"`)

// appendKey appends a text, in quotes if it has a character that ends it.
func appendKey(dst []byte, text string) []byte {
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

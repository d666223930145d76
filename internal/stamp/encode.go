package stamp

import (
	"encoding/json"
	"strconv"
	"strings"
)

// format is the version of the texts that String writes, which they begin with.
const format = "1"

// askedWord is in the text of a stamp if the workload had a pending request.
const askedWord = "asked"

// String returns the stamp as the value of its annotation: the version of the format, a word for each thing in order, and a
// checksum, so that equal stamps have equal texts.
//
//	PATH:FINGERPRINT    what was put in, with its place behind it: < or >KEY
//	PATH="TEXT"         what was there before
//	PATH[AT+BELOW]="TEXT"  an entry that was removed from a list; +BELOW is left out if it is 0
//
// Paths are shortened. A path or key with special characters is in quotes, which are those of JSON, as are the texts.
func (s *Stamp) String() string {
	const room = 128
	text := append(make([]byte, 0, room), format...)
	for _, at := range thingsIn(s.Added) {
		f := s.Added[at.Path][at.Key]
		text = append(append(appendPath(text, at.path()), ':'), f.Hash...)
		if f.Place != "" {
			text = appendKey(append(text, f.Place[0]), f.Place[1:])
		}
	}
	for _, at := range thingsIn(s.Was) {
		text = appendString(append(appendPath(text, at.path()), '='), s.Was[at.Path][at.Key])
	}
	for _, path := range sortedKeys(s.Cut) {
		for _, entry := range s.Cut[path] {
			text = strconv.AppendInt(append(appendPath(text, path), '['), int64(entry.At), 10)
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

// appendPath appends a space and a path, with which a word begins.
func appendPath(dst []byte, path string) []byte { return appendKey(append(dst, ' '), shorten(path)) }

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

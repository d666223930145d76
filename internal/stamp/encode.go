package stamp

import (
	"encoding/json"
	"maps"
	"strconv"
	"strings"
)

const sumBytes = 8

// String returns the stamp as the value of its annotation: JSON with sorted keys and a checksum at the end, so that equal stamps
// have equal texts. It does without encoding/json, which is slower, because every workload gets a stamp.
func (s *Stamp) String() string {
	const room = 512
	text := append(make([]byte, 0, room), '{')
	text = appendField(text, "add", s.Added, objectOf(appendFingerprint))
	text = appendField(text, "was", s.Was, objectOf(appendString))
	text = appendField(text, "cut", s.Cut, appendEntries)
	if s.Asked {
		text = append(text, `"asked":true,`...)
	}
	sum := digest(strings.TrimSuffix(string(text), ",") + "}")[:sumBytes]
	return string(append(append(append(text, `"sum":"`...), sum...), `"}`...))
}

// appendField appends a field and a comma, unless the field is empty.
func appendField[V any](dst []byte, name string, values map[string]V, appendValue func([]byte, V) []byte) []byte {
	if len(values) == 0 {
		return dst
	}
	dst = append(appendString(dst, name), ':')
	return append(appendObject(dst, values, appendValue), ',')
}

// objectOf returns a function that appends an object, given one that appends its values.
func objectOf[V any](appendValue func([]byte, V) []byte) func([]byte, map[string]V) []byte {
	return func(dst []byte, values map[string]V) []byte { return appendObject(dst, values, appendValue) }
}

func appendObject[V any](dst []byte, values map[string]V, appendValue func([]byte, V) []byte) []byte {
	dst = append(dst, '{')
	for i, key := range sortedKeys(values) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendValue(append(appendString(dst, key), ':'), values[key])
	}
	return append(dst, '}')
}

func appendFingerprint(dst []byte, f Fingerprint) []byte {
	if f.Fields == nil {
		return appendString(dst, f.Whole+f.Place)
	}
	fields := f.Fields
	if f.Place != "" {
		fields = maps.Clone(f.Fields)
		fields[placeField] = f.Place
	}
	return appendObject(dst, fields, appendString)
}

func appendEntries(dst []byte, entries []Entry) []byte {
	dst = append(dst, '[')
	for i, entry := range entries {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendInt(append(dst, `{"at":`...), int64(entry.At), 10)
		if entry.Below > 0 {
			dst = strconv.AppendInt(append(dst, `,"below":`...), int64(entry.Below), 10)
		}
		dst = append(appendString(append(dst, `,"text":`...), entry.Text), '}')
	}
	return append(dst, ']')
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

package stamp

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

const sumBytes = 8

// String is the stamp as the value of its annotation: JSON with sorted keys and a sum behind, so
// that equal stamps are equal texts. It is written by hand, because every workload gets one.
func (s *Stamp) String() string {
	const room = 512
	text := append(make([]byte, 0, room), '{')
	text = appendMap(text, "add", s.Added, func(dst []byte, keys map[string]Print) []byte {
		return appendObject(dst, keys, Print.append)
	})
	text = appendMap(text, "was", s.Was, func(dst []byte, texts map[string]string) []byte {
		return appendObject(dst, texts, func(text string, dst []byte) []byte { return appendString(dst, text) })
	})
	text = appendMap(text, "cut", s.Cut, appendEntries)
	if s.Asked {
		text = append(text, `"asked":true,`...)
	}
	sum := digest(strings.TrimSuffix(string(text), ",") + "}")[:sumBytes]
	return string(append(append(append(text, `"sum":"`...), sum...), `"}`...))
}

// appendMap writes a field that is not empty, with a comma behind.
func appendMap[V any](dst []byte, name string, values map[string]V, value func([]byte, V) []byte) []byte {
	if len(values) == 0 {
		return dst
	}
	dst = append(appendString(dst, name), ':')
	return append(appendObject(dst, values, func(v V, dst []byte) []byte { return value(dst, v) }), ',')
}

func appendObject[V any](dst []byte, values map[string]V, value func(V, []byte) []byte) []byte {
	dst = append(dst, '{')
	for i, key := range slices.Sorted(maps.Keys(values)) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = value(values[key], append(appendString(dst, key), ':'))
	}
	return append(dst, '}')
}

// append writes a text for a whole, and a mapping for fields.
func (p Print) append(dst []byte) []byte {
	if p.Fields == nil {
		return appendString(dst, p.Whole+p.Place)
	}
	fields := p.Fields
	if p.Place != "" {
		fields = maps.Clone(p.Fields)
		fields[placeField] = p.Place
	}
	return appendObject(dst, fields, func(text string, dst []byte) []byte { return appendString(dst, text) })
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

// appendString leaves <, > and & as they are, for people.
func appendString(dst []byte, text string) []byte {
	isPlain := func(r rune) bool { return r >= ' ' && r < 0x7f && r != '"' && r != '\\' }
	if !strings.ContainsFunc(text, func(r rune) bool { return !isPlain(r) }) {
		return append(append(append(dst, '"'), text...), '"')
	}
	var quoted strings.Builder
	encoder := json.NewEncoder(&quoted)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic(err) // a text can be encoded
	}
	return append(dst, strings.TrimSuffix(quoted.String(), "\n")...)
}

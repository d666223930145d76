package page

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"pillion.dev/pillion/finding"
)

// Entries is a list of JSON whose entries are made one by one while they are written.
type Entries = iter.Seq[any]

// EntriesOf returns a list of what a function makes of each entry of another list.
func EntriesOf[Entry, Made any](list []Entry, of func(Entry) Made) Entries {
	return func(yield func(any) bool) {
		for _, entry := range list {
			if !yield(of(entry)) {
				return
			}
		}
	}
}

// WriteJSON writes an object as JSON and escapes characters that a terminal would act on instead of showing them. It
// makes and writes one member of an object, and one of Entries in it, at a time: the whole may take much more memory
// than what it is made of.
func WriteJSON(w io.Writer, o Object) error {
	p := &printer{out: bufio.NewWriter(w)}
	p.writeObject(o)
	p.out.WriteByte('\n') //nolint:errcheck // Flush returns the error
	return cmp.Or(p.err, p.out.Flush())
}

// Object is JSON with the members in the order of the list, which has their names and values by turns. As in the tags
// of Go's structs, a name may end with ",omitempty".
type Object []any

// MarshalJSON writes the members.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	separator := byte('{')
	for name, value := range o.members() {
		b.WriteByte(separator)
		b.WriteString(strconv.Quote(name) + ":")
		if err := enc.Encode(value); err != nil {
			return nil, err
		}
		separator = ','
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// members returns the names and values, without those that are left out.
func (o Object) members() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for pair := range slices.Chunk(o, 2) {
			name, isOptional := strings.CutSuffix(pair[0].(string), ",omitempty")
			if isOptional && reflect.ValueOf(pair[1]).IsZero() {
				continue
			}
			if !yield(name, pair[1]) {
				return
			}
		}
	}
}

// Document returns the start of a report. The counts have a number for each of the states.
func Document[State ~string](
	kind, title string, injectors []string, states []State, counts map[State]int,
) Object {
	all := map[State]int{}
	for _, state := range states {
		all[state] = counts[state]
	}
	return Object{
		"apiVersion", "pillion.dev/v1alpha1", "kind", kind, "title", title,
		"injectors", append([]string{}, injectors...), "counts", all,
	}
}

// Identity returns what identifies an object.
func Identity(o finding.Object) Object {
	return Object{"apiVersion", o.APIVersion, "kind", o.Kind, "namespace,omitempty", o.Namespace, "name", o.Name}
}

// File returns where something is in the input, or nil if that is not known.
func File(f *finding.File) Object {
	if f == nil {
		return nil
	}
	return Object{"path", f.Path, "index", f.Index, "line,omitempty", f.Line, "column,omitempty", f.Column}
}

// Findings returns findings as reports show them to programs. The list is never null.
func Findings(findings []finding.Finding) []Object {
	out := make([]Object, len(findings))
	for i, f := range findings {
		var field finding.Field
		if f.Field != nil {
			field = *f.Field
		}
		out[i] = Object{
			"severity", f.Severity.String(), "code", f.Code, "message", f.Message, "detail,omitempty", f.Detail,
			"injector,omitempty", f.Injector, "field,omitempty", field.Path, "current,omitempty", field.Current,
			"proposed,omitempty", field.Proposed, "file,omitempty", File(f.File),
		}
	}
	return out
}

package engine

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/yaml/emit"
)

// resultText writes one result after the other. Most results differ from the one before in few fields, so that it copies the
// text of the others.
type resultText struct {
	place  manifest.ResultsPlace
	style  emit.Style
	text   []byte
	fields []outcome.ResultField // of the result
	known  []knownField          // of the results before, by index
}

// knownField is where the text of a field is that was written already.
type knownField struct {
	field      outcome.ResultField
	start, end int
}

func newResultText(place manifest.ResultsPlace, results int) *resultText {
	const usual = 320 // bytes of a result
	style := emit.Style{LineEnd: place.LineBreak, Indents: emit.Indents{Indent: 2}, DashWidth: 2, Flow: emit.FlowStyle{JSON: true}}
	return &resultText{place: place, style: style, text: make([]byte, 0, usual*results)}
}

// add writes one more result.
func (r *resultText) add(f *finding.Finding, isFirst bool) {
	r.fields = outcome.AppendResultFields(r.fields[:0], f)
	if more := len(r.fields) - len(r.known); more > 0 {
		r.known = append(r.known, make([]knownField, more)...)
	}
	if !r.place.InBraces {
		r.addBlock()
		return
	}
	if !isFirst {
		r.text = append(r.text, ", "...)
	}
	r.addFlow()
}

// addBlock writes a result as an entry of a block list.
func (r *resultText) addBlock() {
	r.text = append(emit.Spaces(r.text, r.place.Column), "- "...)
	for i, field := range r.fields {
		column := r.place.Column + 2
		if field.IsInner {
			column += 2
		}
		if i > 0 {
			r.text = emit.Spaces(r.text, column)
		}
		r.addField(i, column)
		if r.isEmptyMapping(i) {
			r.text = append(r.text, " {}"...)
		}
		r.text = append(r.text, r.place.LineBreak...)
	}
}

// addFlow writes a result in braces.
func (r *resultText) addFlow() {
	r.text = append(r.text, '{')
	for i, field := range r.fields {
		if i > 0 && (!field.IsInner || r.fields[i-1].IsInner) {
			r.text = append(r.text, ", "...)
		}
		r.addField(i, 0)
		if r.isEmptyMapping(i) || field.IsInner && !r.isInner(i+1) {
			r.text = append(r.text, '}')
		}
	}
	r.text = append(r.text, '}')
}

func (r *resultText) isInner(i int) bool { return i < len(r.fields) && r.fields[i].IsInner }

func (r *resultText) isEmptyMapping(i int) bool { return r.fields[i].IsMapping() && !r.isInner(i+1) }

// addField writes a field, except for the end of a mapping.
func (r *resultText) addField(i, column int) {
	field, known, start := r.fields[i], &r.known[i], len(r.text)
	switch {
	case known.field == field:
		r.text = append(r.text, r.text[known.start:known.end]...)
		return
	case r.place.InBraces:
		r.text = r.flowField(r.text, field)
	default:
		r.text = r.blockField(r.text, field, column)
	}
	*known = knownField{field, start, len(r.text)}
}

// blockField appends a field at a column. All keys are words, which need no quotes.
func (r *resultText) blockField(dst []byte, field outcome.ResultField, column int) []byte {
	dst = append(append(dst, field.Key...), ':')
	if field.IsMapping() {
		return dst
	}
	return r.style.Value(dst, field.Node(), column)
}

// flowField appends a field in braces.
func (r *resultText) flowField(dst []byte, field outcome.ResultField) []byte {
	dst = append(append(append(dst, '"'), field.Key...), `": `...)
	if field.IsMapping() {
		return append(dst, '{')
	}
	return r.style.FlowValue(dst, field.Node(), "")
}

package engine

import (
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/yaml/node"
)

// places finds the line and column that findings are about. Items are parsed for that once
// more, and only those that people have to act on.
type places struct {
	items  map[place]manifest.Item
	parsed map[place]parsed
}

// place is an item by its file, and its index in there.
type place struct {
	path  string
	index int
}

type parsed struct {
	object *yaml.Node
	err    error
}

func newPlaces(items []manifest.Item) *places {
	p := &places{items: make(map[place]manifest.Item, len(items)), parsed: map[place]parsed{}}
	for _, item := range items {
		if item.File != "" {
			p.items[place{item.File, item.Index}] = item
		}
	}
	return p
}

// locate gives warnings and errors the place of their field.
func (p *places) locate(findings []Finding) {
	for i := range findings {
		if f := &findings[i]; f.File != nil && f.Severity >= Warning {
			p.locateOne(f)
		}
	}
}

func (p *places) locateOne(f *Finding) {
	at := place{f.File.Path, f.File.Index}
	item, ok := p.items[at]
	if !ok {
		return
	}
	known, ok := p.parsed[at]
	if !ok {
		_, known.object, known.err = item.Parse()
		p.parsed[at] = known
	}
	if err := errors.Join(item.Broken, known.err); err != nil && (f.Field == nil || !manifest.IsOddKey(err)) {
		locateError(f, err)
		return
	}
	if f.Field == nil {
		return
	}
	if found := node.Find(known.object, f.Field.Path); found != nil {
		file := *f.File
		file.Line, file.Column = item.Line+found.Line-1, found.Column
		f.File = &file
	}
}

// locateError takes the line out of the words of an error and into the place of its finding.
func locateError(f *Finding, err error) {
	var at *manifest.LineError
	if !errors.As(err, &at) {
		return
	}
	file := finding.File{}
	if f.File != nil {
		file = *f.File
	}
	file.Line, file.Column = at.Line, at.Column
	f.File, f.Message = &file, strings.Replace(f.Message, at.Error(), at.Err.Error(), 1)
}

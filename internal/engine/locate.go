package engine

import (
	"cmp"
	"errors"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/yaml/node"
)

// locator finds the line and column of the fields that findings are about. It parses an item again for that, and only if
// people have to act on it.
type locator map[itemKey]*locatedItem

// itemKey identifies an item by its file and its index in the file.
type itemKey struct {
	path  string
	index int
}

// locatedItem is an item; once it was parsed, with its object or an error.
type locatedItem struct {
	manifest.Item
	object *yaml.Node
	err    error
}

func newLocator(items []manifest.Item) locator {
	l := make(locator, len(items))
	for _, item := range items {
		if item.File != "" {
			l[itemKey{item.File, item.Index}] = &locatedItem{Item: item}
		}
	}
	return l
}

// locateIn sets the positions of warnings and errors. File is the file of findings that have none.
func (l locator) locateIn(findings []finding.Finding, file *finding.File) {
	for i := range findings {
		f := &findings[i]
		if f.Severity < finding.Warning {
			continue
		}
		if f.File == nil {
			f.File = file
		}
		if f.File != nil {
			l.locate(f)
		}
	}
}

func (l locator) locate(f *finding.Finding) {
	item := l[itemKey{f.File.Path, f.File.Index}]
	if item == nil || f.File.Column > 0 { // it is located already
		return
	}
	if item.object == nil && item.err == nil {
		_, item.object, item.err = item.Parse()
	}
	if err := errors.Join(item.Broken, item.err); err != nil && (f.Field == nil || !manifest.IsOddKey(err)) {
		locateError(f, err)
		return
	}
	found := item.object
	if f.Field != nil {
		found = cmp.Or(node.Find(item.object, f.Field.Path), item.object)
	}
	if found != nil {
		file := positionIn(item.Item, found.Line, found.Column)
		f.File = &file
	}
}

// locateError moves the line of an error from its message to the file of the finding.
func locateError(f *finding.Finding, err error) {
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

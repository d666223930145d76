package engine

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/text/escape"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// fileOf returns the file that an item was read from: the one that is known, or the one in the object's annotations.
func fileOf(item *manifest.Item, object *node.Node) *finding.File {
	if item.File != "" {
		return &finding.File{Path: item.File, Index: item.Index, Line: item.Line + linesAbove(item.Text)}
	}
	annotations := node.Get(object, "metadata", "annotations")
	// An orchestrator writes it there.
	for _, prefix := range []string{"internal.config.kubernetes.io/", "config.kubernetes.io/"} {
		if path := node.Text(annotations, prefix+"path"); path != "" {
			index, _ := strconv.Atoi(node.Text(annotations, prefix+"index"))
			return &finding.File{Path: escape.Clip(strings.Clone(path), maxMessageBytes), Index: index}
		}
	}
	return nil
}

// linesAbove returns the number of comments and blank lines above an object.
func linesAbove(text []byte) int {
	above := 0
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		isSkipped := len(line) == 0 || line[0] == '#' || line[0] == '%' || bytes.Equal(line, []byte("---"))
		if !isSkipped {
			return above
		}
		above++
	}
	return 0
}

// unreadableWorkload returns a workload that cannot be parsed.
func unreadableWorkload(item *manifest.Item, err error) *outcome.Workload {
	f := unreadableItem(item, err)
	w := &outcome.Workload{File: f.File, Before: item.Text, Line: 1, General: []finding.Finding{f}}
	if f.Object != nil {
		w.Object = *f.Object
	}
	return w
}

// unreadableItem reports an item that cannot be parsed, with its name and file as far as they are known. In a
// ResourceList, the line is counted from the start of the object, because the lines of the list are not those of a
// file.
func unreadableItem(item *manifest.Item, err error) finding.Finding {
	_, object, _ := item.Parse() // it is there if only a key is wrong
	f := finding.Finding{
		Severity: finding.Error, Code: finding.InvalidItem, Message: err.Error(), File: fileOf(item, object),
		Object: &finding.Object{APIVersion: item.APIVersion, Kind: item.Kind, Name: item.Name},
	}
	if item.Kind == "" && f.Object.Name == "" {
		f.Object = nil // there is no name for it
	}
	if item.File != "" {
		return f
	}
	var at *manifest.LineError
	if errors.As(err, &at) {
		located := fmt.Sprintf("line %d of the object: %v", at.Line-item.Line+1, at.Err)
		f.Message = strings.Replace(f.Message, at.Error(), located, 1)
	}
	return f
}

// locator finds the line and column of the fields that findings are about. It parses an item again for that, and only
// if people have to act on it.
type locator map[finding.File]*locatedItem // by path and index

// locatedItem is an item; once it was parsed, with its object or an error.
type locatedItem struct {
	*manifest.Item
	object *node.Node
	err    error
}

func newLocator(all []visited) locator {
	l := locator{}
	for _, visited := range all {
		if item := visited.item; item != nil && item.File != "" {
			l[finding.File{Path: item.File, Index: item.Index}] = &locatedItem{Item: item}
		}
	}
	return l
}

// locateIn sets the locations of warnings and errors. File is the file of findings that have none.
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
	item := l[finding.File{Path: f.File.Path, Index: f.File.Index}]
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
		file := locationIn(item.Item, found)
		f.File = &file
	}
}

// locateError moves the line of an error from its message to the file of the finding.
func locateError(f *finding.Finding, err error) {
	var at *manifest.LineError
	if !errors.As(err, &at) {
		return
	}
	file := finding.File{Line: at.Line, Column: at.Column}
	if f.File != nil {
		file.Path = f.File.Path
		file.Index = f.File.Index
	}
	f.File = &file
	f.Message = strings.Replace(f.Message, at.Error(), at.Err.Error(), 1)
}

package engine

import (
	"errors"
	"fmt"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/outcome"
)

// unreadableWorkload returns a workload that cannot be parsed.
func unreadableWorkload(item manifest.Item, index int, err error) *outcome.Workload {
	f := unreadableItem(item, err)
	w := &outcome.Workload{File: f.File, Index: index, Before: item.Text, Line: 1, General: []finding.Finding{f}}
	if f.Object != nil {
		w.Object = *f.Object
	}
	return w
}

// unreadableItem reports an item that cannot be parsed, with its name and file as far as they are known. In a ResourceList,
// the line is counted from the start of the object, because the lines of the list are not those of a file.
func unreadableItem(item manifest.Item, err error) finding.Finding {
	f := finding.Finding{
		Severity: finding.Error, Code: finding.InvalidItem, Message: err.Error(), File: fileOf(item, nil),
		Object: &finding.Object{APIVersion: item.APIVersion, Kind: item.Kind, Name: item.PeekName()},
	}
	if item.Kind == "" && f.Object.Name == "" {
		f.Object = nil // there is no name for it
	}
	if f.File != nil {
		return f
	}
	f.File = annotatedFile(item.PeekAnnotation)
	var at *manifest.LineError
	if errors.As(err, &at) {
		f.Message = strings.Replace(f.Message, at.Error(), fmt.Sprintf("line %d of the object: %v", at.Line-item.Line+1, at.Err), 1)
	}
	return f
}

func unreadableConfig(what string, err error, file *finding.File) finding.Finding {
	f := newFinding(finding.Error, finding.InvalidConfig, nil, "%s cannot be read: %v", what, err)
	f.File = file
	return f
}

package engine

import (
	"errors"
	"fmt"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/outcome"
)

// unreadableWorkload is a workload that cannot be parsed.
func unreadableWorkload(item manifest.Item, index int, err error) outcome.Workload {
	f := unreadableItem(item, err)
	w := outcome.Workload{File: f.File, Index: index, Before: item.Text, Line: 1, General: []finding.Finding{f}}
	if f.Object != nil {
		w.Object = *f.Object
	}
	return w
}

// unreadableItem is about an item that cannot be parsed, with its name and file as far as they are known. The lines of a
// ResourceList are not those of a file, so there the line is counted in the object.
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
	f := invalidConfig(what + " cannot be read: " + err.Error())
	f.File = file
	return f
}

func invalidConfig(message string) finding.Finding {
	return finding.Finding{Severity: finding.Error, Code: finding.InvalidConfig, Message: message}
}

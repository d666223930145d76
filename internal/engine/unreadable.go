package engine

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/manifest"
)

// unreadableItem is about an item that cannot be parsed, with its name and file as far as they can be told.
// The lines of a ResourceList are those of no file, so that there the line is counted in the object.
func unreadableItem(item manifest.Item, err error) Finding {
	f := Finding{
		Severity: Error, Code: finding.InvalidItem, Message: err.Error(), File: fileOf(item, nil),
		Object: &Object{APIVersion: item.APIVersion, Kind: item.Kind, Name: item.PeekName()},
	}
	if item.Kind == "" && f.Object.Name == "" {
		f.Object = nil // there is nothing to call it by
	}
	if f.File != nil {
		return f
	}
	for _, prefix := range pathAnnotations {
		if path := item.PeekAnnotation(prefix + "path"); path != "" {
			index, _ := strconv.Atoi(item.PeekAnnotation(prefix + "index"))
			f.File = &File{Path: path, Index: index}
			break
		}
	}
	var at *manifest.LineError
	if errors.As(err, &at) {
		f.Message = strings.Replace(f.Message, at.Error(), fmt.Sprintf("line %d of the object: %v", at.Line-item.Line+1, at.Err), 1)
	}
	return f
}

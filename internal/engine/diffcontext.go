package engine

import (
	"bytes"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/manifest"
)

// maxContext limits how many bytes of a file are shown before and after each of its items.
const maxContext = 4096

// withContext returns the text of an item with the lines around it that a diff shows, the number of its first line in the
// file, and the item's edits in it. So the diff of one item can be applied to the file.
func withContext(item manifest.Item, edits []edit.Edit) (text []byte, line int, moved []edit.Edit) {
	if edits == nil {
		return item.Text, item.Line, nil
	}
	stream, start := item.Stream()
	end := start + len(item.Text)
	from, to := linesBefore(stream[:start]), linesAfter(stream[end:], bytes.HasSuffix(item.Text, []byte("\n")))
	line = item.Line - bytes.Count(stream[start-from:start], []byte("\n"))
	return stream[start-from : end+to], line, edit.Shift(edits, from)
}

// linesBefore returns the size of the last lines of a text, with the beginning of the line that follows them.
func linesBefore(text []byte) int {
	near := text[max(0, len(text)-maxContext):]
	at := bytes.LastIndexByte(near, '\n') + 1
	if at == 0 && len(near) < len(text) {
		return 0 // a line that is too long to show
	}
	for range edit.Context {
		if above := bytes.LastIndexByte(near[:max(at-1, 0)], '\n') + 1; above > 0 || len(near) == len(text) {
			at = above
		}
	}
	return len(near) - at
}

// linesAfter returns the size of the first lines of a text, with the rest of the line that it may begin with.
func linesAfter(text []byte, isEnded bool) int {
	near := text[:min(len(text), maxContext)]
	count := edit.Context
	if !isEnded {
		count++
	}
	at := 0
	for range count {
		next := bytes.IndexByte(near[at:], '\n')
		switch {
		case next >= 0:
			at += next + 1
		case len(near) == len(text):
			at = len(near)
		}
	}
	return at
}

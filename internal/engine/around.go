package engine

import (
	"bytes"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/manifest"
)

// mostAround bounds how much of a file is shown with each of its items on either side.
const mostAround = 4096

// around is the text of an item with the lines around it that a diff shows, the number of its first line in
// the file, and the item's edits in it. So the diff of one item can be applied to the file.
func around(item manifest.Item, edits []edit.Edit) (text []byte, line int, moved []edit.Edit) {
	if edits == nil {
		return item.Text, item.Line, nil
	}
	stream, start := item.Stream()
	end := start + len(item.Text)
	from, to := linesBefore(stream[:start]), linesBehind(stream[end:], bytes.HasSuffix(item.Text, []byte("\n")))
	line = item.Line - bytes.Count(stream[start-from:start], []byte("\n"))
	return stream[start-from : end+to], line, edit.Shift(edits, from)
}

// linesBefore is how many bytes the last lines of a text have, with the beginning of a line that follows them.
func linesBefore(text []byte) int {
	near := text[max(0, len(text)-mostAround):]
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

// linesBehind is how many bytes the first lines of a text have, with the rest of a line that it may begin with.
func linesBehind(text []byte, isEnded bool) int {
	near := text[:min(len(text), mostAround)]
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

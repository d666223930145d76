package engine

import (
	"bytes"
	"errors"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/manifest"
)

var errResourceList = errors.New("this is a ResourceList, which is what kustomize and kpt send to a function; " +
	"pipe it into pillion without a command")

// readSource splits a source. The message is for one that is empty.
func readSource(s finding.Source, whenEmpty string) ([]*manifest.Item, error) {
	stream, err := manifest.Read(s.Text)
	switch {
	case s.MayBeEmpty && errors.Is(err, manifest.ErrEmpty):
		return nil, nil
	case errors.Is(err, manifest.ErrEmpty):
		return nil, errors.New(whenEmpty)
	case err != nil:
		return nil, err
	case stream.ResourceList:
		return nil, errResourceList
	}
	for i, item := range stream.Items {
		item.File = s.File
		item.Index = i
	}
	return stream.Items, nil
}

// readItems splits sources of a config. A source that cannot be read is an error.
func readItems(sources []finding.Source, whenEmpty string) ([]*manifest.Item, []finding.Finding) {
	var items []*manifest.Item
	var findings []finding.Finding
	for _, source := range sources {
		read, err := readSource(source, whenEmpty)
		if err != nil {
			findings = append(findings, unreadable(source, finding.InvalidConfig, err))
		}
		items = append(items, read...)
	}
	return items, findings
}

func unreadable(source finding.Source, code finding.Code, err error) finding.Finding {
	f := finding.Finding{Severity: finding.Error, Code: code, Message: err.Error()}
	if source.File != "" {
		f.File = &finding.File{Path: source.File}
		locateError(&f, err)
	}
	return f
}

// editsOf returns what is written into each source, given the items of each and the workloads, in order. The edits of
// the workloads must still be those of the texts of their items; withContext moves them.
func editsOf(read [][]visited, workloads []*outcome.Workload) [][]edit.Edit {
	edits := make([][]edit.Edit, len(read))
	count := 0
	for _, w := range workloads {
		count += len(w.Edits)
	}
	if len(read) == 1 { // a large one is usually alone
		edits[0] = make([]edit.Edit, 0, count)
	}
	at := 0
	first := 0 // the source of a workload, and the index of the source's first item
	for _, w := range workloads {
		for w.Index >= first+len(read[at]) {
			first += len(read[at])
			at++
		}
		if w.IsWritten {
			_, start := read[at][w.Index-first].item.Stream()
			edits[at] = edit.AppendShifted(edits[at], w.Edits, start)
		}
	}
	return edits
}

// maxContext limits how many bytes of a file are shown before and after each of its items.
const maxContext = 4096

// withContext returns the text of an item with the lines around it that a diff shows, the number of its first line in
// the file, and the item's edits in it. So the diff of one item can be applied to the file.
func withContext(item *manifest.Item, edits []edit.Edit) (text []byte, line int, moved []edit.Edit) {
	if edits == nil {
		return item.Text, item.Line, nil
	}
	stream, start := item.Stream()
	end := start + len(item.Text)
	from := linesBefore(stream[:start])
	to := linesAfter(stream[end:], bytes.HasSuffix(item.Text, []byte("\n")))
	line = item.Line - bytes.Count(stream[start-from:start], []byte("\n"))
	return stream[start-from : end+to], line, edit.Shift(edits, from)
}

// linesBefore returns the size of the last lines of a text, with the beginning of the line that follows them.
func linesBefore(text []byte) int {
	near := text[max(0, len(text)-maxContext):]
	at := len(near) + 1
	for range edit.Context + 1 {
		above := bytes.LastIndexByte(near[:max(at-1, 0)], '\n') + 1
		if above == 0 && len(near) < len(text) {
			break // a line that is too long to show
		}
		at = above
	}
	return max(len(near)-at, 0)
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

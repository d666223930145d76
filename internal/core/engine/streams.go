package engine

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/work/parallel"
)

// Source is a text with the file that it was read from; the file is empty if there is none. The text must not change,
// because configs and outcomes share its memory.
type Source struct {
	File string
	Text []byte
	// MayBeEmpty allows a text without an object, which stays as it is.
	MayBeEmpty bool
}

// streams are the sources of a run, split into items with their positions.
type streams []*manifest.Stream

var errResourceList = errors.New("this is a ResourceList, which is what kustomize and kpt send to a function; " +
	"pipe it into pillion without a command")

// readStreams splits sources, on all cores. A source that cannot be read is an error with the code. The message is for
// one that is empty.
func readStreams(sources []Source, code finding.Code, whenEmpty string) (streams, []finding.Finding) {
	read := make(streams, len(sources))
	errs := make([]error, len(sources))
	parallel.Do(context.Background(), len(sources), func(i int) {
		if read[i], errs[i] = sources[i].read(); errors.Is(errs[i], manifest.ErrEmpty) {
			errs[i] = errors.New(whenEmpty)
		}
	})
	all := make(streams, 0, len(sources))
	var findings []finding.Finding
	for i, source := range sources {
		if errs[i] != nil {
			findings = append(findings, unreadable(source, code, errs[i]))
			continue
		}
		all = append(all, read[i])
	}
	return all, findings
}

// read splits a source.
func (s Source) read() (*manifest.Stream, error) {
	stream, err := manifest.Read(s.Text)
	switch {
	case s.MayBeEmpty && errors.Is(err, manifest.ErrEmpty):
		return &manifest.Stream{}, nil
	case err == nil && stream.ResourceList:
		return nil, errResourceList
	case err != nil:
		return nil, err
	}
	for i, item := range stream.Items {
		item.File = s.File
		item.Index = i
	}
	return stream, nil
}

// lackObject reports whether the streams have documents, and none of them is a Kubernetes object. The message of a
// program that failed is also YAML, and must not pass for manifests that are as they should be.
func (all streams) lackObject(sources []Source) bool {
	documents := 0
	for i, stream := range all {
		isObject := func(item *manifest.Item) bool {
			return item.Broken != nil || item.Kind != "" || item.APIVersion != ""
		}
		if sources[i].MayBeEmpty || slices.ContainsFunc(stream.Items, isObject) {
			return false
		}
		documents += len(stream.Items)
	}
	return documents > 0
}

func unreadable(source Source, code finding.Code, err error) finding.Finding {
	f := finding.Finding{Severity: finding.Error, Code: code, Message: err.Error()}
	if source.File != "" {
		f.File = &finding.File{Path: source.File}
		locateError(&f, err)
	}
	return f
}

// items returns those of all streams, in order.
func (all streams) items() []*manifest.Item {
	var items []*manifest.Item
	for _, stream := range all {
		items = append(items, stream.Items...)
	}
	return items
}

// edits returns what is written into each stream, given the workloads of all streams, in order. The edits of the
// workloads must still be those of the texts of their items; withContext moves them.
func (all streams) edits(workloads []*outcome.Workload) [][]edit.Edit {
	edits := make([][]edit.Edit, len(all))
	count := 0
	for _, w := range workloads {
		count += len(w.Edits)
	}
	if len(all) == 1 { // a large one is usually alone
		edits[0] = make([]edit.Edit, 0, count)
	}
	at := 0
	first := 0 // the stream of a workload, and the index of the stream's first item
	for _, w := range workloads {
		for w.Index >= first+len(all[at].Items) {
			first += len(all[at].Items)
			at++
		}
		if w.IsWritten {
			_, start := all[at].Items[w.Index-first].Stream()
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

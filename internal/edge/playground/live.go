package playground

import (
	"bytes"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/selection"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/splice"
)

// ofCluster are the fields that only a cluster sets, or kubectl for itself, as their keys.
var ofCluster = []string{
	"metadata annotations deployment.kubernetes.io/revision", "metadata annotations kubectl.kubernetes.io/last-applied-configuration",
	"metadata creationTimestamp", "metadata deletionGracePeriodSeconds", "metadata deletionTimestamp", "metadata generation",
	"metadata managedFields", "metadata resourceVersion", "metadata selfLink", "metadata uid", "status",
}

// removals are the edits that take fields out of a text.
type removals []edit.Edit

// liveFields returns how to take out what only a cluster sets, of objects that were read back from one, and the names
// of these fields. Nothing is taken out of a text with problems, so that messages about them have the right lines.
func liveFields(text []byte) (edits removals, names []string) {
	stream, err := manifest.Read(text)
	if err != nil || slices.ContainsFunc(stream.Items, func(item *manifest.Item) bool { return !item.IsSound() }) {
		return nil, nil
	}
	for _, item := range stream.Items {
		document, object, err := item.Parse()
		if err != nil || selection.LiveField(object) == "" {
			continue
		}
		copied, taken := withoutLive(document)
		removed, err := splice.Edits(item.Text, document, copied, splice.Past{})
		if err != nil {
			continue // the object is skipped, as on the command line
		}
		_, start := item.Stream()
		edits = edit.AppendShifted(edits, removed, start)
		names = append(names, taken...)
	}
	slices.Sort(names)
	return edits, slices.Compact(names)
}

// withoutLive returns a version of a document without what only a cluster sets, and the names of what it is without.
func withoutLive(document *node.Node) (copied *node.Node, names []string) {
	copied, object := new(node.Clones).OwnDocument(document)
	for _, field := range ofCluster {
		keys := strings.Fields(field)
		if node.Get(object, keys...) == nil {
			continue
		}
		names = append(names, strings.Join(keys, "."))
		owner, parents := object, []*node.Node{}
		for _, key := range keys[:len(keys)-1] {
			parents, owner = append(parents, owner), node.Own(owner, key)
		}
		node.Delete(owner, keys[len(keys)-1])
		if len(parents) > 1 && len(owner.Content) == 0 { // annotations
			node.Delete(parents[1], keys[1])
		}
	}
	return copied, names
}

// restoreLines changes the lines of findings from those of the text without the fields to those of the text itself.
func (r removals) restoreLines(text []byte, run outcome.Run) {
	numbers := r.numbers(text)
	restored := map[*finding.File]bool{}
	restore := func(findings []finding.Finding) {
		for _, f := range findings {
			if at := f.File; at != nil && at.Line > 0 && at.Line <= len(numbers) && !restored[at] {
				restored[at] = true // it may belong to several findings
				at.Line = numbers[at.Line-1]
			}
		}
	}
	restore(run.General)
	for _, w := range run.Workloads {
		restore(append(w.Findings(), finding.Finding{File: w.File}))
	}
}

// numbers returns the numbers in the text itself of the lines of the text without the fields.
func (r removals) numbers(text []byte) []int {
	newline := []byte("\n")
	all, number, at := []int{1}, 1, 0
	for _, e := range append(slices.Clone(r), edit.Edit{Start: len(text), End: len(text)}) {
		for range bytes.Count(text[at:e.Start], newline) {
			number++
			all = append(all, number)
		}
		number += bytes.Count(text[e.Start:e.End], newline)
		if e.Start == 0 || text[e.Start-1] == '\n' { // whole lines are removed
			all[len(all)-1] = number
		}
		for range bytes.Count(e.Text, newline) {
			all = append(all, number)
		}
		at = e.End
	}
	return all
}

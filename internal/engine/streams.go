package engine

import (
	"bytes"
	"errors"

	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/manifest"
)

// streams are the sources of a run, split into items that know where they came from.
type streams []*manifest.Stream

var errResourceList = errors.New("this is a ResourceList, which is what kustomize and kpt send to a function; pipe it into pillion without a verb")

// readStreams splits sources. What cannot be read is an error of the code, one for each source.
func readStreams(sources []Source, code Code) (streams, []Finding) {
	all := make(streams, 0, len(sources))
	var said []Finding
	for _, source := range sources {
		stream, err := manifest.Read(source.Text)
		if source.MayBeEmpty && errors.Is(err, manifest.ErrEmpty) {
			stream, err = &manifest.Stream{}, nil
		}
		if err == nil && stream.ResourceList {
			err = errResourceList
		}
		if err != nil {
			said = append(said, unreadable(source, code, err))
			continue
		}
		for i := range stream.Items {
			stream.Items[i].File, stream.Items[i].Index = source.File, i
		}
		all = append(all, stream)
	}
	return all, said
}

func unreadable(source Source, code Code, err error) Finding {
	f := Finding{Severity: Error, Code: code, Message: err.Error()}
	if source.File != "" {
		f.File = &File{Path: source.File}
		locateError(&f, err)
	}
	return f
}

// items are those of all streams, in order.
func (all streams) items() []manifest.Item {
	var items []manifest.Item
	for _, stream := range all {
		items = append(items, stream.Items...)
	}
	return items
}

// texts are the new texts of the streams, given those of the items that changed; nil for a
// stream that stays as it is.
func (all streams) texts(changed map[int][]byte) [][]byte {
	texts := make([][]byte, len(all))
	first := 0
	for i, stream := range all {
		own := map[int][]byte{}
		for index := range stream.Items {
			if text, ok := changed[first+index]; ok {
				own[index] = text
			}
		}
		if len(own) > 0 {
			var b bytes.Buffer
			_ = stream.Write(&b, own) // a buffer takes everything
			texts[i] = b.Bytes()
		}
		first += len(stream.Items)
	}
	return texts
}

// editsOf are the edits of the items that change, by index.
func editsOf(outcomes []outcome) map[int][]edit.Edit {
	edits := map[int][]edit.Edit{}
	for i, o := range outcomes {
		if o.edits != nil {
			edits[i] = o.edits
		}
	}
	return edits
}

// edits are those of the streams, given those of the items that changed.
func (all streams) edits(of map[int][]edit.Edit) [][]edit.Edit {
	edits := make([][]edit.Edit, len(all))
	first := 0
	for i, stream := range all {
		for index := range stream.Items {
			_, start := stream.Items[index].Stream()
			edits[i] = append(edits[i], edit.Shift(of[first+index], start)...)
		}
		first += len(stream.Items)
	}
	return edits
}

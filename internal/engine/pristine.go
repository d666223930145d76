package engine

import (
	"bytes"
	"encoding/json"
	"maps"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/splice"
)

// bare is a workload without what any injector put into it, as far as stamps tell.
type bare struct {
	document, object *yaml.Node // made of the nodes of the original
	stamped          bool       // whether it differs from the original
	// Its text is read again when somebody asks how something of the app's is written.
	read     bool
	views    []*stamp.View // of its pod templates
	source   func(*yaml.Node) stamp.Layout
	original func(*yaml.Node) stamp.Layout // the same for the nodes of the original
}

func (w *workload) bareVersion() *bare {
	if w.bare != nil {
		return w.bare
	}
	w.bare = &bare{document: w.document, object: w.original}
	for _, c := range w.candidates {
		stamps := w.stamps[c.Template.Path].stamps
		if len(stamps) == 0 || c.Template.Broken != nil {
			continue
		}
		if !w.bare.stamped {
			w.bare.stamped = true
			w.bare.document, w.bare.object = ownVersion(w.document)
		}
		template := c.Template.Own(w.bare.object).Node
		w.keepTexts(stamp.Undo(template, ownersOf(stamps), nil), template)
	}
	return w.bare
}

// ownVersion is a version of a document that can be changed, and the object in it.
func ownVersion(document *yaml.Node) (copied, object *yaml.Node) {
	copied = node.Clone(document)
	object = node.OwnEntry(copied, 0)
	if object.Kind == yaml.SequenceNode { // the item stands in a list
		object = node.OwnEntry(object, 0)
	}
	return copied, object
}

// past is what the splice has to know of earlier runs.
func (w *workload) past() splice.Past {
	past := splice.Past{Texts: w.fittingTexts(), Below: w.below}
	if b := w.bareVersion(); b.stamped {
		past.Pristine = b.document
	}
	return past
}

// fittingTexts is how nodes were written that came back out of stamps. An object that another tool made JSON of
// since stays JSON.
func (w *workload) fittingTexts() map[*yaml.Node]string {
	if len(w.texts) == 0 || !json.Valid(bytes.TrimPrefix(bytes.TrimSpace(w.item.Text), []byte("- "))) {
		return w.texts
	}
	fitting := maps.Clone(w.texts)
	maps.DeleteFunc(fitting, func(_ *yaml.Node, text string) bool { return !json.Valid([]byte(text)) })
	return fitting
}

// written is how something of the app's was written before any injector came.
func (p *pod) written(path, key string, n *yaml.Node) stamp.Layout {
	if text, known := p.texts[n]; known {
		return stamp.Layout{Text: text, Below: p.below[n]}
	}
	b := p.bareVersion()
	p.readAgain(b)
	for i, view := range b.views {
		if p.candidates[i].Template.Path != p.Template.Path {
			continue
		}
		if found := view.At(path, key); found != nil && node.Equal(found, n) {
			return b.source(found)
		}
	}
	return b.original(n)
}

// readAgain reads the text of the bare version, once, where that differs from the original.
func (w *workload) readAgain(b *bare) {
	if b.read {
		return
	}
	b.read, b.original = true, stamp.ReadLayouts(w.item.Text, w.document)
	if !b.stamped {
		return
	}
	item := w.item
	var err error
	if item.Text, _, err = splice.Restore(w.item.Text, w.document, b.document, w.past()); err != nil {
		return
	}
	document, object, err := item.Parse()
	if err != nil {
		return
	}
	if templates := w.kind.Templates(object); len(templates) == len(w.candidates) {
		b.source = stamp.ReadLayouts(item.Text, document)
		for _, t := range templates {
			b.views = append(b.views, stamp.NewView(t.Node))
		}
	}
}

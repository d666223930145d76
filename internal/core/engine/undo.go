package engine

import (
	"bytes"
	"encoding/json"
	"maps"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/splice"
)

// undo removes what the run's injectors had added from the version under change.
func (c *change) undo() {
	w := c.workload
	if w.changed == nil {
		w.copied, w.changed = w.memory.clones.OwnDocument(w.document)
	}
	if len(c.todo.undo) == 0 {
		return
	}
	template := c.ownVersion().Node
	c.undone = version.Undo(template, c.todo.undo, c.todo.others, &w.memory.clones)
	w.rememberTexts(c.undone, template)
	c.withoutInjected = c.version().Snapshot(&w.memory.clones)
}

// rememberTexts keeps the texts of nodes of a template that were restored from stamps, with what an injector added to them
// since.
func (w *workload) rememberTexts(of version.Undone, template *node.Node) {
	texts := of.Texts(template, spliced)
	if w.texts == nil {
		w.texts = texts
		return
	}
	maps.Copy(w.texts, texts)
}

// spliced returns a text with a changed document in it.
func spliced(text []byte, before, after *node.Node) ([]byte, error) {
	edits, err := splice.Edits(text, before, after, splice.Past{})
	if err != nil {
		return nil, err
	}
	return edit.Apply(text, edits), nil
}

// appVersion returns the version of the app, which it creates once.
func (w *workload) appVersion() *appVersion {
	if w.app != nil {
		return w.app
	}
	w.app = w.memory.app.lend()
	*w.app = appVersion{document: w.document, object: w.original}
	for i := range w.pods {
		p := &w.pods[i]
		if len(p.stamps.stamps) == 0 || p.template.Broken != nil {
			continue
		}
		if !w.app.isStamped {
			w.app.isStamped = true
			w.app.document, w.app.object = w.memory.clones.OwnDocument(w.document)
		}
		template := p.template.Own(w.app.object, &w.memory.clones).Node
		w.rememberTexts(version.Undo(template, p.ownersOf(p.stamps.stamps), nil, &w.memory.clones), template)
	}
	return w.app
}

// appTemplate returns the pod template of the app.
func (c *change) appTemplate() *node.Node {
	isOnlyStamp := len(c.todo.undo) == 1 && len(c.todo.others) == 0
	if isOnlyStamp && c.withoutInjected.Node != nil { // it is undone already
		return c.withoutInjected.Node
	}
	app := c.workload.appVersion()
	if !app.isStamped {
		return c.template.Node
	}
	return c.template.In(app.object).Node
}

// written returns how something of the app's was written before any injection. What other injectors have written into
// is on one line.
func (p *pod) written(n *node.Node) string {
	w := p.workload
	if text, known := w.texts[n]; known {
		return text
	}
	if w.written == nil {
		before, _ := w.kind.Unwrap(w.document, w.original, w.wrapped)
		w.written = splice.ReadTexts(w.item.Text, before, stamp.CanRecord)
	}
	return w.written(n)
}

// past returns what the splice needs of earlier runs.
func (w *workload) past() splice.Past {
	past := splice.Past{Texts: w.fittingTexts(), Shared: w.run.shared}
	if p := w.appVersion(); p.isStamped {
		past.Pristine, _ = w.kind.Unwrap(p.document, p.object, w.wrapped)
	}
	return past
}

// fittingTexts returns the texts of nodes that were restored from stamps; only JSON if another tool has converted the
// object to JSON since then.
func (w *workload) fittingTexts() map[*node.Node]string {
	if len(w.texts) == 0 || !json.Valid(bytes.TrimPrefix(bytes.TrimSpace(w.item.Text), []byte("- "))) {
		return w.texts
	}
	fitting := maps.Clone(w.texts)
	maps.DeleteFunc(fitting, func(_ *node.Node, text string) bool { return !json.Valid([]byte(text)) })
	return fitting
}

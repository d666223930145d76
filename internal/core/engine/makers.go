package engine

import (
	"bytes"
	"cmp"

	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/pods/maker"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
)

// elsewhere is what an item says about pods that are made elsewhere.
type elsewhere struct {
	maker    *maker.Maker
	source   *maker.Source
	rendered *maker.Rendered
}

// readElsewhere reads what an item, which is no workload, says about pods that are made elsewhere, and whether that is
// all there is to say about it.
func (r *run) readElsewhere(item *manifest.Item) (said elsewhere, isAll bool) {
	kind := maker.Find(item.APIVersion, item.Kind)
	isSource := maker.IsSource(item.APIVersion)
	if r.isLive || kind == nil && !isSource && !hasReleaseLabel(item) {
		return elsewhere{}, false
	}
	arena := yamlread.Borrow()
	defer arena.Return()
	_, object, err := item.ParseIn(arena)
	about := r.objectOf(item, object)
	if err != nil {
		about.Name = cmp.Or(about.Name, ownName(item.Name))
	}
	switch {
	case err != nil && kind != nil: // it may be one nevertheless; a finding says what is wrong with it
		return elsewhere{maker: maker.Unreadable(kind, about, fileOf(item, object))}, false
	case err != nil && isSource:
		return elsewhere{source: maker.UnreadableSource(about, item.File)}, false
	case err != nil:
		return elsewhere{}, false
	case isSource:
		return elsewhere{source: maker.NewSource(about, item.File, object)}, true
	case kind == nil:
		return elsewhere{rendered: maker.NewRendered(object, fileOf(item, object))}, false
	case r.chooses != nil && !r.chooses(&about, object):
		return elsewhere{}, true
	}
	made := maker.New(kind, about, fileOf(item, object), object)
	if made == nil && r.resources[item.File] {
		made = maker.Incomplete(kind, about, fileOf(item, object))
	}
	if made == nil || !r.isMeant(made, node.Get(object, "metadata")) {
		return elsewhere{}, true
	}
	return elsewhere{maker: made}, true
}

// isMeant reports whether an injector may be for the pods that an object makes, and does not patch it.
func (r *run) isMeant(made *maker.Maker, metadata *node.Node) bool {
	for _, m := range r.readyInjectors {
		isPatching := made.Kind.IsRelease() && m.patchesReleases()
		if m.removes() || isPatching || !r.meter.Charge(m.selection.Steps("")) {
			continue
		}
		if m.selection.MayMean(made.Namespace, metadata) {
			return true
		}
	}
	return false
}

// renderedBy returns the release that a workload was rendered from according to its labels, or nil. Helm's controller in
// Flux and some renderers write them.
func renderedBy(item *manifest.Item, object *node.Node) *maker.Rendered {
	if !hasReleaseLabel(item) {
		return nil
	}
	return maker.NewRendered(object, fileOf(item, object))
}

func hasReleaseLabel(item *manifest.Item) bool {
	return bytes.Contains(item.Text, []byte(maker.ReleaseLabel))
}

// addElsewhere adds what items say about pods that are made elsewhere to a run.
func addElsewhere(to *outcome.Run, said elsewhere) {
	if said.maker != nil {
		to.Makers = append(to.Makers, said.maker)
	}
	if said.source != nil {
		to.Sources = append(to.Sources, *said.source)
	}
	if said.rendered != nil {
		to.Rendered = append(to.Rendered, *said.rendered)
	}
}

package engine

import (
	"bytes"
	"context"
	"sync"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/outcome"
	"pillion.dev/pillion/internal/parallel"
	pods "pillion.dev/pillion/internal/pod"
	"pillion.dev/pillion/internal/yaml/node"
)

// objectKey is the kind and the name of an object.
type objectKey struct{ kind, name string }

// wanted are the objects that payloads name.
type wanted map[objectKey]bool

// missingReferences reports objects that payloads name and the stream does not hold, once for each injector: the cluster must
// have them, in the namespace of each workload. The stream may have renamed ones by their other names.
func (r *run) missingReferences(ctx context.Context, result outcome.Run, items []manifest.Item, others []renamed) []finding.Finding {
	references := map[*member][]injector.Reference{}
	want := wanted{}
	for _, m := range r.members {
		if m.injector.Paused || m.removes() || result.Matches(m.index) == 0 {
			continue // it adds nothing
		}
		references[m] = m.injector.References()
		for _, ref := range references[m] {
			want[objectKey{ref.Kind, ref.Name}] = true
		}
	}
	if len(want) == 0 {
		return nil
	}
	for _, other := range others {
		want[objectKey{other.kind, other.present}] = true
	}
	held := want.in(ctx, items)
	for _, other := range others {
		if held[objectKey{other.kind, other.present}] {
			held[objectKey{other.kind, other.declared}] = true
		}
	}
	var findings []finding.Finding
	for _, m := range r.members {
		for _, ref := range references[m] {
			if !held[objectKey{ref.Kind, ref.Name}] {
				findings = append(findings, missingReference(m.injector, ref))
			}
		}
	}
	return findings
}

// in returns those of the objects that the stream holds.
func (w wanted) in(ctx context.Context, items []manifest.Item) wanted {
	held := wanted{}
	var lock sync.Mutex
	parallel.Do(ctx, len(items), func(i int) {
		for _, key := range w.providedBy(items[i]) {
			lock.Lock()
			held[key] = true
			lock.Unlock()
		}
	})
	return held
}

// provides returns the kind that an item is, or becomes in the cluster under its own name, as a SealedSecret and an
// ExternalSecret become a Secret.
func provides(item manifest.Item) string {
	switch {
	case item.APIVersion == "v1" && (item.Kind == "ConfigMap" || item.Kind == "Secret" || item.Kind == "ServiceAccount"):
		return item.Kind
	case item.Kind == "SealedSecret" || item.Kind == "ExternalSecret":
		return "Secret"
	}
	return ""
}

// providedBy returns what an item provides of the wanted objects. It parses the item only if a wanted name follows the word name
// in its text; ConfigMaps are many, and large.
func (w wanted) providedBy(item manifest.Item) []objectKey {
	kind := provides(item)
	if kind == "" || !w.mentioned(item.Text, kind) {
		return nil
	}
	_, object, _ := item.Parse() // nil if that fails; then there is no name
	return w.matching(kind, node.Text(object, "metadata", "name"))
}

func (w wanted) mentioned(text []byte, kind string) bool {
	for {
		at := bytes.Index(text, []byte("name"))
		if at < 0 {
			return false
		}
		text = bytes.TrimLeft(text[at+len("name"):], "\"': ")
		name := text
		if end := bytes.IndexAny(text, "\"', }\r\n"); end >= 0 {
			name = text[:end]
		}
		if len(w.matching(kind, string(name))) > 0 {
			return true
		}
	}
}

// matching returns what an object of this name provides: the name itself, and the name without the hash that kustomize's
// generator appends.
func (w wanted) matching(kind, name string) []objectKey {
	names := []string{name}
	if without := pods.WithoutHash(name); without != name {
		names = append(names, without)
	}
	var keys []objectKey
	for _, name := range names {
		if key := (objectKey{kind, name}); w[key] {
			keys = append(keys, key)
		}
	}
	return keys
}

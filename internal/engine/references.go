package engine

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/yaml/node"
)

// wanted are the objects that payloads name, by kind and name.
type wanted map[[2]string]bool

// references tells of objects that payloads name and the stream does not hold, once for each
// injector: the cluster must have them, in the namespace of each workload.
func (r *run) references(ctx context.Context, tallies []tally, items []manifest.Item) []Finding {
	all := make([][]injector.Reference, len(r.injectors))
	want := wanted{}
	for i, in := range r.injectors {
		if tallies[i].matches == 0 || in.Paused || in.Spec.Action == v1alpha1.Remove {
			continue // nothing of it goes in
		}
		all[i] = in.References()
		for _, ref := range all[i] {
			want[[2]string{ref.Kind, ref.Name}] = true
		}
	}
	if len(want) == 0 {
		return nil
	}
	held := want.in(ctx, items)
	var said []Finding
	for i, in := range r.injectors {
		for _, ref := range all[i] {
			if held[[2]string{ref.Kind, ref.Name}] {
				continue
			}
			said = append(said, Finding{
				Severity: Info, Code: finding.ReferenceMissing, Injector: in.Name, Field: &Field{Path: ref.Path},
				Message: fmt.Sprintf("the payload names the %s %q, which the input does not hold; see that the cluster has it, in the namespace of each workload",
					ref.Kind, ref.Name),
			})
		}
	}
	return said
}

// in finds which of the objects the stream holds.
func (w wanted) in(ctx context.Context, items []manifest.Item) wanted {
	found := make([][][2]string, len(items))
	inParallel(ctx, len(items), func(i int) {
		if kind := provides(items[i]); kind != "" {
			found[i] = w.providedBy(items[i], kind)
		}
	})
	held := wanted{}
	for _, keys := range found {
		for _, key := range keys {
			held[key] = true
		}
	}
	return held
}

// provides is the kind that an item is, or becomes in the cluster under its own name, as a
// SealedSecret and an ExternalSecret become a Secret.
func provides(item manifest.Item) string {
	switch {
	case item.APIVersion == "v1" && (item.Kind == "ConfigMap" || item.Kind == "Secret" || item.Kind == "ServiceAccount"):
		return item.Kind
	case item.Kind == "SealedSecret" || item.Kind == "ExternalSecret":
		return "Secret"
	}
	return ""
}

// providedBy parses an item only where something that stands behind the word name in its text
// is wanted; ConfigMaps are many, and large.
func (w wanted) providedBy(item manifest.Item, kind string) [][2]string {
	if !w.mentioned(item.Text, kind) {
		return nil
	}
	_, object, _ := item.Parse()
	if object == nil {
		return nil
	}
	return w.matching(kind, node.Text(object, "metadata", "name"))
}

func (w wanted) mentioned(text []byte, kind string) bool {
	for {
		at := bytes.Index(text, []byte("name"))
		if at < 0 {
			return false
		}
		text = bytes.TrimLeft(text[at+len("name"):], "\"': ")
		end := bytes.IndexAny(text, "\"', }\r\n")
		if end < 0 {
			end = len(text)
		}
		if len(w.matching(kind, string(text[:end]))) > 0 {
			return true
		}
	}
}

// matching is what an object of this name provides: the name itself, and the one that it had
// before kustomize's generator put a hash behind it.
func (w wanted) matching(kind, name string) [][2]string {
	var keys [][2]string
	if key := [2]string{kind, name}; w[key] {
		keys = append(keys, key)
	}
	if i := strings.LastIndexByte(name, '-'); i > 0 && isHash(name[i+1:]) {
		if key := [2]string{kind, name[:i]}; w[key] {
			keys = append(keys, key)
		}
	}
	return keys
}

// isHash tells a hash of kustomize's, which is ten characters that spell no word.
func isHash(suffix string) bool {
	return len(suffix) == 10 && strings.Trim(suffix, "2456789bcdfghkmt") == ""
}

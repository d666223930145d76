package stamp

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// An annotation that holds a JSON object is a mapping to those who merge into it: several
// injectors may, and each owns its own keys.

// object is the JSON object that a text holds, or nil. One that is deeper than a stamp can describe is none.
func object(n *yaml.Node) *yaml.Node {
	n = node.Resolve(n)
	if n == nil || n.Kind != yaml.ScalarNode || !strings.HasPrefix(strings.TrimLeft(n.Value, " \t\r\n"), "{") {
		return nil
	}
	held, err := readJSON(n.Value)
	if err != nil {
		return nil
	}
	return held
}

// inObject is the annotation that a path leads into, where it leads into one.
func inObject(path string) (annotation string, inside bool) {
	rest, inside := strings.CutPrefix(path, annotationsPath+"/")
	if !inside {
		return "", false
	}
	annotation, _, _ = strings.Cut(rest, "/")
	return unescape(annotation), true
}

// open makes mappings of the annotations that owners have merged JSON into, or taken something out of.
func (u *undoer) open() {
	for _, o := range u.owners {
		for path := range o.Added {
			u.openAt(path)
		}
		for path := range o.Was {
			u.openAt(path)
		}
		for path := range o.Cut {
			u.openAt(path)
		}
	}
}

func (u *undoer) openAt(path string) {
	key, inside := inObject(path)
	if !inside || u.tried[key] {
		return
	}
	u.tried[key] = true
	for _, i := range u.find(annotationsPath, key) {
		written := u.at(annotationsPath).Content[i]
		if held := object(written); held != nil {
			u.opened[key] = written
			u.put(annotationsPath, key, i, held)
		}
	}
}

// putBack puts back the keys that a merge took out of an object.
func (u *undoer) putBack() {
	for _, o := range u.owners {
		for _, path := range slices.Sorted(maps.Keys(o.Was)) {
			in, texts := u.at(path), o.Was[path]
			if _, inside := inObject(path); !inside || in == nil || in.Kind != yaml.MappingNode {
				continue
			}
			for _, key := range slices.Sorted(maps.Keys(texts)) {
				if ownValue(in, key) == nil {
					n := u.restored(path, texts[key])
					u.note(o.Key, path, key, n)
					node.Set(in, key, n)
				}
			}
		}
	}
}

// closeObjects makes texts again of the mappings that are left.
func (u *undoer) closeObjects() {
	u.putBack()
	for key, was := range u.opened {
		held := u.at(join(annotationsPath, key))
		if held == nil || held.Kind != yaml.MappingNode {
			continue
		}
		o, known := u.before(annotationsPath, key)
		text := ""
		if known {
			text = o.Was[annotationsPath][key]
		}
		switch {
		case node.Equal(held, object(was)):
			node.Set(u.at(annotationsPath), key, was)
		case known && u.holds(text, held):
			node.Set(u.at(annotationsPath), key, u.restored(annotationsPath, text))
		default:
			node.Set(u.at(annotationsPath), key, node.String(objectText(held)))
		}
	}
}

// holds tells whether an annotation that was written like that holds an object.
func (*undoer) holds(text string, held *yaml.Node) bool {
	n, err := read(text)
	return err == nil && node.Equal(object(n), held)
}

// mergesInto tells whether a change of an annotation is a merge of JSON into it.
func (r recorder) mergesInto(path, key string, b, a *yaml.Node) bool {
	return path == annotationsPath && slices.Contains(r.merged, key) && object(a) != nil && (b == nil || object(b) != nil)
}

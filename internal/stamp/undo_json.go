package stamp

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// Several injectors may merge JSON into one annotation, and each owns its own keys there. So an annotation that holds a JSON
// object counts as a mapping.

// jsonObject returns the JSON object that a text holds, or nil. It ignores objects that are deeper than a stamp can describe.
func jsonObject(n *yaml.Node) *yaml.Node {
	n = node.Resolve(n)
	if n == nil || n.Kind != yaml.ScalarNode || !strings.HasPrefix(strings.TrimLeft(n.Value, " \t\r\n"), "{") {
		return nil
	}
	object, err := readJSON(n.Value)
	if err != nil {
		return nil
	}
	return object
}

// openObjects turns the annotations that owners merged JSON into from texts into mappings.
func (u *undoer) openObjects() {
	for _, o := range u.owners {
		for _, path := range slices.Concat(sortedKeys(o.Added), sortedKeys(o.Was), sortedKeys(o.Cut)) {
			if insideAnnotation(path) {
				u.openObject(annotationOf(path))
			}
		}
	}
}

func (u *undoer) openObject(at Thing) {
	if _, opened := u.opened[at.Key]; opened {
		return
	}
	u.opened[at.Key] = nil
	for _, i := range u.find(at) {
		text := u.at(annotationsPath).Content[i]
		if object := jsonObject(text); object != nil {
			u.opened[at.Key] = text
			u.put(at, i, object)
		}
	}
}

// restoreKeys puts back the keys that a merge removed from objects.
func (u *undoer) restoreKeys() {
	for _, o := range u.owners {
		for _, path := range sortedKeys(o.Was) {
			object := u.at(path)
			if !insideAnnotation(path) || object == nil || object.Kind != yaml.MappingNode {
				continue
			}
			valueOf := node.OwnValues(object)
			for _, key := range sortedKeys(o.Was[path]) {
				if valueOf.Get(key) == nil {
					n := u.restored(path, o.Was[path][key])
					u.report(o.Key, Thing{path, key}, n)
					object.Content = append(object.Content, node.String(key), n)
				}
			}
		}
	}
}

// closeObjects turns the mappings that are left into texts again: as they are or were written, if the content is the same.
func (u *undoer) closeObjects() {
	for key, present := range u.opened {
		at := Thing{annotationsPath, key}
		object := u.at(at.Inside())
		if present == nil || object == nil || object.Kind != yaml.MappingNode {
			continue
		}
		text := node.String(objectText(object))
		if node.Equal(object, jsonObject(present)) {
			text = present
		} else if o, known := u.before(at); known && holds(o.Was[at.Path][key], object) {
			text = u.restored(annotationsPath, o.Was[at.Path][key])
		}
		node.Set(u.at(annotationsPath), key, text)
	}
}

// holds reports whether the text of an annotation in a stamp holds an object.
func holds(text string, object *yaml.Node) bool {
	n, err := readYAML(text)
	return err == nil && node.Equal(jsonObject(n), object)
}

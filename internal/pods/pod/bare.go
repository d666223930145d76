package pod

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// A bare pod spec has no metadata beside it, because an operator makes the pods. So that everything else knows only pod
// templates, an object with bare pod specs is worked on in a wrapped form: it has a list of templates, one for each of
// the specs. The metadata of such a template is that of the object, with the stamps of this spec only. Unwrap puts the
// specs back to their places, and the stamps of all of them into the annotations of the object.
//
// The annotation of an injector has a line for each spec: its path, a space, and the stamp.

// wrappedKey is the key of the list of templates in a wrapped object. It is found by its address, so that no text can
// have it.
var wrappedKey = node.String("templates of bare pod specs")

// Wrap returns a document and its object in the wrapped form; as they are, if the kind has no bare pod specs.
func (k Kind) Wrap(document, object *node.Node) (wrappedDocument, wrappedObject *node.Node) {
	wrapped := k.wrapped(object)
	if wrapped == object {
		return document, object
	}
	var clones *node.Clones
	document, object = clones.OwnDocument(document)
	*object = *wrapped
	return document, object
}

func (k Kind) wrapped(object *node.Node) *node.Node {
	if len(k.Specs) == 0 || wrappedIndex(object) >= 0 {
		return object
	}
	templates := node.Sequence()
	for _, spec := range k.bareSpecs(object) {
		template := spec.wrapped(object)
		k.hide(node.Get(template, "spec"))
		templates.Content = append(templates.Content, template)
	}
	wrapped := node.Clone(object)
	wrapped.Content = append(wrapped.Content, wrappedKey, templates)
	return wrapped
}

// wrappedIndex returns the index of the list of templates in the content of an object, or a negative number.
func wrappedIndex(object *node.Node) int {
	if key := slices.Index(object.Content, wrappedKey); key >= 0 {
		return key + 1
	}
	return -1
}

// Unwrap returns a document and its object without the wrapping, given the wrapped object before all changes.
func (k Kind) Unwrap(document, object, before *node.Node) (unwrappedDocument, unwrappedObject *node.Node) {
	index := wrappedIndex(object)
	if index < 0 {
		return document, object
	}
	were := before.Content[wrappedIndex(before)].Content
	are := object.Content[index].Content
	var clones *node.Clones
	document, object = clones.OwnDocument(document)
	object.Content = slices.Delete(object.Content, index-1, index+1)
	specs := k.bareSpecs(object)
	for i, spec := range specs {
		if is := node.Get(are[i], "spec"); is != node.Get(were[i], "spec") {
			target := follow(object, spec.Path, node.Own, node.OwnEntry)
			*target = *node.Clone(is)
			show(target)
		}
	}
	writeStamps(object, are, stampLines(specs, were), stampLines(specs, are))
	return document, object
}

// hidden begins the keys of fields that are beside those of the pod spec, and may have the same names: resources of a
// Prometheus are those of its main container.
const hidden = "beside the pod spec: "

// hide renames the fields of a mapping that are not of the pod spec.
func (k Kind) hide(spec *node.Node) {
	for i := 0; spec != nil && k.Fields != nil && i < len(spec.Content); i += 2 {
		if key := spec.Content[i]; !slices.Contains(k.Fields, key.Value) {
			spec.Content[i] = node.Clone(key)
			spec.Content[i].Value = hidden + key.Value
		}
	}
}

// show returns the names to the fields that were hidden.
func show(spec *node.Node) {
	for i := 0; i < len(spec.Content); i += 2 {
		if name, isHidden := strings.CutPrefix(spec.Content[i].Value, hidden); isHidden {
			spec.Content[i] = node.Clone(spec.Content[i])
			spec.Content[i].Value = name
		}
	}
}

// bareSpec is a bare pod spec of an object.
type bareSpec struct {
	Template        // with its path
	name     string // the path with the names of entries instead of their indexes, which may change
}

// bareSpecs returns the bare pod specs of an object that are there.
func (k Kind) bareSpecs(object *node.Node) []bareSpec {
	var specs []bareSpec
	named := map[string]bool{}
	for _, path := range k.Specs {
		for _, found := range walk(nil, object, path, 0) {
			if found.missing {
				continue
			}
			spec := bareSpec{Template: found}
			if spec.Broken == nil {
				spec.name, spec.Broken = nameOf(object, found.Path)
			}
			if spec.Broken == nil && named[spec.name] {
				spec.Broken = fmt.Errorf("%s and another entry have the same name; rename one of them", found.Path)
			}
			named[spec.name] = true
			specs = append(specs, spec)
		}
	}
	return specs
}

// nameOf returns a path with the names of entries instead of their indexes.
func nameOf(object *node.Node, path string) (name string, err error) {
	follow(object, path,
		func(n *node.Node, key string) *node.Node {
			name = node.Join(name, key)
			return node.Get(n, key)
		},
		func(n *node.Node, i int) *node.Node {
			entry := node.Resolve(n.Content[i])
			called := node.Text(entry, "name")
			if !isFieldName(called) {
				err = fmt.Errorf("an entry of %s has no name by which the stamp of %s can find it; "+
					"give it one of letters, digits and hyphens", name, path)
			}
			name += "[" + called + "]"
			return entry
		})
	return name, err
}

// wrapped returns the template of a bare pod spec. Aliases on the way to the spec are written out in it.
func (s bareSpec) wrapped(object *node.Node) *node.Node {
	if s.Broken != nil {
		return node.Mapping()
	}
	metadata := node.Mapping()
	if is := node.Get(object, "metadata"); isKind(is, node.MappingNode) {
		metadata = node.Clone(is)
	}
	annotations := node.Get(metadata, "annotations")
	if own := s.ownAnnotations(annotations); own == nil {
		node.Delete(metadata, "annotations")
	} else if own != annotations {
		node.Set(metadata, "annotations", own)
	}
	spec := follow(node.Clone(object), s.Path, node.Own, node.OwnEntry)
	return node.Mapping(node.String("metadata"), metadata, node.String("spec"), spec)
}

// ownAnnotations returns annotations of the object with the stamps of this spec. It returns nil if there are none, and
// the annotations themselves if they have no stamps.
func (s bareSpec) ownAnnotations(all *node.Node) *node.Node {
	own := node.Mapping()
	hasStamps := false
	for key, value := range node.Fields(all) {
		if !strings.HasPrefix(key, v1alpha1.StampPrefix) {
			own.Content = append(own.Content, node.String(key), value)
			continue
		}
		hasStamps = true
		for line := range strings.SplitSeq(node.Text(value), "\n") {
			if text, isOwn := strings.CutPrefix(line, s.name+" "); isOwn {
				own.Content = append(own.Content, node.String(key), node.String(text))
				break
			}
		}
	}
	switch {
	case !hasStamps:
		return all
	case len(own.Content) == 0:
		return nil
	}
	return own
}

// stampLines returns the texts of the annotations with stamps, by their keys.
func stampLines(specs []bareSpec, templates []*node.Node) map[string]string {
	lines := map[string]string{}
	for i, spec := range specs {
		for key, value := range node.Fields(node.Get(templates[i], "metadata", "annotations")) {
			if strings.HasPrefix(key, v1alpha1.StampPrefix) {
				line := spec.name + " " + strings.TrimSuffix(node.Text(value), "\n")
				lines[key] = strings.TrimPrefix(lines[key]+"\n"+line, "\n")
			}
		}
	}
	return lines
}

// writeStamps changes the annotations with stamps of an object that differ. If none is left, the annotations are what
// undoing the stamps has made of them.
func writeStamps(object *node.Node, templates []*node.Node, were, are map[string]string) {
	if maps.Equal(were, are) {
		return
	}
	metadata := node.OwnMapping(object, "metadata")
	annotations := node.OwnMapping(metadata, "annotations")
	for _, key := range slices.Sorted(maps.Keys(were)) {
		if are[key] == "" {
			node.Delete(annotations, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(are)) {
		if are[key] != were[key] {
			node.Set(annotations, key, node.String(are[key]))
		}
	}
	if len(annotations.Content) > 0 {
		return
	}
	if undone := node.Get(templates[0], "metadata", "annotations"); undone != nil {
		node.Set(metadata, "annotations", undone)
	} else {
		node.Delete(metadata, "annotations")
	}
}

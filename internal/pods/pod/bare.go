package pod

import (
	"fmt"
	"maps"
	"regexp"
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
	wrapped := k.Wrapped(object)
	if wrapped == object {
		return document, object
	}
	var clones *node.Clones
	document, object = clones.OwnDocument(document)
	*object = *wrapped
	return document, object
}

// Wrapped returns an object in the wrapped form; as it is, if the kind has no bare pod specs.
func (k Kind) Wrapped(object *node.Node) *node.Node {
	if len(k.Specs) == 0 || wrappedIndex(object) >= 0 {
		return object
	}
	templates := node.Sequence()
	for _, spec := range k.bareSpecs(object) {
		templates.Content = append(templates.Content, spec.wrapped(object))
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
			rename(target, besideKey, "resources")
		}
	}
	k.writeStamps(object, specs, are)
	return document, object
}

// besideKey is the key of resources beside a pod spec in the wrapped form. In most kinds that mix other fields with those
// of the pod, such as Prometheus, they are those of the main container.
const besideKey = "resources beside the pod spec"

// rename gives a field of a mapping another name.
func rename(m *node.Node, from, to string) {
	if i := node.Index(m, from); i >= 0 {
		m.Content[i] = node.Clone(m.Content[i])
		m.Content[i].Value = to
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
			if metadata := node.Get(object, "metadata"); !isKind(metadata, node.MappingNode) {
				spec.Broken = wrongKind(metadata, node.MappingNode, "metadata")
			} else if spec.Broken == nil {
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
	metadata := node.Clone(node.Get(object, "metadata"))
	if own := s.ownAnnotations(node.Get(metadata, "annotations")); own != nil {
		node.Set(metadata, "annotations", own)
	} else {
		node.Delete(metadata, "annotations")
	}
	spec := follow(node.Clone(object), s.Path, node.Own, node.OwnEntry)
	rename(spec, "resources", besideKey)
	return node.Mapping(node.String("metadata"), metadata, node.String("spec"), spec)
}

// ownAnnotations returns annotations of the object with the stamps of this spec only. It returns nil if nothing is left.
func (s bareSpec) ownAnnotations(all *node.Node) *node.Node {
	if node.IsNull(all) || len(all.Content) == 0 { // which a stamp records
		return all
	}
	own := node.Mapping()
	for key, value := range node.Fields(all) {
		if !strings.HasPrefix(key, v1alpha1.StampPrefix) {
			own.Content = append(own.Content, node.String(key), value)
			continue
		}
		for line := range strings.SplitSeq(node.Text(value), "\n") {
			if text, isOwn := strings.CutPrefix(line, s.name+" "); isOwn {
				own.Content = append(own.Content, node.String(key), node.String(text))
				break
			}
		}
	}
	if len(own.Content) == 0 {
		return nil
	}
	return own
}

// stampsIn returns the texts of the annotations with stamps in the metadata of an object or a template, by their keys.
func stampsIn(n *node.Node) map[string]string {
	texts := map[string]string{}
	for key, value := range node.Fields(node.Get(n, "metadata", "annotations")) {
		if strings.HasPrefix(key, v1alpha1.StampPrefix) {
			texts[key] = strings.TrimSuffix(node.Text(value), "\n")
		}
	}
	return texts
}

// entryName is the name of an entry in the path of a stamp.
var entryName = regexp.MustCompile(`\[[^]]*\]`)

// hasLine reports whether a line of an annotation with stamps is that of a pod spec at a path of the kind, which may be
// gone. Another config may declare other paths.
func (k Kind) hasLine(line string) bool {
	path, _, _ := strings.Cut(line, " ")
	return slices.Contains(k.Specs, entryName.ReplaceAllString(path, "[]"))
}

// HasStale reports whether an annotation of an object has the stamp of a bare pod spec that is gone. It must not be
// taken for that of a new one.
func (k Kind) HasStale(object *node.Node) bool {
	if len(k.Specs) == 0 {
		return false
	}
	specs := k.bareSpecs(object)
	for _, text := range stampsIn(object) {
		for line := range strings.SplitSeq(text, "\n") {
			isOf := func(spec bareSpec) bool { return strings.HasPrefix(line, spec.name+" ") }
			if k.hasLine(line) && !slices.ContainsFunc(specs, isOf) {
				return true
			}
		}
	}
	return false
}

// writeStamps changes the annotations with stamps of an object that differ, given the templates of its bare pod specs.
// If no annotation is left, they are what undoing the stamps has made of them.
func (k Kind) writeStamps(object *node.Node, specs []bareSpec, templates []*node.Node) {
	were := stampsIn(object)
	are := k.stampTexts(specs, templates, were)
	if maps.Equal(were, are) {
		return
	}
	metadata := node.OwnMapping(object, "metadata")
	annotations := node.OwnMapping(metadata, "annotations")
	for key := range were {
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
	node.Delete(metadata, "annotations")
	for _, template := range templates {
		if undone := node.Get(template, "metadata", "annotations"); undone != nil {
			node.Set(metadata, "annotations", undone)
		}
	}
}

// stampTexts returns what the annotations with stamps become, by their keys.
func (k Kind) stampTexts(specs []bareSpec, templates []*node.Node, were map[string]string) map[string]string {
	texts := map[string]string{}
	add := func(key, line string) { texts[key] = strings.TrimPrefix(texts[key]+"\n"+line, "\n") }
	for i, spec := range specs {
		for key, text := range stampsIn(templates[i]) {
			add(key, spec.name+" "+text)
		}
	}
	for key, text := range were {
		for line := range strings.SplitSeq(text, "\n") {
			if !k.hasLine(line) {
				add(key, line)
			}
		}
	}
	return texts
}

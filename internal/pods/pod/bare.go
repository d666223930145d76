package pod

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

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
	others, stamps := splitAnnotations(object)
	for _, spec := range k.bareSpecs(object) {
		annotations := node.Mapping(slices.Concat(others, stamps[spec.name])...)
		template := spec.wrapped(object, annotations)
		if k.Mixed && spec.Broken == nil {
			rename(node.Get(template, "spec"), "resources", besideKey)
		}
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
			isAbove := found.Broken != nil && named[found.Path] // it is that of another spec, which says so
			if found.missing || isAbove {
				continue
			}
			spec := bareSpec{Template: found}
			if spec.Broken == nil {
				spec.Broken = checkStampable(object)
			}
			if spec.Broken == nil {
				spec.name, spec.Broken = nameOf(object, found.Path)
			}
			if spec.Broken == nil && named[spec.name] {
				spec.Broken = fmt.Errorf("%s and another entry have the same name; rename one of them", found.Path)
			}
			named[spec.name] = true
			if spec.Broken != nil {
				named[found.Path] = true
			}
			specs = append(specs, spec)
		}
	}
	// Each spec gets a list of the annotations. If that is too much, it is for the first one to say so.
	if count := len(node.Keys(node.Get(object, "metadata", "annotations"))); len(specs)*(count+100) > maxAnnotated {
		specs[0].Broken = fmt.Errorf("the object has %d pod specs and %d annotations, which is too much; split it",
			len(specs), count)
		return specs[:1]
	}
	return specs
}

// maxAnnotated bounds the annotations of all bare pod specs of an object together, and the specs without any.
const maxAnnotated = 1_000_000

// checkStampable makes sure that an object has a place for stamps.
func checkStampable(object *node.Node) error {
	metadata := node.Get(object, "metadata")
	annotations := node.Get(metadata, "annotations")
	switch {
	case !isKind(metadata, node.MappingNode):
		return wrongKind(metadata, node.MappingNode, "metadata")
	case !node.IsNull(annotations) && annotations.Kind != node.MappingNode:
		return wrongKind(annotations, node.MappingNode, "metadata.annotations")
	}
	return nil
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
					"give it one of letters, digits, - and _", name, path)
			}
			name += "[" + called + "]"
			return entry
		})
	return name, err
}

// wrapped returns the template of a bare pod spec, given its annotations. Aliases on the way to the spec are written out
// in it.
func (s bareSpec) wrapped(object, annotations *node.Node) *node.Node {
	metadata := node.Mapping()
	if present := node.Get(object, "metadata"); isKind(present, node.MappingNode) {
		metadata = node.Clone(present)
	}
	switch isEmpty := len(node.Keys(node.Get(metadata, "annotations"))) == 0; {
	case len(annotations.Content) > 0:
		node.Set(metadata, "annotations", annotations)
	case !isEmpty: // otherwise, a stamp records how that is written
		node.Delete(metadata, "annotations")
	}
	template := node.Mapping(node.String("metadata"), metadata)
	if s.Broken == nil {
		node.Set(template, "spec", follow(node.Clone(object), s.Path, node.Own, node.OwnEntry))
	}
	return template
}

// splitAnnotations returns the annotations of an object without stamps, and the stamps by the names of their pod specs,
// as keys and values in turn.
func splitAnnotations(object *node.Node) (others []*node.Node, stamps map[string][]*node.Node) {
	stamps = map[string][]*node.Node{}
	for key, value := range node.Fields(node.Get(object, "metadata", "annotations")) {
		if !strings.HasPrefix(key, v1alpha1.StampPrefix) {
			others = append(others, node.String(key), value)
			continue
		}
		for line := range strings.SplitSeq(node.Text(value), "\n") {
			name, text, _ := strings.Cut(line, " ")
			all := stamps[name]
			if isRepeated := len(all) > 0 && all[len(all)-2].Value == key; !isRepeated {
				stamps[name] = append(all, node.String(key), node.String(text))
			}
		}
	}
	return others, stamps
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
var entryName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[[^]]*\]`) })

// hasPath reports whether a path with the names of entries is one of a bare pod spec of the kind, which may be gone.
// Another config may declare other paths.
func (k Kind) hasPath(name string) bool {
	return slices.Contains(k.Specs, entryName().ReplaceAllString(name, "[]"))
}

// OtherStamps reports whether an annotation of a wrapped object has lines that writing its stamps again would leave out,
// which are repeated or of entries that are gone, and returns the path of a line that would stay, because it is of no pod
// spec of the kind. The order of lines does not matter.
func (k Kind) OtherStamps(wrapped *node.Node, key string) (isStale bool, path string) {
	index := wrappedIndex(wrapped)
	if index < 0 {
		return false, ""
	}
	were := stampsIn(wrapped)
	are := k.stampTexts(k.bareSpecs(wrapped), wrapped.Content[index].Content, were)
	lines := slices.Sorted(strings.SplitSeq(were[key], "\n"))
	for _, line := range lines {
		if name, _, _ := strings.Cut(line, " "); line != "" && !k.hasPath(name) {
			path = name
		}
	}
	return !slices.Equal(lines, slices.Sorted(strings.SplitSeq(are[key], "\n"))), path
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
	hasAnnotations := func(template *node.Node) bool { return node.Get(template, "metadata", "annotations") != nil }
	if i := slices.IndexFunc(templates, hasAnnotations); i >= 0 {
		node.Set(metadata, "annotations", node.Get(templates[i], "metadata", "annotations"))
	} else {
		node.Delete(metadata, "annotations")
	}
}

// stampTexts returns what the annotations with stamps become, by their keys.
func (k Kind) stampTexts(specs []bareSpec, templates []*node.Node, were map[string]string) map[string]string {
	lines := map[string][]string{}
	for i, spec := range specs {
		for key, text := range stampsIn(templates[i]) {
			lines[key] = append(lines[key], spec.name+" "+text)
		}
	}
	for key, text := range were {
		for line := range strings.SplitSeq(text, "\n") {
			if name, _, _ := strings.Cut(line, " "); line != "" && !k.hasPath(name) {
				lines[key] = append(lines[key], line)
			}
		}
	}
	texts := map[string]string{}
	for key, all := range lines {
		texts[key] = strings.Join(all, "\n")
	}
	return texts
}

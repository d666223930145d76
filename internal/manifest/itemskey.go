package manifest

import (
	"pillion.dev/pillion/internal/spelling"
	"pillion.dev/pillion/internal/yaml/node"
)

// checkItemsKey refuses a ResourceList or a List without items and with a key that is almost "items", because its objects would
// be ignored.
func (r *reader) checkItemsKey(p *part) error {
	if p.hasItems || p.kind != "ResourceList" && (p.kind != "List" || p.apiVersion != "v1") {
		return nil
	}
	line := r.lineAt(p.start)
	tree, err := parseOne(r.text[p.start:p.end], line)
	if err != nil {
		return err
	}
	object := objectIn(tree.Content[0])
	if object == nil || node.Index(object, "items") >= 0 {
		return nil
	}
	for i := 0; i+1 < len(object.Content); i += 2 {
		if key := object.Content[i]; spelling.Nearest(key.Value, []string{"items"}) != "" {
			return errorAt(r.lineAt(p.start+int(key.Start)), "the %s has no items, and has the key %q; write items", p.kind, key.Value)
		}
	}
	return nil
}

package manifest

import (
	"cmp"
	"strings"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// identify reads the apiVersion and kind of an object. If it has one of them twice, with different values or in a list,
// or items twice, also by merge keys, or one of them by a key that is an alias or encoded, the object is broken:
// readers differ in what they take.
func (c *treeCheck) identify(item *Item, object *node.Node) {
	item.APIVersion, item.Kind = nameIn(node.Get(object, "apiVersion")), nameIn(node.Get(object, "kind"))
	item.Name = nameIn(node.Get(object, "metadata", "name"))
	item.IsEncrypted = node.Text(object, "sops", "mac") != ""
	items := 0
	for _, m := range append([]*node.Node{object}, node.Sources(object)...) {
		for i := 0; i+1 < len(m.Content) && item.Broken == nil; i += 2 {
			key, value := m.Content[i], nameIn(m.Content[i+1])
			name, _ := node.KeyName(node.Resolve(key))
			isTwice := false
			switch {
			case name == "apiVersion":
				isTwice = value != item.APIVersion
			case name == "kind":
				isTwice = value != item.Kind
			case name == "items":
				items++
				isTwice = items > 1
			case item.Kind == "ResourceList" && (name == "functionConfig" || name == "results"):
			default:
				continue
			}
			item.Broken = c.checkKey(key)
			if isTwice || strings.HasSuffix(item.Kind, "List") && node.Index(m, name) < i {
				item.Broken = cmp.Or(item.Broken, c.duplicate(key))
			}
		}
	}
}

// nameIn returns the string in a node, or the empty string if the node is something else, such as 5 or null.
func nameIn(n *node.Node) string {
	if n != nil && n.Kind == node.ScalarNode && n.Tag == node.StrTag {
		return n.Value // as nearly always, without an allocation
	}
	name, _ := node.Scalar(n).(string)
	return name
}

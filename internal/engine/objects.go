package engine

import (
	"strings"

	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/yaml/node"
	"pillion.dev/pillion/internal/yaml/parse"
)

// objectKey is the kind and the name of an object.
type objectKey struct{ kind, name string }

// objects are the objects of a stream that a pod can refer to: their namespaces.
type objects map[objectKey]map[string]bool

// readObjects reads the names of the objects that pods can refer to.
func readObjects(items []manifest.Item, arenas *parse.Pool) objects {
	all := objects{}
	for _, item := range items {
		if kind := referredKind(item); kind != "" {
			all.add(kind, item, arenas.Borrow())
		}
	}
	return all
}

func (o objects) add(kind string, item manifest.Item, arena *parse.Arena) {
	defer arena.Return()
	_, object, err := item.ParseIn(arena)
	if err != nil {
		return
	}
	key := objectKey{kind, strings.Clone(node.Text(object, "metadata", "name"))}
	if o[key] == nil {
		o[key] = map[string]bool{}
	}
	o[key][strings.Clone(node.Text(object, "metadata", "namespace"))] = true
}

// has reports whether there is an object of a kind and name in a namespace. An object without a namespace may go into any.
func (o objects) has(kind, name, namespace string) bool {
	in := o[objectKey{kind, name}]
	return in[namespace] || in[""] || namespace == "" && len(in) > 0
}

// referredKind returns the kind by which pods refer to an item, or "" if they do not.
func referredKind(item manifest.Item) string {
	switch {
	case item.APIVersion == "v1" && item.Kind == "PersistentVolumeClaim",
		strings.HasPrefix(item.APIVersion, "scheduling.k8s.io/") && item.Kind == "PriorityClass":
		return item.Kind
	}
	return provides(item)
}

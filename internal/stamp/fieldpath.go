package stamp

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/node"
)

// FieldIn is the place of what a person changed in the template as it is, as messages write it:
// spec.containers[1].image. It ends where the template does.
func (d Drift) FieldIn(template *yaml.Node) string {
	at, list, path := template, "", ""
	steps := append(split(d.Path), d.Key)
	if d.Field != "" {
		steps = append(steps, d.Field)
	}
	for _, step := range steps {
		at = node.Resolve(at)
		if at != nil && at.Kind == yaml.SequenceNode {
			i := slices.IndexFunc(at.Content, func(entry *yaml.Node) bool { return KeyOf(list, node.Resolve(entry)) == step })
			if i < 0 {
				break
			}
			at, path = at.Content[i], path+"["+strconv.Itoa(i)+"]"
			continue
		}
		at, list = node.Get(at, step), step
		if strings.ContainsAny(step, "./") {
			path += "[" + step + "]"
			continue
		}
		path += "." + step
	}
	return strings.TrimPrefix(path, ".")
}

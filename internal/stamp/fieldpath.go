package stamp

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// FieldOf is the place of what a person changed in the template as it is, as messages write it:
// spec.containers[1].image. It ends where the template does.
func (v *View) FieldOf(d Drift) string {
	at, list, path := v.nodes[""], "", ""
	steps := append(split(d.Path), d.Key)
	if d.Field != "" {
		steps = append(steps, d.Field)
	}
	for _, step := range steps {
		if at != nil && at.Kind == yaml.SequenceNode {
			i := v.indexIn(at, list, step)
			if i < 0 {
				break
			}
			at, path = node.Resolve(at.Content[i]), path+"["+strconv.Itoa(i)+"]"
			continue
		}
		at, list = v.child(at, list, step), step
		if strings.ContainsAny(step, "./") {
			path += "[" + step + "]"
			continue
		}
		path += "." + step
	}
	return strings.TrimPrefix(path, ".")
}

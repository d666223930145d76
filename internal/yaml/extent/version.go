package extent

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// version iterates over the children of the changed collection. Those that are left may come behind the children that were asked for.
type version struct{ left []*yaml.Node }

func versionOf(changed *yaml.Node) version {
	if changed == nil {
		return version{}
	}
	return version{changed.Content}
}

// of returns the changed version of a child, which is the child itself if it is not changed, or nil if it is removed. It must be
// called for the children in their order.
func (v *version) of(child *yaml.Node) *yaml.Node {
	for len(v.left) > 0 {
		c := v.left[0]
		if node.IsRead(c) && isBefore(child, c) {
			break
		}
		v.left = v.left[1:]
		if node.IsSame(child, c) && c.Kind == child.Kind {
			return c
		}
	}
	return nil
}

// isBefore reports whether one node begins before another in the text.
func isBefore(x, y *yaml.Node) bool { return node.PositionOf(x).Compare(node.PositionOf(y)) < 0 }

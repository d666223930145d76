package engine

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/yaml/node"
)

// IsIncomplete reports whether the API server refuses an object without more fields, so that it can only be a patch: a workload of apps
// without a selector, or a container without an image. The templates are the paths of its pod templates.
func IsIncomplete(item manifest.Item, templates []string) bool {
	_, object, err := item.Parse()
	if err != nil {
		return false
	}
	lacksImage := slices.ContainsFunc(templates, func(path string) bool {
		if strings.Contains(path, "[") { // of a custom kind, whose rules are not known
			return false
		}
		containers := node.List(object, strings.Split(strings.TrimPrefix(path+".spec.containers", "."), ".")...)
		return len(containers) == 0 || slices.ContainsFunc(containers, func(c *yaml.Node) bool { return node.Text(c, "image") == "" })
	})
	return lacksImage || strings.HasPrefix(item.APIVersion, "apps/") && node.IsNull(node.Get(object, "spec", "selector"))
}

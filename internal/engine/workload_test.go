package engine

import (
	"testing"
	"unsafe"

	"pillion.dev/pillion/internal/manifest"
	"pillion.dev/pillion/internal/yaml/node"
)

// A string that is cut out of an item's text keeps all of that text in memory.
func TestFindingsDoNotHoldTheTextOfItems(t *testing.T) {
	path := "deploy/web.yaml"
	object := node.Mapping(node.String("metadata"), node.Mapping(
		node.String("annotations"), node.Mapping(node.String("config.kubernetes.io/path"), node.String(path))))
	if file := fileOf(manifest.Item{}, object); file.Path != path || unsafe.StringData(file.Path) == unsafe.StringData(path) {
		t.Errorf("%q is the string of the node", file.Path)
	}
}

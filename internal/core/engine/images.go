package engine

import (
	"fmt"

	"pillion.dev/pillion/internal/config/injector"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
)

const imageField = "image" // of containers

// containerKey names a container of an injector.
type containerKey struct{ injector, container string }

// addImages adds where the images of an injector are declared, which was read from an item of a file.
func (c *Config) addImages(item *manifest.Item, object *node.Node, in *injector.Injector) {
	for _, list := range pods.ContainerLists {
		for i := range max(len(in.Containers), len(in.InitContainers)) {
			at := fmt.Sprintf("%s[%d]", in.At(list), i)
			entry := node.Find(object, at)
			key := node.Find(object, at+"."+imageField)
			if name := node.Text(entry, "name"); name != "" && item.File != "" {
				line, _ := item.PositionOf(int(key.Start))
				c.imageLines[containerKey{in.Name, name}] = fmt.Sprintf("%s:%d", item.File, line)
			}
		}
	}
}

// imageLine returns the file and line that declare the image that an injector wants for a container, such as
// injector.yaml:8. It is empty if that is not known, or if a variable or an annotation sets the image.
func (r *run) imageLine(m *runInjector, container, wanted string) string {
	if declared := m.injector.Container(container); declared == nil || node.Text(declared.Body, imageField) != wanted {
		return ""
	}
	return r.imageLines[containerKey{m.injector.Name, container}]
}

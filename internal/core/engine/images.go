package engine

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
)

const imageField = "image" // of containers

// containerKey names a container of an injector.
type containerKey struct{ injector, container string }

// imageLocation is where the file of a config declares an image.
type imageLocation struct {
	file   string
	line   string // with the file, such as injector.yaml:8
	stream []byte // the text of the file
	after  int    // the offset of what follows the key
}

// addImages adds the locations of the images of an injector, which was read from an item of a file.
func (c *Config) addImages(item *manifest.Item, object *node.Node, in *injector.Injector) {
	stream, start := item.Stream()
	for _, list := range pods.ContainerLists {
		for i := range max(len(in.Containers), len(in.InitContainers)) {
			at := fmt.Sprintf("%s[%d]", in.At(list), i)
			entry := node.Find(object, at)
			key := node.Find(object, at+"."+imageField)
			if name := node.Text(entry, "name"); name != "" && item.File != "" {
				line, _ := item.PositionOf(int(key.Start))
				at := fmt.Sprintf("%s:%d", item.File, line)
				c.images[containerKey{in.Name, name}] = imageLocation{item.File, at, stream, start + int(key.End)}
			}
		}
	}
}

// declaredImages returns the images of all containers, with variables as they are written.
func (c Config) declaredImages() map[containerKey]string {
	images := map[containerKey]string{}
	for _, in := range c.injectors {
		for _, container := range slices.Concat(in.Containers, in.InitContainers) {
			images[containerKey{in.Name, container.Name}] = node.Text(container.Body, imageField)
		}
	}
	return images
}

// imageLine returns the file and line that declare the image that an injector wants for a container; empty if that is
// not known, or if a variable or an annotation sets the image.
func (r *run) imageLine(m *runInjector, container, wanted string) string {
	if declared := m.injector.Container(container); declared == nil || node.Text(declared.Body, imageField) != wanted {
		return ""
	}
	return r.images[containerKey{m.injector.Name, container}].line
}

// noteImage adds the image of a container that a person has changed to the injector's outcome, given what the injectors
// want in its place, or nil, and the change in words.
func (p *pod) noteImage(m *runInjector, d version.Drift, wanted *node.Node, words []driftWords) {
	image := outcome.Image{
		Container: d.Key,
		Is:        node.Text(d.Present, imageField),
		Wanted:    node.Text(wanted, imageField),
	}
	image.IsStale = !slices.ContainsFunc(words, func(w driftWords) bool { return w.field == imageField })
	isChanged := image.Is != "" && image.Wanted != "" && image.Is != image.Wanted
	if !stamp.IsContainers(d.Path) || !isChanged || image.IsStale && !words[0].isStale {
		return
	}
	if !image.IsStale {
		image.At = p.workload.run.imageLine(m, d.Key, image.Wanted)
	}
	o := &p.workload.outcomes[m.index]
	o.Images = append(o.Images, image)
}

// Adoption is a config that has taken over images from manifests.
type Adoption struct {
	Config  Config
	Sources []finding.Source // of the config, some of them with other images
	Images  []outcome.Image
}

// adoptedImage is an image that workloads share.
type adoptedImage struct {
	outcome.Image
	of    containerKey
	first string // the first workload that has it
}

// AdoptImages takes over the images that people gave to containers in manifests, as a run of the config found them, and
// writes them into the sources of the config, where nothing else changes. It returns an error for an image that the
// workloads do not share, or that cannot be written.
func (c Config) AdoptImages(sources []finding.Source, run outcome.Run) (Adoption, error) {
	var adopted []adoptedImage
	for _, w := range run.Workloads {
		name := w.Object.String()
		for _, o := range w.Outcomes {
			for _, image := range o.Images {
				image := adoptedImage{image, containerKey{o.Injector, image.Container}, name}
				at := slices.IndexFunc(adopted, func(a adoptedImage) bool { return a.of == image.of })
				switch {
				case image.IsStale:
					return Adoption{}, image.refuse("the config of the container has changed since it was injected")
				case image.At == "":
					return Adoption{}, image.refuse(notPlain)
				case strings.Trim(image.Is, imageCharacters) != "":
					return Adoption{}, image.refuse("it is no reference to an image")
				case at < 0:
					adopted = append(adopted, image)
				case adopted[at].Is != image.Is:
					return Adoption{}, fmt.Errorf("the image of container %q is %s in %s, and %s in %s; "+
						"make them equal, or choose workloads with --name",
						image.Container, adopted[at].Is, adopted[at].first, image.Is, name)
				}
			}
		}
	}
	for _, image := range adopted {
		if other := image.notIn(run); other != "" {
			return Adoption{}, fmt.Errorf("the image of container %q is %s in %s, and in %s it is still the config's; "+
				"make them equal, or choose workloads with --name", image.Container, image.Is, image.first, other)
		}
	}
	return c.withImages(sources, adopted)
}

// imageCharacters are those of references to images.
const imageCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/:@"

// notIn returns a workload that has the container with the image of the config, or "" if there is none.
func (a adoptedImage) notIn(run outcome.Run) string {
	for _, w := range run.Workloads {
		for _, o := range w.Outcomes {
			isOfContainer := func(image outcome.Image) bool { return image.Container == a.Container }
			isChanged := slices.ContainsFunc(o.Images, isOfContainer)
			if o.Injector == a.of.injector && o.Decision == decision.Unchanged && !isChanged {
				return w.Object.String()
			}
		}
	}
	return ""
}

// withImages writes images into the sources of the config, and reads it back.
func (c Config) withImages(sources []finding.Source, adopted []adoptedImage) (Adoption, error) {
	a := Adoption{Config: c, Sources: slices.Clone(sources)}
	want := c.declaredImages()
	edits := map[string][]edit.Edit{} // by file
	for _, image := range adopted {
		location := c.images[image.of]
		value := bytes.TrimLeft(location.stream[location.after:], ": \r\n\"'")
		if !bytes.HasPrefix(value, []byte(image.Wanted)) {
			return a, image.refuse(notPlain)
		}
		start := len(location.stream) - len(value)
		replaced := edit.Edit{Start: start, End: start + len(image.Wanted), Text: []byte(image.Is)}
		edits[location.file] = append(edits[location.file], replaced)
		want[image.of] = image.Is
		a.Images = append(a.Images, image.Image)
	}
	for i, source := range sources {
		byStart := func(a, b edit.Edit) int { return a.Start - b.Start }
		isSame := func(a, b edit.Edit) bool { return a.Start == b.Start } // of containers that are aliases
		of := slices.CompactFunc(slices.SortedFunc(slices.Values(edits[source.File]), byStart), isSame)
		a.Sources[i].Text = edit.Apply(source.Text, of)
	}
	if a.Config, _ = ReadConfig(a.Sources...); !maps.Equal(a.Config.declaredImages(), want) {
		return a, errors.New("the images of the workloads cannot be written into the config alone; change it by hand")
	}
	return a, nil
}

const notPlain = "it is not a plain text there, but comes from a variable, an annotation, an alias or a ConfigMap"

func (a adoptedImage) refuse(why string) error {
	return fmt.Errorf("the image of container %q in %s, %s, cannot be written into the config: %s; change it by hand",
		a.Container, a.first, a.Is, why)
}

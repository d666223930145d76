package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/spelling"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// Image is the image of a declared container that runs, if it is not declared by digest.
type Image struct {
	Container, Name string
	Digest          string // of what was pulled by that name
}

// addImage notes what a sidecar runs.
func (c *comparison) addImage(container string, live *node.Node) {
	image := node.Text(live, "image")
	if image == "" || pod.SplitImage(image).Digest != "" {
		return
	}
	if digest := c.digestOf(container); digest != "" {
		c.row.Images = append(c.row.Images, Image{interned(container), interned(image), interned(digest)})
	}
}

// digestOf returns the digest of the image that a container runs, or "".
func (c *comparison) digestOf(container string) string {
	for _, list := range []string{"containerStatuses", "initContainerStatuses"} {
		for _, status := range node.List(c.pod, "status", list) {
			if node.Text(status, "name") == container {
				_, digest, _ := strings.Cut(node.Text(status, "imageID"), "@")
				return digest
			}
		}
	}
	return ""
}

// NoteMovedTags adds infos to rows about tags that have moved: pods run different digests by the name of one image. The
// pods with the most common digest get no info. A container runtime may report a digest of its architecture, so this is
// no problem by itself. The rows may share their lists of infos with others, which do not change.
func NoteMovedTags(rows []Row) {
	type key struct{ injector, image string }
	counts := map[key]map[string]int{}
	for i := range rows {
		for _, image := range rows[i].Images {
			k := key{rows[i].Injector, image.Name}
			if counts[k] == nil {
				counts[k] = map[string]int{}
			}
			counts[k][image.Digest]++
		}
	}
	common := map[key]string{}
	for k, digests := range counts {
		for digest, n := range digests {
			if best := common[k]; n > digests[best] || n == digests[best] && digest < best {
				common[k] = digest
			}
		}
	}
	for i := range rows {
		for _, image := range rows[i].Images {
			k := key{rows[i].Injector, image.Name}
			if usual := common[k]; usual != image.Digest {
				rows[i].Infos = append(slices.Clip(rows[i].Infos), movedTag(image, usual, counts[k][usual]))
			}
		}
	}
}

func movedTag(image Image, usual string, others int) Info {
	name := pod.SplitImage(image.Name)
	return Info{finding.ImageMoved, fmt.Sprintf("the tag %s of %s has moved: container %s runs %s, and %s %s %s",
		cmp.Or(strings.TrimPrefix(name.Tag, ":"), "latest"), name.Repository, image.Container, short(image.Digest),
		spelling.Plural(others, "other pod"), agree(others, "runs", "run"), short(usual))}
}

// short returns the beginning of a digest: sha256:0123456789ab.
func short(digest string) string {
	const shown = 12
	if at := strings.IndexByte(digest, ':') + 1; len(digest) > at+shown {
		return digest[:at+shown]
	}
	return digest
}

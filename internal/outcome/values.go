package outcome

import (
	"strings"
	"unicode/utf8"
)

// longestValue is the length in characters up to which a value is shown; the diff shows longer ones.
const longestValue = 60

// values returns the old and the new value of a change: envoy:v1.33.0 -> envoy:v1.34.1. It is empty unless both are short scalars.
// The values of env variables and annotations may be secret, so they are left to the diff.
func (c Change) values() string {
	switch {
	case c.Old == "" || c.New == "" || c.Old == c.New, c.isPrivate():
		return ""
	case c.Field == "image" || c.Field == "" && c.Key == "image":
		old, now := shortImages(c.Old, c.New)
		return plainName(old) + " -> " + plainName(now)
	case isLong(c.Old) || isLong(c.New):
		return ""
	default:
		return plainName(c.Old) + " -> " + plainName(c.New)
	}
}

// isPrivate reports whether the value of a change must not be shown.
func (c Change) isPrivate() bool {
	return c.Field == "" && (strings.HasPrefix(c.Path, "metadata/annotations") || strings.HasSuffix(c.Path, "/env"))
}

// isLong reports whether a value is a list, a mapping or a long text.
func isLong(value string) bool {
	return strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[") || utf8.RuneCountInString(value) > longestValue
}

// shortImages returns two images as name:tag, with as much more as is needed to tell them apart: the digests, and the end of the
// repositories' paths.
func shortImages(old, now string) (shortOld, shortNow string) {
	a, b := splitImage(old), splitImage(now)
	if a.brief(1, false) != b.brief(1, false) {
		return a.brief(1, false), b.brief(1, false)
	}
	for steps := 1; steps <= max(len(a.path), len(b.path)); steps++ {
		if a.brief(steps, true) != b.brief(steps, true) {
			return a.brief(steps, true), b.brief(steps, true)
		}
	}
	return old, now
}

// image is a reference to an image in its parts: registry.example.com:5000/envoyproxy/envoy:v1.33.0@sha256:1a2b...
type image struct {
	path   []string // of the repository, with the registry
	tag    string   // with the colon
	digest string   // with the @
}

func splitImage(text string) image {
	var i image
	if at := strings.IndexByte(text, '@'); at >= 0 {
		text, i.digest = text[:at], text[at:]
	}
	if at := strings.LastIndexByte(text, ':'); at > strings.LastIndexByte(text, '/') {
		text, i.tag = text[:at], text[at:]
	}
	i.path = strings.Split(text, "/")
	return i
}

// brief returns the image with the last steps of its path. The digest is left out if there is a tag, unless it is wanted.
func (i image) brief(steps int, withDigest bool) string {
	text := strings.Join(i.path[max(len(i.path)-steps, 0):], "/") + i.tag
	if i.tag == "" || withDigest {
		text += shortDigest(i.digest)
	}
	return text
}

// shortDigest returns a digest with the first twelve digits of its hash, as container tools show it: @sha256:1a2b3c4d5e6f...
func shortDigest(digest string) string {
	const shown = 12
	start := strings.IndexByte(digest, ':') + 1
	if len(digest)-start <= shown {
		return digest
	}
	return digest[:start+shown] + "..."
}

package decision

import (
	"strings"
	"unicode/utf8"

	"pillion.dev/pillion/internal/core/wording"
	"pillion.dev/pillion/internal/pods/pod"
)

// longestValue is the length in characters up to which a value is shown; the diff shows longer ones.
const longestValue = 60

// values returns the old and the new value of a change: envoy:v1.33.0 -> envoy:v1.34.1. It is empty unless both are
// short scalars. The values of env variables and annotations may be secret, so they are left to the diff.
func (c Change) values() string {
	switch {
	case c.Old == "" || c.New == "" || c.Old == c.New, c.isPrivate():
		return ""
	case c.Field == "image" || c.Field == "" && c.Key == "image":
		old, now := shortImages(c.Old, c.New)
		return wording.PlainName(old) + " -> " + wording.PlainName(now)
	case isLong(c.Old) || isLong(c.New):
		return ""
	default:
		return wording.PlainName(c.Old) + " -> " + wording.PlainName(c.New)
	}
}

// isPrivate reports whether the value of a change must not be shown.
func (c Change) isPrivate() bool {
	return c.Field == "" && (strings.HasPrefix(c.Path, "metadata/annotations") || strings.HasSuffix(c.Path, "/env"))
}

// isLong reports whether a value is a list, a mapping or a long text.
func isLong(value string) bool {
	isNode := strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[")
	return isNode || utf8.RuneCountInString(value) > longestValue
}

// shortImages returns two images as name:tag, with as much more as is needed to tell them apart: the digests, and the
// end of the repositories' paths.
func shortImages(old, now string) (shortOld, shortNow string) {
	a := pod.SplitImage(old)
	b := pod.SplitImage(now)
	shortOld = shortImage(a, 1, false)
	shortNow = shortImage(b, 1, false)
	most := max(strings.Count(a.Repository, "/"), strings.Count(b.Repository, "/")) + 1
	for steps := 1; shortOld == shortNow && steps <= most; steps++ {
		shortOld = shortImage(a, steps, true)
		shortNow = shortImage(b, steps, true)
	}
	if shortOld == shortNow {
		return old, now
	}
	return shortOld, shortNow
}

// shortImage returns an image with the last steps of its path. The digest is left out if there is a tag, unless it is
// wanted.
func shortImage(i pod.Image, steps int, withDigest bool) string {
	path := strings.Split(i.Repository, "/")
	text := strings.Join(path[max(len(path)-steps, 0):], "/") + i.Tag
	if i.Tag == "" || withDigest {
		text += shortDigest(i.Digest)
	}
	return text
}

// shortDigest returns a digest with the first twelve digits of its hash, as container tools show it:
// @sha256:1a2b3c4d5e6f...
func shortDigest(digest string) string {
	const shown = 12
	start := strings.IndexByte(digest, ':') + 1
	if len(digest)-start <= shown {
		return digest
	}
	return digest[:start+shown] + "..."
}

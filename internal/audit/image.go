package audit

import (
	"cmp"
	"strings"

	"pillion.dev/pillion/internal/pods/pod"
)

// image is a reference to an image as container runtimes complete it: envoy is docker.io/library/envoy:latest.
type image struct{ host, path, tag, digest string }

const dockerHub, library = "docker.io", "library/"

func newImage(text string) image {
	parts := pod.SplitImage(text)
	i := image{host: dockerHub, path: parts.Repository, tag: parts.Tag, digest: parts.Digest}
	if host, path, found := strings.Cut(parts.Repository, "/"); found && (strings.ContainsAny(host, ".:") || host == "localhost") {
		i.host, i.path = host, path
	}
	if i.host == "index.docker.io" {
		i.host = dockerHub
	}
	if i.host == dockerHub && !strings.Contains(i.path, "/") {
		i.path = library + i.path
	}
	if i.digest == "" {
		i.tag = cmp.Or(i.tag, ":latest")
	}
	return i
}

// isSameImage reports whether two references are to one image.
func isSameImage(declared, live string) bool { return newImage(declared) == newImage(live) }

// isMirrored reports whether a live image has the declared path, and the declared tag or digest, on another host.
// Mirrors of Docker Hub may leave out library.
func isMirrored(declared, live string) bool {
	a, b := newImage(declared), newImage(live)
	isSamePath := a.path == b.path
	if a.host == dockerHub || b.host == dockerHub {
		isSamePath = strings.TrimPrefix(a.path, library) == strings.TrimPrefix(b.path, library)
	}
	isSameVersion := a.tag == b.tag && a.digest == b.digest || a.digest != "" && a.digest == b.digest
	return a.host != b.host && isSamePath && isSameVersion
}

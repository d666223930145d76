package pod

import "strings"

// Image is a reference to an image in its parts: registry.example.com:5000/envoyproxy/envoy:v1.33.0@sha256:1a2b...
type Image struct {
	Repository string // with the registry
	Tag        string // with the colon
	Digest     string // with the @
}

// SplitImage returns the parts of a reference to an image.
func SplitImage(text string) Image {
	var i Image
	if at := strings.IndexByte(text, '@'); at >= 0 {
		text, i.Digest = text[:at], text[at:]
	}
	if at := strings.LastIndexByte(text, ':'); at > strings.LastIndexByte(text, '/') {
		text, i.Tag = text[:at], text[at:]
	}
	i.Repository = text
	return i
}

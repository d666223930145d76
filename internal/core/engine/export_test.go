package engine

import "pillion.dev/pillion/internal/text/manifest"

// IsEarly reports whether the items of a ResourceList are processed while it is read.
func IsEarly(text []byte) bool {
	stream, err := manifest.Read(text)
	return err == nil && prepareEarly(text).appliesTo(stream)
}

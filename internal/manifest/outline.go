package manifest

// outline finds the parts of one document.
func outline(text []byte, span span) (*document, error) {
	return outlineNodes(text, span)
}

package parse

import "unsafe"

// shared returns a text as a string without copying it, because a copy of every item would be a copy of the whole input. The text
// must not change as long as the string is in use.
func shared(text []byte) string { return unsafe.String(unsafe.SliceData(text), len(text)) }

package finding

// Source is a text with the file that it was read from.
type Source struct {
	// File is the path that findings show. It may be empty.
	File string
	// Text is YAML documents or JSON. Lists of kind List are objects one by one.
	Text []byte
	// MayBeEmpty allows a text without any object, which is an error otherwise. Set it when you read a directory.
	MayBeEmpty bool
}

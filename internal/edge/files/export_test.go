package files

// SetRename lets a test have renaming fail, and returns what undoes it.
func SetRename(f func(from, to string) error) func() {
	before := rename
	rename = f
	return func() { rename = before }
}

// SetMaxBytes lets a test have a small bound, and returns what undoes it.
func SetMaxBytes(most int64) func() {
	maxBytes = most
	return func() { maxBytes = MaxBytes }
}

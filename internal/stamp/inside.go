package stamp

// Inside returns the path of what is inside a thing.
func (t Thing) Inside() string { return t.path() }

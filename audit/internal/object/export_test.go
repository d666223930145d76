package object

// SharesWith reports whether two objects have the same spec and metadata in memory, except for what is their own.
func (o *Object) SharesWith(other *Object) bool {
	return o.metadata == other.metadata && o.body == other.body
}

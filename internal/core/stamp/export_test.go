package stamp

// Seal appends the checksum to the text of a stamp.
func Seal(text string) string { return text + " " + shortHash([]byte(text)) }

package mistake

// Scan returns the message of the first mistake that the scanner finds in a text, or "".
func Scan(text []byte) string {
	if found := newScanner(text).document(); found != nil {
		return found.message
	}
	return ""
}

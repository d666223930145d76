// Package jsonpointer writes JSON pointers (RFC 6901), such as /metadata/annotations/example.com~1name.
package jsonpointer

import "strings"

var escaper, unescaper = strings.NewReplacer("~", "~0", "/", "~1"), strings.NewReplacer("~1", "/", "~0", "~")

// New returns the pointer to the value at a path of keys.
func New(keys ...string) string {
	var b strings.Builder
	for _, key := range keys {
		b.WriteString("/" + Escape(key))
	}
	return b.String()
}

// Escape returns a key as a step of a pointer.
func Escape(key string) string {
	if !strings.ContainsAny(key, "~/") { // a Replacer would copy it
		return key
	}
	return escaper.Replace(key)
}

// Unescape returns the key that a step of a pointer stands for.
func Unescape(step string) string {
	if !strings.Contains(step, "~") { // a Replacer would copy it
		return step
	}
	return unescaper.Replace(step)
}

package files

import (
	"regexp"
	"strings"
	"sync"
)

// class matches a class of characters of git: the sign that negates it, a closing bracket that is its first character,
// and its other characters.
var class = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\[([!^]?)(\]?)((?:\[:[a-z]+:\]|\\.|[^\]\\])*)\]`)
})

// namedClasses replaces the classes that have a name by their ranges, without the slash.
var namedClasses = strings.NewReplacer(
	"[:alnum:]", "0-9A-Za-z", "[:alpha:]", "A-Za-z", "[:blank:]", "\t ", "[:cntrl:]", "\x00-\x1f\x7f",
	"[:digit:]", "0-9", "[:graph:]", `\!-.0-~`, "[:lower:]", "a-z", "[:print:]", " -.0-~",
	"[:punct:]", "\\!-.:-@\\[-`{-~", "[:space:]", "\t-\n\r ", "[:upper:]", "A-Z", "[:xdigit:]", "0-9A-Fa-f")

// badClass makes the whole pattern invalid, so that it matches nothing.
const badClass = "["

// convertClass converts the class at the beginning of a pattern of git to the syntax of doublestar, and returns its end
// in the pattern. A class matches a slash only by a range around it.
func convertClass(pattern string) (converted string, end int) {
	found := class().FindStringSubmatch(pattern)
	if len(found) == 0 || found[2]+found[3] == "" {
		return badClass, len(pattern)
	}
	converted = "["
	if found[1] != "" {
		converted += `^\/-\/` // a range, so that a dash behind it is only a dash
	}
	if found[2] != "" {
		converted += `\]`
	}
	return converted + namedClasses.Replace(found[3]) + "]", len(found[0])
}

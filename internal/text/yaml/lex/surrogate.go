package lex

import (
	"regexp"
	"strings"
	"sync"
)

// These match a surrogate pair, and half of one.
var (
	surrogatePair = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\\ud[89ab]..\\ud[c-f]..`) })
	surrogate     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\\ud[89a-f]`) })
)

// HasLoneSurrogate reports whether a JSON text has half of a surrogate pair, such as "\ud83d" alone. It is not a
// character, and encoding/json reads it as U+FFFD, so that it would be lost when the text is written again.
func HasLoneSurrogate(text string) bool {
	withoutBackslashes := strings.ReplaceAll(text, `\\`, " ")
	return surrogate().MatchString(surrogatePair().ReplaceAllString(withoutBackslashes, ""))
}

package emit

import (
	"regexp"
	"strings"
	"sync"
)

// ambiguous matches the plain scalars that are not words and that some YAML 1.1 or 1.2 parser
// reads as a number, a time, a null or a merge. It is compiled when it is first asked for.
var ambiguous = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:` + strings.Join([]string{
		`~`, `=`, `<<`,
		`[-+]?[0-9][0-9_]*`,
		`[-+]?0[box][0-9a-fA-F_]+`,
		`[-+]?(?:[0-9][0-9_]*)?\.[0-9_]*(?:[eE][-+]?[0-9]+)?`,
		`[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+`,
		`[-+]?[0-9][0-9_]*(?::[0-9]{1,2})+(?:\.[0-9_]*)?`,
		`(?i:[-+]?\.inf|\.nan)`,
		`[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?`,
	}, "|") + `)$`)
})

// SafePlain reports whether any parser reads the string, written without quotes, as just that
// string. Inside brackets more characters have a meaning.
func SafePlain(value string, flow bool) bool {
	if value == "" || !printable(value) || strings.ContainsRune("-?:,[]{}#&*!|>'\"%@` ", rune(value[0])) && !dashWord(value) {
		return false
	}
	if value[len(value)-1] == ' ' || value[len(value)-1] == ':' ||
		strings.Contains(value, ": ") || strings.Contains(value, " #") {
		return false
	}
	if flow && strings.ContainsAny(value, ",?[]{}") {
		return false
	}
	if strings.HasPrefix(value, "---") || strings.HasPrefix(value, "...") {
		return false
	}
	if isWord(value) {
		return !meansSomething(value)
	}
	return !ambiguous().MatchString(value) && resolved(value) == "!!str"
}

// isWord reports whether a string begins as words, paths and flags do, which are never numbers or
// times. Most strings are words, and are not worth the closer look.
func isWord(value string) bool {
	c := value[0]
	if c == '-' && len(value) > 1 {
		c = value[1]
	}
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '/' || c == '-' && value != "-"
}

// meansSomething reports whether a word is a boolean or a null to some parser.
func meansSomething(word string) bool {
	switch strings.ToLower(word) {
	case "y", "n", "yes", "no", "on", "off", "true", "false", "null":
		return true
	}
	return false
}

// dashWord reports whether a string begins as command line flags do.
func dashWord(value string) bool {
	return len(value) > 1 && value[0] == '-' && !strings.ContainsRune(" ,[]{}", rune(value[1]))
}

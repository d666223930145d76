package emit

import (
	"regexp"
	"strings"
	"sync"
)

// ambiguous matches the plain scalars that some YAML 1.1 or 1.2 parser reads as a number, a
// time, a boolean, a null or a merge. It is compiled when it is first asked for.
var ambiguous = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:` + strings.Join([]string{
		`(?i:y|n|yes|no|on|off|true|false|null)`, `~`, `=`, `<<`,
		`[-+]?[0-9][0-9_]*`,
		`[-+]?0[box][0-9a-fA-F_]+`,
		`[-+]?(?:[0-9][0-9_]*)?\.[0-9_]*(?:[eE][-+]?[0-9]+)?`,
		`[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+`,
		`[-+]?[0-9][0-9_]*(?::[0-9]{1,2})+(?:\.[0-9_]*)?`,
		`(?i:[-+]?\.inf|\.nan)`,
		`[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?`,
	}, "|") + `)$`)
})

// SafePlain tells whether any parser reads the string, written without quotes, as just that
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
	return longWord(value) || !ambiguous().MatchString(value) && resolved(value) == "!!str"
}

// longWord tells whether a string begins with a letter, as only words do that mean something
// else, and is longer than any of those: most strings are, and are not worth a closer look.
func longWord(value string) bool {
	c := value[0] | 0x20
	return len(value) > len("false") && c >= 'a' && c <= 'z'
}

// dashWord tells whether a string begins as command line flags do.
func dashWord(value string) bool {
	return len(value) > 1 && value[0] == '-' && !strings.ContainsRune(" ,[]{}", rune(value[1]))
}

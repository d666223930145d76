package emit

import (
	"regexp"
	"strings"
	"sync"

	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// ambiguous matches the plain scalars that are not words and that some YAML 1.1 or 1.2 parser
// reads as a number, a time, a null or a merge key.
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

// SafePlain reports whether every parser reads the string, written without quotes, as the same string. Flow is set
// inside of brackets.
func SafePlain(value string, flow bool) bool {
	if isSimple(value) {
		return !lex.IsReserved(value)
	}
	if value == "" || !isPrintable(value) || (value[0] == ' ' || lex.IsIndicator(value[0])) && !isFlag(value) {
		return false
	}
	if value[len(value)-1] == ' ' || lex.PlainEnd(value, 0, flow) < len(value) {
		return false
	}
	if strings.HasPrefix(value, "---") || strings.HasPrefix(value, "...") {
		return false
	}
	return !likeNumber(value) || !ambiguous().MatchString(value) && node.PlainTag(value) == node.StrTag
}

// inSimple holds the bytes that mean nothing else anywhere in a plain scalar.
var inSimple = lex.SetOf("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./")

// isSimple reports whether a string is one that most names and paths are like: it begins with a letter or a slash, and
// nothing in it can end it.
func isSimple(value string) bool {
	return value != "" && (lex.IsLetter(value[0]) || value[0] == '/') && inSimple.HasAll(value)
}

// inNumber holds the bytes of everything that is ambiguous, except for those behind the date of a time.
var inNumber = lex.SetOf("0123456789abcdefABCDEFxoinIN_+-.:~=<")

// likeNumber reports whether a string begins as numbers and times do, which 64Mi and the texts of stamps do not.
func likeNumber(value string) bool {
	const shortestDate = len("2001-1-1")
	return inNumber.HasAll(value[:min(len(value), shortestDate)])
}

// isFlag reports whether a string begins as command line flags do.
func isFlag(value string) bool {
	return len(value) > 1 && value[0] == '-' && value[1] != ' ' && !lex.IsFlowIndicator(value[1])
}

package export

import (
	"fmt"
	"strings"

	"pillion.dev/pillion/internal/injector"
)

// limit is a field that patches cannot express or do not check, and the reason.
type limit struct{ field, reason string }

// limits collects the limits of one injector.
type limits struct {
	in   *injector.Injector
	list []limit
}

// add adds a limit for a field of the spec, such as "containers[0].before".
func (l *limits) add(field, format string, args ...any) {
	rest := ""
	if end := strings.IndexAny(field, ".["); end >= 0 {
		field, rest = field[:end], field[end:]
	}
	l.list = append(l.list, limit{l.in.At(field) + rest, fmt.Sprintf(format, args...)})
}

// addIf adds a limit if a condition holds.
func (l *limits) addIf(condition bool, field, format string, args ...any) {
	if condition {
		l.add(field, format, args...)
	}
}

// index returns the path of an entry of a list.
func index(list string, i int) string { return fmt.Sprintf("%s[%d]", list, i) }

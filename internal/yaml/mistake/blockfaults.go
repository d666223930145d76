package mistake

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pillion.dev/pillion/internal/yaml/lex"
)

func tabFault(at int) *fault {
	return faultf(at, "a tab is used for indentation; YAML allows only spaces there: replace the tab by spaces")
}

// indentFault returns the mistake of a line that is in line with nothing above it.
func (s *scanner) indentFault(at, column int) *fault {
	columns := []int{}
	for _, l := range s.levels {
		columns = append(columns, l.column)
	}
	if s.scalar >= 0 {
		columns = append(columns, s.scalar)
	}
	columns = slices.Compact(slices.Sorted(slices.Values(columns)))
	near := nearest(columns, column)
	return faultf(at, "the indentation of %s does not match the lines above; indent this line by %s spaces", spaces(column), near)
}

// nearest returns the columns next to one, on both sides.
func nearest(columns []int, column int) string {
	below, above := -1, -1
	for _, c := range columns {
		if c < column {
			below = c
		} else if above < 0 {
			above = c
		}
	}
	var words []string
	for _, c := range []int{below, above} {
		if c >= 0 {
			words = append(words, strconv.Itoa(c))
		}
	}
	return strings.Join(words, " or ")
}

func spaces(n int) string {
	if n == 1 {
		return "1 space"
	}
	return fmt.Sprintf("%d spaces", n)
}

// keyAmongEntries returns the mistake of a key that is in line with the dashes of a list.
func keyAmongEntries(text []byte, at int) *fault {
	if found := dashFault(text, at); found != nil {
		return found
	}
	return faultf(at, `this key is in line with the dashes of a list; indent it like the other keys of its entry, or begin it with "- "`)
}

// dashFault returns the mistake of an entry without a space behind its dash, or nil.
func dashFault(text []byte, at int) *fault {
	if text[at] != '-' {
		return nil
	}
	word := text[at+1 : lex.LineEnd(text, at)]
	return faultf(at, `there is no space after the dash; write "- %s"`, brief(word))
}

// wordFault returns the mistake of a line with neither a key nor a dash.
func (s *scanner) wordFault(at int) *fault {
	end := lex.PlainEnd(s.text, at, false)
	line := s.text[at:end]
	if found := dashFault(s.text, at); found != nil {
		return found
	}
	switch c := s.text[at]; c {
	case ']', '}':
		return closingFault(at, c)
	case '{', '[', '"', '\'':
		return faultf(at, "a key or a dash is expected here; indent the value deeper than the key that it belongs to")
	}
	if colon := bytes.IndexByte(line, ':'); colon > 0 && lex.WordEnd(line, 0, false) > colon+1 {
		return faultf(at+colon, `there is no space after the colon; write "%s: %s"`, brief(line[:colon]), brief(line[colon+1:]))
	}
	return faultf(at, `%q has no colon, so it is not a key; write "key: value"`, brief(line))
}

func aliasFault(at int) *fault {
	return faultf(at, "* begins an alias, which consists of letters and digits; if this is not an alias, put the value in quotes")
}

package read

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"pillion.dev/pillion/internal/text/yaml/lex"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// quoted reads the scalar with its opening quote at the cursor, and ends behind the closing one.
func (r *reader) quoted() *node.Node {
	start, quote, style := r.at, r.text[r.at], node.SingleQuotedStyle
	if quote == '"' {
		style = node.DoubleQuotedStyle
	}
	end := quoteEnd(r.text, start+1, quote)
	if r.peek(end) == quote && (quote == '"' || r.peek(end+1) != quote) {
		r.at = end + 1
		return r.scalarNode(style, start, r.text[start+1:end])
	}
	r.at++
	if !r.buildQuoted(quote, start) {
		return nil
	}
	return r.scalarNode(style, start, string(r.built))
}

// buildQuoted builds a value with escapes or of several lines, and goes behind the closing quote.
func (r *reader) buildQuoted(quote byte, start int) bool {
	r.built = r.built[:0]
	kept := 0 // blanks behind it go away when the line ends
	for {
		end := quoteEnd(r.text, r.at, quote)
		r.built = append(r.built, r.text[r.at:end]...)
		r.at = end
		switch c := r.peek(r.at); {
		case r.atBreak():
			r.built = r.built[:kept+len(bytes.TrimRight(r.built[kept:], " \t"))]
			if !r.foldLines(false) {
				r.quoteProblem(start)
				return false
			}
			kept = len(r.built)
		case c == '\\' && quote == '"':
			if !r.unescape(start) {
				return false
			}
			kept = len(r.built)
		case c == quote && quote == '\'' && r.peek(r.at+1) == quote:
			r.built = append(r.built, quote)
			r.at += 2
		case c == quote:
			r.at++
			return true
		case r.at == len(r.text):
			r.quoteProblem(start)
			return false
		default:
			r.built = append(r.built, c)
			r.at++
		}
	}
}

// escapes holds the text of each escape by the letter behind the backslash.
var escapes = [256]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", '\t': "\t", 'n': "\n", 'v': "\v", 'f': "\f", 'r': "\r", 'e': "\x1b",
	' ': " ", '"': `"`, '/': "/", '\'': "'", '\\': `\`, 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029",
}

// hexDigits holds how many digits follow the letter of an escape that gives a character by its number.
var hexDigits = [256]int{'x': 2, 'u': 4, 'U': 8}

// unescape writes the character of the escape at the cursor. JSON has large characters as two escapes, a surrogate
// pair, which the library refuses.
func (r *reader) unescape(start int) bool {
	escape := r.at
	r.at++
	c := r.peek(r.at)
	switch {
	case r.at == len(r.text), r.atBreak() && !r.foldLines(true):
		r.quoteProblem(start)
		return false
	case lex.IsBreak(c):
		return true
	case escapes[c] != "":
		r.unsure = r.unsure || c == '/'
		r.built = append(r.built, escapes[c]...)
		r.at++
		return true
	}
	value, ok := r.hexRune(escape)
	if !ok {
		r.fail(escape, `\%c is not an escape of YAML; write \\%[1]c, or use single quotes`, c)
		return false
	}
	if !utf8.ValidRune(value) {
		r.unsure = true
		behind := r.at
		low, _ := r.hexRune(r.at)
		if value = utf16.DecodeRune(value, low); value == utf8.RuneError {
			r.at = behind
		}
	}
	r.built = utf8.AppendRune(r.built, value)
	return true
}

// hexRune returns the character of the escape with a number at an offset, and goes behind it if there is one.
func (r *reader) hexRune(at int) (value rune, ok bool) {
	if r.peek(at) != '\\' {
		return 0, false
	}
	begin := at + 2
	end := begin + hexDigits[r.peek(at+1)]
	if end == begin || end > len(r.text) {
		return 0, false
	}
	number, err := strconv.ParseUint(r.text[begin:end], 16, 32)
	if err != nil {
		return 0, false
	}
	r.at = end
	return rune(min(number, utf8.MaxRune+1)), true
}

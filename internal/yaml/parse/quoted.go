package parse

import (
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// quoted reads the scalar with its opening quote at the cursor, and ends behind the closing one.
func (r *reader) quoted() *yaml.Node {
	quote := r.text[r.at]
	n := r.node(yaml.ScalarNode, "!!str", r.at)
	n.Style = yaml.SingleQuotedStyle
	if quote == '"' {
		n.Style = yaml.DoubleQuotedStyle
	}
	r.at++
	if value, simple := r.simpleQuoted(quote); simple {
		n.Value = value
		return n
	}
	if !r.buildQuoted(quote) {
		return nil
	}
	n.Value = r.takeBuilt()
	return n
}

var (
	endsSingleQuoted = [256]bool{'\'': true, '\n': true, '\r': true}
	endsDoubleQuoted = [256]bool{'"': true, '\n': true, '\r': true, '\\': true}
)

// simpleQuoted returns the text up to the closing quote, if that is the value. It leaves the cursor if the value has to be built.
func (r *reader) simpleQuoted(quote byte) (value string, simple bool) {
	ends := &endsSingleQuoted
	if quote == '"' {
		ends = &endsDoubleQuoted
	}
	end := r.at
	for end < len(r.text) && !ends[r.text[end]] {
		end++
	}
	doubled := quote == '\'' && r.peek(end+1) == quote
	if r.peek(end) != quote || doubled {
		return "", false
	}
	value = r.text[r.at:end]
	r.at = end + 1
	return value, true
}

// buildQuoted builds a value with escapes or of several lines, and goes behind the closing quote.
func (r *reader) buildQuoted(quote byte) bool {
	r.built = r.built[:0]
	textEnd := 0 // blanks behind it go away when the line ends
	for {
		switch c := r.peek(r.at); {
		case c == 0:
			return false
		case c == '\n' || c == '\r':
			r.built = r.built[:textEnd]
			if !r.foldLines(false) {
				return false
			}
		case c == ' ' || c == '\t':
			r.built = append(r.built, c)
			r.at++
			continue
		case c == quote && quote == '\'' && r.peek(r.at+1) == quote:
			r.built = append(r.built, quote)
			r.at += 2
		case c == quote:
			r.at++
			return true
		case c == '\\' && quote == '"':
			r.at++
			if !r.unescape() {
				return false
			}
		default:
			r.built = append(r.built, c)
			r.at++
		}
		textEnd = len(r.built)
	}
}

// unescape writes the character of the escape behind a backslash, and reports whether the library accepts it.
func (r *reader) unescape() bool {
	if r.atBreak() {
		return r.foldLines(true)
	}
	c := r.peek(r.at)
	r.at++
	if digits := hexDigits[c]; digits > 0 {
		value, valid := hexRune(r.text[r.at:], digits)
		r.built = utf8.AppendRune(r.built, value)
		r.at += digits
		return valid
	}
	r.built = append(r.built, escapes[c]...)
	return escapes[c] != ""
}

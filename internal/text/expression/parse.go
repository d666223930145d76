package expression

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// SyntaxError is the first character at which an expression is not valid, and what was expected there.
type SyntaxError struct {
	Character int // counted from 1
	Message   string
}

// Error returns the message with the character in front.
func (e *SyntaxError) Error() string {
	return "at character " + strconv.Itoa(e.Character) + ": " + e.Message
}

// Parse parses an expression with one variable, cpu or memory.
func Parse(text, variable string) (*Expression, error) {
	if len(text) > MaxBytes {
		return nil, &SyntaxError{MaxBytes + 1, fmt.Sprintf("the expression is %d bytes long; the most is %d", len(text), MaxBytes)}
	}
	p := &parser{text: text, variable: variable}
	root := p.sum()
	if p.err == nil && p.peek() != 0 {
		p.expected("an operator (+ - * /) or the end")
	}
	if p.err != nil {
		return nil, p.err
	}
	return &Expression{text: text, root: root}, nil
}

// parser is a recursive descent parser. After the first error, it does not advance.
type parser struct {
	text, variable string
	at, depth      int
	err            *SyntaxError
}

// peek skips blanks and returns the next character, or 0 at the end and after an error.
func (p *parser) peek() byte {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t' || p.text[p.at] == '\n') {
		p.at++
	}
	if p.err != nil || p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// fail sets the error, unless there is one already.
func (p *parser) fail(at int, format string, args ...any) {
	if p.err == nil {
		p.err = &SyntaxError{utf8.RuneCountInString(p.text[:at]) + 1, fmt.Sprintf(format, args...)}
	}
}

func (p *parser) expected(what string) {
	p.peek()
	if p.at == len(p.text) {
		p.fail(p.at, "expected %s, found the end", what)
		return
	}
	found := p.word()
	if found == "" {
		character, _ := utf8.DecodeRuneInString(p.text[p.at:])
		found = string(character)
	}
	p.fail(p.at, "expected %s, found %q", what, found)
}

// take skips a character if it is the next one.
func (p *parser) take(character byte) bool {
	if p.peek() != character {
		return false
	}
	p.at++
	return true
}

func (p *parser) sum() *term     { return p.chain("+-", p.product) }
func (p *parser) product() *term { return p.chain("*/", p.factor) }

// chain parses operands with operators of one rank between them, from left to right.
func (p *parser) chain(operators string, operand func() *term) *term {
	left := operand()
	for {
		operator := p.peek()
		if strings.IndexByte(operators, operator) < 0 {
			return left
		}
		p.at++
		left = &term{operator: string(operator), operands: []*term{left, operand()}}
	}
}

func (p *parser) factor() *term {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > MaxDepth {
		p.fail(p.at, "it is nested more than %d deep", MaxDepth)
		return nil
	}
	switch next := p.peek(); {
	case next == '-':
		p.at++
		return &term{operator: "-", operands: []*term{p.factor()}}
	case next == '(':
		p.at++
		inner := p.sum()
		if !p.take(')') {
			p.expected(`an operator (+ - * /) or ")"`)
		}
		return inner
	case next == '.' || isDigit(next):
		return p.number()
	}
	return p.named()
}

// named parses the variable, or a function.
func (p *parser) named() *term {
	switch word := p.word(); word {
	case p.variable:
		p.at += len(word)
		return &term{}
	case "min", "max":
		p.at += len(word)
		return &term{operator: word, operands: p.arguments(word)}
	}
	p.expected("a number, a quantity, " + p.variable + ", min(), max() or \"(\"")
	return nil
}

func (p *parser) arguments(function string) []*term {
	if !p.take('(') {
		p.expected(`"(" after ` + function)
		return nil
	}
	arguments := []*term{p.sum()}
	for p.take(',') {
		arguments = append(arguments, p.sum())
	}
	if !p.take(')') {
		p.expected(`an operator (+ - * /), "," or ")"`)
	}
	return arguments
}

// word returns the word that is next, without skipping it.
func (p *parser) word() string {
	end := p.at
	for end < len(p.text) && (isLetter(p.text[end]) || end > p.at && isDigit(p.text[end])) {
		end++
	}
	return p.text[p.at:end]
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

package admission

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxLine is the length above which lines of expressions are broken, so that people can review them.
const maxLine = 120

// laidOut returns the policy with the lines of its expressions broken.
func (p *policy) laidOut() *policy {
	for i := range p.conditions {
		p.conditions[i].expression = layOut(p.conditions[i].expression)
	}
	for i := range p.variables {
		p.variables[i].expression = layOut(p.variables[i].expression)
	}
	for i := range p.operations {
		p.operations[i].expression = layOut(p.operations[i].expression)
	}
	for i := range p.validations {
		p.validations[i].expression = layOut(p.validations[i].expression)
		p.validations[i].messageExpression = layOut(p.validations[i].messageExpression)
	}
	return p
}

// layOut returns an expression with its long lines broken after operators and commas. Strings stay in one line.
func layOut(expression string) string {
	lines := strings.Split(expression, "\n")
	for i, line := range lines {
		lines[i] = strings.Join(broken(line), "\n")
	}
	return strings.Join(lines, "\n")
}

// broken returns a line as lines that are not too long, where that is possible: it is broken where the nesting is least, and there at the
// operator that binds least.
func broken(line string) []string {
	text := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(text)]
	if utf8.RuneCountInString(line) <= maxLine || strings.HasPrefix(text, "//") {
		return []string{line}
	}
	breaks := findBreaks(text)
	if len(breaks) == 0 {
		return []string{line}
	}
	best := slices.MinFunc(breaks, compareBreaks)
	breaks = slices.DeleteFunc(breaks, func(b lineBreak) bool { return compareBreaks(b, best) != 0 })
	deeper := indent
	if best.depth > 0 || best.rank < rankOf("||") {
		deeper += "  "
	}
	var lines []string
	for _, piece := range pieces(text, breaks, maxLine-len(deeper)) {
		lines = append(lines, broken(indent+piece)...)
		indent = deeper
	}
	return lines
}

// pieces returns the parts of a text between breaks. Those between commas are joined again up to a width.
func pieces(text string, breaks []lineBreak, width int) []string {
	fills := breaks[0].rank == rankOf(",") || breaks[0].rank == rankOf(betweenFields)
	var all []string
	start := 0
	for i, b := range breaks {
		end := len(text)
		if i+1 < len(breaks) {
			end = breaks[i+1].at
		}
		if fills && utf8.RuneCountInString(text[start:end]) <= width {
			continue
		}
		if piece := strings.TrimSpace(text[start:b.at]); piece != "" {
			all = append(all, piece)
			start = b.at
		}
	}
	return append(all, strings.TrimSpace(text[start:]))
}

// lineBreak is an offset in a line behind an operator or a comma.
type lineBreak struct{ at, depth, rank int }

func compareBreaks(a, b lineBreak) int {
	return cmp.Or(cmp.Compare(a.depth, b.depth), cmp.Compare(a.rank, b.rank))
}

// betweenFields is the comma between the fields of an object.
const betweenFields = "{,"

// operators are those that lines are broken after, from the one that binds least. What is between other commas than those of fields is
// kept together if possible.
var operators = []string{betweenFields, ":", "?", "||", "&&", "+", ","}

func rankOf(operator string) int { return slices.Index(operators, operator) }

// findBreaks returns the places in a line where it can be broken, which are outside of strings, with the depth of their nesting.
func findBreaks(text string) []lineBreak {
	var breaks []lineBreak
	var open []byte // the brackets
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = endOfString(text, i)
		case '(', '[', '{':
			depth++
			open = append(open, text[i])
		case ')', ']', '}':
			depth--
			open = open[:max(0, len(open)-1)]
		case ' ':
			operator := lastWord(text[:i])
			if operator == "," && len(open) > 0 && open[len(open)-1] == '{' {
				operator = betweenFields
			}
			if rank := rankOf(operator); rank >= 0 && i+1 < len(text) {
				breaks = append(breaks, lineBreak{i, depth, rank})
			}
		}
	}
	return breaks
}

// lastWord returns the operator at the end of a text, which has a space in front of it, or its comma.
func lastWord(text string) string {
	if strings.HasSuffix(text, ",") {
		return ","
	}
	return text[strings.LastIndexByte(text, ' ')+1:]
}

// endOfString returns the offset of the quote that ends the string at an offset.
func endOfString(text string, start int) int {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(text)
}

package injector

import (
	"regexp"
	"regexp/syntax"
	"strings"

	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/work/meter"
)

// Limits for regular expressions. Bytes alone do not bound the work: a{1000} has seven, and compiles to a thousand
// instructions.
const (
	maxPatternBytes        = 1024
	maxPatternInstructions = 10_000 // of all patterns of a config together
)

// Pattern is a regular expression for the names of containers, as OpenKruise has it. It matches a part of a name.
type Pattern struct {
	*regexp.Regexp
	instructions int
}

// Steps returns the steps that it takes to match a name, for the meter of a run: in the worst case, all instructions at
// each byte.
func (p *Pattern) Steps(name string) int {
	return p.instructions * (len(name) + 1) * meter.PerInstruction
}

// patterns are the regular expressions of a config, each compiled once.
type patterns struct {
	compiled     map[string]*Pattern
	instructions int // of all of them
}

// checkPattern compiles a regular expression, or refuses it.
func (c checker) checkPattern(at schema.Path, pattern string) {
	p := c.patterns
	if c.isForPod() || c.IsUndecided(at) { // patterns are the same for all pods
		return
	}
	if len(pattern) > maxPatternBytes {
		c.Refusef(at, "", "the pattern is %d bytes long; the most is %d", len(pattern), maxPatternBytes)
		return
	}
	if p.compiled[pattern] != nil || p.instructions > maxPatternInstructions {
		return
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		c.Refusef(at, pattern, "%q is not a regular expression: %s; see https://golang.org/s/re2syntax",
			schema.Shown(pattern), strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		return
	}
	size := instructions(parsed)
	if p.instructions += size; p.instructions > maxPatternInstructions {
		c.Refusef(at, pattern,
			"with this pattern, the regular expressions of the config have more than %d instructions, "+
				"where a{1000} has 1000; write * or + in place of a large number of repetitions, "+
				"or use fewer and shorter patterns",
			maxPatternInstructions)
		return
	}
	if p.compiled == nil {
		p.compiled = map[string]*Pattern{}
	}
	p.compiled[pattern] = &Pattern{regexp.MustCompile(pattern), size}
}

// instructions estimates the size of a regular expression before it is compiled, because the compiler writes out each
// repetition.
func instructions(re *syntax.Regexp) int {
	count := 1
	for _, sub := range re.Sub {
		count += instructions(sub)
	}
	switch re.Op {
	case syntax.OpLiteral:
		count += len(re.Rune)
	case syntax.OpCharClass:
		count += len(re.Rune) / 2
	case syntax.OpRepeat:
		count *= max(re.Min, re.Max, 1)
	}
	return count
}

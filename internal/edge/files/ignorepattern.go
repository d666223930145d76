package files

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// maxIgnoreLine bounds a line of an ignore file to the length of a path, and maxIgnorePatterns the patterns of a file,
// because each is compared with each file.
const (
	maxIgnoreLine     = 4 << 10
	maxIgnorePatterns = 10_000
)

// maxIgnoreSteps bounds the characters that one run compares with patterns, in addition to ignoreStepsPerFile for each
// file that it finds.
const (
	maxIgnoreSteps     = 500_000_000
	ignoreStepsPerFile = 10_000
)

// ignorePattern is one line of an ignore file.
type ignorePattern struct {
	glob      string // in the syntax of doublestar.Match
	negated   bool
	dirsOnly  bool
	wholePath bool   // whether it matches the path from the ignore file on, and not only the last name
	suffix    string // of all paths that it matches
	stars     int
}

// match reports whether the pattern matches a path, relative to the directory of its ignore file. It does not match
// what is in a directory that it matches, because an ignored directory is not read. It adds the characters that it
// compares to the steps.
func (p ignorePattern) match(name string, isDir bool, steps *int) bool {
	*steps++
	if p.dirsOnly && !isDir || !strings.HasSuffix(name, p.suffix) {
		return false
	}
	if !p.wholePath {
		name = path.Base(name)
	}
	*steps += (1 + p.stars) * len(name)
	return doublestar.MatchUnvalidated(p.glob, name)
}

// readIgnorePatterns reads the text of an ignore file, in git's syntax. A pattern that matches nothing is left out.
func readIgnorePatterns(text []byte) ([]ignorePattern, error) {
	var patterns []ignorePattern
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\uFEFF")) {
		line = trimLine(line)
		if len(line) > maxIgnoreLine {
			return nil, fmt.Errorf("it has a line of more than %d KiB", maxIgnoreLine>>10)
		}
		p := newIgnorePattern(line)
		if !strings.HasPrefix(line, "#") && p.glob != "" && doublestar.ValidatePattern(p.glob) {
			patterns = append(patterns, p)
		}
		if len(patterns) > maxIgnorePatterns {
			return nil, fmt.Errorf("it has more than %d patterns", maxIgnorePatterns)
		}
	}
	return patterns, nil
}

// trimLine removes the line break, and the spaces at the end except an escaped one.
func trimLine(line string) string {
	line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
	trimmed := strings.TrimRight(line, " ")
	if escapes := len(trimmed) - len(strings.TrimRight(trimmed, `\`)); escapes%2 == 1 && trimmed != line {
		return trimmed + " "
	}
	return trimmed
}

// newIgnorePattern reads a line of an ignore file. The glob is empty if the pattern matches nothing.
func newIgnorePattern(line string) ignorePattern {
	var p ignorePattern
	line, p.negated = strings.CutPrefix(line, "!")
	line, p.dirsOnly = strings.CutSuffix(line, "/")
	p.wholePath = strings.Contains(line, "/")
	segments := convertSegments(strings.TrimPrefix(line, "/"))
	if slices.Contains(segments, "") { // no path has an empty name in it
		return ignorePattern{}
	}
	if segments[len(segments)-1] == "**" { // git matches what is in the directory, and not the directory itself
		segments = append(segments, "*")
	}
	p.glob = strings.Join(segments, "/")
	p.suffix = p.glob[strings.LastIndexAny(p.glob, `*?[]\/`)+1:]
	p.stars = strings.Count(p.glob, "*")
	return p
}

// convertSegments converts a pattern of git to the syntax of doublestar, and splits it at its slashes. Stars that are
// not a whole segment are one star.
func convertSegments(pattern string) []string {
	var segments []string
	var b strings.Builder
	for i := 0; i < len(pattern); {
		switch c := pattern[i]; c {
		case '[':
			class, end := convertClass(pattern[i:])
			b.WriteString(class)
			i += end
		case '\\':
			_, size := utf8.DecodeRuneInString(pattern[i+1:])
			b.WriteString(pattern[i : i+1+size])
			i += 1 + size
		case '*':
			stars := len(pattern[i:]) - len(strings.TrimLeft(pattern[i:], "*"))
			b.WriteByte('*')
			if stars > 1 && b.Len() == 1 && (i+stars == len(pattern) || pattern[i+stars] == '/') {
				b.WriteByte('*')
			}
			i += stars
		case '/':
			segments = append(segments, b.String())
			b.Reset()
			i++
		default:
			if c == '{' || c == '}' { // these are alternatives for doublestar
				b.WriteByte('\\')
			}
			b.WriteByte(c)
			i++
		}
	}
	return append(segments, b.String())
}

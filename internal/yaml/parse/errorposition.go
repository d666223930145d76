package parse

import (
	"bytes"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
)

var libraryPrefix = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^yaml: (?:line (\d+): )?`) })

// Where returns the position in a text that an error of Document is about, from 1, and the error without it. The line
// in the library's error is right for errors of its scanner. Its parser counts from 0; and if it expects a key or
// a dash, the line is the one on which the mapping or list around it begins.
func Where(text []byte, err error) (line, column int, problem string) {
	line, problem = split(err)
	if of, fromParser := strings.CutPrefix(problem, "did not find expected "); fromParser {
		line++
		if !strings.HasPrefix(of, "',' or") { // that is about the bracket that is open
			line = firstWith(text, problem)
		}
	}
	line = max(line, 1)
	return line, columnOf(text, line), problem
}

// split returns the line in an error of the library, 0 if there is none, and the rest of the error.
func split(err error) (line int, problem string) {
	problem = err.Error()
	if match := libraryPrefix().FindStringSubmatch(problem); match != nil {
		problem = strings.TrimPrefix(problem, match[0])
		line, _ = strconv.Atoi(match[1]) // none is 0
	}
	return line, problem
}

// firstWith returns the first line that makes the library report the problem.
func firstWith(text []byte, problem string) int {
	var ends []int
	for at := range text {
		if text[at] == '\n' || at == len(text)-1 {
			ends = append(ends, at+1)
		}
	}
	return 1 + sort.Search(len(ends)-1, func(i int) bool {
		_, err := library(text[:ends[i]])
		if err == nil {
			return false
		}
		_, found := split(err)
		return found == problem
	})
}

// columnOf returns where the text of a line begins, in characters.
func columnOf(text []byte, line int) int {
	for range line - 1 {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	return 1 + len(text) - len(bytes.TrimLeft(text, " "))
}

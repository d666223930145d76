package parse

import (
	"bytes"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
)

var libraryWords = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^yaml: (?:line (\d+): )?`) })

// Where is the place in a text that an error of Document is about, from 1, and the problem in words. The line
// of the library is right for what its scanner finds. What its parser finds is counted from 0; and where a key or
// a dash is not what it has to be, it is the line on which the mapping or list around it begins.
func Where(text []byte, err error) (line, column int, problem string) {
	line, problem = split(err)
	if of, fromParser := strings.CutPrefix(problem, "did not find expected "); fromParser {
		line++
		if !strings.HasPrefix(of, "',' or") { // which is about the bracket that is open
			line = firstWith(text, problem)
		}
	}
	line = max(line, 1)
	return line, columnOf(text, line), problem
}

// split takes the line out of the library's words, 0 where there is none.
func split(err error) (line int, problem string) {
	problem = err.Error()
	if match := libraryWords().FindStringSubmatch(problem); match != nil {
		problem = strings.TrimPrefix(problem, match[0])
		line, _ = strconv.Atoi(match[1]) // none is 0
	}
	return line, problem
}

// firstWith is the first line with which the text has the problem.
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

// columnOf is where the text of a line begins, in characters.
func columnOf(text []byte, line int) int {
	for range line - 1 {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	return 1 + len(text) - len(bytes.TrimLeft(text, " "))
}

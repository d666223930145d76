package admission

import (
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/spelling"
)

// maxMisspelt bounds the pattern for misspelt markers, which becomes long for long names.
const maxMisspelt = 20_000

// isMisspelt returns the condition that a key of the pod's annotations and labels is almost the marker.
func isMisspelt(marker, pattern string) string {
	domain, name, _ := strings.Cut(marker, "/")
	longest := len(domain) + len("/") + longestMisspelt(name)
	stamp := ""
	if domain == v1alpha1.Group {
		stamp = "!k.startsWith(" + quote(v1alpha1.StampPrefix) + ") && "
	}
	return fmt.Sprintf("[%s, %s].exists(m, m.exists(k,\n  k.startsWith(%s) && size(k) <= %d && %sk != %s &&\n  k.lowerAscii().matches(%s)))",
		podAnnotations, podLabels, quote(domain+"/"), longest, stamp, quote(marker), quote(pattern))
}

func longestMisspelt(name string) int {
	longest := 0
	for size := range spelling.MaxWord + 1 {
		if isNear := size-len(name) <= spelling.Tolerance(size); isNear {
			longest = size
		}
	}
	return longest
}

// misspeltPattern returns the regular expression for keys that Pillion takes for a misspelt marker, in lower case, by listing where
// letters are changed, added, left out and swapped. It is empty if no key is taken for one. It reports whether the list is short enough.
func misspeltPattern(marker string) (string, bool) {
	domain, name, _ := strings.Cut(strings.ToLower(marker), "/")
	if name == "" {
		return "", true
	}
	length := 0
	var words []string
	for size := 1; size <= spelling.MaxWord; size++ {
		e := edits{name: name, size: size, found: map[string]bool{}, seen: map[string]bool{}, most: maxMisspelt}
		if difference := size - len(name); max(difference, -difference) > spelling.Tolerance(size) {
			continue
		}
		e.add("", 0, spelling.Tolerance(size))
		if e.isTooMany() {
			return "", false
		}
		for _, word := range e.widest() {
			words = append(words, strings.NewReplacer(".", "\\.", "?", ".").Replace(word))
			length += len(word) + 1
		}
		if length > maxMisspelt {
			return "", false
		}
	}
	return "^" + strings.NewReplacer(".", `\.`).Replace(domain) + "/(" + strings.Join(words, "|") + ")$", true
}

// edits collects the words of one size that are made of a name by a number of edits, with a question mark for any letter.
type edits struct {
	name        string
	size, most  int
	found, seen map[string]bool
}

func (e *edits) isTooMany() bool { return len(e.found)*e.size > e.most || len(e.seen) > 20*e.most }

// add adds the words that begin with a part, which is made of the first letters of the name.
func (e *edits) add(word string, done, left int) {
	state := fmt.Sprintf("%s/%d/%d", word, done, left)
	if e.seen[state] || e.isTooMany() || len(word) > e.size {
		return
	}
	e.seen[state] = true
	if done == len(e.name) && len(word) == e.size {
		e.found[word] = true
	}
	if done < len(e.name) {
		e.add(word+e.name[done:done+1], done+1, left)
	}
	if left == 0 {
		return
	}
	e.add(word+"?", done, left-1)
	if done < len(e.name) {
		e.add(word+"?", done+1, left-1)
		e.add(word, done+1, left-1)
	}
	if done+1 < len(e.name) {
		e.add(word+e.name[done+1:done+2]+e.name[done:done+1], done+2, left-1)
	}
}

// widest returns the words that no other one covers, sorted.
func (e *edits) widest() []string {
	var words []string
	for word := range e.found {
		if !e.isCovered(word) {
			words = append(words, word)
		}
	}
	slices.Sort(words)
	return words
}

func (e *edits) isCovered(word string) bool {
	for other := range e.found {
		if other != word && covers(other, word) {
			return true
		}
	}
	return false
}

// covers reports whether a word with question marks stands for all that another one stands for.
func covers(wide, narrow string) bool {
	for i := range len(wide) {
		if wide[i] != '?' && wide[i] != narrow[i] {
			return false
		}
	}
	return true
}

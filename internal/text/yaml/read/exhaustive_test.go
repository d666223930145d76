package read

import (
	"strings"
	"testing"
)

// pieces are what small texts are put together from.
var pieces = []string{
	"a", ": ", ":", "- ", "-", "\n", " ", "  ", "[", "]", "{", "}", ", ", ",", "#", " #", "\"", "'", "|", ">-", "é", "1", "\t",
	"\r\n", "\n  ", "?", "...", "---",
}

// TestAllSmallTextsAreReadAsTheLibraryReadsThem tries all texts of a few pieces; most are not
// YAML, and none of these may be accepted.
func TestAllSmallTextsAreReadAsTheLibraryReadsThem(t *testing.T) {
	length := 4
	if testing.Short() {
		length = 3
	}
	tried, accepted := 0, 0
	var try func(text []byte, left int)
	try = func(text []byte, left int) {
		tried++
		if checkSure(t, text) {
			accepted++
		}
		for i := 0; left > 0 && i < len(pieces); i++ {
			try(append(text[:len(text):len(text)], pieces[i]...), left-1)
		}
	}
	for _, start := range []string{"", "a: b\n", "a:\n- b\n", "{a: [b, ", "- a: |\n   b\n"} {
		left := length
		if start != "" {
			left--
		}
		try([]byte(start), left)
	}
	t.Logf("%d of %d accepted", accepted, tried)
}

// Manifests are read rightly wherever they are cut off, and with any of their lines gone.
func TestPartsOfManifestsAreReadAsTheLibraryReadsThem(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, text := range manifests(t) {
		if !strings.Contains(name, "corpus/hand-") && !strings.Contains(name, "corpus/item-0") && !strings.Contains(name, "crlf") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			for end := range text {
				checkSure(t, text[:end])
			}
			lines := strings.SplitAfter(string(text), "\n")
			for i, line := range lines {
				before, behind := strings.Join(lines[:i], ""), strings.Join(lines[i+1:], "")
				checkSure(t, []byte(before+behind))
				checkSure(t, []byte(before+" "+line+behind))
				checkSure(t, []byte(before+strings.TrimPrefix(line, " ")+behind))
				checkSure(t, []byte(before+line+"# c\n"+behind))
				checkSure(t, []byte(before+"      # c\n"+line+behind))
			}
		})
	}
}

// The library reads its input through buffers of 512 and 1536 bytes; nothing may depend on
// where they end.
func TestPlaceInTheTextDoesNotMatter(t *testing.T) {
	for _, s := range append(snippets, valueSnippets...) {
		if !s.want {
			continue
		}
		for _, edge := range []int{512, 1536} {
			for before := edge - min(len(s.text), 80) - 4; before < edge+2; before++ {
				checkSure(t, []byte("#"+strings.Repeat("x", before-2)+"\n"+s.text))
			}
		}
	}
}

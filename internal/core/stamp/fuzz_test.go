package stamp_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/core/stamp"
)

// FuzzParse checks that Parse does not panic, and that String returns the text that Parse accepted.
func FuzzParse(f *testing.F) {
	for _, text := range stampsOfCases(f) {
		f.Add(text)
	}
	for _, text := range []string{
		"", "1", "1 :", `1 c/app[-1]="a"`, `1 spec(volumes="[]") v("a b":AAAAAA) c/app/env[1+2]="{name: A}"`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, text := range []string{text, stamp.Seal(text), seal(text)} {
			s, err := stamp.Parse(text)
			if err != nil {
				continue
			}
			if s.String() != text {
				t.Errorf("%q is read as a stamp that is written as %q", text, s.String())
			}
			if again, err := stamp.Parse(s.String()); err != nil || again.String() != text {
				t.Errorf("%q is not read again: %v", text, err)
			}
		}
	})
}

// seal replaces the checksum of a stamp by the right one, as an attacker would.
func seal(text string) string { return stamp.Seal(text[:max(strings.LastIndexByte(text, ' '), 0)]) }

// stampsOfCases returns the stamps in the results of the engine's cases that are on one line.
func stampsOfCases(f *testing.F) (all []string) {
	files, err := filepath.Glob("../engine/testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	line := regexp.MustCompile(`pillion.dev/injected-\S+: (1 .*)`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, match := range line.FindAllSubmatch(text, -1) {
			all = append(all, string(match[1]))
		}
	}
	return all
}

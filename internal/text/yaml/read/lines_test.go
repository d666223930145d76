package read

import (
	"fmt"
	"testing"
)

// Every way of going on over lines is held against every kind of scalar, and everything
// that may stand around it.
func TestScalarsOverLinesAreReadAsTheLibraryReadsThem(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	breaks := []string{
		"\n", "\n\n", "\n\n\n", "\n  ", "\n    ", "  \n  ", "\n  \n  ", " \n \n   ", "\n\t", "\n  \t", "\t\n  ", "\n\t\n  ",
		"\n# x\n  ", "\n  # x\n  ", " # x\n  ", "\n  - ", "\n- ", "\n  ? ", "\n---\n", "\n--- ", "\n...\n", "\n ---\n ",
		"\\\n", "\\\n  ", "\\\n\n  ", "\\\n \n\n", " \\\n", "\\ \n  ", "\\t\n  ",
		"\n  x: ", "\n  :", "\n  : ", "\n  #", "\n  [", "\n  \"", "\n  &x ", "\n  %", "\n%",
	}
	accepted := 0
	for _, first := range breaks {
		for _, second := range append(breaks, "") {
			for _, scalar := range []string{"b%sc%sd", "\"b%sc%sd\"", "'b%sc%sd'", "\"%s%s\"", "1%s2%s", "'%s%s'''"} {
				text := fmt.Sprintf(scalar, first, second)
				for _, form := range []string{
					"a: %s\nz: 1\n", "- %s\n- z\n", "%s", "x:\n- a: %s\n  z: 1\n", "a:\n  %s\nz: 1\n", "[%s, z]\n", "{a: %s}\n", "%s: z\n",
					"é: [%s, z] # y\n",
				} {
					whole := fmt.Sprintf(form, text)
					if checkSure(t, []byte(whole)) {
						accepted++
					}
					checkSure(t, []byte(crlf(whole)))
				}
			}
		}
	}
	t.Logf("%d accepted", accepted)
	if accepted < 10000 {
		t.Errorf("only %d accepted", accepted)
	}
}

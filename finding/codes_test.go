package finding

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestCodesAreAddedAndNeverRenamed compares the codes with the list of those that people may match on. A new code has
// to be added to the list; a code that is in the list has to stay.
func TestCodesAreAddedAndNeverRenamed(t *testing.T) {
	text, err := os.ReadFile("testdata/codes.txt")
	if err != nil {
		t.Fatal(err)
	}
	listed := strings.Fields(string(text))
	if !slices.IsSorted(listed) {
		t.Error("testdata/codes.txt is not sorted")
	}
	known := map[string]bool{}
	for _, code := range Codes() {
		known[string(code)] = true
		if !slices.Contains(listed, string(code)) {
			t.Errorf("%s is not in testdata/codes.txt; add it, if its name can stay forever", code)
		}
	}
	for _, code := range listed {
		if !known[code] {
			t.Errorf("%s is gone; from the first release on, codes stay (docs/reference/limits.md), and until then, remove it here", code)
		}
	}
}

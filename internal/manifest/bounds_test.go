package manifest

import (
	"fmt"
	"strings"
	"testing"
)

// Whatever a stranger nests, declares or merges, reading ends with an error, and soon.
func TestReadRefusesWhatIsTooMuch(t *testing.T) {
	var merges strings.Builder
	merges.WriteString("kind: List\nitems:\n- a: &a0 {b: c}\n")
	for i := range 20 {
		fmt.Fprintf(&merges, "  a%d: &a%d {<<: [%s]}\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 10))
	}
	merges.WriteString("  <<: *a20\n")
	for name, text := range map[string]string{
		"lists in lists":            strings.Repeat("{kind: List, items: [", 1<<16),
		"lists in lists over lines": "kind: List\nitems:\n" + strings.Repeat("- kind: List\n  items: [{kind: List, items: [", 300),
		"directives":                strings.Repeat("%TAG !a! b\n", 60_000) + "---\nkind: Pod\n",
		"merge keys":                merges.String(),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Read([]byte(text)); err == nil {
				t.Error("it is read")
			}
		})
	}
}

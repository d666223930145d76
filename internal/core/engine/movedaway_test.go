package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// movesAway replaces the variable A by one that has to stand behind LATE.
const movesAway = `onConflict: {env: Replace}
appContainers:
- containers: [app]
  env: [{name: A, value: $(LATE)}]
- containers: [app]
  env: [{name: P, value: p}]
  envPosition: %s
`

// TestMovedEntryComesBack claims that an entry that an injector replaces elsewhere in its list comes back where it was
// among the other entries, with all comments around it. They may then be on its other side.
func TestMovedEntryComesBack(t *testing.T) {
	lines := []string{"", "    # level\n", "  # shallow\n\n    # level\n", "      # deep\n"}
	entries := []string{
		"    - {name: A, value: x}\n%s    - {name: LATE, value: x}\n",
		"    - {name: X, value: x}\n%s    - name: A # one\n      value: x\n%s    - {name: LATE, value: x}\n",
		"    - {name: A, value: x}\n%s    - {name: A, value: y}\n%s    - {name: LATE, value: x}\n",
		"    - {name: LATE, value: x}\n%s    - {name: A, value: y}\n%s    - {name: A, value: z}\n",
	}
	n := len(lines)
	for i, list := range entries {
		gaps := strings.Count(list, "%s")
		for j := range n * n * (1 + (gaps-1)*(n-1)) {
			between := []any{lines[j/n%n], lines[j/n/n]}[:gaps]
			first := deployment("containers:\n  - name: app\n    env:\n" + lines[j%n] + fmt.Sprintf(list, between...) + "    image: app:1\n")
			position := []string{"Append", "Prepend"}[(j+j/n)%2]
			t.Run(fmt.Sprint(i, "/", j), func(t *testing.T) {
				t.Parallel()
				checkMoved(t, first, injectorOf("a", fmt.Sprintf(movesAway, position)))
			})
		}
	}
}

func checkMoved(t *testing.T, first, config string) {
	other := injectorOf("b", "appContainers:\n- env: [{name: B, value: b}]\n")
	with := mustApply(t, first, config)
	checkComments(t, first, with)
	if again := mustApply(t, with, config); again != with {
		t.Errorf("a second run changes it (-first +second):\n%s", cmp.Diff(with, again))
	}
	for _, configs := range [][]string{
		{config, removalOf("a")},
		{config, other, removalOf("b"), removalOf("a")},
		{other, config, removalOf("b"), removalOf("a")},
		{other, config, removalOf("a"), removalOf("b")},
	} {
		back := mustApply(t, first, configs...)
		if diff := cmp.Diff(linesAndComments(first), linesAndComments(back)); diff != "" || !strings.Contains(first, "#") && back != first {
			t.Errorf("it is not given back (-first +back):\n%s\nby:\n%s", cmp.Diff(first, back), strings.Join(configs, "---\n"))
		}
	}
}

// linesAndComments returns the lines of a text that mean something, in order, followed by the comments and blank lines.
func linesAndComments(text string) []string {
	var between, all []string
	for line := range strings.Lines(text) {
		if content := strings.TrimSpace(line); content == "" || content[0] == '#' {
			between = append(between, line)
		} else {
			all = append(all, line)
		}
	}
	slices.Sort(between)
	return append(all, between...)
}

package engine_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestTogether runs every case in testdata/together: items, the specs of injectors, by their names, and what
// becomes of the items. One list of the injectors gives that, a step for each does, and doing so again.
func TestTogether(t *testing.T) {
	eachArchive(t, "testdata/together/*.txtar", func(t *testing.T, file string, archive *txtar.Archive) {
		last := len(archive.Files) - 1
		items, want := string(archive.Files[0].Data), string(archive.Files[last].Data)
		list := "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems:\n"
		var steps []string
		for _, f := range archive.Files[1:last] {
			steps = append(steps, "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: "+f.Name+"}\nspec:\n"+
				indent(string(f.Data), "  "))
			list += "- metadata: {name: " + f.Name + "}\n  spec:\n" + indent(string(f.Data), "    ")
		}
		byList := oneByOne(t, items, list)
		if *update {
			archive.Files[last].Data = []byte(byList)
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		bySteps := oneByOne(t, items, steps...)
		for _, claim := range []struct{ by, gives string }{
			{"a list", byList},
			{"steps", bySteps},
			{"the list again", oneByOne(t, byList, list)},
			{"the steps again", oneByOne(t, bySteps, steps...)},
		} {
			if diff := cmp.Diff(want, claim.gives); diff != "" {
				t.Errorf("%s (-want +got):\n%s", claim.by, diff)
			}
		}
	})
}

// oneByOne runs configs on items, each on what the last one gave.
func oneByOne(t *testing.T, items string, configs ...string) string {
	t.Helper()
	for _, config := range configs {
		after, said, failed := step(t, config, items)
		if failed {
			t.Errorf("it is refused: %s", said)
		}
		items = after
	}
	return items
}

// TestAContainerThatIncludesAnothersIsAConflict claims that only equal containers are shared, in a list and in steps,
// in either order.
func TestAContainerThatIncludesAnothersIsAConflict(t *testing.T) {
	const less, equal = "containers:\n- {name: envoy, image: envoy:1}\n", "containers:\n- image: envoy:1\n  name: envoy\n"
	const more = "containers:\n- {name: envoy, image: envoy:1, args: [-v]}\n"
	first := deployment("containers:\n- name: app\n  image: app:1\n")
	for name, c := range map[string]struct {
		a, b    string
		refused bool
	}{
		"the second has more": {less, more, true},
		"the first has more":  {more, less, true},
		"equal":               {less, equal, false},
	} {
		for _, onConflict := range []string{"Error", "Keep", "Merge", "Replace"} {
			t.Run(name+"/"+onConflict, func(t *testing.T) {
				a := injectorOf("a", c.a)
				b := injectorOf("b", "onConflict: {container: "+onConflict+"}\n"+c.b)
				_, bySteps, stepRefused := step(t, b, mustRun(t, first, a))
				_, byList, listRefused := step(t, a+"---\n"+b, first)
				for by, refused := range map[string]bool{bySteps: stepRefused, byList: listRefused} {
					if refused != c.refused || refused && !strings.Contains(by, `"a" and "b" both want init container "envoy"`) {
						t.Errorf("refused: %v, want %v:\n%s", refused, c.refused, by)
					}
				}
			})
		}
	}
}

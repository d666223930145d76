package engine_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestOverrides runs every case in testdata/overrides: items, the spec of an injector that replaces something of the
// app, the spec of one that wants the same thing as the app has it, and what is said. Together they are refused,
// whichever is first in a list. In steps, the one that wants what the app has leaves no stamp, so it is refused as soon
// as it runs after the other.
func TestOverrides(t *testing.T) {
	eachArchive(t, "testdata/overrides/*.txtar", func(t *testing.T, file string, archive *txtar.Archive) {
		first, specs := string(archive.Files[0].Data), map[string]string{}
		for _, f := range archive.Files[1:3] {
			specs[f.Name] = string(f.Data)
		}
		alone := func(name, action string) string {
			return "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: " + name + "}\nspec:\n  action: " + action + "\n" +
				indent(specs[name], "  ")
		}
		list := func(names ...string) string {
			all := "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems:\n"
			for _, name := range names {
				all += "- metadata: {name: " + name + "}\n  spec:\n" + indent(specs[name], "    ")
			}
			return all
		}
		var says strings.Builder
		refused := func(config, items string) {
			after, said, failed := step(t, config, items)
			if !failed || after != items {
				t.Errorf("it is not refused:\n%s\n%s", said, after)
			}
			says.WriteString(strings.TrimSpace(said) + "\n")
		}
		succeeds := func(config, items string) string {
			after, said, failed := step(t, config, items)
			if failed {
				t.Error(said)
			}
			return after
		}
		refused(list("replaces", "wants"), first)
		refused(list("wants", "replaces"), first)
		if same := succeeds(alone("wants", "Inject"), first); same != first {
			t.Errorf("it wants more than the app has:\n%s", same)
		}
		replaced := succeeds(alone("replaces", "Inject"), first)
		refused(alone("wants", "Inject"), replaced)
		if again := succeeds(alone("replaces", "Inject"), replaced); again != replaced {
			t.Errorf("a second run changes something:\n%s", cmp.Diff(replaced, again))
		}
		if back := succeeds(alone("replaces", "Remove"), replaced); back != first {
			t.Errorf("removing does not give back the first bytes:\n%s", cmp.Diff(first, back))
		}
		if *update {
			archive.Files[3].Data = []byte(says.String())
			if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		if diff := cmp.Diff(string(archive.Files[3].Data), says.String()); diff != "" {
			t.Errorf("said (-want +got):\n%s", diff)
		}
	})
}

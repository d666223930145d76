package engine_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
)

const everyReplacement = `onConflict: {container: %s, env: Replace}
containers:
- name: helper
  image: helper:1
  mode: Container
  args: [c, d]
  command: [z]
appContainers:
- containers: [app]
  env:
  - {name: LEVEL, value: quiet}
  - name: ADDED
    value: x
patchPodMetadata:
- patchPolicy: Overwrite
  annotations: {owner: mesh}
podSpec:
  tolerations: [{key: mesh, operator: Exists}]
`

// TestLayoutComesBack claims of every way to write a pod template in testdata/layouts that a second run finds
// nothing to do, that only the last config counts, that comments stay in the file or in the stamp, and that
// removing gives the first bytes back.
func TestLayoutComesBack(t *testing.T) {
	for _, layout := range layoutsIn(t, "templates.txtar", "empty.txtar") {
		for _, policy := range []string{"Replace", "Merge"} {
			for end, first := range ends(deploymentOf(string(layout.Data))) {
				t.Run(layout.Name+"/"+policy+"/"+end, func(t *testing.T) {
					t.Parallel()
					checkLayout(t, strings.Replace(everyReplacement, "%s", policy, 1), first)
				})
			}
		}
	}
}

// TestOddLayoutsKeepTheirMeaning claims less of what hardly anybody writes: it is refused, or comes back with all
// values and comments.
func TestOddLayoutsKeepTheirMeaning(t *testing.T) {
	config := injectorOf("a", strings.Replace(everyReplacement, "%s", "Replace", 1))
	for _, layout := range layoutsIn(t, "odd.txtar") {
		for end, first := range ends(deploymentOf(string(layout.Data))) {
			t.Run(layout.Name+"/"+end, func(t *testing.T) {
				if _, said, failed := step(t, config, first); failed {
					if !strings.Contains(said, "would be lost") {
						t.Error(said)
					}
					return
				}
				with := mustApply(t, first, config)
				back := mustApply(t, with, removalOf("a"))
				checkComments(t, first, with)
				checkComments(t, first, back)
				if !node.Equal(documentIn(t, first), documentIn(t, back)) {
					t.Errorf("from:\n%s\nback:\n%s", first, back)
				}
			})
		}
	}
}

func documentIn(t *testing.T, text string) *node.Node {
	t.Helper()
	document, err := yamlread.Document([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return document.Content[0]
}

func layoutsIn(t *testing.T, names ...string) (all []txtar.File) {
	t.Helper()
	for _, name := range names {
		archive, err := txtar.ParseFile("testdata/layouts/" + name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, archive.Files...)
	}
	return all
}

func checkLayout(t *testing.T, spec, first string) {
	big := injectorOf("a", spec)
	bigger := injectorOf("a", strings.Replace(spec, "key: mesh", "key: more", 1)+"volumes: [{name: v, emptyDir: {}}]\n")
	small := injectorOf("b", "containers: [{name: small, image: s:1}]\n"+
		"appContainers:\n- containers: [app]\n  env: [{name: SMALL, value: s}]\n")
	if _, said, failed := step(t, big, first); failed {
		if !strings.Contains(said, "add a newline at the end") {
			t.Error(said)
		}
		return
	}
	comes := func(what, want, got string) {
		t.Helper()
		if got != want {
			t.Errorf("%s (-want +got):\n%s", what, cmp.Diff(want, got))
		}
	}
	with := mustApply(t, first, big)
	both := mustApply(t, with, small)
	checkComments(t, first, with)
	checkComments(t, first, both)
	comes("a second run changes it", with, mustApply(t, with, big))
	comes("it is not given back", first, mustApply(t, with, removalOf("a")))
	comes("an earlier config counts", mustApply(t, first, bigger), mustApply(t, with, bigger))
	comes("it is not given back after an update", first, mustApply(t, with, bigger, removalOf("a")))
	comes("two are not given back", first, mustApply(t, both, removalOf("b"), removalOf("a")))
	comes("two are not given back in their order", first, mustApply(t, both, removalOf("a"), removalOf("b")))
	comes("two, the small first, are not given back", first, mustApply(t, first, small, big, removalOf("b"), removalOf("a")))
}

// mustApply runs configs on a file one after the other.
func mustApply(t *testing.T, text string, configs ...string) string {
	t.Helper()
	for _, config := range configs {
		after, said, failed := step(t, config, text)
		if failed {
			t.Fatalf("%s\n%s\nof:\n%s", said, config, text)
		}
		text = after
	}
	return text
}

func deploymentOf(template string) string {
	return "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n" + indent(template, "    ")
}

// ends are ways to end a text.
func ends(text string) map[string]string {
	return map[string]string{
		"as it is":         text,
		"no line end":      strings.TrimRight(text, "\n"),
		"more behind":      text + "  replicas: 2\n",
		"carriage returns": strings.ReplaceAll(text, "\n", "\r\n"),
	}
}

func TestAnObjectThatCannotBeEditedIsRefused(t *testing.T) {
	pod := "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n  - name: app\n    image: app:1\n"
	sidecar := injectorOf("a", "containers: [{name: small, image: s:1}]\n")
	for end, want := range map[string]string{
		"    command: [!sh, -c] # a tag without a space behind it\n": "web.yaml:8:14: error: InvalidItem: pod/web: " +
			"the object cannot be edited: it is written in a way that cannot be followed: " +
			"line 8 has a tag without a space behind it; write it in another way",
		"    command:\n    - |\n      sleep 1": "add a newline at the end",
	} {
		after, said, failed := step(t, sidecar, pod+end)
		if after != pod+end || !failed || !strings.Contains(said, "the object cannot be edited: ") || !strings.Contains(said, want) {
			t.Errorf("said:\n%s\nwant %q, and the same text; got:\n%s", said, want, after)
		}
	}
}

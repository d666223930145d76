package fn_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// layouts are ways to write what an injection fills or replaces: each is a whole pod template below
// "template:", and must come back as it was.
var layouts = map[string]string{
	"an empty list on its own line":        "spec:\n  tolerations:\n    []\n  containers:\n  - name: app\n    image: app:1\n",
	"the same with a comment behind":       "spec:\n  tolerations:\n    [] # none\n  containers:\n  - name: app\n    image: app:1\n",
	"the same with a comment above":        "spec:\n  tolerations: # why\n    # more\n    []\n  containers:\n  - name: app\n    image: app:1\n",
	"an empty mapping on its own line":     "metadata:\n  annotations:\n    {}\nspec:\n  containers:\n  - name: app\n    image: app:1\n",
	"blanks before an empty list":          "spec:\n  tolerations:   []\n  containers:\n  - name: app\n    image: app:1\n",
	"blanks in an empty mapping":           "metadata:\n  annotations: { }\nspec:\n  containers:\n  - name: app\n    image: app:1\n",
	"an empty list on two lines":           "spec:\n  tolerations: [\n  ]\n  containers:\n  - name: app\n    image: app:1\n    env: [\n    ]\n",
	"the same with a comment":              "spec:\n  tolerations: [\n  ] # none\n  containers:\n  - name: app\n    image: app:1\n    env: [\n    ] # none\n",
	"the same with a comment inside":       "spec:\n  tolerations: [\n    # none\n  ]\n  containers:\n  - name: app\n    image: app:1\n",
	"a null with an anchor":                "spec:\n  tolerations: &t\n  containers:\n  - name: app\n    env: &e # why\n    image: app:1\n",
	"an empty list with an anchor":         "spec:\n  tolerations: &t []\n  containers:\n  - name: app\n    env: &e [] # why\n    image: app:1\n",
	"a comment below a null":               "spec:\n  tolerations:\n    # none yet\n    # none at all\n  containers:\n  - name: app\n    env:\n      # none here\n    image: app:1\n",
	"a comment below an empty list":        "spec:\n  tolerations: []\n    # none yet\n  containers:\n  - name: app\n    env: []\n      # none here\n    image: app:1\n",
	"a comment below a null at the end":    "spec:\n  containers:\n  - name: app\n    image: app:1\n    env:\n      # none here\n",
	"an annotation in block style":         "metadata:\n  annotations:\n    owner: |\n      two\n      lines\n    other: x\nspec:\n  containers:\n  - name: app\n    image: app:1\n",
	"the same with a comment on its line":  "metadata:\n  annotations:\n    owner: |- # why\n      two\n\n      lines\n\n    other: x\nspec:\n  containers:\n  - name: app\n    image: app:1\n",
	"the same that keeps its line ends":    "metadata:\n  annotations:\n    owner: |+\n      two\n      lines\n\n    other: x\nspec:\n  containers:\n  - name: app\n    image: app:1\n",
	"the same with its indentation":        "metadata:\n  annotations:\n    owner: |2\n        two\n      lines\nspec:\n  containers:\n  - name: app\n    image: app:1\n",
	"a folded annotation":                  "metadata:\n  annotations:\n    owner: >\n     two\n     lines\n\n      here\nspec:\n  containers:\n  - name: app\n    image: app:1\n",
	"an annotation on its own line":        "metadata:\n  annotations:\n    owner:\n      shop\n    other: x\nspec:\n  containers:\n  - name: app\n    image: app:1\n",
	"the same with comments":               "metadata:\n  annotations:\n    owner: # who\n      shop # the shop\n    other: x\nspec:\n  containers:\n  - name: app\n    image: app:1\n",
	"an annotation on two lines":           "metadata:\n  annotations:\n    owner: \"two\n      lines\" # why\n    other: x\nspec:\n  containers:\n  - name: app\n    image: app:1\n",
	"an annotation with an anchor":         "metadata:\n  annotations:\n    owner: &o shop\n    other: x\nspec:\n  containers:\n  - name: app\n    image: app:1\n",
	"a wide dash":                          "spec:\n  containers:\n  - name: app\n    image: app:1\n    env:\n    -   name: LEVEL # which\n        value: debug\n    - name: OTHER\n      value: x\n  -   name: helper\n      image: app:1\n",
	"narrow dashes among wide ones":        "spec:\n  containers:\n  -   name: app\n      image: app:1\n      env:\n      - name: LEVEL\n        value: debug\n      -   name: OTHER\n          value: x\n",
	"a dash on its own line":               "spec:\n  containers:\n  - name: app\n    image: app:1\n    env:\n    -\n      name: LEVEL\n      value: debug\n    - # other\n      name: OTHER\n      value: x\n",
	"blanks on blank lines":                "spec:\n  containers:\n  - name: app\n    image: app:1\n    env:\n    - name: LEVEL\n  \n      # which\n      \n        \n      value: debug\n",
	"comments at entries":                  "spec:\n  containers:\n  - name: app\n    image: app:1\n    env:\n    # above\n    - {name: LEVEL, value: debug} # behind\n      # below\n    - name: OTHER\n      value: x # this too\n        # and below\n",
	"entries that are given up":            "spec:\n  containers:\n  - name: app\n    image: app:1\n    env:\n    - {name: LEVEL, value: a} # first\n    - {name: LEVEL, value: b} # second\n    - name: LEVEL\n      value: c # third\n",
	"a container that ends in block style": "spec:\n  containers:\n  - name: app\n    image: app:1\n  - name: helper\n    image: app:1\n    args:\n    - |\n      a\n\n      b\n\n  # the end\n",
	"lists of one line and of many":        "spec:\n  containers:\n  - name: app\n    image: app:1\n  - name: helper\n    image: app:1\n    args: [\n      a, # first\n      b\n    ]\n    command:\n      - x # this\n      - y\n",
}

const everyReplacement = `onConflict: {container: %s, env: Replace}
containers:
- name: helper
  image: helper:1
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

// TestLayoutComesBack claims of every layout that a second run finds nothing to do, that no config but the
// last counts, that comments stay in the file or in the stamp, and that removing gives the first bytes back.
func TestLayoutComesBack(t *testing.T) {
	small := injectorOf("b", "containers: [{name: small, image: s:1}]\nappContainers:\n- containers: [app]\n  env: [{name: SMALL, value: s}]\n")
	for name, template := range layouts {
		for _, policy := range []string{"Replace", "Merge"} {
			big := injectorOf("a", strings.Replace(everyReplacement, "%s", policy, 1))
			bigger := injectorOf("a", strings.Replace(strings.Replace(everyReplacement, "%s", policy, 1), "key: mesh", "key: more", 1)+"volumes: [{name: v, emptyDir: {}}]\n")
			for end, first := range ends(deploymentOf(template)) {
				t.Run(name+"/"+policy+"/"+end, func(t *testing.T) {
					if _, said, failed := step(t, big, first); failed {
						if !strings.Contains(said, "end the last line") {
							t.Fatal(said)
						}
						return
					}
					with := mustApply(t, first, big)
					comes := func(what, want, got string) {
						t.Helper()
						if got != want {
							t.Errorf("%s (-want +got):\n%s", what, cmp.Diff(want, got))
						}
					}
					checkComments(t, first, with)
					comes("a second run changes it", with, mustApply(t, with, big))
					comes("it is not given back", first, mustApply(t, with, removalOf("a")))
					comes("an earlier config counts", mustApply(t, first, bigger), mustApply(t, with, bigger))
					comes("it is not given back after an update", first, mustApply(t, with, bigger, removalOf("a")))
					both := mustApply(t, with, small)
					checkComments(t, first, both)
					comes("two are not given back", first, mustApply(t, both, removalOf("b"), removalOf("a")))
					comes("two are not given back in their order", first, mustApply(t, both, removalOf("a"), removalOf("b")))
					comes("two, the small first, are not given back", first, mustApply(t, first, small, big, removalOf("b"), removalOf("a")))
				})
			}
		}
	}
}

// mustApply runs configs on a file one after the other. None may write the whole object anew.
func mustApply(t *testing.T, text string, configs ...string) string {
	t.Helper()
	for _, config := range configs {
		after, said, failed := step(t, config, text)
		if failed || strings.Contains(said, "WrittenAnew") {
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

package engine_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/test/resourcelist"
)

// TestItemsOfALongListAreProcessedAlike claims that it makes no difference whether items are processed while the list
// is read, which needs the config at the end of a long list, or afterwards.
func TestItemsOfALongListAreProcessedAlike(t *testing.T) {
	early := 0
	eachArchive(t, "testdata/*.txtar", func(t *testing.T, _ string, archive *txtar.Archive) {
		c := parseCase(t, archive)
		_, config, _ := strings.Cut(resourcelist.Wrap(nil, c.config), "items:\n")
		broken := "apiVersion: v1\nkind: Service\nmetadata:\n  name: twice\n  name: twice\n" // whose line is reported
		list := "# not on the first line\n---\n" + resourcelist.Wrap(append(resourcelist.Documents(c.items), broken, long), "")
		head, items, _ := strings.Cut(list, "items:")
		atEnd, ahead := list+config, head+config+"items:"+items
		if engine.IsEarly([]byte(atEnd)) {
			early++
		}
		if engine.IsEarly([]byte(ahead)) {
			t.Fatal("the config is not at the end, and still known early")
		}
		got, want := reply(t, atEnd), reply(t, ahead)
		if diff := cmp.Diff(strings.Replace(want, config, "", 1), strings.Replace(got, config, "", 1)); diff != "" {
			t.Errorf("with the config ahead of the items, and at the end:\n%s", diff)
		}
	})
	const want = 350
	if early < want {
		t.Errorf("%d cases are processed early; expected at least %d", early, want)
	}
}

// TestANamespaceEndsAnEarlyRun claims that a list with a Namespace is not processed before the Namespace is known.
func TestANamespaceEndsAnEarlyRun(t *testing.T) {
	const config = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata:\n  name: a\nspec:\n  namespaceSelector:\n" +
		"    matchLabels:\n      mesh: \"on\"\n  containers:\n  - name: a\n    image: a\n"
	const pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  namespace: n\nspec:\n  containers:\n  - name: app\n    image: app\n"
	const namespace = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: n\n  labels:\n    mesh: \"on\"\n"
	list := resourcelist.Wrap([]string{pod, long, namespace}, config)
	if engine.IsEarly([]byte(list)) {
		t.Error("the run relies on there being no Namespace")
	}
	if got := reply(t, list); !strings.Contains(got, "image: a\n") {
		t.Errorf("the Pod got no sidecar:\n%s", got[len(got)-2000:])
	}
}

// long is an item by which a list is long.
var long = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: long\ndata:\n  text: |\n" + strings.Repeat("    a line of text\n", 20_000)

// reply returns the reply to a ResourceList, and what else is known of the run.
func reply(t *testing.T, list string) string {
	t.Helper()
	var out bytes.Buffer
	run, err := engine.Run(t.Context(), []byte(list), &out)
	var said strings.Builder
	for _, f := range run.Findings() {
		said.WriteString(f.String() + "\n")
	}
	return out.String() + said.String() + fmt.Sprint(err)
}

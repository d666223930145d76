package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// deployment is a workload with a pod spec, and whatever else its pod template has.
func deployment(spec string) string {
	return "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n" + indent(spec, "      ")
}

func injectorOf(name, spec string) string {
	return "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata:\n  name: " + name + "\nspec:\n" + indent(spec, "  ")
}

func removalOf(name string) string { return injectorOf(name, "action: Remove\n") }

// mustRun runs configs one after the other.
func mustRun(t *testing.T, items string, configs ...string) string {
	t.Helper()
	for _, config := range configs {
		after, said, failed := step(t, config, items)
		if failed {
			t.Fatalf("it is refused:\n%s", said)
		}
		items = after
	}
	return items
}

func TestEachInjectorGivesBackWhatItTookOut(t *testing.T) {
	replace := func(name, variable string) string {
		return injectorOf(name, "onConflict: {env: Replace}\nappContainers:\n- env: [{name: "+variable+", value: new}]\n")
	}
	first := deployment("containers:\n- name: app\n  image: app:1\n  env:\n" + strings.Join([]string{
		"  - {name: L, value: l1}", "  - {name: L, value: l2}", "  - {name: M, value: m1}", "  - {name: M, value: m2}",
		"  - {name: Z, value: z}", "",
	}, "\n"))
	prepend := injectorOf("c", "appContainers:\n- env: [{name: P, value: p}]\n  envPosition: Prepend\n")
	with := mustRun(t, first, replace("a", "L"), replace("b", "M"), prepend)
	for _, order := range []string{"abc", "bac", "cab", "cba"} {
		items := with
		for _, name := range order {
			items = mustRun(t, items, removalOf(string(name)))
		}
		if items != first {
			t.Errorf("removing %s (-first +back):\n%s", order, cmp.Diff(first, items))
		}
	}
}

func TestNoStampIsWrittenThatIsTooLongToBeRead(t *testing.T) {
	const variables = 8000
	app := deployment("containers:\n- name: app\n  image: app:1\n  env:\n" + repeat(variables,
		"  - {name: VARIABLE_%d, value: \"of the app\"}\n", ""))
	replace := injectorOf("envoy", "onConflict: {container: Replace}\ncontainers:\n- name: app\n  image: envoy:1\n")
	after, said, failed := step(t, replace, app)
	if !failed || after != app || !strings.Contains(said, "StampTooLong") {
		t.Errorf("it is refused: %t, and changed: %t; it says %s", failed, after != app, said)
	}
}

func repeat(count int, format, separator string) string {
	parts := make([]string, count)
	for i := range parts {
		parts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(parts, separator)
}

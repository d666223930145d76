package engine_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestAnotherInjectorAfterADeletionByHand claims that what one injector replaced is not forgotten when its list is
// emptied by hand and another injector brings the same: a second run of that finds nothing to do, and removing both
// gives the app its own back.
func TestAnotherInjectorAfterADeletionByHand(t *testing.T) {
	wish := func(value string) string {
		return "onConflict: {env: Replace}\nappContainers:\n- env: [{name: PROXY, value: " + value + "}]\n"
	}
	const app = "containers:\n- name: app\n  image: app:1\n"
	const proxy, late = "  - {name: PROXY, value: none}\n", "  - {name: LATE, value: x}\n"
	for name, c := range map[string]struct{ value, env string }{
		"in its place": {`"1"`, proxy},
		"moved":        {"$(LATE)", proxy + late},
	} {
		for _, left := range []string{"  env:\n", "  env: # none\n", "  env: ~\n", "  env: []\n", ""} {
			t.Run(name+"/"+left, func(t *testing.T) {
				first := deployment(app + "  env:\n" + c.env)
				with := mustRun(t, first, injectorOf("a", wish(c.value)))
				before, _, _ := strings.Cut(with, "        env:\n")
				deleted := before + indent(left, "      ")
				once := mustRun(t, deleted, injectorOf("b", wish(c.value)))
				if twice := mustRun(t, once, injectorOf("b", wish(c.value))); twice != once {
					t.Errorf("a second run changes it (-first +second):\n%s", cmp.Diff(once, twice))
				}
				if back := mustRun(t, once, removalOf("b"), removalOf("a")); !strings.Contains(back, proxy) {
					t.Errorf("the app's variable is not given back:\n%s", back)
				}
			})
		}
	}
}

package apirules

import (
	"strconv"
	"testing"
)

func TestNamesAreFoundAmongFewAndAmongMany(t *testing.T) {
	for _, many := range []int{1, fewNames - 1, fewNames, fewNames + 1, 10 * fewNames} {
		var set nameSet
		for i := range many {
			if name := strconv.Itoa(i); set.add(name) {
				t.Errorf("%d names: add(%q) reports a name that was added before", many, name)
			}
		}
		for i := range many {
			if name := strconv.Itoa(i); !set.add(name) {
				t.Errorf("%d names: add(%q) does not report that it was added before", many, name)
			}
		}
		set.addOwned("owned", "first")
		if first, again := set.addOwned("owned", "second"); !again || first != "first" {
			t.Errorf("%d names: the first owner is %q, %v", many, first, again)
		}
		if set.has("other") {
			t.Errorf("%d names: has reports a name that was not added", many)
		}
	}
}

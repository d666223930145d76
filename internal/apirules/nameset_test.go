package apirules

import (
	"strconv"
	"testing"
)

func TestNamesAreFoundAmongFewAndAmongMany(t *testing.T) {
	for _, many := range []int{1, fewNames - 1, fewNames, fewNames + 1, 10 * fewNames} {
		var set nameSet
		for i := range many {
			if _, again := set.add(strconv.Itoa(i)); again {
				t.Errorf("%d names: %d is said to be there already", many, i)
			}
		}
		for i := range many {
			if first, again := set.add(strconv.Itoa(i)); !again || first != i {
				t.Errorf("%d names: %d is at %d, %v", many, i, first, again)
			}
		}
		if set.has("other") {
			t.Errorf("%d names: another is said to be there", many)
		}
	}
}

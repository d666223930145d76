package check

import (
	"strconv"
	"testing"
)

func TestNamesAreFoundAmongFewAndAmongMany(t *testing.T) {
	for _, many := range []int{1, fewNames - 1, fewNames, fewNames + 1, 10 * fewNames} {
		var met names
		for i := range many {
			if _, again := met.add(strconv.Itoa(i)); again {
				t.Errorf("%d names: %d is said to be there already", many, i)
			}
		}
		for i := range many {
			if first, again := met.add(strconv.Itoa(i)); !again || first != i {
				t.Errorf("%d names: %d is at %d, %v", many, i, first, again)
			}
		}
		if met.has("other") {
			t.Errorf("%d names: another is said to be there", many)
		}
	}
}

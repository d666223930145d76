package stamp_test

import (
	"testing"

	"pillion.dev/pillion/internal/core/stamp"
)

// TestGrowthThatNoInjectionRecords checks that a stamp adds only amounts to quantities of the pod's own resources.
func TestGrowthThatNoInjectionRecords(t *testing.T) {
	for text, isRight := range map[string]bool{
		`1 spec/resources/requests(cpu:+200m="0.5")`:    true,
		`1 spec/resources/requests(cpu:+200m)`:          true,
		`1 spec/resources/limits(memory:+64Mi="1Gi")`:   true,
		`1 spec/resources/limits(memory:+64Mi="one")`:   false,
		`1 spec/resources/limits(memory:+64Mi="-1")`:    false,
		`1 spec/resources/limits(memory:+64Mi="[1]")`:   false,
		`1 spec/resources/requests(cpu:+-200m="1")`:     false,
		`1 spec/resources/requests(cpu:+0.2="1")`:       false,
		`1 spec/resources/requests(cpu:+much="1")`:      false,
		`1 spec/resources/requests(cpu:+="1")`:          false,
		`1 spec/resources/claims(cpu:+200m="1")`:        false,
		`1 c/app/resources/requests(cpu:+200m="1")`:     false,
		`1 spec(terminationGracePeriodSeconds:+1="30")`: false,
	} {
		s, err := stamp.Parse(stamp.Seal(text))
		if (err == nil) != isRight {
			t.Errorf("%s: %v", text, err)
		} else if isRight && s.String() != stamp.Seal(text) {
			t.Errorf("%s becomes %s", text, s)
		}
	}
}

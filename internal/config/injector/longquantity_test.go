package injector

import (
	"strings"
	"testing"
)

func TestALongQuantityIsRefusedUnread(t *testing.T) {
	digits := strings.Repeat("1", 1<<20)
	bad{
		"a megabyte of digits", sidecar(`resources: {limits: {cpu: "` + digits + `"}}`),
		[]string{`spec.containers[0].resources.limits.cpu: expected a quantity such as 100m, 0.5 or 512Mi, found the ` +
			`string "` + digits[:40] + `..."`},
	}.run(t)
}

func TestALongExponentIsRefusedUnread(t *testing.T) {
	bad{
		"a billionth digit", sidecar(`resources: {limits: {cpu: "1e-999999999"}}`),
		[]string{`spec.containers[0].resources.limits.cpu: expected a quantity such as 100m, 0.5 or 512Mi, found the string "1e-999999999"`},
	}.run(t)
}

//go:build unix

package audit_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/text/manifest"
)

// TestTimeIsLinear audits pods of strangers with very many entries: four times as many take about four times as long,
// and not sixteen.
func TestTimeIsLinear(t *testing.T) {
	const few, times, most = 4000, 4, 9
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	withVolume := config + "  volumes: [{name: v, emptyDir: {}}]\n"
	for name, text := range map[string]func(n int) string{
		"labels":      func(n int) string { return pod("app: web", "app: web"+many(n, ", l%d: x")) },
		"annotations": func(n int) string { return pod("annotations: {}", "annotations: {a: b"+many(n, ", l%d: x")+"}") },
		"spec fields": func(n int) string { return pod("spec:\n", "spec:\n"+many(n, "  l%d: x\n")) },
		"volumes of one name": func(n int) string {
			return pod("spec:\n", "spec:\n  volumes: ["+many(n, "{name: v, x: %d}, ")+"]\n",
				`image: "web:1"`, `image: "web:1", volumeMounts: [`+many(n, "{name: w, mountPath: /%d}, ")+"]")
		},
	} {
		t.Run(name, func(t *testing.T) {
			once, more := items(t, text(few)), items(t, text(times*few))
			var a, b time.Duration
			for range 4 { // other processes disturb
				if a, b = processorTime(t, withVolume, once), processorTime(t, withVolume, more); b <= most*a {
					return
				}
			}
			t.Errorf("%d entries take %s, and %d take %s", few, a, times*few, b)
		})
	}
}

// processorTime returns how long this process takes to audit items, without the time in which it waits for others.
func processorTime(t *testing.T, config string, items []*manifest.Item) time.Duration {
	t.Helper()
	parsed := read(t, config)
	before := usage(t)
	if _, err := audit.Run(t.Context(), parsed, items); err != nil {
		t.Fatal(err)
	}
	return usage(t) - before
}

func usage(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

package audit_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/test/growth"
)

// TestTimeIsLinear audits pods of strangers with very many entries: sixteen times as many take about sixteen times as
// long, and not 256 times.
func TestTimeIsLinear(t *testing.T) {
	const few, times = 1000, 16
	many := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	parsed := read(t, config+"  volumes: [{name: v, emptyDir: {}}]\n")
	for name, text := range map[string]func(n int) string{
		"labels":      func(n int) string { return pod("app: web", "app: web"+many(n, ", l%d: x")) },
		"annotations": func(n int) string { return pod("annotations: {}", "annotations: {a: b"+many(n, ", l%d: x")+"}") },
		"spec fields": func(n int) string { return pod("spec:\n", "spec:\n"+many(n, "  l%d: x\n")) },
		"volumes of one name": func(n int) string {
			return pod("spec:\n", "spec:\n  volumes: ["+many(n, "{name: v, x: %d}, ")+"]\n",
				`image: "web:1"`, `image: "web:1", volumeMounts: [`+many(n, "{name: w, mountPath: /%d}, ")+"]")
		},
	} {
		audits := func(n int) func() time.Duration {
			pods := text(n)
			return func() time.Duration {
				items := items(t, pods) // anew, because items keep what was read
				return growth.Of(t, func() {
					if _, err := audit.Run(t.Context(), parsed, items); err != nil {
						t.Fatal(err)
					}
				})
			}
		}
		t.Run(name, func(t *testing.T) { growth.Linear(t, name, times, audits(few), audits(times*few)) })
	}
}

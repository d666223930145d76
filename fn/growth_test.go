package fn_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"pillion.dev/pillion/fn"
)

const growthHead = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  apiVersion: pillion.dev/v1alpha1
  kind: SidecarInjector
  metadata: {name: proxy}
  spec:
    containers: [{name: proxy, image: proxy}]
items:
`

const growthPod = "- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: web\n  spec:\n    containers:\n    - name: a\n      image: b\n"

// TestTimeGrowsWithTheInput makes inputs eight times as large, each in a way that invites a
// search from the start for every node.
func TestTimeGrowsWithTheInput(t *testing.T) {
	const small, times, most = 1000, 8, 24 // what grows with the square takes 64 times as long
	for _, c := range []struct {
		name string
		text func(count int) string
	}{
		{"variables on one line", func(count int) string {
			return growthHead + `- {"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":[{"name":"é","image":"b","env":[` +
				repeat(count, `{"name":"E%d","value":"v"}`, ",") + "]}]}}\n"
		}},
		{"containers", func(count int) string {
			return growthHead + growthPod + repeat(count, "    - name: c%d\n      image: i\n", "")
		}},
		{"keys that differ by their tags", func(count int) string {
			return growthHead + growthPod + "      x:\n" + repeat(count, "        !t%d k: v\n", "")
		}},
		{"items on one line with an odd line break", func(count int) string {
			return growthHead[:len(growthHead)-1] + " [" + repeat(count/4, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web%d"},"spec":{"containers":[{"name":"a","image":"b"}]}}`, ",") +
				",{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"data\":{\"a\":\"\u2028\"}}]\n"
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			short, long := fastest(t, c.text(small)), fastest(t, c.text(small*times))
			if long > most*short {
				t.Errorf("%d times the input takes %v instead of %v", times, long, short)
			}
		})
	}
}

// TestTimeToUndoGrowsWithTheInput does the same for a second run and for a removal, which go by stamps.
func TestTimeToUndoGrowsWithTheInput(t *testing.T) {
	const small, times, most = 250, 8, 40 // what is much longer has no room in a stamp
	config := injectorOf("proxy", "appContainers:\n- env: [{name: LOG, value: json}]\n")
	with := func(containers int) string {
		return mustRun(t, deployment("containers:\n"+repeat(containers, "- name: c%d\n  image: i\n", "")), config)
	}
	few, many := with(small), with(small*times)
	for name, next := range map[string]string{"a second run": config, "a removal": removalOf("proxy")} {
		t.Run(name, func(t *testing.T) {
			short, long := fastest(t, wrap(next, few)), fastest(t, wrap(next, many))
			if long > most*short {
				t.Errorf("%d times the input takes %v instead of %v", times, long, short)
			}
		})
	}
}

func repeat(count int, format, separator string) string {
	parts := make([]string, count)
	for i := range parts {
		parts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(parts, separator)
}

// fastest is the shortest of some runs, which other work on the machine disturbed the least.
func fastest(t *testing.T, text string) time.Duration {
	t.Helper()
	best := time.Hour
	for range 4 {
		start := time.Now()
		r, err := fn.Run([]byte(text), io.Discard)
		if err != nil || r.Failed() || r.Counts.Skipped > 0 {
			t.Fatalf("%v %v", err, r.Findings)
		}
		best = min(best, time.Since(start))
	}
	return best
}

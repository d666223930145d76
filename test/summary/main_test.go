package main

import (
	"io"
	"strings"
	"testing"
	"time"
)

// read returns the results of events, and prints to out what they print.
func read(t *testing.T, events string, out io.Writer) *results {
	t.Helper()
	r := newResults(out)
	if err := r.readAll(strings.NewReader(events)); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSummarise(t *testing.T) {
	tests := map[string]struct {
		events string
		ok     bool
		want   string
	}{
		"a passing package prints its line": {
			events: `{"Action":"run","Package":"p","Test":"TestX"}
{"Action":"output","Package":"p","Test":"TestX","Output":"=== RUN   TestX\n"}
{"Action":"pass","Package":"p","Test":"TestX"}
{"Action":"output","Package":"p","Output":"PASS\n"}
{"Action":"output","Package":"p","Output":"ok  \tp\t0.1s\n"}
{"Action":"pass","Package":"p"}`,
			ok:   true,
			want: "ok  \tp\t0.1s\n1 passed, 0 skipped\n",
		},
		"skips are grouped by their reason": {
			events: `{"Action":"output","Package":"pillion.dev/pillion/q","Test":"TestRender","Output":"    kpt_test.go:9: needs kpt: not on PATH\n"}
{"Action":"output","Package":"pillion.dev/pillion/q","Test":"TestRender","Output":"--- SKIP: TestRender (0.00s)\n"}
{"Action":"skip","Package":"pillion.dev/pillion/q","Test":"TestRender"}
{"Action":"output","Package":"pillion.dev/pillion/q","Test":"TestEval","Output":"    kpt_test.go:5: uses kpt -\n"}
{"Action":"output","Package":"pillion.dev/pillion/q","Test":"TestEval","Output":"    kpt_test.go:9: needs kpt: not on PATH\n"}
{"Action":"skip","Package":"pillion.dev/pillion/q","Test":"TestEval"}
{"Action":"output","Package":"p","Test":"TestShort","Output":"    p_test.go:9: -short is given\n"}
{"Action":"skip","Package":"p","Test":"TestShort"}
{"Action":"skip","Package":"p","Test":"TestSilent"}
{"Action":"pass","Package":"p"}`,
			ok: true,
			want: `skipped, because -short is given:
  p TestShort
skipped, because they give no reason:
  p TestSilent
skipped, because they need kpt (not on PATH):
  q TestEval
  q TestRender
0 passed, 4 skipped
`,
		},
		"subtests are counted instead of their test": {
			events: `{"Action":"pass","Package":"p","Test":"TestX/a"}
{"Action":"pass","Package":"p","Test":"TestX/b/1"}
{"Action":"pass","Package":"p","Test":"TestX/b/2"}
{"Action":"pass","Package":"p","Test":"TestX/b"}
{"Action":"pass","Package":"p","Test":"TestX"}
{"Action":"pass","Package":"p"}`,
			ok:   true,
			want: "3 passed, 0 skipped\n",
		},
		"a failing test shows what it printed, and its name at the end": {
			events: `{"Action":"output","Package":"p","Test":"TestX/a","Output":"boom\n"}
{"Action":"fail","Package":"p","Test":"TestX/a"}
{"Action":"pass","Package":"p","Test":"TestX/b"}
{"Action":"fail","Package":"p","Test":"TestX"}
{"Action":"fail","Package":"p"}
{"Action":"exit","Package":"."}`,
			want: "boom\nfailed:\n  p TestX/a\n1 passed, 0 skipped, 1 failed\n",
		},
		"a test that fails after its subtests have passed": {
			events: `{"Action":"pass","Package":"p","Test":"TestX/a"}
{"Action":"fail","Package":"p","Test":"TestX"}
{"Action":"fail","Package":"p"}`,
			want: "failed:\n  p TestX\n1 passed, 0 skipped, 1 failed\n",
		},
		"a package that ran out of time shows which test ran": {
			events: `{"Action":"run","Package":"p","Test":"TestX"}
{"Action":"run","Package":"p","Test":"TestX/a"}
{"Action":"output","Package":"p","Test":"TestX/a","Output":"panic: test timed out after 30m0s\n"}
{"Action":"output","Package":"p","Output":"FAIL\tp\t1800s\n"}
{"Action":"fail","Package":"p"}`,
			want: `FAIL	p	1800s
panic: test timed out after 30m0s
failed:
  p TestX/a (did not end)
0 passed, 0 skipped, 1 failed
`,
		},
		"a package that cannot be built": {
			events: `{"Action":"build-output","ImportPath":"p","Output":"p.go:1:1: expected 'package'\n"}
{"Action":"build-fail","ImportPath":"p"}
{"Action":"fail","Package":"p","FailedBuild":"p"}
{"Action":"pass","Package":"q"}`,
			want: "p.go:1:1: expected 'package'\nfailed:\n  p (cannot be built, or go vet reports a mistake)\n0 passed, 0 skipped, 1 failed\n",
		},
		"a package that exits before its tests": {
			events: `{"Action":"output","Package":"p","Output":"no such file\n"}
{"Action":"fail","Package":"p"}`,
			want: "no such file\nfailed:\n  p (outside of its tests)\n0 passed, 0 skipped, 1 failed\n",
		},
		"a command that fails before its events": {
			events: `{"Action":"pass","Package":"p"}
{"Action":"exit","Package":"image"}`,
			want: "failed:\n  go test in image (its messages are above)\n0 passed, 0 skipped, 1 failed\n",
		},
		"no package at all is not a pass": {
			want: "no package was tested\n0 passed, 0 skipped\n",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			r := read(t, test.events, &out)
			r.printSkips()
			r.printEnd()
			if r.ok() != test.ok {
				t.Errorf("ok is %v, want %v", r.ok(), test.ok)
			}
			if out.String() != test.want {
				t.Errorf("printed:\n%s\nwant:\n%s", out.String(), test.want)
			}
		})
	}
}

func TestProgress(t *testing.T) {
	r := newResults(io.Discard)
	p := &progress{packages: 92}
	if got, want := p.line(r, 0), "[0/92 packages] 0s: 0 passed, 0 skipped; building"; got != want {
		t.Errorf("the line is\n%s\nwant\n%s", got, want)
	}
	r.packages, r.passed, r.failed = 37, 812, []string{"p TestX"}
	for _, t := range []test{{"pillion.dev/pillion/test", ""}, {"pillion.dev/pillion/fn", ""}, {"pillion.dev/pillion/fn", "TestRun"}} {
		r.running[t] = true
	}
	if got, want := p.line(r, 80*time.Second), "[37/92 packages] 1m20s: 812 passed, 0 skipped, 1 failed; running fn, test"; got != want {
		t.Errorf("the line is\n%s\nwant\n%s", got, want)
	}
}

func TestToolsTable(t *testing.T) {
	const events = `{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:9: uses helm v3.22.0\n"}
{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:9: uses helm v3.22.0\n"}
{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:9: uses kustomize v5.8.1\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestB","Output":"    b_test.go:9: uses helm v4.3.1\n"}
{"Action":"fail","Package":"p","Test":"TestB"}
{"Action":"output","Package":"p","Test":"TestC","Output":"    c_test.go:9: uses kpt -\n"}
{"Action":"output","Package":"p","Test":"TestC","Output":"    c_test.go:9: needs kpt: not on PATH\n"}
{"Action":"skip","Package":"p","Test":"TestC"}
{"Action":"pass","Package":"p"}`
	var out strings.Builder
	read(t, events, io.Discard).used.print(&out)
	const want = `tool       version  passed  skipped  failed
helm       v3.22.0       1        0       0
helm       v4.3.1        0        0       1
kpt        -             0        1       0
kustomize  v5.8.1        1        0       0
3 tests used a tool: 1 passed, 1 skipped, 1 failed
`
	if out.String() != want {
		t.Errorf("the table is\n%s\nwant\n%s", out.String(), want)
	}
}

package main

import (
	"strings"
	"testing"
)

func TestSummarise(t *testing.T) {
	const skip = `{"Action":"output","Package":"p","Test":"TestRender","Output":"    kpt_test.go:9: needs kpt: not on PATH\n"}
{"Action":"skip","Package":"p","Test":"TestRender"}
`
	tests := []struct {
		name   string
		events string
		ok     bool
		says   string
	}{
		{
			name:   "a passing package prints its line and no skips",
			events: `{"Action":"output","Package":"p","Output":"ok  \tp\t0.1s\n"}` + "\n" + `{"Action":"pass","Package":"p"}`,
			ok:     true,
			says:   "ok  \tp\t0.1s\nskipped: nothing, every tool was there\n",
		},
		{
			name:   "a skip is grouped under its tool",
			events: skip + `{"Action":"pass","Package":"p"}`,
			ok:     true,
			says:   "skipped for want of kpt (not on PATH):\n  TestRender\n",
		},
		{
			name: "a failing test shows what it said",
			events: `{"Action":"output","Package":"p","Test":"TestX","Output":"boom\n"}
{"Action":"fail","Package":"p","Test":"TestX"}
{"Action":"fail","Package":"p"}`,
			says: "boom\n",
		},
		{
			name: "a package that ran out of time shows which test ran",
			events: `{"Action":"output","Package":"p","Test":"TestX","Output":"panic: test timed out after 30m0s\n"}
{"Action":"output","Package":"p","Output":"FAIL\tp\t1800s\n"}
{"Action":"fail","Package":"p"}`,
			says: "panic: test timed out after 30m0s\n",
		},
		{
			name:   "no package at all is not a pass",
			events: "",
			says:   "skipped: nothing",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			if ok := summarise(strings.NewReader(test.events), &out, usage{}); ok != test.ok {
				t.Errorf("ok is %v, want %v", ok, test.ok)
			}
			if !strings.Contains(out.String(), test.says) {
				t.Errorf("said:\n%s\nwant in it:\n%s", out.String(), test.says)
			}
		})
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
	used := usage{}
	var out strings.Builder
	summarise(strings.NewReader(events), &out, used)
	out.Reset()
	used.print(&out)
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

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
			name:   "no package at all is not a pass",
			events: "",
			says:   "skipped: nothing",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			if ok := summarise(strings.NewReader(test.events), &out); ok != test.ok {
				t.Errorf("ok is %v, want %v", ok, test.ok)
			}
			if !strings.Contains(out.String(), test.says) {
				t.Errorf("said:\n%s\nwant in it:\n%s", out.String(), test.says)
			}
		})
	}
}

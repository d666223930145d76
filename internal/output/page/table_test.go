package page

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrite(t *testing.T) {
	rows := []Cells{
		{Texts: []string{"a-long-name-of-something", "", "a reason that is longer than the line"}}, {Texts: []string{"b\n", "c", ""}},
	}
	for name, c := range map[string]struct {
		width int
		want  string
	}{
		"as wide as its cells": {0, `NAME                       KIND     REASON
a-long-name-of-something   <none>   a reason that is longer than the line
b\n                        c
`},
		"cut to the terminal": {50, `NAME                       KIND     REASON
a-long-name-of-something   <none>   a reason th...
b\n                        c
`},
		"too narrow for any table": {1, `NAME       KIND     REASON
a-lon...   <none>   a rea...
b\n        c
`},
	} {
		t.Run(name, func(t *testing.T) {
			headings := []string{"NAME", "KIND", "REASON"}
			var got strings.Builder
			if err := (Table{Headings: headings, Rows: rows, Width: c.width}).Write(&got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCut(t *testing.T) {
	for want, text := range map[string]string{"äöü": "äöü", "ä...": "äöüäö", "abcd": "abcd"} {
		if got := Cut(text, 4); got != want {
			t.Errorf("%s became %s, want %s", text, got, want)
		}
	}
}

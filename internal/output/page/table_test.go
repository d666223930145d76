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
	want := `NAME                       KIND     REASON
a-long-name-of-something   <none>   a reason that is longer than the line
b\n                        c
`
	var got strings.Builder
	if err := (Table{Headings: []string{"NAME", "KIND", "REASON"}, Rows: rows}).Write(&got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}

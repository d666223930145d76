package manifest

import (
	"bytes"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/text/edit"
)

func TestWriteReplacesOnlyWhatChanged(t *testing.T) {
	text := lines("kind: List", "items:", "- kind: Pod", "# between", "- kind: Service", "# end")
	s, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	start := strings.Index(text, "Pod")
	if err := s.Write(&out, []edit.Edit{{Start: start, End: start + len("Pod"), Text: []byte("Changed")}}); err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(text, "Pod", "Changed", 1); out.String() != want {
		t.Errorf("got:\n%s", out.String())
	}
}

func TestResultsGoBehindAnEditThatEndsAnItem(t *testing.T) {
	head := lines("apiVersion: config.kubernetes.io/v1", "items:", "- kind: Pod")
	for name, c := range map[string]struct{ text, want string }{
		"at the end":              {"kind: ResourceList\n" + head, "kind: ResourceList\n" + head + "  new: 1\nresults:\n- x\n"},
		"without a last line end": {head + "kind: ResourceList", "results:\n- x\n" + head + "  new: 1\nkind: ResourceList"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := Read([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			place, err := s.ResultsPosition()
			if err != nil {
				t.Fatal(err)
			}
			end := strings.Index(c.text, "Pod\n") + len("Pod\n")
			edits := []edit.Edit{{Start: end - 1, End: end - 1}, {Start: end, End: end, Text: []byte("  new: 1\n")}}
			var out bytes.Buffer
			if err := s.WriteResults(&out, edits, place, func() [][]byte { return [][]byte{[]byte(place.Before), []byte("- x\n")} }); err != nil {
				t.Fatal(err)
			}
			if out.String() != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", out.String(), c.want)
			}
		})
	}
}

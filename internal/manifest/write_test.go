package manifest

import (
	"bytes"
	"strings"
	"testing"
)

func TestWriteReplacesOnlyWhatChanged(t *testing.T) {
	text := lines("kind: List", "items:", "- kind: Pod", "# between", "- kind: Service", "# end")
	s, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := s.Write(&out, map[int][]byte{0: []byte("- kind: Changed\n# between\n")}); err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(text, "Pod", "Changed", 1); out.String() != want {
		t.Errorf("got:\n%s", out.String())
	}
}

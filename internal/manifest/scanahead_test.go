package manifest

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// All tests read ahead in small lists, too.
func init() { aheadBytes = 1 }

func TestReadingAheadFindsTheSameItems(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(5))
	texts := []string{string(resourceList(7)), strings.ReplaceAll(string(resourceList(7)), "\n", "\r\n")}
	for _, text := range texts {
		texts = append(texts, text+"metadata: {}\n", text+"# end", text+"items:\n- kind: Pod\n", text+"- x: \"open\n")
	}
	list := "apiVersion: v1\nkind: List\nitems:\n"
	for _, item := range []string{
		"- kind: Pod\n  x: \"a\n- kind: b\n- c\"\n", "- kind: Pod\n  x: {a: 1,\n- b\n- c: 2}\n", "- kind: Pod\n  x: |\n    - a\n    - b\n",
		"- kind: List\n  items:\n  - kind: Pod\n  - kind: Service\n", "-\n  kind: Pod\n", "- {kind: Pod}\n", "- kind: Pod\n  x:\n  - a\n",
	} {
		texts = append(texts, list+strings.Repeat(item, 9), list+strings.Repeat(item, 9)+"x: 1\n")
	}
	for _, c := range streams {
		texts = append(texts, c.text)
	}
	paths, err := filepath.Glob("../yaml/splice/testdata/corpus/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, list+strings.Repeat("- "+strings.ReplaceAll(string(text), "\n", "\n  ")+"\n", 6))
	}
	for _, text := range texts {
		compareAhead(t, []byte(text))
	}
}

// TestAPanicAheadIsLeftToTheCaller scans a stretch that begins before its text.
func TestAPanicAheadIsLeftToTheCaller(t *testing.T) {
	ahead := &stretch{scanner: scanner{text: []byte("- a\n"), next: -1}, end: 4, done: make(chan struct{})}
	go ahead.scan(0)
	<-ahead.done
	if !ahead.failed {
		t.Error("the stretch has not failed")
	}
}

// compareAhead compares reading ahead with reading from start to end.
func compareAhead(t *testing.T, text []byte) {
	t.Helper()
	ahead, aheadErr := Read(text)
	aheadBytes = math.MaxInt
	straight, straightErr := Read(text)
	aheadBytes = 1
	same := reflect.DeepEqual(ahead, straight) //nolint:govet // the errors of items are plain values
	if !same || fmt.Sprint(aheadErr) != fmt.Sprint(straightErr) {
		t.Errorf("%v ahead, and %v straight, in\n%s", aheadErr, straightErr, text)
	}
}

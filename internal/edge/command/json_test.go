package command

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"pillion.dev/pillion/internal/text/manifest"
)

// TestJSONIsThatOfTheLibrary claims that the manifests of all examples, and values that are rare, become what kubectl's library makes of
// them, byte for byte.
func TestJSONIsThatOfTheLibrary(t *testing.T) {
	texts := []string{
		"a: 1\nb: -1\nc: 0\nd: 007\ne: 0x10\nf: 1_000\ng: 1.5\nh: 1e3\ni: +1\nj: -0\nk: 99999999999999999999\n",
		"a: yes\nb: true\nc: True\nd: y\ne: off\nf: ~\ng: null\nh:\ni: Null\nj: '1'\nk: \"<&>\u2028\"\n",
		"a: 2020-01-01\nb: !!str 1\nc: !!int '1'\nd: !!binary aGk=\ne: !x y\nf: .inf\n",
		"a: &a {b: 1}\nc: *a\nd: {<<: *a, e: 2}\n", "a: |\n  x\n  y\nb: >-\n  x\n  y\n", "1: a\ntrue: b\n", "a: [1, [2], {}]\n",
	}
	for _, dir := range []string{"../../../examples", "../../core/engine/testdata"} {
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
				return err
			}
			text, err := os.ReadFile(path)
			texts = append(texts, string(text))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	count := 0
	for _, text := range texts {
		stream, err := manifest.Read([]byte(text))
		if err != nil {
			continue
		}
		for _, item := range stream.Items {
			got, err := itemToJSON(item)
			want, errOfLibrary := libraryJSON(item.Text)
			if !bytes.Equal(got, want) || (err == nil) != (errOfLibrary == nil) {
				t.Errorf("%s becomes %s, %v instead of %s, %v", item.Text, got, err, want, errOfLibrary)
			}
			count++
		}
	}
	if count < 100 {
		t.Errorf("only %d objects were compared", count)
	}
}

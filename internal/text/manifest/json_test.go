package manifest_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/internal/text/manifest"
)

// TestJSONIsThatOfTheLibrary claims that the manifests of all examples, and values that are rare, become what kubectl's
// library makes of them, byte for byte. What a tag says of a value is not in the nodes.
func TestJSONIsThatOfTheLibrary(t *testing.T) {
	texts := []string{
		"a: 1\nb: -1\nc: 0\nd: 007\ne: 0x10\nf: 1_000\ng: 1.5\nh: 1e3\ni: +1\nj: -0\nk: 99999999999999999999\n",
		"a: yes\nb: true\nc: True\nd: y\ne: off\nf: ~\ng: null\nh:\ni: Null\nj: '1'\nk: \"<&>\u2028\"\n",
		"a: 2020-01-01\nb: !!str 1\nc: !!int '1'\nd: !!binary aGk=\ne: !x y\nf: .inf\n",
		"a: &a {b: 1}\nc: *a\nd: {<<: *a, e: 2}\n", "a: |\n  x\n  y\nb: >-\n  x\n  y\n", "1: a\ntrue: b\n", "a: [1, [2], {}]\n",
	}
	for _, scalar := range []string{
		"2020-01-01", "2020-01-01T10:00:00Z", "2020-01-01 10:00:00", "!!str 1", "!!int '1'", "!x y", "! yes", "!!timestamp 2020-01-01",
		".inf", "-.INF", ".nan", "0o17", "017", "0b11", "1e400", "1e-400", "0.1", "1e21", "123456789012345678", "18446744073709551615",
		"8080.0", "1:20", "190:20:30", "0x1F90", "+0x10", "-017", "1__0", "_1", "1e3", "1.e3", ".5", "-.5", "+.5", "=", "<<", "~", "'~'",
		"\"\\u00e9\\x01\"", "é", "\"\\ud83d\"", "'<&>'", "\"\\t\"", "y", "N", "on", "Off", "!!bool yes", "!!null ''", "!!float 1",
		"9007199254740993.0", "1e16", "08", "0.", "1.0e+3", "1_000.5",
	} {
		texts = append(texts, "a: "+scalar+"\n", "a: ["+scalar+"]\n")
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
			_, object, err := item.Parse()
			if err != nil || bytes.IndexByte(item.Text, '!') >= 0 {
				continue
			}
			got, err := manifest.JSON(object)
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

// libraryJSON returns any YAML as JSON, and the entry of a list alone.
func libraryJSON(yamlText []byte) (json.RawMessage, error) {
	text, err := yaml.YAMLToJSON(yamlText)
	if err != nil {
		return nil, err
	}
	if text = bytes.TrimSpace(text); text[0] == '[' {
		var entries []json.RawMessage
		if err := json.Unmarshal(text, &entries); err != nil {
			return nil, err
		}
		text = entries[0]
	}
	return text, nil
}

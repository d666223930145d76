package manifest

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// FuzzRead reads any text: it never panics, what is not changed is written as it came, and
// a long list has the same items, whether they are read one by one or with the whole document.
func FuzzRead(f *testing.F) {
	for _, c := range streams {
		f.Add([]byte(c.text))
	}
	paths, err := filepath.Glob("../yaml/splice/testdata/corpus/*")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range []string{
		`{"apiVersion":"v1","kind":"List","items":[{"kind":"Pod","metadata":{"name":"\ud83d\ude00\/","x":"\ud83d"}}]}`,
		"kind: Pod\nkind: Pod\n---\nkind: Secret\ntype: a\ntype: b\n---\n{kind: List, items: [], items: []}\n",
		"%YAML 1.1\n%TAG !e! tag:example.com,2000:\n---\nkind: !e!b Pod\n...\n%TAG !e! x\n--- {kind: Pod}\n",
		`kind: "P\x6fd"` + "\n" + `"\u006bind": "\ud83d\ude00"` + "\n",
		"functionConfig:\nfunctionConfig: {}\nresults: []\nresults:\nitems:\nitems: []\nkind: ResourceList\n" +
			"apiVersion: config.kubernetes.io/v1\n",
		"kind: ResourceList\nitems:\n- kind: Pod\nfunctionConfig:\n  kind: A\nresults: []\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		compareLong(t, text)
		s, err := Read(text)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := s.Write(&out, nil); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Bytes(), text) {
			t.Fatalf("%q is written as %q", text, out.Bytes())
		}
		for _, item := range s.Items {
			if _, _, err := item.Parse(); err != nil && err.Error() == "" {
				t.Fatal("an error without words")
			}
		}
	})
}

package stamp_test

import (
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/txtar"

	"pillion.dev/pillion/internal/node"
	"pillion.dev/pillion/internal/stamp"
)

// FuzzParse holds the reading of stamps to its promises: no panic, and what is read is written the same.
func FuzzParse(f *testing.F) {
	for _, text := range stampsOf(f) {
		f.Add(text)
	}
	for _, text := range []string{"", "{}", `{"add":{"":{"":""}},"sum":""}`, `{"cut":{"spec/containers":[{"at":-1,"text":"a"}]},"sum":"00000000"}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := stamp.Parse(text)
		if err != nil {
			return
		}
		if s.String() != text {
			t.Errorf("%q is read as a stamp that is written as %q", text, s.String())
		}
		if again, err := stamp.Parse(s.String()); err != nil || again.String() != text {
			t.Errorf("%q is not read again: %v", text, err)
		}
	})
}

// FuzzUndo holds the taking out to its promises, whatever the stamp and the pod say: no panic, and
// nothing goes unsaid whose fingerprint is not the stamp's. The parts of the stamp come without its
// sum, so that the fuzzer finds its way into it.
func FuzzUndo(f *testing.F) {
	for pod, text := range stampsOf(f) {
		if s, err := stamp.Parse(text); err == nil {
			for path, keys := range s.Added {
				for key, print := range keys {
					f.Add(pod, path, key, print.Whole, print.Place, s.Was[path][key], len(s.Was[path]) > 0)
				}
			}
		}
	}
	f.Fuzz(func(t *testing.T, pod, path, key, whole, place, was string, replaces bool) {
		var document yaml.Node
		if yaml.Unmarshal([]byte(pod), &document) != nil || len(document.Content) == 0 || document.Content[0].Kind != yaml.MappingNode || hasAlias(&document) {
			return
		}
		made := &stamp.Stamp{Added: map[string]map[string]stamp.Print{path: {key: {Whole: whole, Place: place}}}}
		if replaces {
			made.Was = map[string]map[string]string{path: {key: was}}
			made.Cut = map[string][]stamp.Entry{path: {{At: len(place), Text: was}}}
		}
		s, err := stamp.Parse(made.String())
		if err != nil {
			return
		}
		template := node.Copy(document.Content[0])
		before := stamp.At(template, path, key)
		undone := stamp.Undo(template, []stamp.Owner{{Key: stamp.Key("envoy"), Stamp: s}}, nil)
		if before == nil || len(s.Added[path][key].Changed(before)) == 0 {
			return
		}
		if len(undone.Drifts) == 0 && !node.Equal(stamp.At(template, path, key), before) {
			t.Errorf("%q at %q is not what the stamp speaks of, and went without a word", key, path)
		}
	})
}

func hasAlias(n *yaml.Node) bool {
	if n.Kind == yaml.AliasNode {
		return true
	}
	for _, child := range n.Content {
		if hasAlias(child) {
			return true
		}
	}
	return false
}

// stampsOf are the stamps that the cases of the function want, by the pods that they stand in.
func stampsOf(f *testing.F) map[string]string {
	files, err := filepath.Glob("../../fn/testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	stamps := map[string]string{}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, section := range archive.Files {
			if section.Name == "want" {
				for item := range strings.SplitSeq(string(section.Data), "---\n") {
					for _, text := range annotationsIn(item) {
						stamps[item] = text
					}
				}
			}
		}
	}
	return stamps
}

func annotationsIn(item string) []string {
	var object yaml.Node
	if yaml.Unmarshal([]byte(item), &object) != nil || len(object.Content) == 0 {
		return nil
	}
	var texts []string
	annotations := node.Get(object.Content[0], "metadata", "annotations")
	if annotations == nil || annotations.Kind != yaml.MappingNode {
		return nil
	}
	for _, key := range node.Keys(annotations) {
		if stamp.IsKey(key) {
			texts = append(texts, node.Text(annotations, key))
		}
	}
	return texts
}

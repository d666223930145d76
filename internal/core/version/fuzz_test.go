package version_test

import (
	"crypto/sha256"
	"encoding/base64"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// resealed replaces the checksum of a stamp by the right one, as an attacker would.
func resealed(text string) string { return sealed(text[:max(strings.LastIndexByte(text, ' '), 0)]) }

// sealed appends the checksum to the text of a stamp.
func sealed(text string) string {
	const bytes = 6
	sum := sha256.Sum256([]byte(text))
	return text + " " + base64.RawURLEncoding.EncodeToString(sum[:])[:bytes]
}

// attackers returns forged stamps that bring something into a pod, or remove something.
func attackers() []string {
	var all []string
	for _, make := range attacks {
		all = append(all, make(2).mine.String())
	}
	for _, text := range []string{
		`1 c(app:AAAAAA)`,
		`1 c(app:AAAAAA="{name: app, securityContext: {privileged: true}}")`,
		`1 spec(hostNetwork:AAAAAA="true")`,
		`1 c(app:AAAAAA) c/app/env(A:AAAAAA) c/app/env[0]="{name: A}"`,
		`1 c/app/env(A&,>1:8EseUE) c/app/env/A(value="a")`,
		`1 c/app/env(A:AAAAAA&,<1:8EseUE)`,
		`1 c/app/env(A&,>1:8EseUE) c/app/env/A(value:AAAAAA)`,
		`1 c(app:AAAAAA) c/app/env(A&,>1:8EseUE)`,
		`1 c/app/env(A&,>1:8EseUE&/>1:8EseUE)`,
		`1 ""(spec="{}") metadata(labels="~") metadata/annotations("":AAAAAA) asked`, `1 spec/tolerations(:AAAAAA)`,
		`1 metadata/annotations(conf:AAAAAA="'{}'")`,
		`1 metadata/annotations(conf="'{}'") metadata/annotations/conf(a:AAAAAA)`,
	} {
		all = append(all, sealed(text))
	}
	return all
}

// FuzzUndo checks that Undo does not panic, and that everything it adds or removes is named, whatever the stamp and the
// pod are. The stamp gets the right checksum, so that it is not refused for that.
func FuzzUndo(f *testing.F) {
	for pod, text := range stampsOf(f) {
		f.Add(pod, text)
	}
	for _, text := range attackers() {
		f.Add(classic, text)
		f.Add("metadata: {}\nspec: {containers: [{name: app, env: [{name: A, value: 'a,b'}]}]}", text)
		f.Add("metadata: {annotations: {conf: '{\"a\":1,\"l\":[1]}'}, labels: {}}\n"+
			"spec: {hostNetwork: false, containers: [{name: app, env: [{name: A}, {name: A}]}]}", text)
	}
	f.Fuzz(func(t *testing.T, pod, text string) {
		var document node.Node
		if read.Into([]byte(pod), &document) != nil || len(document.Content) == 0 ||
			document.Content[0].Kind != node.MappingNode || !isPlain(&document) {
			return
		}
		s, err := stamp.Parse(resealed(text))
		if err != nil {
			return
		}
		before, after := document.Content[0], template(t, pod)
		version.Undo(after, owner(s), nil, nil)
		named := namesOf(s)
		for _, change := range changesIn("", before, after) {
			if !named.explain(change) {
				t.Errorf("%q changes and is named nowhere:\n%s\n%s", change, node.Brief(before), node.Brief(after))
			}
		}
	})
}

// stampsOf returns the stamps in the results of the engine's cases, by the pods that they are in.
func stampsOf(f *testing.F) map[string]string {
	files, err := filepath.Glob("../engine/testdata/*.txtar")
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
	var object node.Node
	if read.Into([]byte(item), &object) != nil || len(object.Content) == 0 {
		return nil
	}
	var texts []string
	annotations := node.Get(object.Content[0], "metadata", "annotations")
	if annotations == nil || annotations.Kind != node.MappingNode {
		return nil
	}
	for _, key := range node.Keys(annotations) {
		if stamp.IsKey(key) {
			texts = append(texts, node.Text(annotations, key))
		}
	}
	return texts
}

package kustomization

import (
	"encoding/base64"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"pillion.dev/pillion/internal/edge/files"
)

// TestWhatKustomizeBuildsIsRead writes trees with a pod that kustomize builds, whatever it takes to find it, and reads
// them as -f DIR -R does.
func TestWhatKustomizeBuildsIsRead(t *testing.T) {
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n"
	const chart = "apiVersion: v2\nname: shop\nversion: 1.0.0\n"
	encoded := base64.StdEncoding.EncodeToString([]byte("pod.txt"))
	const list = "resources: [pod.txt]\n"
	lists := func(text string) map[string]string {
		return map[string]string{"kustomization.yaml": text, "pod.txt": pod}
	}
	for name, tree := range map[string]map[string]string{
		"another case":          lists("Resources: [pod.txt]\n"),
		"a letter that folds":   lists("re\u017fources: [pod.txt]\n"),
		"a repeated key":        lists("resources: [pod.txt]\nnamePrefix: a\nnamePrefix: b\n"),
		"the list twice":        lists("resources: [other.txt]\nresources: [pod.txt]\n"),
		"an encoded entry":      lists("resources: [!!binary " + encoded + "]\n"),
		"an alias as the key":   lists("namePrefix: &key resources\n*key : [pod.txt]\n"),
		"carriage returns":      lists("namePrefix: a\rresources: [pod.txt]\r"),
		"a broken second part":  lists("resources: [pod.txt]\n---\n{{\n"),
		"UTF-16":                lists(inUTF16(list)),
		"an absolute path":      lists("resources: [DIR/pod.txt]\n"),
		"a directory and back":  lists("resources: [./x/../pod.txt]\n"),
		"a brace":               {"kustomization.yaml": "resources: ['p{o}d.txt']\n", "p{o}d.txt": pod},
		"a line break":          {"kustomization.yaml": "resources: [\"p\\nd.txt\"]\n", "p\nd.txt": pod},
		"what looks like a URL": {"kustomization.yaml": "resources: ['x://pod.txt']\n", "x:/pod.txt": pod},
		"an ignored list":       {"kustomization.yaml": list, "pod.txt": pod, ".krmignore": "kustomization.yaml\n"},
		"an ignored resource":   {"kustomization.yaml": list, "pod.txt": pod, ".krmignore": "pod.txt\n"},
		"git's own directory":   {"kustomization.yaml": "resources: [.git/pod.txt]\n", ".git/pod.txt": pod},
		"the name of a template": {
			"kustomization.yaml": "resources: [templates/pod.yaml]\n",
			"templates/pod.yaml": pod,
			"Chart.yaml":         chart,
		},
		"a link that comes first": {
			"kustomization.yaml": "resources: [z]\n", "z/kustomization.yaml": list, "z/pod.txt": pod,
			"a.yaml": "-> z/kustomization.yaml",
		},
		"a list behind a link": {
			"kustomization.yaml": "resources: [z]\n", "z/list.yaml": list, "z/pod.txt": pod,
			"z/kustomization.yaml": "-> list.yaml", "a.yaml": "-> z/list.yaml",
		},
		"a directory behind a link": {
			"kustomization.yaml": "resources: [a]\n", "z/kustomization.yaml": list, "z/pod.txt": pod, "a": "-> z",
		},
		"an ignored directory": {
			"kustomization.yaml":   "resources: [z]\n",
			"z/kustomization.yaml": list,
			"z/pod.txt":            pod,
			".krmignore":           "z\n",
		},
		"a directory that git does not track": {
			"kustomization.yaml":   "resources: [z]\n",
			"z/kustomization.yaml": list,
			"z/pod.txt":            pod,
			".gitignore":           "z\n",
			".git/index":           "DIRC\x00\x00\x00\x02\x00\x00\x00\x00" + strings.Repeat("h", 20),
		},
		"the templates of a chart": {
			"kustomization.yaml":             "resources: [c/templates]\n",
			"c/Chart.yaml":                   chart,
			"c/templates/kustomization.yaml": "resources: [pod.yaml]\n",
			"c/templates/pod.yaml":           pod,
		},
		"an ignored list of the templates of a chart": {
			"kustomization.yaml":             "resources: [c/templates]\n",
			"c/Chart.yaml":                   chart,
			"c/templates/kustomization.yaml": list,
			"c/templates/pod.txt":            pod, ".krmignore": "kustomization.yaml\n",
		},
		"a directory with the name of a list": {
			"kustomization.yaml":         "resources: [z]\n",
			"z/kustomization.yaml/a.txt": "",
			"z/Kustomization":            list,
			"z/pod.txt":                  pod,
		},
	} {
		dir := files.RealPath(t.TempDir())
		for _, file := range slices.Sorted(maps.Keys(tree)) {
			put(t, filepath.Join(dir, file), strings.ReplaceAll(tree[file], "DIR", dir))
		}
		if built, err := NewDisk(nil).Build(dir); err != nil || !strings.Contains(string(built), "kind: Pod") {
			t.Errorf("%s: kustomize builds no pod: %s %v", name, built, err)
		}
		reader := files.Reader{Recursive: true, Complete: true, Take: files.Manifests}
		found, err := reader.Read(t.Context(), []string{dir})
		if err != nil {
			t.Fatal(err)
		}
		isRead := slices.ContainsFunc(found.Files, func(f files.File) bool { return string(f.Text) == pod })
		isLeft := slices.ContainsFunc(found.Passed, func(p files.Passed) bool { return string(p.Text) == pod })
		if !isRead && !isLeft {
			t.Errorf("%s: the pod is not read", name)
		}
	}
}

// put writes a file, or a symbolic link for a text that begins with an arrow.
func put(t *testing.T, path, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if target, isLink := strings.CutPrefix(text, "-> "); isLink && err == nil {
		err = os.Symlink(target, path)
	} else if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func inUTF16(text string) string {
	var encoded []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		encoded = append(encoded, byte(unit), byte(unit>>8))
	}
	return string(encoded)
}

func TestTheNamespaceIsReadAsKustomizeReadsIt(t *testing.T) {
	for text, want := range map[string]string{
		"namespace: a\n":                              "a",
		"Namespace: a\n":                              "a",
		"namespace: a\nnamespace: b\n":                "b",
		"namePrefix: x\nnamePrefix: y\nresources: []": "",
	} {
		dir := t.TempDir()
		write(t, dir, "kustomization.yaml", text)
		if got := Namespace(dir); got != want {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

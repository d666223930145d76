package files_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/konfig"

	"pillion.dev/pillion/internal/edge/files"
)

const pod = "apiVersion: v1\nkind: Pod\n"

func TestIgnoreFilesAboveTheDirectoryApply(t *testing.T) {
	dir := tree(t, map[string]string{
		".gitignore":         "build\n*.local.yaml\n",
		"k8s/a.yaml":         pod,
		"k8s/a.local.yaml":   pod,
		"k8s/build/b.yaml":   pod,
		"k8s/sub/c.yaml":     pod,
		"k8s/sub/.krmignore": "d.yaml\n",
		"k8s/sub/d.yaml":     pod,
	})
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	found, err := files.Reader{Recursive: true, Take: files.Manifests}.Read(t.Context(), []string{filepath.Join(dir, "k8s")})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range found.Files {
		names = append(names, filepath.Base(file.Path))
	}
	if want := []string{"a.yaml", "c.yaml"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

func TestManifestsAreDistinguishedFromOtherYAML(t *testing.T) {
	tests := map[string]struct {
		text string
		why  files.Why
	}{
		"an object":                           {pod, ""},
		"objects among other documents":       {"a: 1\n---\n" + pod, ""},
		"JSON":                                {`{"apiVersion": "v1", "kind": "Pod"}`, ""},
		"a broken object, for the run to say": {"apiVersion: v1\nkind: Pod\nmetadata: [\n", ""},
		"an object that speaks in templates":  {pod + "metadata:\n  annotations: {text: \"{{ inputs.name }}\"}\n", ""},
		"values":                              {"replicas: 3\n", files.NoObject},
		"a list":                              {"- a\n- b\n", files.NoObject},
		"nothing":                             {"", files.NoObject},
		"a value to all but kubectl":          {"|\n---# x\n" + pod, ""},
		"a template to all but kubectl":       {pod + "# {{/* \r---\r# */}}\n", ""},
		"an encoded kind before a mistake":    {"!!binary a2luZA==: Pod\n---\na: [\n", ""},
		"a config that hides a pod in its items": {
			"apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nitems: [{apiVersion: v1, kind: Pod}]\n", "",
		},
		"not YAML":                            {"\x00\x01", files.NoObject},
		"comments that mention a kind":        {"# kind: Pod\n", files.NoObject},
		"a JSON patch":                        {"- op: add\n  path: /kind\n  value: {kind: Pod}\n", files.NoObject},
		"a list and a broken object":          {"- kind\n---\napiVersion: v1\nkind: [\n", ""},
		"a broken text with an escaped kind":  {`"k\x69nd": Pod` + "\n---\n[", ""},
		"a word on two lines":                 {"\"ki\\\nnd\": Pod\n---\n[", ""},
		"broken YAML of another kind":         {"a: [\n", files.NoObject},
		"a ResourceList":                      {"apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n", files.ResourceList},
		"a template that is no YAML":          {"{{- if .Values.x }}\n" + pod + "{{- end }}\n", files.Template},
		"a template that is YAML by accident": {pod + "metadata:\n  name: {{ .Release.Name }}\n", files.Template},
		"a template in quotes":                {pod + "metadata:\n  name: \"{{ include \"name\" . }}\"\n", files.Template},
		"a template that renders lines": {
			pod + "metadata:\n  labels: {{- include \"labels\" . | nindent 4 }}\n    a: b\n", files.Template,
		},
		"a template with an action of several lines": {
			pod + "metadata:\n  name: {{ include (dict\n    \"name\" .) }}\n", files.Template,
		},
		"a template of Jinja": {pod + "{% if x %}\nspec: {}\n{% endif %}\n", files.Template},
		"a template with branches": {
			pod + "{{- if .Values.x }}\nspec: {}\n{{- else }}\nspec: {}\n{{- end }}\n", files.Template,
		},
		"a template of nothing else": {
			"{{- /* a Pod:\napiVersion: v1\nkind: Pod */}}\n{{ include \"pod\" . }}\n", files.Template,
		},
		"a broken object beside templates in quotes": {pod + "args: [\"{{ .x }}\"]\n---\n" + pod + "data: \"a\" b\n", ""},
		"a broken object beside a template":          {pod + "metadata:\n  name: {{ .Release.Name }}\n---\n" + pod + "data: [\n", ""},
		"a broken object with a broken action":       {pod + "metadata:\n  name: {{ .Release.Name }\n", files.Template},
		"a broken object with half a template":       {"{{- if .x }}\n" + pod, files.Template},
		"a key twice beside templates in quotes":     {pod + "args: [\"{{ .x }}\"]\nargs: []\n", ""},
		"broken JSON on one line":                    {`{"apiVersion": "v1", "kind": "Pod", "spec": }`, ""},
		"a broken object in single quotes":           {"{'apiVersion': 'v1', 'kind': 'Pod', 'spec': [}", ""},
		"JSON with comments":                         {"{\n// of an editor\n\"kind\": \"x\"}", files.NoObject},
		"tasks of Ansible":                           {"a: \"{{ kind }}\"\n{{ x }}\n", files.NoObject},
		"an escaped apiVersion in broken YAML":       {"{'kind': 'Pod', \"api\\x56ersion\": 'v1', 'spec': [}", ""},
		"a pointer of Git LFS":                       {"version https://git-lfs.github.com/spec/v1\noid sha256:a\nsize 1\n", files.LFSPointer},
		"an object in UTF-16":                        {utf16Of("apiVersion: v1\nkind: Pod"), ""},
		"a kustomization":                            {"apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n", files.BuildConfig},
		"an injector":                                {"apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\n", files.BuildConfig},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if why := files.Manifests("a.yaml", []byte(test.text)); why != test.why {
				t.Errorf("got %q, want %q", why, test.why)
			}
		})
	}
}

func TestAKustomizationIsKnownByItsName(t *testing.T) {
	names := konfig.RecognizedKustomizationFileNames()
	if !slices.Equal(files.Kustomizations(), names) {
		t.Errorf("got %v, and kustomize knows %v", files.Kustomizations(), names)
	}
	for _, name := range names {
		if why := files.Manifests(name, []byte("resources: [web.yaml]\n")); why != files.BuildConfig {
			t.Errorf("%s: got %q", name, why)
		}
		if why := files.Manifests(name, []byte(pod)); why != "" {
			t.Errorf("%s with a Pod: got %q", name, why)
		}
	}
}

func TestReadingIsBounded(t *testing.T) {
	defer files.SetMaxBytes(3 << 20)()
	half := pod + "# " + strings.Repeat("x", 2<<20)
	dir := tree(t, map[string]string{"a.yaml": half, "b.yaml": half})
	_, err := files.Reader{Take: files.Manifests}.Read(t.Context(), []string{dir})
	if err == nil || !strings.Contains(err.Error(), "b.yaml: the files are larger than 3 MiB together; run on fewer at a time") {
		t.Errorf("got %v", err)
	}
}

func TestReadingEndsWithItsContext(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	dir := tree(t, map[string]string{"a.yaml": pod, "b.yaml": pod})
	take := func(name string, text []byte) files.Why {
		end()
		return files.Manifests(name, text)
	}
	reader := files.Reader{Take: take}
	if _, err := reader.Read(ctx, []string{dir}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestALinkToNothingIsPassedOver(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": pod})
	link := filepath.Join(dir, "b.yaml")
	if err := os.Symlink("nowhere.yaml", link); err != nil {
		t.Fatal(err)
	}
	found, err := files.Reader{Take: files.Manifests}.Read(t.Context(), []string{dir})
	if err != nil || len(found.Files) != 1 || len(found.Passed) != 1 || found.Passed[0].Path != link || found.Passed[0].Why != files.LinkOut {
		t.Errorf("got %v and %v (%v), want one file and the link", found.Files, found.Passed, err)
	}
}

func TestAFileBehindALinkedDirectoryIsReadOnce(t *testing.T) {
	dir := tree(t, map[string]string{"real/a.yaml": pod})
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	found, err := files.Reader{Take: files.Manifests}.Read(t.Context(), []string{filepath.Join(dir, "*")})
	if err != nil || len(found.Files) != 1 {
		t.Errorf("got %v (%v), want one file", found.Files, err)
	}
}

// TestOtherFilesDoNotCountWhileTheyAreRead has files without objects in several directories, which are read at once and
// are larger together than a run may be.
func TestOtherFilesDoNotCountWhileTheyAreRead(t *testing.T) {
	defer files.SetMaxBytes(3 << 20)()
	all := map[string]string{"pod.yaml": pod}
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		all[name+"/data.json"] = strings.Repeat("[1]\n", 1<<19)
	}
	dir := tree(t, all)
	for range 20 {
		reader := files.Reader{Recursive: true, Take: files.Manifests}
		found, err := reader.Read(t.Context(), []string{dir})
		if err != nil || len(found.Files) != 1 {
			t.Fatalf("got %d files (%v), want one", len(found.Files), err)
		}
	}
}

func TestAFileOverTheBoundIsNotRead(t *testing.T) {
	const size = 1 << 30
	defer files.SetMaxBytes(1 << 20)()
	path := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, place := range []string{path, filepath.Dir(path)} {
		if _, err := (files.Reader{Take: files.Manifests}).Read(t.Context(), []string{place}); err == nil {
			t.Errorf("%s is read", place)
		}
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > size/4 {
		t.Errorf("%d bytes are allocated", took)
	}
}

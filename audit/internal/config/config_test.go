package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/audit/internal/config"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
)

const (
	one = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: one}\n" +
		"spec: {containers: [{name: one, image: one:1}]}\n"
	two = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: two}\nspec: {volumes: " +
		"[{name: v, emptyDir: {}}]}\n"
	other  = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n"
	broken = "kind: {\n"
)

// write makes files in a new directory. A text that begins with an arrow is the target of a link.
func write(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if target, isLink := strings.CutPrefix(text, "-> "); isLink && err == nil {
			err = os.Symlink(target, path)
		} else if err == nil {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// read returns the files that a directory holds, by their paths in it.
func read(t *testing.T, dir string) (config.Snapshot, string) {
	t.Helper()
	snapshot, err := config.Files{dir}.Read()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, source := range snapshot.Sources {
		names = append(names, strings.TrimPrefix(source.File, dir+"/"))
	}
	return snapshot, strings.Join(names, " ")
}

func TestFilesOfADirectory(t *testing.T) {
	for _, test := range []struct {
		claim string
		files map[string]string
		want  string
	}{
		{"are read in the order of " +
			"their names", map[string]string{"b.yml": two, "a.yaml": one, "c.json": "{}"}, "a.yaml b.yml"},
		{"need the name of YAML or JSON", map[string]string{"a.yaml": one, "b.txt": two, "README": two}, "a.yaml"},
		{"are not hidden", map[string]string{"a.yaml": one, ".b.yaml": two}, "a.yaml"},
		{"are not those of " +
			"directories in it", map[string]string{"a.yaml": one, "b/b.yaml": two, "c.yaml/c.yaml": two}, "a.yaml"},
		{"hold injectors", map[string]string{"a.yaml": one, "b.yaml": other}, "a.yaml"},
		{"may be broken, which is reported later", map[string]string{"a.yaml": one, "b.yaml": broken}, "a.yaml b.yaml"},
		{"may be behind links", map[string]string{"a.yaml": "-> files/x", "files/x": one}, "a.yaml"},
	} {
		t.Run(test.claim, func(t *testing.T) {
			if _, got := read(t, write(t, test.files)); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestAMountedConfigMapIsReadAtOneMoment has a directory as the kubelet makes it. The files are links into ..data, a link
// that is replaced with all files at once.
func TestAMountedConfigMapIsReadAtOneMoment(t *testing.T) {
	dir := write(t, map[string]string{
		"..2026_1/a.yaml": one,
		"..2026_2/a.yaml": two,
		"..data":          "-> ..2026_2",
		"a.yaml":          "-> ..2026_1/a.yaml", // as if it was replaced while it is read
	})
	snapshot, names := read(t, dir)
	if names != "a.yaml" || string(snapshot.Sources[0].Text) != two {
		t.Errorf("it reads %s: %s", names, snapshot.Sources[0].Text)
	}
}

func TestAFileThatIsNamedIsReadWhateverItsNameAndContent(t *testing.T) {
	path := filepath.Join(write(t, map[string]string{"service": other}), "service")
	snapshot, err := config.Files{path}.Read()
	if err != nil || len(snapshot.Sources) != 1 || snapshot.Sources[0].File != path {
		t.Errorf("got %v, %v", snapshot.Sources, err)
	}
}

func TestAFileThatIsNotThereIsAnError(t *testing.T) {
	dir := write(t, map[string]string{"a.yaml": one})
	for _, name := range []string{"none.yaml", "none/"} {
		if _, err := (config.Files{dir, filepath.Join(dir, name)}).Read(); err == nil {
			t.Errorf("%s is read", name)
		}
	}
	lost := write(t, map[string]string{"a.yaml": one, "b.yaml": "-> none"})
	if snapshot, err := (config.Files{lost}).Read(); err == nil || len(snapshot.Sources) > 0 {
		t.Errorf("a link that leads nowhere is read: %v", snapshot.Sources)
	}
}

// TestTheHashTellsConfigsApart has when the audit reads its config anew.
func TestTheHashTellsConfigsApart(t *testing.T) {
	dir := write(t, map[string]string{"a.yaml": one, "other.yaml": other, "b.txt": two})
	before, _ := read(t, dir)
	for _, test := range []struct {
		claim, name, text string
		isChanged         bool
	}{
		{"a file of something else makes no difference", "other.yaml", other + "spec: {}\n", false},
		{"a file of another name makes none", "b.txt", one, false},
		{"the same text makes none", "a.yaml", one, false},
		{"another text does", "a.yaml", one + "\n", true},
		{"one more file does", "b.yaml", two, true},
	} {
		if err := os.WriteFile(filepath.Join(dir, test.name), []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		after, _ := read(t, dir)
		if (after.Hash != before.Hash) != test.isChanged {
			t.Errorf("%s: got %s, was %s", test.claim, after.Hash, before.Hash)
		}
		before = after
	}
}

func TestTheHashDependsOnTheBorderBetweenFiles(t *testing.T) {
	a, _ := read(t, write(t, map[string]string{"a.yaml": one + "---\n" + two}))
	b, _ := read(t, write(t, map[string]string{"a.yaml": one + "---\n", "b.yaml": two}))
	if a.Hash == b.Hash {
		t.Error("two files are taken for one")
	}
}

func TestConfigs(t *testing.T) {
	mistaken := strings.Replace(one, "containers", "container", 1)
	for _, test := range []struct {
		claim     string
		files     map[string]string
		injectors int
		problem   string
	}{
		{"all injectors of all files", map[string]string{"a.yaml": one, "b.yaml": two}, 2, ""},
		{"a broken file is an error", map[string]string{"a.yaml": one, "b.yaml": broken}, 0, "b.yaml"},
		{"so is a mistake in one", map[string]string{"a.yaml": mistaken}, 0, "container"},
		{"and no injector", map[string]string{"a.yaml": other}, 0, "there is no injector"},
	} {
		t.Run(test.claim, func(t *testing.T) {
			snapshot, _ := read(t, write(t, test.files))
			read, findings := snapshot.Config()
			if test.problem == "" {
				if len(findings) > 0 || len(read.Injectors()) != test.injectors {
					t.Errorf("got %d injectors, %v", len(read.Injectors()), findings)
				}
				return
			}
			err := finding.Err(findings)
			if err == nil || !strings.Contains(err.Error(), test.problem) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestAWarningIsNoFailure(t *testing.T) {
	text := strings.Replace(one, "image: one:1", "image: one:1, shareVolumePolicy: {excludePaths: [/x]}", 1)
	snapshot, _ := read(t, write(t, map[string]string{"a.yaml": text}))
	if _, findings := engine.ReadConfig(snapshot.Sources...); len(findings) == 0 {
		t.Fatal("the config has no warning")
	}
	if read, findings := snapshot.Config(); len(findings) > 0 || len(read.Injectors()) != 1 {
		t.Errorf("got %v", findings)
	}
}

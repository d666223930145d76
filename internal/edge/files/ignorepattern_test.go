package files

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// ignored reports whether a file, or an existing directory above it, is ignored by one ignore file.
func ignored(t *testing.T, text, name string, isDir bool) bool {
	t.Helper()
	patterns, err := readIgnorePatterns([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	all := ignoreFiles{{dir: "/home/", patterns: patterns}}
	for i, c := range name {
		if c == '/' && all.match("/home/"+name[:i], true, new(int)) {
			return true
		}
	}
	return all.match("/home/"+name, isDir, new(int))
}

// repository is an empty repository of git that no config of the user reaches.
type repository string

func newRepository(t *testing.T) repository {
	t.Helper()
	r := repository(t.TempDir())
	r.git(t, "", "init", "-q")
	return r
}

// git runs git, which every machine has that has this repository. Exit code 1 means that check-ignore finds nothing.
func (r repository) git(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = string(r), strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_DIR="+filepath.Join(string(r), ".git"))
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("git %s: %v", args, err)
	}
	return string(out)
}

// ignores returns which of the paths git ignores.
func (r repository) ignores(t *testing.T, names []string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for name := range strings.SplitSeq(r.git(t, strings.Join(names, "\x00"), "check-ignore", "-z", "--stdin"), "\x00") {
		found[name] = true
	}
	return found
}

func (r repository) write(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join(string(r), name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func TestNoShortIgnoreFilePanics(t *testing.T) {
	texts := []string{""}
	for range 4 {
		longer := texts[:0:0]
		for _, text := range texts {
			for _, c := range "!/*[]\\?# a-:^\r" {
				longer = append(longer, text+string(c))
			}
		}
		for _, text := range longer {
			ignored(t, text, "a", false)
			ignored(t, text, "a/!", true)
		}
		texts = longer
	}
}

// Each ignored name is that of a file. A name with a slash is in directories that exist.
func TestIgnoreFilesAreReadAsGitReadsThem(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this needs file names that Windows does not allow")
	}
	for _, test := range []struct{ lines, ignored, kept string }{
		{"/\n!\n!/\n/ \n\\/\nx.yaml", "x.yaml", "y.yaml"},
		{"\uFEFFx.yaml", "x.yaml", "y.yaml"},
		{"\uFEFF# note\r\nx.yaml\r\n", "x.yaml", "# note"},
		{"[!k]eep.yaml", "deep.yaml", "keep.yaml"},
		{"[^k]eep.yaml", "deep.yaml", "keep.yaml"},
		{"[!a-k]eep.yaml", "seep.yaml", "keep.yaml"},
		{"[]x]eep.yaml", "]eep.yaml", "keep.yaml"},
		{"[!]x]eep.yaml", "keep.yaml", "]eep.yaml"},
		{"k[!]\ny", "y", "kx"},
		{"[-x]eep.yaml", "-eep.yaml", "keep.yaml"},
		{"[x-]eep.yaml", "-eep.yaml", "keep.yaml"},
		{`[\!x]eep.yaml`, "!eep.yaml", "keep.yaml"},
		{`[x\]]eep.yaml`, "]eep.yaml", "keep.yaml"},
		{"*.yaml\n![!x]eep.yaml", "xeep.yaml", "keep.yaml"},
		{`\!x.yaml`, "!x.yaml", "x.yaml"},
		{`\#x.yaml`, "#x.yaml", "x.yaml"},
		{`x\*.yaml`, "x*.yaml", "xx.yaml"},
		{`x\\y`, `x\y`, "xy"},
		{`\x\é\-\^\]`, "xé-^]", "x"},
		{" x.yaml", " x.yaml", "x.yaml"},
		{"x.yaml   ", "x.yaml", "x.yaml "},
		{`x.yaml\  `, "x.yaml ", "x.yaml"},
		{`x.yaml\\ `, `x.yaml\`, "x.yaml"},
		{"/\r \nx\r\r\n", "x\r", "x"},
		{"#x.yaml\n*y", "y", "#x.yaml"},
		{"a/**", "a/b/c.yaml", "a.yaml"},
		{"a/**\n!a/keep.yaml", "a/x.yaml", "a/keep.yaml"},
		{"a\n!a/keep.yaml", "a/keep.yaml", "keep.yaml"},
		{"a/*\n!a/b/\na/b/*\n!a/b/keep.yaml", "a/b/x.yaml", "a/b/keep.yaml"},
		{"**/a/*.yaml", "b/a/x.yaml", "a/b/x.yaml"},
		{"a/**/x.yaml", "a/x.yaml", "b/a/x.yaml"},
		{"a/**/x.yaml", "a/b/c/x.yaml", "a/b/c/y.yaml"},
		{"**/b/**/x.yaml", "a/b/c/d/x.yaml", "a/x.yaml"},
		{"a/***/x.yaml", "a/b/c/x.yaml", "a/y.yaml"},
		{"a**.yaml", "abc.yaml", "b/c.yaml"},
		{"/a/*.yaml", "a/x.yaml", "a/b/x.yaml"},
		{"a/*.yaml", "a/x.yaml", "b/a/x.yaml"},
		{"/x.yaml", "x.yaml", "a/x.yaml"},
		{"x.yaml/", "x.yaml/y", "a/x.yaml"},
		{"a/", "b/a/x.yaml", "b/x.yaml"},
		{"*.yaml\n!a", "a/x.yaml", "a/x.yml"},
		{"*\n!*/\n!*.yml", "a/x.yaml", "a/x.yml"},
		{"!x.yaml\n*.yaml", "x.yaml", "x.yml"},
		{"*.yaml\n!x.yaml\nx.*", "x.yaml", "y.yml"},
		{"a?b.yaml", "a-b.yaml", "ab.yaml"},
		{"a?b/x", "a-b/x", "a/b/x"},
		{"a[!x]b/x", "a-b/x", "a/b/x"},
		{"a[+-.]b/x", "a.b/x", "a/b/x"},
		{"{a,b}.yaml", "{a,b}.yaml", "a.yaml"},
		{"[[:digit:]].yaml", "7.yaml", "a.yaml"},
		{"[![:alpha:]_]x", "7x", "_x"},
		{"[[:nothing:]]x\ny", "y", "nx"},
		{"[[:x]y", "[y", "y"},
		{"[a-c-e]x", "ex", "dx"},
		{"[z-a]x\ny", "y", "bx"},
		{"[ab\ny", "y", "[ab"},
		{`x\
y`, "y", "x"},
		{"//x\nx//\ny", "y", "x"},
	} {
		r := newRepository(t)
		for _, name := range []string{test.ignored, test.kept} {
			r.write(t, name, "")
		}
		r.write(t, ".gitignore", test.lines)
		byGit := r.ignores(t, []string{test.ignored, test.kept})
		for name, want := range map[string]bool{test.ignored: true, test.kept: false} {
			if byGit[name] != want {
				t.Errorf("git: %q: %q is ignored: %t, want %t", test.lines, name, byGit[name], want)
			}
			if got := ignored(t, test.lines, name, false); got != want {
				t.Errorf("%q: %q is ignored: %t, want %t", test.lines, name, got, want)
			}
		}
	}
}

// These are the known differences, which docs/reference/cli.md names.
func TestIgnoreFilesDifferFromGitsInRareCases(t *testing.T) {
	for _, test := range []struct {
		why, lines, name string
		byGit            bool
	}{
		{"git matches bytes, and not characters", "?.yaml", "é.yaml", false},
		{"git matches bytes, and not characters", "[é].yaml", "é.yaml", false},
		{"git's classes never match a slash", "a[+-0]b.yaml/x", "a/b.yaml/x", false},
		{"git takes two stars behind its literal beginning for a whole segment", "a**/c.yaml", "ab/b/c.yaml", true},
	} {
		r := newRepository(t)
		r.write(t, test.name, "")
		r.write(t, ".gitignore", test.lines)
		if byGit := r.ignores(t, []string{test.name})[test.name]; byGit != test.byGit {
			t.Errorf("git: %q: %q is ignored: %t", test.lines, test.name, byGit)
		}
		if got := ignored(t, test.lines, test.name, false); got == test.byGit {
			t.Errorf("%q: %q is ignored: %t, as by git; remove it from the list and from docs/reference/cli.md: %s",
				test.lines, test.name, got, test.why)
		}
	}
}

// The random ignore files are in a directory, in one below it and in the root of the repository above it.
func TestRandomIgnoreFilesAreReadAsGitReadsThem(t *testing.T) {
	r := newRepository(t)
	var names []string
	for _, dir := range []string{"", "a/", "b/", "ab/", "a/a/", "a/b/", "a/b/a/", "b/a/b/"} {
		for _, name := range []string{"a.yaml", "b.yaml", "ab.yaml", "a-b.yaml", "b]a.yaml", "1.yaml"} {
			names = append(names, "top/"+dir+name)
			r.write(t, "top/"+dir+name, "")
		}
	}
	reader := Reader{Recursive: true, Take: func(string, []byte) Why { return "" }}
	random := rand.New(rand.NewPCG(13, 1))
	for range 400 {
		ignoreFiles := map[string]string{}
		for _, dir := range []string{"", "top/", "top/a/"} {
			ignoreFiles[dir] = randomPatterns(random)
			r.write(t, dir+".gitignore", ignoreFiles[dir])
		}
		byGit := r.ignores(t, append(names, "top"))
		if byGit["top"] {
			continue // a directory that the user names is read
		}
		found, err := reader.Read(t.Context(), []string{filepath.Join(string(r), "top")})
		if err != nil {
			t.Fatal(err)
		}
		read := map[string]bool{}
		for _, file := range found.Files {
			name, _ := filepath.Rel(string(r), file.Path)
			read[filepath.ToSlash(name)] = true
		}
		for _, name := range names {
			if read[name] == byGit[name] {
				t.Fatalf("%q: %s is ignored by git: %t", ignoreFiles, name, byGit[name])
			}
		}
	}
}

func randomPatterns(random *rand.Rand) string {
	pieces := []string{
		"a", "b", "a", "b", "ab", "*", "*", "?", "/", "/", "/**", "/**/", "-", "]", "[ab]", "[!a]", "[^-b]", "[[:digit:]]", "[a-]",
		`\a`, `\*`, ".yaml", ".yaml", "*.yaml",
	}
	var b strings.Builder
	for range random.IntN(4) {
		if random.IntN(3) == 0 {
			b.WriteByte('!')
		}
		if random.IntN(5) == 0 {
			b.WriteString("**/")
		}
		for range 1 + random.IntN(5) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// With exponential time, the test would never end.
func TestHostilePatternsTakeLittleTime(t *testing.T) {
	name := strings.Repeat("a", 250)
	deep := strings.Repeat(name+"/", 15) + name
	for _, pattern := range []string{
		strings.Repeat("*a", 2000) + "b", strings.Repeat("**/", 1300) + "b", strings.Repeat("**/*a*/", 500) + "b",
		strings.Repeat("[!b]*", 800) + "b", strings.Repeat("{a,", 1300) + strings.Repeat("}", 100), strings.Repeat("?*", 2000) + "/b",
		strings.Repeat("a*/**/", 600) + "b",
	} {
		if ignored(t, pattern+"\n/"+pattern, deep, false) {
			t.Errorf("%.20s... matches", pattern)
		}
	}
}

func TestALineThatIsTooLongIsAnError(t *testing.T) {
	if _, err := readIgnorePatterns([]byte(strings.Repeat("a", 100_000) + "\nsecret.yaml\n")); err == nil {
		t.Error("a line of 100 KB is read")
	}
}

func TestTooManyPatternsAreAnError(t *testing.T) {
	if _, err := readIgnorePatterns([]byte(strings.Repeat("# x\n\nx\n", maxIgnorePatterns))); err != nil {
		t.Errorf("comments count: %v", err)
	}
	if _, err := readIgnorePatterns([]byte(strings.Repeat("x\n", maxIgnorePatterns+1))); err == nil {
		t.Error("any number of patterns is read")
	}
}

func TestMatchingIgnoreFilesIsBounded(t *testing.T) {
	dir := t.TempDir()
	hostile := strings.Repeat(strings.Repeat("*a", 20)+"x*b.yaml\n", 9_000)
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(hostile), 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		name := strings.Repeat("a", 100+i) + "b.yaml"
		if err := os.WriteFile(filepath.Join(dir, "x"+name[1:]), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, err := Reader{Take: Manifests}.Read(t.Context(), []string{dir})
	if err == nil || !strings.Contains(err.Error(), "too many patterns with wildcards") {
		t.Errorf("got %v", err)
	}
}

func TestFiftyPatternsAreFineForAHundredThousandFiles(t *testing.T) {
	patterns, err := readIgnorePatterns([]byte(strings.Repeat("services/*/generated*/*\n", 50)))
	if err != nil {
		t.Fatal(err)
	}
	var run reading
	at := directory{ignores: ignores{git: ignoreFiles{{dir: "/home/", patterns: patterns}}}}
	for range 100_000 {
		if err := run.ignore(&at, "/home/services/shop/overlays/production/deployment.yaml", false); err != nil {
			t.Fatal(err)
		}
	}
}

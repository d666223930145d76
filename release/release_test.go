package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sassoftware/go-rpmutils"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/release/compile"
)

const (
	testRepository = "https://git.example.com/team/pillion"
	testDownload   = testRepository + "/releases/download/v1.2.3-rc.1/"
)

// assets are the files of a release. They are named without the version, so that the address of the latest one does not change.
var assets = []string{
	"SHA256SUMS",
	"pillion-audit-linux-amd64.spdx.json", "pillion-audit-linux-amd64.tar.gz",
	"pillion-audit-linux-arm64.spdx.json", "pillion-audit-linux-arm64.tar.gz",
	"pillion-darwin-amd64.spdx.json", "pillion-darwin-amd64.tar.gz",
	"pillion-darwin-arm64.spdx.json", "pillion-darwin-arm64.tar.gz",
	"pillion-linux-amd64.deb", "pillion-linux-amd64.rpm", "pillion-linux-amd64.spdx.json", "pillion-linux-amd64.tar.gz",
	"pillion-linux-arm64.deb", "pillion-linux-arm64.rpm", "pillion-linux-arm64.spdx.json", "pillion-linux-arm64.tar.gz",
	"pillion-windows-amd64.spdx.json", "pillion-windows-amd64.zip",
	"pillion-windows-arm64.spdx.json", "pillion-windows-arm64.zip",
	"pillion.rb", "pillion.yaml",
}

// TestRelease writes a release of a small program instead of the real ones, which take minutes to compile; the tests in test/ write
// the real one.
func TestRelease(t *testing.T) {
	program := compileSmall(t)
	dist := writeRelease(t, program)
	t.Run("has all files", func(t *testing.T) { hasAllFiles(t, dist) })
	t.Run("is the same again", func(t *testing.T) { isTheSame(t, dist, writeRelease(t, program)) })
	t.Run("checksums", func(t *testing.T) { checksumsMatch(t, dist) })
	t.Run("archives", func(t *testing.T) { archivesHaveTheirFiles(t, dist, program) })
	t.Run("SBOMs", func(t *testing.T) { sbomsNameTheVersion(t, dist) })
	t.Run("deb", func(t *testing.T) { debInstalls(t, dist, program) })
	t.Run("rpm", func(t *testing.T) { rpmInstalls(t, dist, program) })
	t.Run("formula", func(t *testing.T) { formulaMatches(t, dist) })
	t.Run("krew", func(t *testing.T) { krewMatches(t, dist) })
	t.Run("page", func(t *testing.T) { pageNamesTheRepository(t, dist) })
}

func writeRelease(t *testing.T, program []byte) (dist string) {
	t.Helper()
	dist = filepath.Join(t.TempDir(), "release")
	r, err := parseFlags([]string{
		"-version", "v1.2.3-rc.1", "-revision", "0123456789abcdef", "-epoch", "1767323045", "-repository", testRepository, "-dist", dist,
	})
	if err != nil {
		t.Fatal(err)
	}
	r.compile = func(_ compile.Program, _ compile.Platform, file string) error {
		return errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, program, 0o700))
	}
	r.generate = writeSmallDocs
	if err := r.write(); err != nil {
		t.Fatal(err)
	}
	return dist
}

// compileSmall returns a Go program with build info, which the SBOM is made from.
func compileSmall(t *testing.T) []byte {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module pillion.dev/pillion\n\ngo 1.26\n", "main.go": "package main\n\nfunc main() { println(\"small\") }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-buildvcs=false", "-o", "small", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return read(t, filepath.Join(dir, "small"))
}

func writeSmallDocs(dir string) (compile.Docs, error) {
	docs := compile.Docs{Man: filepath.Join(dir, "man"), Completions: filepath.Join(dir, "completions")}
	err := errors.Join(os.MkdirAll(docs.Man, 0o700), os.MkdirAll(docs.Completions, 0o700))
	for _, file := range []string{
		"man/pillion.1", "man/pillion-diff.1",
		"completions/_pillion", "completions/pillion.bash", "completions/pillion.fish", "completions/pillion.ps1",
	} {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, file), []byte("this is "+file+"\n"), 0o600))
	}
	return docs, err
}

func read(t *testing.T, path ...string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func hasAllFiles(t *testing.T, dist string) {
	want := slices.Sorted(slices.Values(append([]string{"page/index.html"}, assets...)))
	if names := slices.Sorted(maps.Keys(filesIn(t, dist))); !slices.Equal(names, want) {
		t.Errorf("the files are\n%q, want\n%q", names, want)
	}
}

func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files[path] = string(read(t, dir, path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func isTheSame(t *testing.T, dist, again string) {
	other := filesIn(t, again)
	for name, content := range filesIn(t, dist) {
		if other[name] != content {
			t.Errorf("%s differs when it is written again", name)
		}
	}
}

func checksumsMatch(t *testing.T, dist string) {
	lines := strings.Split(strings.TrimSpace(string(read(t, dist, "SHA256SUMS"))), "\n")
	if len(lines) != len(assets)-1 {
		t.Errorf("%d files have a checksum, want %d", len(lines), len(assets)-1)
	}
	for _, line := range lines {
		sum, name, _ := strings.Cut(line, "  ")
		if want := sha256Of(read(t, dist, name)); sum != want {
			t.Errorf("the checksum of %s is %s, want %s", name, sum, want)
		}
	}
}

func archivesHaveTheirFiles(t *testing.T, dist string, program []byte) {
	docs := []string{
		"CHANGELOG.md", "LICENSE", "README.md", "completions/_pillion", "completions/pillion.bash", "completions/pillion.fish",
		"completions/pillion.ps1", "man/pillion-diff.1", "man/pillion.1",
	}
	for name, want := range map[string][]string{
		"pillion-linux-amd64.tar.gz":       append([]string{"pillion", "pillion.spdx.json"}, docs...),
		"pillion-darwin-arm64.tar.gz":      append([]string{"pillion", "pillion.spdx.json"}, docs...),
		"pillion-windows-amd64.zip":        append([]string{"pillion.exe", "pillion.spdx.json"}, docs...),
		"pillion-audit-linux-arm64.tar.gz": append([]string{"pillion-audit", "pillion-audit.spdx.json"}, docs[:3]...),
	} {
		files := unpack(t, name, read(t, dist, name))
		slices.Sort(want)
		if names := slices.Sorted(maps.Keys(files)); !slices.Equal(names, want) {
			t.Errorf("%s has\n%q, want\n%q", name, names, want)
		}
		for file, entry := range files {
			isProgram := slices.Contains([]string{"pillion", "pillion.exe", "pillion-audit"}, file)
			if wantMode := map[bool]fs.FileMode{true: 0o755, false: 0o644}[isProgram]; entry.mode != wantMode {
				t.Errorf("%s in %s has mode %o, want %o", file, name, entry.mode, wantMode)
			}
			if isProgram && !bytes.Equal(entry.content, program) {
				t.Errorf("%s in %s is not the program", file, name)
			}
		}
	}
}

// entry is a file in an archive.
type entry struct {
	mode    fs.FileMode
	content []byte
}

func unpack(t *testing.T, name string, packed []byte) map[string]entry {
	t.Helper()
	files := map[string]entry{}
	if strings.HasSuffix(name, ".zip") {
		archive, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.File {
			content, err := fs.ReadFile(archive, file.Name)
			if err != nil {
				t.Fatal(err)
			}
			files[file.Name] = entry{file.Mode(), content}
		}
		return files
	}
	compressed, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewReader(compressed)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if header.Typeflag == tar.TypeDir {
			continue
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		files[header.Name] = entry{header.FileInfo().Mode(), content}
	}
}

func sbomsNameTheVersion(t *testing.T, dist string) {
	for _, name := range assets {
		if !strings.HasSuffix(name, ".spdx.json") {
			continue
		}
		var document struct {
			SPDXVersion string `json:"spdxVersion"`
			Packages    []struct{ Name, VersionInfo, SourceInfo string }
		}
		if err := json.Unmarshal(read(t, dist, name), &document); err != nil {
			t.Fatal(err)
		}
		p := document.Packages[0]
		if document.SPDXVersion != "SPDX-2.3" || p.Name != "pillion.dev/pillion" || p.VersionInfo != "v1.2.3-rc.1" ||
			!strings.HasSuffix(p.SourceInfo, "from commit 0123456789abcdef") {
			t.Errorf("%s is %s of %+v", name, document.SPDXVersion, p)
		}
	}
}

// installed returns the files of a package for a distribution.
func installed(license, zshDir string) []string {
	return []string{
		"usr/bin/pillion", "usr/share/bash-completion/completions/pillion", "usr/share/doc/pillion/CHANGELOG.md",
		"usr/share/doc/pillion/README.md", "usr/share/doc/pillion/pillion.spdx.json", "usr/share/fish/vendor_completions.d/pillion.fish",
		"usr/share/man/man1/pillion-diff.1.gz", "usr/share/man/man1/pillion.1.gz", license, zshDir + "/_pillion",
	}
}

func debInstalls(t *testing.T, dist string, program []byte) {
	dpkg, err := exec.LookPath("dpkg-deb")
	if err != nil {
		t.Skip("dpkg-deb is not on PATH")
	}
	file, to := filepath.Join(dist, "pillion-linux-arm64.deb"), t.TempDir()
	fields, err := exec.Command(dpkg, "--field", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{"Package: pillion\n", "Version: 1.2.3~rc.1\n", "Architecture: arm64\n", "\nDescription: Inject sidecars"} {
		if !strings.Contains(string(fields), field) {
			t.Errorf("the package has not %q, but\n%s", field, fields)
		}
	}
	if out, err := exec.Command(dpkg, "--raw-extract", file, to).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files := filesIn(t, to)
	want := append(installed("usr/share/doc/pillion/copyright", "usr/share/zsh/vendor-completions"), "DEBIAN/control", "DEBIAN/md5sums")
	slices.Sort(want)
	if names := slices.Sorted(maps.Keys(files)); !slices.Equal(names, want) {
		t.Errorf("the package has\n%q, want\n%q", names, want)
	}
	if files["usr/bin/pillion"] != string(program) {
		t.Error("the program in the package is another one")
	}
	check := exec.Command("md5sum", "--check", "--strict", "--quiet", "DEBIAN/md5sums")
	check.Dir = to
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	listed, err := exec.Command(dpkg, "--contents", file).Output()
	if err != nil || !strings.Contains(string(listed), "-rwxr-xr-x root/root") {
		t.Errorf("the contents are\n%s%v", listed, err)
	}
}

func rpmInstalls(t *testing.T, dist string, program []byte) {
	packed, err := rpmutils.ReadRpm(bytes.NewReader(read(t, dist, "pillion-linux-arm64.rpm")))
	if err != nil {
		t.Fatal(err)
	}
	name, err := packed.Header.GetNEVRA()
	if err != nil || name.String() != "pillion-0:1.2.3~rc.1-1.aarch64.rpm" {
		t.Errorf("the package is %v, %v", name, err)
	}
	payload, err := packed.PayloadReaderExtended()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for {
		file, err := payload.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, strings.TrimPrefix(file.Name(), "/"))
		if file.Mode()&0o40000 != 0 {
			continue // a directory, which is removed with the package
		}
		content, err := io.ReadAll(payload)
		if err != nil || file.Digest() != sha256Of(content) {
			t.Errorf("the digest of %s is %s, %v", file.Name(), file.Digest(), err)
		}
		if file.Name() == "/usr/bin/pillion" && (!bytes.Equal(content, program) || file.Mode() != 0o100755 || file.UserName() != "root") {
			t.Errorf("the program is another one, or has mode %o, of %s", file.Mode(), file.UserName())
		}
	}
	want := append(installed("usr/share/licenses/pillion/LICENSE", "usr/share/zsh/site-functions"),
		"usr/share/doc/pillion", "usr/share/licenses/pillion")
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("the package has\n%q, want\n%q", names, want)
	}
	if host, _ := packed.Header.GetString(rpmutils.BUILDHOST); host != "localhost" {
		t.Errorf("the package is built on %q", host)
	}
}

func formulaMatches(t *testing.T, dist string) {
	formula := string(read(t, dist, "pillion.rb"))
	found := regexp.MustCompile(`url "(.+)"\n +sha256 "(.+)"`).FindAllStringSubmatch(formula, -1)
	if len(found) != 4 {
		t.Errorf("the formula has %d archives", len(found))
	}
	for _, match := range found {
		name, isOurs := strings.CutPrefix(match[1], testDownload)
		if !isOurs || match[2] != sha256Of(read(t, dist, name)) {
			t.Errorf("the formula has %s with the checksum %s", match[1], match[2])
		}
	}
	for _, text := range []string{
		"class Pillion < Formula\n", "\n  version \"1.2.3-rc.1\"\n",
		"on_macos do\n    on_arm do\n      url \"" + testDownload + "pillion-darwin-arm64.tar.gz\"",
		"on_linux do\n    on_arm do\n      url \"" + testDownload + "pillion-linux-arm64.tar.gz\"",
	} {
		if !strings.Contains(formula, text) {
			t.Errorf("the formula has not %q:\n%s", text, formula)
		}
	}
	installs := regexp.MustCompile(`"((?:completions|man)/[^"]+)"`).FindAllStringSubmatch(formula, -1)
	files := unpack(t, "", read(t, dist, "pillion-darwin-arm64.tar.gz"))
	for _, match := range installs {
		if _, there := files[match[1]]; !there && match[1] != "man/*.1" {
			t.Errorf("the formula installs %s, which is not in the archive", match[1])
		}
	}
	if opened, closed := strings.Count(formula, " do\n")+strings.Count(formula, "def ")+strings.Count(formula, "class "),
		len(regexp.MustCompile(`(?m)^ *end$`).FindAllString(formula, -1)); opened != closed || len(installs) != 4 {
		t.Errorf("%d blocks begin and %d end, and %d files are installed:\n%s", opened, closed, len(installs), formula)
	}
}

// krewMatches checks the manifest by the rules of krew, which are in its package internal/index/validation.
func krewMatches(t *testing.T, dist string) {
	var plugin struct {
		APIVersion, Kind string
		Metadata         struct{ Name string }
		Spec             struct {
			Version, Homepage, ShortDescription, Description string
			Platforms                                        []struct {
				Selector         struct{ MatchLabels map[string]string }
				URI, SHA256, Bin string
			}
		}
	}
	if err := yaml.UnmarshalStrict(read(t, dist, "pillion.yaml"), &plugin); err != nil {
		t.Fatal(err)
	}
	spec := plugin.Spec
	if plugin.APIVersion != "krew.googlecontainertools.github.com/v1alpha2" || plugin.Kind != "Plugin" || plugin.Metadata.Name != "pillion" {
		t.Errorf("it is %s %s %s", plugin.APIVersion, plugin.Kind, plugin.Metadata.Name)
	}
	if spec.Version != "v1.2.3-rc.1" || spec.Homepage == "" || spec.Description == "" {
		t.Errorf("the plugin is %+v", spec)
	}
	if n := len(spec.ShortDescription); n == 0 || n > 50 || strings.ContainsAny(spec.ShortDescription, "\r\n") {
		t.Errorf("the short description has %d characters, want one line of at most 50", n)
	}
	seen := map[string]bool{}
	for _, platform := range spec.Platforms {
		if !regexp.MustCompile(`^[a-f0-9]{64}$`).MatchString(platform.SHA256) || len(platform.Selector.MatchLabels) != 2 {
			t.Errorf("krew refuses %+v", platform)
		}
		name, isOurs := strings.CutPrefix(platform.URI, testDownload)
		labels := platform.Selector.MatchLabels
		if !isOurs || platform.SHA256 != sha256Of(read(t, dist, name)) || !strings.Contains(name, labels["os"]+"-"+labels["arch"]+".") {
			t.Errorf("for %v it has %s with the checksum %s", labels, platform.URI, platform.SHA256)
		}
		if file := unpack(t, name, read(t, dist, name))[platform.Bin]; file.mode != 0o755 {
			t.Errorf("%s is not a program in %s", platform.Bin, name)
		}
		seen[name] = true
	}
	if len(seen) != 6 {
		t.Errorf("it has the platforms %q", slices.Sorted(maps.Keys(seen)))
	}
}

func pageNamesTheRepository(t *testing.T, dist string) {
	const want = `<meta name="go-import" content="pillion.dev/pillion git ` + testRepository + `.git">`
	if page := string(read(t, dist, "page", "index.html")); !strings.Contains(page, want) {
		t.Errorf("the page has not %s:\n%s", want, page)
	}
}

func TestMisuse(t *testing.T) {
	valid := map[string]string{"-version": "v1.2.3", "-repository": testRepository, "-dist": "dist"}
	for _, test := range []struct{ flag, value, says string }{
		{"-version", "1.2.3", "write it like v1.2.3"},
		{"-version", "", "write it like v1.2.3"},
		{"-version", "v1.2.3 -X main.a=b", "write it like v1.2.3"},
		{"-revision", "abc -X main.a=b", "not a commit"},
		{"-revision", "abc\t-X\tmain.a=b", "not a commit"},
		{"-repository", "", "such as https://"},
		{"-repository", "https://git.example.com/#{%x(id)}", "such as https://"},
		{"-repository", "https://git.example.com/a\\", "such as https://"},
		{"-repository", "https://git.example.com/a?b=c", "such as https://"},
		{"-repository", "git@git.example.com:team/pillion", "such as https://"},
		{"-repository", `https://git.example.com/"`, "such as https://"},
		{"-dist", "", "-dist is missing"},
	} {
		flags := maps.Clone(valid)
		flags[test.flag] = test.value
		var args []string
		for name, value := range flags {
			args = append(args, name+"="+value)
		}
		if _, err := parseFlags(args); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s=%s: said %v, want %q", test.flag, test.value, err, test.says)
		}
	}
	if _, err := parseFlags([]string{"-version=v1.2.3", "-repository=" + testRepository, "-dist=dist", "more"}); err == nil {
		t.Error("an argument is accepted")
	}
}

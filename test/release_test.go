package test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/tools"
)

const releaseVersion = "v0.1.0"

// releasePlatforms are the platforms of each program, and the archive for each.
var releasePlatforms = map[string][]string{
	"pillion": {
		"linux-amd64.tar.gz", "linux-arm64.tar.gz", "darwin-amd64.tar.gz", "darwin-arm64.tar.gz", "windows-amd64.zip", "windows-arm64.zip",
	},
	"pillion-audit":  {"linux-amd64.tar.gz", "linux-arm64.tar.gz"},
	"pillion-argocd": {"linux-amd64.tar.gz", "linux-arm64.tar.gz"},
}

// TestRelease makes a release of a tag for all platforms, as it is published, and uses it as people do.
func TestRelease(t *testing.T) {
	if !tools.E2E() {
		tools.Need(t, "make e2e", "the programs take minutes to compile for all platforms")
	}
	r := newTaggedSources(t)
	dist := r.release(t)
	t.Run("checksums", func(t *testing.T) { checksumsMatch(t, dist) })
	t.Run("programs", func(t *testing.T) { programsAreForTheirPlatforms(t, dist) })
	t.Run("runs from its archive", func(t *testing.T) { r.archiveRuns(t, dist) })
	t.Run("runs from its deb", func(t *testing.T) { r.debRuns(t, dist) })
	t.Run("the playground is whole", func(t *testing.T) { playgroundIsWhole(t, dist) })
	t.Run("package managers find it", func(t *testing.T) { packageManagersFindIt(t, dist) })
	t.Run("go install", func(t *testing.T) { r.goInstalls(t) })
	t.Run("the same again", func(t *testing.T) {
		sums := programSums(t, dist)
		if again := programSums(t, r.release(t)); again != sums {
			t.Errorf("written twice it differs:\n%s", cmp.Diff(sums, again))
		}
	})
}

// taggedSources is a copy of the sources in a repository of its own, whose only commit has the tag of a release.
type taggedSources struct{ dir, commit string }

func newTaggedSources(t *testing.T) taggedSources {
	t.Helper()
	r := taggedSources{dir: copyOfSources(t)}
	t.Setenv("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z")
	gitRepository(t, r.dir)
	mustRun(t, r.dir, "", "git", "tag", releaseVersion)
	r.commit = strings.TrimSpace(mustRun(t, r.dir, "", "git", "rev-parse", "HEAD").stdout)
	return r
}

// release makes the release, and returns the directory with its files.
func (r taggedSources) release(t *testing.T) (dist string) {
	t.Helper()
	mustRun(t, r.dir, "", tool(t, "make"), "release", "VERSION="+releaseVersion)
	return filepath.Join(r.dir, "dist", "release")
}

func checksumsMatch(t *testing.T, dist string) {
	files := 0
	for line := range strings.Lines(readFile(t, filepath.Join(dist, "SHA256SUMS"))) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if got := sha256.Sum256([]byte(readFile(t, filepath.Join(dist, name)))); hex.EncodeToString(got[:]) != sum {
			t.Errorf("the checksum of %s is %x, want %s", name, got, sum)
		}
		files++
	}
	if files != 25 { // 11 archives, 10 SBOMs, 2 deb, 2 rpm
		t.Errorf("%d files have a checksum", files)
	}
}

// programSums returns the checksums without those of SBOMs, which have the time at which they were written.
func programSums(t *testing.T, dist string) string {
	t.Helper()
	var sums strings.Builder
	for line := range strings.Lines(readFile(t, filepath.Join(dist, "SHA256SUMS"))) {
		if !strings.HasSuffix(line, ".cdx.json\n") {
			sums.WriteString(line)
		}
	}
	return sums.String()
}

// playgroundIsWhole checks that the archive has what the page asks for.
func playgroundIsWhole(t *testing.T, dist string) {
	const want = "LICENSE playground/LICENSE-wasm_exec playground/index.html playground/page.css playground/parts.js " +
		"playground/pillion.wasm.gz " +
		"playground/playground.css playground/playground.js playground/sw.js playground/wasm_exec.js playground/worker.js"
	names := slices.Sorted(maps.Keys(unpack(t, filepath.Join(dist, "pillion-playground.tar.gz"))))
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the archive has %s, want %s", got, want)
	}
}

// packageManagersFindIt compares the addresses and checksums in the cask and in the manifest for krew with those of the
// archives.
func packageManagersFindIt(t *testing.T, dist string) {
	sums := readFile(t, filepath.Join(dist, "SHA256SUMS"))
	for _, file := range []string{"homebrew/Casks/pillion.rb", "krew/pillion.yaml"} {
		text := readFile(t, filepath.Join(dist, file))
		found := 0
		for line := range strings.Lines(sums) {
			if sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  "); strings.Contains(text, "/"+name) && strings.Contains(text, sum) {
				found++
			}
		}
		if found < 4 { // linux and darwin, on amd64 and arm64
			t.Errorf("%s has %d archives with their checksums:\n%s", file, found, text)
		}
	}
	var manifest struct {
		Metadata struct{ Annotations map[string]string }
	}
	krew := readFile(t, filepath.Join(dist, "krew", "pillion.yaml"))
	if err := yaml.Unmarshal([]byte(krew), &manifest); err != nil || manifest.Metadata.Annotations["artifacthub.io/license"] == "" {
		t.Errorf("Artifact Hub finds no annotations in the manifest for krew: %v\n%s", err, krew)
	}
}

// programsAreForTheirPlatforms reads the binaries in all archives.
func programsAreForTheirPlatforms(t *testing.T, dist string) {
	for program, archives := range releasePlatforms {
		for _, archive := range archives {
			files := unpack(t, filepath.Join(dist, program+"-"+archive))
			platform, _, _ := strings.Cut(archive, ".")
			content, isThere := files[program]
			if strings.HasPrefix(platform, "windows") {
				content, isThere = files[program+".exe"]
			}
			if !isThere {
				t.Errorf("%s is not in its archive for %s", program, platform)
				continue
			}
			info, err := buildinfo.Read(bytes.NewReader(content))
			if err != nil {
				t.Errorf("%s for %s: %v", program, platform, err)
				continue
			}
			if got := buildSetting(info, "GOOS") + "-" + buildSetting(info, "GOARCH"); got != platform {
				t.Errorf("%s for %s is for %s", program, platform, got)
			}
			if buildSetting(info, "CGO_ENABLED") != "0" {
				t.Errorf("%s for %s is not static", program, platform)
			}
			if len(files["LICENSE"]) == 0 {
				t.Errorf("%s for %s has no license", program, platform)
			}
			sbom := readFile(t, filepath.Join(dist, program+"-"+platform+".cdx.json"))
			if !strings.Contains(sbom, `"pkg:golang/go.yaml.in/yaml/v3@`) || strings.Contains(sbom, "go-cmp") {
				t.Errorf("the SBOM of %s for %s is not that of the program:\n%.500s", program, platform, sbom)
			}
		}
	}
}

func buildSetting(info *debug.BuildInfo, key string) string {
	for _, setting := range info.Settings {
		if setting.Key == key {
			return setting.Value
		}
	}
	return ""
}

func (r taggedSources) archiveRuns(t *testing.T, dist string) {
	if runtime.GOOS != "linux" {
		t.Skip("the watcher is for Linux")
	}
	for program, want := range map[string]string{"pillion": "version", "pillion-audit": "--version"} {
		files := unpack(t, filepath.Join(dist, program+"-linux-"+runtime.GOARCH+".tar.gz"))
		path := filepath.Join(t.TempDir(), program)
		if err := os.WriteFile(path, files[program], 0o700); err != nil {
			t.Fatal(err)
		}
		r.printsItsVersion(t, path, want)
		if program != "pillion" {
			continue
		}
		injects(t, path)
		page := string(files["man/pillion-inject.1"])
		if !strings.Contains(page, `"Jan 2026"`) || !strings.Contains(page, "in-place") {
			t.Errorf("the man page is\n%.300s", page)
		}
		if got := mustRun(t, "", "", path, "completion", "fish").stdout; got != string(files["completions/pillion.fish"]) {
			t.Error("the completion is not the one of the program")
		}
	}
}

func (r taggedSources) printsItsVersion(t *testing.T, program, argument string) {
	t.Helper()
	want := releaseVersion + " (commit " + r.commit[:12] + ", 2026-01-02T03:04:05Z, " + runtime.Version() + ")\n"
	if got := mustRun(t, "", "", program, argument).stdout; got != want {
		t.Errorf("%s %s prints %q, want %q", filepath.Base(program), argument, got, want)
	}
}

// injects checks that a program injects the example for CI, whose manifests have their sidecars already, and builds
// kustomizations.
func injects(t *testing.T, program string) {
	t.Helper()
	example := filepath.Join(root, "pipelines", "ci", "example")
	r := mustRun(t, example, "", program, "verify", "-c", "injector.yaml", "-f", "k8s", "-R")
	if r.stderr != "1 workload: 1 unchanged\n" {
		t.Errorf("it says %q", r.stderr)
	}
	if help := mustRun(t, "", "", program, "inject", "--help").stdout; !strings.Contains(help, "--kustomize") {
		t.Error("it has no flag -k")
	}
}

func (r taggedSources) debRuns(t *testing.T, dist string) {
	dpkg := tool(t, "dpkg-deb")
	to := t.TempDir()
	mustRun(t, "", "", dpkg, "--extract", filepath.Join(dist, "pillion-linux-"+runtime.GOARCH+".deb"), to)
	r.printsItsVersion(t, filepath.Join(to, "usr", "bin", "pillion"), "version")
	if page := filepath.Join(to, "usr", "share", "man", "man1", "pillion.1.gz"); !strings.HasPrefix(readFile(t, page), "\x1f\x8b") {
		t.Errorf("%s is not compressed", page)
	}
}

// goInstalls installs the program as a stranger does, with a page at https://pillion.dev/pillion that says where the
// repository is. The dependencies come from the module cache of this machine.
func (r taggedSources) goInstalls(t *testing.T) {
	const repository = "https://git.example.com/team/pillion"
	// The go command asks for http after https fails, because of GOINSECURE, and finds this server because of the proxy
	// variables.
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "pillion.dev" || r.URL.Path != "/pillion" || r.Method != http.MethodGet {
			http.Error(w, "not here", http.StatusNotFound)
			return
		}
		asked++
		fmt.Fprintf(w, "<meta name=%q content=%q>", "go-import", "pillion.dev/pillion git "+repository)
	}))
	defer server.Close()

	cache := strings.TrimSpace(mustRun(t, "", "", "go", "env", "GOMODCACHE").stdout)
	bin := t.TempDir()
	for key, value := range map[string]string{
		"HTTP_PROXY": server.URL, "HTTPS_PROXY": server.URL, "http_proxy": "", "https_proxy": "", "NO_PROXY": "", "no_proxy": "",
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "url.file://" + r.dir + "/.git.insteadOf", "GIT_CONFIG_VALUE_0": repository,
		"GOINSECURE": "pillion.dev", "GONOPROXY": "pillion.dev", "GOPRIVATE": "", "GOVCS": "*:git", "GOSUMDB": "off", "GOWORK": "off",
		"GOPROXY": "file://" + filepath.ToSlash(cache) + "/cache/download", "GOMODCACHE": t.TempDir(), "GOFLAGS": "-modcacherw",
		"GOBIN": bin, "CGO_ENABLED": "0",
	} {
		t.Setenv(key, value)
	}
	// -trimpath, so that packages that are compiled already are not compiled again for the other module cache.
	mustRun(t, bin, "", "go", "install", "-trimpath", "pillion.dev/pillion@"+releaseVersion)
	program := filepath.Join(bin, "pillion")
	installed, _, _ := strings.Cut(mustRun(t, "", "", program, "version").stdout, " ")
	if installed != releaseVersion || asked == 0 {
		t.Errorf("version %s is installed, want %s; the page was read %d times", installed, releaseVersion, asked)
	}
	injects(t, program)
}

// unpack returns the contents of the files in an archive.
func unpack(t *testing.T, path string) map[string][]byte {
	t.Helper()
	read := filesOfTarGz
	if filepath.Ext(path) == ".zip" {
		read = filesOfZip
	}
	files, err := read(path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return files
}

func filesOfZip(path string) (map[string][]byte, error) {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer archive.Close() //nolint:errcheck // it is only read
	files := map[string][]byte{}
	for _, file := range archive.File {
		if files[file.Name], err = fs.ReadFile(archive, file.Name); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func filesOfTarGz(path string) (map[string][]byte, error) {
	packed, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	compressed, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	archive := tar.NewReader(compressed)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if files[header.Name], err = io.ReadAll(archive); err != nil {
			return nil, err
		}
	}
}

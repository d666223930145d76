package test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"pillion.dev/pillion/test/tools"
)

const (
	releaseVersion    = "v1.2.3"
	releaseRevision   = "0123456789abcdef0123456789abcdef01234567"
	releaseRepository = "https://git.example.com/team/pillion"
)

// releasePlatforms are the platforms of each program, and the archive for each.
var releasePlatforms = map[string][]string{
	"pillion": {
		"linux-amd64.tar.gz", "linux-arm64.tar.gz", "darwin-amd64.tar.gz", "darwin-arm64.tar.gz", "windows-amd64.zip", "windows-arm64.zip",
	},
	"pillion-audit": {"linux-amd64.tar.gz", "linux-arm64.tar.gz"},
}

// TestRelease writes a release for all platforms, as it is published, and uses it as people do. The tests of module release check
// the form of all files, with a small program.
func TestRelease(t *testing.T) {
	if !tools.E2E() {
		tools.Need(t, "make e2e", "the programs take minutes to compile for all platforms")
	}
	dist := writeRelease(t, root, "022")
	t.Run("checksums", func(t *testing.T) { checksumsMatch(t, dist) })
	t.Run("programs", func(t *testing.T) { programsAreForTheirPlatforms(t, dist) })
	t.Run("runs from its archive", func(t *testing.T) { archiveRuns(t, dist) })
	t.Run("runs from its deb", func(t *testing.T) { debRuns(t, dist) })
	t.Run("go install", func(t *testing.T) { goInstalls(t, dist) })
	t.Run("the same again", func(t *testing.T) {
		again := writeRelease(t, copyOfSources(t), "077")
		if differs := run(t, "", "", tool(t, "diff"), "-r", dist, again); differs.exitCode != 0 {
			t.Errorf("written twice it differs:\n%s", differs.stdout)
		}
	})
}

func writeRelease(t *testing.T, sources, umask string) (dist string) {
	t.Helper()
	tool(t, "make")
	dist = t.TempDir()
	mustRun(t, sources, "", "sh", "-c", "umask "+umask+` && exec make "$@"`, "sh", "release", "DIST="+dist, "VERSION="+releaseVersion,
		"REVISION="+releaseRevision, "SOURCE_DATE_EPOCH=1767323045", "REPOSITORY="+releaseRepository)
	return filepath.Join(dist, "release")
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
	if files != 22 { // 8 archives, 8 SBOMs, 2 deb, 2 rpm, the formula and the manifest for krew
		t.Errorf("%d files have a checksum", files)
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
			if _, isThere := files[program+".spdx.json"]; !isThere || len(files["LICENSE"]) == 0 {
				t.Errorf("%s for %s has no SBOM or no license", program, platform)
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

func archiveRuns(t *testing.T, dist string) {
	if runtime.GOOS != "linux" {
		t.Skip("the watcher is for Linux")
	}
	for program, want := range map[string]string{"pillion": "version", "pillion-audit": "--version"} {
		files := unpack(t, filepath.Join(dist, program+"-linux-"+runtime.GOARCH+".tar.gz"))
		path := filepath.Join(t.TempDir(), program)
		if err := os.WriteFile(path, files[program], 0o700); err != nil {
			t.Fatal(err)
		}
		printsItsVersion(t, path, want)
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

func printsItsVersion(t *testing.T, program, argument string) {
	t.Helper()
	want := releaseVersion + " (commit 0123456789ab, 2026-01-02T03:04:05Z, " + runtime.Version() + ")\n"
	if got := mustRun(t, "", "", program, argument).stdout; got != want {
		t.Errorf("%s %s prints %q, want %q", filepath.Base(program), argument, got, want)
	}
}

// injects checks that a program injects the example for CI, whose manifests have their sidecars already, and builds kustomizations.
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

func debRuns(t *testing.T, dist string) {
	dpkg := tool(t, "dpkg-deb")
	to := t.TempDir()
	mustRun(t, "", "", dpkg, "--extract", filepath.Join(dist, "pillion-linux-"+runtime.GOARCH+".deb"), to)
	printsItsVersion(t, filepath.Join(to, "usr", "bin", "pillion"), "version")
	if page := filepath.Join(to, "usr", "share", "man", "man1", "pillion.1.gz"); !strings.HasPrefix(readFile(t, page), "\x1f\x8b") {
		t.Errorf("%s is not compressed", page)
	}
}

// goInstalls installs the program as a stranger does, with the page that the release has written at https://pillion.dev/pillion, and
// with a repository at the address in the page. The dependencies come from the module cache of this machine.
func goInstalls(t *testing.T, dist string) {
	page := readFile(t, filepath.Join(dist, "page", "index.html"))
	address := regexp.MustCompile(`content="pillion\.dev/pillion git (.+)"`).FindStringSubmatch(page)
	if address == nil {
		t.Fatalf("the page has no address:\n%s", page)
	}
	sources := copyOfSources(t)
	gitRepository(t, sources)
	mustRun(t, sources, "", "git", "tag", releaseVersion)

	// The go command asks for http after https fails, because of GOINSECURE, and finds this server because of the proxy variables.
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != "pillion.dev" || r.URL.Path != "/pillion" || r.Method != http.MethodGet {
			http.Error(w, "not here", http.StatusNotFound)
			return
		}
		asked++
		io.WriteString(w, page) //nolint:errcheck // go install fails
	}))
	defer server.Close()

	cache := strings.TrimSpace(mustRun(t, "", "", "go", "env", "GOMODCACHE").stdout)
	bin := t.TempDir()
	for key, value := range map[string]string{
		"HTTP_PROXY": server.URL, "HTTPS_PROXY": server.URL, "http_proxy": "", "https_proxy": "", "NO_PROXY": "", "no_proxy": "",
		"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "url.file://" + sources + "/.git.insteadOf", "GIT_CONFIG_VALUE_0": address[1],
		"GOINSECURE": "pillion.dev", "GONOPROXY": "pillion.dev", "GOPRIVATE": "", "GOVCS": "*:git", "GOSUMDB": "off", "GOWORK": "off",
		"GOPROXY": "file://" + filepath.ToSlash(cache) + "/cache/download", "GOMODCACHE": t.TempDir(), "GOFLAGS": "-modcacherw",
		"GOBIN": bin, "CGO_ENABLED": "0",
	} {
		t.Setenv(key, value)
	}
	// -trimpath, so that packages that are compiled already are not compiled again for the other module cache.
	mustRun(t, bin, "", "go", "install", "-trimpath", "pillion.dev/pillion@latest")
	program := filepath.Join(bin, "pillion")
	var build struct{ Version string }
	if err := json.Unmarshal([]byte(mustRun(t, "", "", program, "version", "-o", "json").stdout), &build); err != nil {
		t.Fatal(err)
	}
	if build.Version != releaseVersion || asked == 0 {
		t.Errorf("version %s is installed, want %s; the page was read %d times", build.Version, releaseVersion, asked)
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

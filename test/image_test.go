package test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/test/tools"
)

// asOrchestrators are the arguments with which kustomize and kpt run functions, and further restrictions: Pillion needs no file
// system, network or privileges.
var asOrchestrators = []string{
	"run", "--rm", "-i", "-a", "STDIN", "-a", "STDOUT", "-a", "STDERR",
	"--network", "none", "--user", "nobody", "--security-opt=no-new-privileges",
	"--read-only", "--cap-drop", "ALL",
}

// programImage is the image of a program.
type programImage struct {
	program string
	build   func(t *testing.T) string       // builds it by Docker, and returns its name
	runs    func(t *testing.T, name string) // checks that it runs
	most    int64                           // its bytes
	all     string                          // the target of the Makefile that writes it without Docker
	dist    string                          // the directory where that target writes it
}

var programImages = []programImage{
	{"pillion", image, runsAsFunction, 16_000_000, "image-all", "."},
	{"pillion-audit", auditImage, runsAsWatcher, 23_000_000, "image-audit-all", "audit"},
}

// TestImage checks the size and the metadata of the images, and that they run.
func TestImage(t *testing.T) {
	for _, i := range programImages {
		t.Run(i.program, func(t *testing.T) {
			i.needsTime(t)
			name := i.build(t)
			built := inspect(t, name)
			if built.Size >= i.most {
				t.Errorf("the image has %d bytes, want fewer than %d", built.Size, i.most)
			}
			if built.Architecture != runtime.GOARCH {
				t.Errorf("the image is for %s, want %s", built.Architecture, runtime.GOARCH)
			}
			if built.Config.User != "65534:65534" {
				t.Errorf("the image runs as %q, want nobody, by number", built.Config.User)
			}
			i.runs(t, name)
		})
	}
}

// layoutVersion is unique for this run, like testImage.
var layoutVersion = "v1.2.3-test." + strconv.Itoa(os.Getpid())

// TestImageAll checks that an image written without Docker is byte by byte the same when it is written again from another
// directory, that it equals the image that Docker builds, and that Docker loads and runs it. In make test it is built for the
// platform of this machine, in make e2e for all platforms.
func TestImageAll(t *testing.T) {
	tool(t, "make")
	for _, i := range programImages {
		t.Run(i.program, func(t *testing.T) {
			i.needsTime(t)
			dist := i.writeAll(t, root, "022")
			t.Run("the same again", func(t *testing.T) {
				again := i.writeAll(t, copyOfSources(t), "077")
				if differs := run(t, "", "", tool(t, "diff"), "-r", dist, again); differs.exitCode != 0 {
					t.Errorf("written twice it differs:\n%s", differs.stdout)
				}
			})
			t.Run("as the Dockerfile", func(t *testing.T) { i.equalsDockerfile(t, dist) })
		})
	}
}

func (i programImage) equalsDockerfile(t *testing.T, dist string) {
	fromDockerfile := inspect(t, i.build(t))
	name := "registry.example.com/" + i.program + ":" + layoutVersion
	mustRun(t, "", "", "docker", "load", "--input", filepath.Join(dist, i.dist, i.program+"-linux-"+runtime.GOARCH+".tar"))
	t.Cleanup(func() { run(t, "", "", "docker", "image", "rm", name) })
	loaded := inspect(t, name)
	hasTheSameConfig(t, fromDockerfile, loaded)
	i.runs(t, name)
}

// hasTheSameConfig compares two images, except the version and the labels that only a release has.
func hasTheSameConfig(t *testing.T, fromDockerfile, loaded inspected) {
	t.Helper()
	fromDockerfile.Config.Labels["org.opencontainers.image.version"] = layoutVersion
	for _, label := range []string{"created", "revision"} {
		if loaded.Config.Labels["org.opencontainers.image."+label] == "" {
			t.Errorf("the label %s is missing in %v", label, loaded.Config.Labels)
		}
		delete(loaded.Config.Labels, "org.opencontainers.image."+label)
	}
	if diff := cmp.Diff(fromDockerfile.Config, loaded.Config); diff != "" {
		t.Errorf("the image is not the one of the Dockerfile (-Dockerfile +layout):\n%s", diff)
	}
}

// writeAll writes the image from a directory of sources, and returns the directory of all images.
func (i programImage) writeAll(t *testing.T, sources, umask string) (dist string) {
	t.Helper()
	dist = t.TempDir()
	arguments := []string{
		"-c", "umask " + umask + ` && exec make "$@"`, "sh", i.all,
		"DIST=" + dist, "IMAGE=registry.example.com/pillion", "VERSION=" + layoutVersion, "REVISION=abc", "SOURCE_DATE_EPOCH=1767322800",
	}
	if !tools.E2E() { // make test has no time to compile for other platforms
		arguments = append(arguments, "PLATFORMS=linux/"+runtime.GOARCH)
	}
	mustRun(t, sources, "", "sh", arguments...)
	return dist
}

// needsTime skips the test of an image in make test if it takes minutes to compile.
func (i programImage) needsTime(t *testing.T) {
	t.Helper()
	if i.dist != "." && !tools.E2E() {
		tools.Need(t, "make e2e", "client-go takes minutes to compile for an image")
	}
}

// copyOfSources copies the sources without the git repository.
func copyOfSources(t *testing.T) string {
	t.Helper()
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	to := t.TempDir()
	for _, entry := range entries {
		from := filepath.Join(root, entry.Name())
		switch {
		case slices.Contains([]string{".git", ".cache", "dist", "pillion", "pillion-audit"}, entry.Name()):
		case entry.IsDir():
			err = os.CopyFS(filepath.Join(to, entry.Name()), os.DirFS(from))
		default:
			writeFile(t, filepath.Join(to, entry.Name()), readFile(t, from))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return to
}

// TestImageHasItsSBOM checks that the image contains the list of modules in its binary, with the versions of go.mod.
func TestImageHasItsSBOM(t *testing.T) {
	versions := sbomOf(t, image(t), "pillion")
	hasModulesOf(t, versions, "go.mod", "k8s.io/api", "github.com/spf13/cobra")
	if versions["pillion.dev/pillion"] != testImageTag {
		t.Errorf("the SBOM is of pillion %q, want %s", versions["pillion.dev/pillion"], testImageTag)
	}
	if _, there := versions["github.com/google/go-cmp"]; there {
		t.Errorf("what only tests need is in the SBOM: %q", slices.Sorted(maps.Keys(versions)))
	}
}

// TestAuditImageHasItsSBOM checks the same for the watcher, whose module uses the main module from its directory.
func TestAuditImageHasItsSBOM(t *testing.T) {
	versions := sbomOf(t, auditImage(t), "pillion-audit")
	hasModulesOf(t, versions, "audit/go.mod", "k8s.io/client-go", "github.com/prometheus/client_golang")
	for _, module := range []string{"pillion.dev/pillion", "pillion.dev/pillion/audit"} {
		if versions[module] != testImageTag {
			t.Errorf("the SBOM has %s %q, want %s", module, versions[module], testImageTag)
		}
	}
}

// sbomOf returns the versions of the modules in the SBOM of a program.
func sbomOf(t *testing.T, name, program string) map[string]string {
	t.Helper()
	container := strings.TrimSpace(mustRun(t, "", "", "docker", "create", name).stdout)
	t.Cleanup(func() { run(t, "", "", "docker", "rm", container) })
	file := filepath.Join(t.TempDir(), "sbom.json")
	mustRun(t, "", "", "docker", "cp", container+":/"+program+".spdx.json", file)
	var document struct {
		SPDXVersion string `json:"spdxVersion"`
		Packages    []struct{ Name, VersionInfo string }
	}
	if err := json.Unmarshal([]byte(readFile(t, file)), &document); err != nil {
		t.Fatal(err)
	}
	if document.SPDXVersion != "SPDX-2.3" {
		t.Errorf("the document is %s", document.SPDXVersion)
	}
	versions := map[string]string{}
	for _, p := range document.Packages {
		versions[p.Name] = p.VersionInfo
	}
	return versions
}

func hasModulesOf(t *testing.T, versions map[string]string, goMod string, modules ...string) {
	t.Helper()
	for _, module := range modules {
		if !strings.Contains(readFile(t, filepath.Join(root, goMod)), module+" "+versions[module]+"\n") {
			t.Errorf("%s is %q in the SBOM, and another in %s", module, versions[module], goMod)
		}
	}
}

// inspected is the description of an image by Docker.
type inspected struct {
	Size         int64
	Architecture string
	Config       struct {
		User       string
		Entrypoint []string
		Cmd        []string
		Labels     map[string]string
	}
}

func inspect(t *testing.T, name string) inspected {
	t.Helper()
	var images []inspected
	if err := json.Unmarshal([]byte(mustRun(t, "", "", "docker", "image", "inspect", name).stdout), &images); err != nil {
		t.Fatal(err)
	}
	return images[0]
}

// runsAsFunction runs the image as kustomize and kpt do, and checks that it injects.
func runsAsFunction(t *testing.T, name string) {
	t.Helper()
	const input = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  apiVersion: pillion.dev/v1alpha1
  kind: SidecarInjector
  metadata: {name: logs}
  spec:
    containers: [{name: fluent-bit, image: "fluent/fluent-bit:3.2.4"}]
items:
- apiVersion: v1
  kind: Pod
  metadata: {name: web}
  spec:
    containers:
    - {name: web, image: "nginx:1.27"}
`
	r := mustRun(t, "", input, "docker", append(asOrchestrators, name)...)
	if !strings.Contains(r.stdout, "name: fluent-bit") || r.stderr != "1 workload: 1 injected\n" {
		t.Errorf("it does not inject:\n%s%s", r.stdout, r.stderr)
	}
}

package test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/test/tools"
)

// asOrchestrators are the arguments with which kustomize and kpt run functions, and further restrictions: Pillion needs
// no file system, network or privileges.
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
}

var programImages = []programImage{
	{"pillion", image, runsAsFunction, 25_000_000},
	{"pillion-audit", auditImage, runsAsWatcher, 23_000_000},
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

// needsTime skips the test of an image in make test if it takes minutes to compile.
func (i programImage) needsTime(t *testing.T) {
	t.Helper()
	if i.program != "pillion" && !tools.E2E() {
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

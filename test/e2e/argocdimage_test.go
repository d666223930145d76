package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pillion.dev/pillion/test/tools"
)

// pluginImage has a tag that is unique for this run, because other tests on the machine may use the same Docker engine.
var pluginImage = "pillion.dev/pillion-argocd:e2e-" + strconv.Itoa(os.Getpid())

// TestArgoCDImage runs Argo CD's plugin server in the plugin's image like the pod of the repo server: from a volume,
// with a read-only root, without capabilities, and with the platform's injectors mounted. It has no network.
func TestArgoCDImage(t *testing.T) {
	server := startPluginContainer(t)
	for source, want := range map[string][]string{
		"path: apps/plain":      {"Deployment/web: envoy logs web"},
		"path: apps/kustomized": {"Deployment/shop-web: envoy logs web"},
		"path: apps/chart": {
			"Deployment/guestbook-web: envoy logs web", "StatefulSet/guestbook-db: envoy logs db", "Job/guestbook-seed: envoy logs seed",
			"Pod/guestbook-smoke: envoy logs smoke", "Job/guestbook-migrate: envoy logs migrate",
		},
		"{path: apps/untouched, plugin: {name: pillion}}": {"Deployment/web: envoy web"},
	} {
		answer, said, ok := server.render(t, application(source))
		if got := answer.workloads(); !ok || !slices.Equal(got, want) {
			t.Errorf("%s is rendered as %q, want %q\n%s", source, got, want, said)
		}
	}
	_, said, ok := server.render(t, application("path: apps/broken"))
	if ok || !strings.Contains(said, "ContainerConflict") {
		t.Errorf("the broken application is rendered, or the reason is not in %s", said)
	}

	// The init container of the other component uses the same image.
	installed := t.TempDir()
	if err := os.Chmod(installed, 0o777); err != nil {
		t.Fatal(err)
	}
	mustRun(t, exec.Command("docker", "run", "--rm", "--network", "none", "--read-only", "--cap-drop", "ALL",
		"--volume", installed+":/pillion", "--entrypoint", "pillion-argocd", pluginImage, "install", "/pillion"))
	if r := run(t, exec.Command(filepath.Join(installed, "helm"), "version")); strings.Contains(r.stderr, "permission denied") {
		t.Errorf("what is installed cannot be run: %s", r.stderr)
	}
}

func startPluginContainer(t *testing.T) repoServer {
	t.Helper()
	program, client := tools.ArgoCDPluginServer.Path(t), tools.ArgoCDRender.Path(t)
	docker := tools.Installed(t, "docker")
	buildPluginImage(t, docker)

	sockets, err := os.MkdirTemp("", "cmp")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(sockets) })      //nolint:errcheck // a directory left in the temporary space harms nobody
	if err := os.Chmod(sockets, 0o777); err != nil { // the image's user makes the socket there
		t.Fatal(err)
	}
	args := []string{
		"run", "--detach", "--network", "none", "--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--tmpfs", "/tmp",
	}
	for inside, outside := range map[string]string{
		"/var/run/argocd:ro":               filepath.Dir(program),
		"/etc/pillion:ro":                  mountedConfigMap(t, filepath.Join("testdata", "argocd", "platform")),
		"/home/argocd/cmp-server/plugins:": sockets,
	} {
		args = append(args, "--volume", outside+":"+strings.TrimSuffix(inside, ":"))
	}
	if user := os.Getuid(); user != 0 { // who could not speak to the socket of another
		args = append(args, "--user", strconv.Itoa(user))
	}
	container := strings.TrimSpace(mustRun(t, exec.Command(docker, append(args, pluginImage, "--loglevel", "warn")...)))
	t.Cleanup(func() {
		if t.Failed() {
			logs, _ := exec.Command(docker, "logs", container).CombinedOutput()
			t.Logf("argocd-cmp-server said:\n%s", logs)
		}
		mustRun(t, exec.Command(docker, "rm", "--force", container))
	})
	waitForSocket(t, filepath.Join(sockets, "pillion.sock"))
	return repoServer{client, []string{"ARGOCD_PLUGINSOCKFILEPATH=" + sockets}}
}

// buildPluginImage builds the image by the Makefile, checks its labels, and removes it at the end.
func buildPluginImage(t *testing.T, docker string) {
	t.Helper()
	name, version, _ := strings.Cut(pluginImage, ":")
	build := exec.Command(tools.Installed(t, "make"), "image-argocd", "IMAGE="+strings.TrimSuffix(name, "-argocd"), "VERSION="+version)
	build.Dir = root
	mustRun(t, build)
	t.Cleanup(func() { mustRun(t, exec.Command(docker, "image", "rm", "--force", pluginImage)) })

	var images []struct {
		Config struct {
			User   string
			Labels map[string]string
		}
	}
	if err := json.Unmarshal([]byte(mustRun(t, exec.Command(docker, "image", "inspect", pluginImage))), &images); err != nil {
		t.Fatal(err)
	}
	if user := images[0].Config.User; user != "999" {
		t.Errorf("the image runs as %q, want 999, as Argo CD does", user)
	}
	if got := images[0].Config.Labels["org.opencontainers.image.version"]; got != version {
		t.Errorf("the image says it is %q, want %q", got, version)
	}
}

// mountedConfigMap returns a directory like one where Kubernetes mounts a ConfigMap: every file is a link to a link to
// a directory.
func mountedConfigMap(t *testing.T, from string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	copyTree(t, from, filepath.Join(dir, "..2026_01_01"))
	if err := os.Symlink("..2026_01_01", filepath.Join(dir, "..data")); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if err := os.Symlink(filepath.Join("..data", entry.Name()), filepath.Join(dir, entry.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"pillion.dev/pillion/test/tools"
)

// repoServer renders with the code of Argo CD's repo server.
type repoServer struct {
	program string
	env     []string // such as the directory with the socket of argocd-cmp-server
}

// startPluginServer starts argocd-cmp-server with the unchanged plugin.yaml, and stops it when the test ends.
func startPluginServer(t *testing.T) repoServer {
	t.Helper()
	program, client := tools.ArgoCDPluginServer.Path(t), tools.ArgoCDRender.Path(t)
	path := filepath.Dir(tools.Helm3.Path(t)) + string(os.PathListSeparator) + os.Getenv("PATH")
	// The path of a socket may have 100 characters, and a test's directory has more.
	sockets, err := os.MkdirTemp("", "cmp")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(sockets) }) //nolint:errcheck // a directory left in the temporary space harms nobody

	var log bytes.Buffer
	server := exec.Command(program, "--config-dir-path", filepath.Join(root, "pipelines", "argocd"), "--loglevel", "warn")
	server.Env = []string{"PATH=" + path, "HOME=" + sockets, "ARGOCD_PLUGINSOCKFILEPATH=" + sockets, "ARGOCD_CMP_WORKDIR=" + t.TempDir()}
	server.Stdout, server.Stderr = &log, &log
	tools.EndWithTests(server)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(t, server, &log) })
	waitForSocket(t, filepath.Join(sockets, "pillion.sock"))
	return repoServer{client, []string{"ARGOCD_PLUGINSOCKFILEPATH=" + sockets}}
}

// stop kills the server, which ignores SIGTERM, and prints its log if the test has failed.
func stop(t *testing.T, server *exec.Cmd, log *bytes.Buffer) {
	t.Helper()
	_ = server.Process.Kill()
	_ = server.Wait()
	if t.Failed() {
		t.Logf("argocd-cmp-server said:\n%s", log)
	}
}

func waitForSocket(t *testing.T, path string) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
	}
	t.Fatalf("there is no socket at %s after five minutes", path)
}

// render returns the manifests of an Application.
func (s repoServer) render(t *testing.T, application string) (a answer, said string, ok bool) {
	t.Helper()
	return s.renderIn(t, shopRepository(t), application)
}

func (s repoServer) renderIn(t *testing.T, repository, application string) (a answer, said string, ok bool) {
	t.Helper()
	return s.run(t, repository, application)
}

// renderSent renders what argocd app diff --local sends of a repository.
func (s repoServer) renderSent(t *testing.T, repository, application string) (a answer, said string, ok bool) {
	t.Helper()
	return s.run(t, repository, application, "sent")
}

func (s repoServer) run(t *testing.T, repository, application string, words ...string) (a answer, said string, ok bool) {
	t.Helper()
	tools.Uses(t, tools.ArgoCDRender.Name, tools.ArgoCDRender.Version)
	file := filepath.Join(t.TempDir(), "application.yaml")
	writeFile(t, file, application)
	client := exec.Command(s.program, append(words, repository, file)...)
	client.Env = append(os.Environ(), s.env...)
	r := run(t, client)
	if r.exitCode != 0 {
		return answer{}, r.stderr, false
	}
	if err := json.Unmarshal([]byte(r.stdout), &a); err != nil {
		t.Fatalf("%v in\n%s", err, r.stdout)
	}
	return a, r.stderr, true
}

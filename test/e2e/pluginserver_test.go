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

// pluginServer is a running argocd-cmp-server with our plugin.
type pluginServer struct {
	sockets string // the directory with its socket
	client  string // the program that asks it
}

// startPluginServer starts argocd-cmp-server with the unchanged plugin.yaml, and stops it when the test ends.
func startPluginServer(t *testing.T) pluginServer {
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
	return pluginServer{sockets, client}
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

// render requests the manifests of an Application from the server, like Argo CD's repo server.
func (s pluginServer) render(t *testing.T, application string) (a answer, said string, ok bool) {
	t.Helper()
	tools.Uses(t, tools.ArgoCDPluginServer.Name, tools.ArgoCDPluginServer.Version)
	file := filepath.Join(t.TempDir(), "application.yaml")
	writeFile(t, file, application)
	client := exec.Command(s.client, shopRepository(t), file)
	client.Env = append(os.Environ(), "ARGOCD_PLUGINSOCKFILEPATH="+s.sockets)
	r := run(t, client)
	if r.exitCode != 0 {
		return answer{}, r.stderr, false
	}
	if err := json.Unmarshal([]byte(r.stdout), &a); err != nil {
		t.Fatalf("%v in\n%s", err, r.stdout)
	}
	return a, r.stderr, true
}

package watcher_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// configMap imitates how the kubelet mounts a ConfigMap: the files are links into ..data, which is a link to a
// directory that is replaced with each change.
type configMap struct {
	t        *testing.T
	dir      string
	versions int
}

func (c *configMap) set(files map[string]string) {
	c.t.Helper()
	c.versions++
	data := "..version_" + strings.Repeat("x", c.versions)
	must(c.t, os.Mkdir(filepath.Join(c.dir, data), 0o700))
	for name, text := range files {
		must(c.t, os.WriteFile(filepath.Join(c.dir, data, name), []byte(text), 0o600))
		link := filepath.Join(c.dir, name)
		if _, err := os.Lstat(link); err != nil {
			must(c.t, os.Symlink(filepath.Join("..data", name), link))
		}
	}
	must(c.t, os.Symlink(data, filepath.Join(c.dir, "..data_tmp")))
	must(c.t, os.Rename(filepath.Join(c.dir, "..data_tmp"), filepath.Join(c.dir, "..data")))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestConfigIsReadAgain(t *testing.T) {
	t.Parallel()
	api := newServer(t)
	api.Put(pod("a", "2.1"))
	mounted := &configMap{t: t, dir: t.TempDir()}
	mounted.set(map[string]string{"proxy.yaml": proxy, "notes.txt": "not a config"})
	w := start(t, api, mounted.dir)
	waitFor(t, w, "map[current:1]")
	_, first := w.ConfigStatus()

	mounted.set(map[string]string{"proxy.yaml": strings.Replace(proxy, "2.1", "2.2", 1)})
	waitFor(t, w, "map[stale:1]")
	if failures, since := w.ConfigStatus(); failures != 0 || !since.After(first) {
		t.Errorf("%d errors, read at %s", failures, since)
	}

	// A broken config leaves the old one in use.
	mounted.set(map[string]string{"proxy.yaml": strings.Replace(proxy, "containers:", "container:", 1)})
	waitForProblem(t, w, "spec.container")
	api.Put(pod("b", "2.2"))
	waitFor(t, w, "map[current:1 stale:1]")
	if failures, _ := w.ConfigStatus(); failures == 0 {
		t.Error("the broken config has no errors")
	}
	result, err := w.Result(t.Context())
	if err != nil || len(result.Findings) == 0 || !strings.Contains(result.Findings[0].String(), "proxy.yaml") {
		t.Errorf("the result says %v, %v", result.Findings, err)
	}

	mounted.set(map[string]string{"proxy.yaml": proxy, "other.yaml": strings.ReplaceAll(proxy, "name: proxy", "name: other")})
	waitFor(t, w, "map[current:1 stale:1]")
	waitUntilReady(t, w)
	if names := strings.Join(w.Injectors(), " "); names != "other proxy" {
		t.Errorf("the injectors are %s", names)
	}
}

func TestConfigThatComesLater(t *testing.T) {
	t.Parallel()
	api := newServer(t)
	api.Put(pod("a", "2.1"))
	config := filepath.Join(t.TempDir(), "config.yaml")
	w := start(t, api, config)
	waitForProblem(t, w, "no such file")
	must(t, os.WriteFile(config, []byte("# nothing yet\n"), 0o600))
	waitForProblem(t, w, "the config is empty")
	if err := w.Ready(); strings.Contains(err.Error(), "no such file") || !w.LastSync().IsZero() {
		t.Errorf("last sync %s, %v", w.LastSync(), err)
	}
	must(t, os.WriteFile(config, []byte(proxy), 0o600))
	waitFor(t, w, "map[current:1]")
	must(t, os.Remove(config))
	waitForProblem(t, w, "no such file")
	must(t, os.WriteFile(config, []byte(proxy), 0o600))
	waitUntilReady(t, w)
	waitForSyncAfter(t, w, time.Now())
}

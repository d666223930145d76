package cluster

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/export/policy"
)

// TestLearnedFromStoredPods learns from the manifest of a pod, and from the pod as the API server returns it while an
// exported policy adds the sidecar. What was learned makes the same pod of the manifest, and what the API server adds
// by itself is not part of it.
func TestLearnedFromStoredPods(t *testing.T) {
	c := Start(t)
	c.Namespace(t, "shop", map[string]string{"team": "shop"})
	pillion := buildPillion(t)
	for _, name := range []string{"plain", "positions", "modes", "metadata", "secrets", "env-prepend", "default-container"} {
		t.Run(name, func(t *testing.T) {
			config, err := os.ReadFile("../admission/testdata/configs/" + name + ".yaml")
			if err != nil {
				t.Fatal(err)
			}
			policies := documents(t, readConfig(t, string(config)), policy.Options{Mutate: true})
			unchanged, err := c.DryRun([]byte(probe))
			if err != nil || !unchanged.Accepted() {
				t.Fatalf("%v %s", err, unchanged.Body)
			}
			c.applyUntilActive(t, policies)
			defer c.deleteUntilGone(t, policies)
			changed, err := c.DryRun([]byte(probe))
			if err != nil || !changed.Accepted() {
				t.Fatalf("%v %s", err, changed.Body)
			}
			dir := t.TempDir()
			before := filepath.Join(dir, "before.yaml")
			write(t, before, probe)
			learn := func(after []byte) (string, error) {
				path := filepath.Join(dir, "after.json")
				write(t, path, string(after))
				out, err := exec.Command(pillion, "learn", "--check", before, path).CombinedOutput()
				return string(out), err
			}
			if out, err := learn(changed.Body); err != nil || !strings.Contains(out, "kind: SidecarInjector") {
				t.Errorf("learning from the pod that the policy changed: %v\n%s", err, out)
			}
			if out, err := learn(unchanged.Body); err == nil || !strings.Contains(out, "there is nothing to learn") {
				t.Errorf("learning from the pod without the policy: %v\n%s", err, out)
			}
		})
	}
}

package test

import (
	"encoding/json"
	"runtime"
	"testing"
)

// TestImage claims that the image is small, says what it is, and runs the way both orchestrators run functions.
func TestImage(t *testing.T) {
	name := image(t)
	var images []struct {
		Size         int64
		Architecture string
		Config       struct {
			User   string
			Labels map[string]string
		}
	}
	inspected := mustRun(t, "", "", "docker", "image", "inspect", name)
	if err := json.Unmarshal([]byte(inspected.stdout), &images); err != nil {
		t.Fatal(err)
	}
	image := images[0]
	if image.Size >= 20_000_000 {
		t.Errorf("the image has %d bytes, want fewer than 20 MB", image.Size)
	}
	if image.Architecture != runtime.GOARCH {
		t.Errorf("the image is for %s, want %s", image.Architecture, runtime.GOARCH)
	}
	if image.Config.User != "nobody" {
		t.Errorf("the image runs as %q, want nobody", image.Config.User)
	}
	for _, label := range []string{"title", "description", "licenses", "source", "version"} {
		if image.Config.Labels["org.opencontainers.image."+label] == "" {
			t.Errorf("the label %s is missing in %v", label, image.Config.Labels)
		}
	}

	mustRun(t, "", "", "docker", "run", "--rm", "--interactive", "--network", "none", "--user", "nobody", "--read-only",
		"--security-opt=no-new-privileges", name, "--help")
}

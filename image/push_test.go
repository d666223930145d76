package main

import (
	"bytes"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/crane"
	"github.com/google/go-containerregistry/pkg/registry"
)

// TestPush pushes to a registry on loopback with the script that the release runs.
func TestPush(t *testing.T) {
	server := httptest.NewServer(registry.New())
	defer server.Close()
	image := strings.TrimPrefix(server.URL, "http://") + "/pillion"
	first := layoutWith(t, "first")

	digests := push(t, true, first, image, "v1.2.3", "v1.2", "v1")
	index, err := crane.Digest(image + ":v1.2.3")
	if err != nil || !strings.Contains(digests, "digest="+index+"\ndigest-amd64=sha256:") || strings.Count(digests, "\n") != 3 {
		t.Errorf("the digests are %q, want %s, %v", digests, index, err)
	}
	tags, err := crane.ListTags(image)
	slices.Sort(tags)
	if err != nil || !slices.Equal(tags, []string{"v1", "v1.2", "v1.2.3"}) {
		t.Errorf("the tags are %q, %v", tags, err)
	}

	if again := push(t, true, first, image, "v1.2.3", "v1.2", "v1"); again != digests {
		t.Errorf("pushed again it is %q, and was %q", again, digests)
	}
	if said := push(t, false, layoutWith(t, "other"), image, "v1.2.3"); !strings.Contains(said, "a version never changes") {
		t.Errorf("other bytes under the same version: %s", said)
	}
	if now, _ := crane.Digest(image + ":v1.2.3"); now != index {
		t.Error("a version has changed")
	}
}

// layoutWith is the layout of an image whose program is the given text.
func layoutWith(t *testing.T, program string) string {
	t.Helper()
	dist := t.TempDir()
	args := []string{"layout", "-version", "v1.2.3", "-dist", dist}
	for _, platform := range []string{"linux/amd64", "linux/arm64"} {
		dir := filepath.Join(dist, strings.ReplaceAll(platform, "/", "-"))
		err := os.Mkdir(dir, 0o755)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "pillion"), []byte(program+platform), 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, platform)
	}
	if err := run(args, nil); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dist, "oci")
}

// push runs the script, and gives its output, or what it said where it has to fail.
func push(t *testing.T, succeeds bool, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	script := exec.Command("./push.sh", args...)
	script.Stdout, script.Stderr = &stdout, &stderr
	err := script.Run()
	if (err == nil) != succeeds {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	if err != nil {
		return stderr.String()
	}
	return stdout.String()
}

func TestMisuse(t *testing.T) {
	for _, test := range []struct {
		args []string
		says string
	}{
		{nil, "usage"},
		{[]string{"psuh"}, `no verb "psuh"`},
		{[]string{"tags"}, "needs a version"},
		{[]string{"tags", "latest"}, "not a version to release"},
		{[]string{"sbom", "-version", "v1.2.3"}, "one binary"},
		{[]string{"sbom", "pillion"}, "-version"},
		{[]string{"layout", "-version", "v1.2.3"}, "a platform"},
		{[]string{"layout", "-version", "v1.2.3", "-program", "pilion", "linux/amd64"}, `no program "pilion"`},
	} {
		if err := run(test.args, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%q: said %v, want %q", test.args, err, test.says)
		}
	}
}

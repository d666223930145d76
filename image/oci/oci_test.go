package oci_test

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/crane"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/validate"

	"pillion.dev/pillion/image/oci"
)

var commitTime = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// tree is a directory as make stages it, with modes and times of a machine.
func tree(t *testing.T, private bool, written time.Time) string {
	t.Helper()
	dir := t.TempDir()
	run, read, enter := os.FileMode(0o755), os.FileMode(0o644), os.FileMode(0o755)
	if private {
		run, read, enter = 0o700, 0o600, 0o700
	}
	etc := filepath.Join(dir, "etc")
	err := os.Mkdir(etc, enter)
	for path, mode := range map[string]os.FileMode{filepath.Join(dir, "pillion"): run, filepath.Join(etc, "passwd"): read} {
		if err == nil {
			err = os.WriteFile(path, []byte(filepath.Base(path)), mode)
		}
		if err == nil {
			err = os.Chtimes(path, written, written)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, files string) (dist string) {
	t.Helper()
	image := oci.Image{Program: "pillion-audit", Name: "pillion", Version: "v1.2.3", Revision: "abc", Created: commitTime}
	for _, platform := range []string{"linux/amd64", "linux/arm64"} {
		if err := image.Add(platform, files); err != nil {
			t.Fatal(err)
		}
	}
	dist = t.TempDir()
	if err := image.Write(dist); err != nil {
		t.Fatal(err)
	}
	return dist
}

func TestImageDoesNotDependOnTheMachine(t *testing.T) {
	first := write(t, tree(t, false, time.Now()))
	second := write(t, tree(t, true, time.Unix(1, 0)))
	err := filepath.WalkDir(first, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(first, path)
		if err != nil {
			return err
		}
		if read(t, path) != read(t, filepath.Join(second, relative)) {
			t.Errorf("%s differs", relative)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestLayoutCanBePushed pushes the layout as the release does, to a registry on loopback.
func TestLayoutCanBePushed(t *testing.T) {
	dist := write(t, tree(t, false, commitTime))
	server := httptest.NewServer(registry.New())
	defer server.Close()
	tag, err := name.NewTag(strings.TrimPrefix(server.URL, "http://")+"/pillion:v1.2.3", name.Insecure)
	if err != nil {
		t.Fatal(err)
	}
	pushed := onlyIndex(t, filepath.Join(dist, oci.LayoutDir))
	if err := remote.WriteIndex(tag, pushed); err != nil {
		t.Fatal(err)
	}
	digest, err := crane.Digest(tag.String(), crane.Insecure)
	if want, _ := pushed.Digest(); err != nil || digest != want.String() {
		t.Errorf("the registry has %s, %v, want %s", digest, err, want)
	}
	for _, arch := range []string{"amd64", "arm64"} {
		image, err := crane.Pull(tag.String(), crane.Insecure, crane.WithPlatform(&v1.Platform{OS: "linux", Architecture: arch}))
		if err != nil {
			t.Fatal(err)
		}
		saysWhatItIs(t, image, arch)
	}
}

func TestArchiveCanBeLoadedByDocker(t *testing.T) {
	dist := write(t, tree(t, false, commitTime))
	tag, err := name.NewTag("pillion:v1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	image, err := tarball.ImageFromPath(filepath.Join(dist, "pillion-audit-linux-arm64.tar"), &tag)
	if err != nil {
		t.Fatal(err)
	}
	saysWhatItIs(t, image, "arm64")
}

func TestEarlierLayoutIsRemoved(t *testing.T) {
	files := tree(t, false, commitTime)
	dist := t.TempDir()
	for _, version := range []string{"v1.2.3", "v1.2.4"} {
		image := oci.Image{Program: "pillion", Name: "pillion", Version: version}
		if err := image.Add("linux/amd64", files); err != nil {
			t.Fatal(err)
		}
		if err := image.Write(dist); err != nil {
			t.Fatal(err)
		}
	}
	onlyIndex(t, filepath.Join(dist, oci.LayoutDir))
}

func TestMisuse(t *testing.T) {
	linked := tree(t, false, commitTime)
	if err := os.Symlink("/etc/shadow", filepath.Join(linked, "link")); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ platform, dir, says string }{
		"a link":             {"linux/amd64", linked, "link is neither a file nor a directory"},
		"no such directory":  {"linux/amd64", filepath.Join(linked, "missing"), "missing"},
		"half of a platform": {"linux", linked, "is not a platform"},
	} {
		t.Run(name, func(t *testing.T) {
			err := new(oci.Image).Add(test.platform, test.dir)
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("said %v, want %q", err, test.says)
			}
		})
	}
}

// onlyIndex is the one index of a layout; all of it has to be sound.
func onlyIndex(t *testing.T, dir string) v1.ImageIndex {
	t.Helper()
	index, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 {
		t.Fatalf("the layout has %v, %v, want one index", manifest, err)
	}
	only, err := index.ImageIndex(manifest.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(only); err != nil {
		t.Error(err)
	}
	return only
}

func saysWhatItIs(t *testing.T, image v1.Image, arch string) {
	t.Helper()
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if config.Architecture != arch || config.Config.User != "65534:65534" || !config.Created.Equal(commitTime) {
		t.Errorf("the image for %s is %+v", arch, config)
	}
	if entrypoint := config.Config.Entrypoint; !slices.Equal(entrypoint, []string{"/pillion-audit"}) {
		t.Errorf("the image runs %q", entrypoint)
	}
	for label, want := range map[string]string{
		"title": "pillion-audit", "version": "v1.2.3", "revision": "abc", "created": "2026-01-02T03:04:05Z",
	} {
		if got := config.Config.Labels["org.opencontainers.image."+label]; got != want {
			t.Errorf("the label %s is %q, want %q", label, got, want)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

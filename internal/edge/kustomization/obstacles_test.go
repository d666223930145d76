//go:build unix

package kustomization

import (
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// TestReadingObstaclesIsBounded reads a kustomization of thousands of missing files, and more kustomizations than
// kustomize may read, in a circle.
func TestReadingObstaclesIsBounded(t *testing.T) {
	const many = 10_000
	disk := newCounting()
	missing := "resources:\n"
	for i := range many {
		missing += fmt.Sprintf("- %d.yaml\n", i)
	}
	disk.write(t, "/app", missing)
	for i := range many {
		disk.write(t, fmt.Sprintf("/%d", i), fmt.Sprintf("resources: [../%d]\n", (i+1)%many))
	}
	if got := NewDisk(nil).obstaclesOf(disk, "/app"); len(got) != maxObstacles {
		t.Errorf("%d causes", len(got))
	}
	disk.calls = 0
	if got := NewDisk(nil).obstaclesOf(disk, "/0"); len(got) != 0 || disk.calls > 10*maxNested {
		t.Errorf("%v after %d calls", got, disk.calls)
	}
}

// TestEachKustomizationIsReadOnceForObstacles counts what is read for roots that share bases: bases with many entries, so
// that to read them for each root would be noticed.
func TestEachKustomizationIsReadOnceForObstacles(t *testing.T) {
	calls := func(roots int) int {
		disk := newCounting()
		disk.write(t, "/base", "resources: [../deeper, "+strings.Repeat("none.yaml, ", 100)+"]\n")
		disk.write(t, "/deeper", "resources: ["+strings.Repeat("none.yaml, ", 100)+"]\n")
		d := NewDisk(nil)
		for i := range roots {
			dir := fmt.Sprintf("/%d", i)
			disk.write(t, dir, "resources: [../base, 'https://example.com/org/repo']\n")
			if got := d.obstaclesOf(disk, dir); len(got) != 3 {
				t.Fatalf("%v", got)
			}
		}
		return disk.calls
	}
	if few, many := calls(10), calls(1000); many-few > 990*10 {
		t.Errorf("10 roots take %d calls, and 1000 roots %d", few, many)
	}
}

// counting is a file system in memory that counts calls.
type counting struct {
	filesys.FileSystem
	calls int
}

func newCounting() *counting { return &counting{FileSystem: filesys.MakeFsInMemory()} }

func (c *counting) write(t *testing.T, dir, text string) {
	t.Helper()
	if err := c.WriteFile(dir+"/kustomization.yaml", []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func (c *counting) ReadFile(path string) ([]byte, error) {
	c.calls++
	return c.FileSystem.ReadFile(path)
}

func (c *counting) Exists(path string) bool {
	c.calls++
	return c.FileSystem.Exists(path)
}

func (c *counting) IsDir(path string) bool {
	c.calls++
	return c.FileSystem.IsDir(path)
}

package test

import (
	"os/exec"
	"testing"
)

// imageNamed gives the image under test the name that a pipeline knows it by, as if it had been pulled, and takes the name
// away again.
func imageNamed(t *testing.T, name string) {
	t.Helper()
	mustRun(t, "", "", "docker", "tag", image(t), name)
	t.Cleanup(func() { _ = exec.Command("docker", "image", "rm", name).Run() })
}

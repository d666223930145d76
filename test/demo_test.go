package test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheDemoEndsWithItsSummary(t *testing.T) {
	demo := exec.Command("go", "run", "./test/demo", "-pillion", filepath.Join(binDir, "pillion"), "examples/kpt-package")
	demo.Dir = root
	out, err := demo.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if text := string(out); !strings.HasPrefix(text, "--- before\n") || !strings.HasSuffix(text, "\n1 workload: 1 injected\n") {
		t.Errorf("the summary does not follow the diff:\n%s", text)
	}
}

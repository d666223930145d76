package tools

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatCannotBeBuiltSaysWhy(t *testing.T) {
	t.Chdir(filepath.Join(Root(), "test")) // from which the root is found, too
	failing := Tool{Name: "nothing", Version: "v0", build: func(Tool, string) *exec.Cmd {
		return exec.Command("go", "build", "./there-is-nothing-here")
	}}
	if _, err := failing.Find(); err == nil || !strings.Contains(err.Error(), "nothing v0 cannot be built") {
		t.Errorf("it says %v", err)
	}
}

func TestWhatTakesMinutesIsBuiltOnlyWhenAsked(t *testing.T) {
	if E2E() {
		t.Skip("-e2e is given")
	}
	slow := Tool{Name: "nothing", Version: "v1", slow: true}
	if _, err := slow.Find(); err == nil || !strings.Contains(err.Error(), "make e2e") {
		t.Errorf("it says %v", err)
	}
}

package command_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"
)

const oneWorkload = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, " +
	"spec: {template: {spec: {containers: [{name: web, image: web}]}}}}\n"

func TestASignalWhileFilesAreWrittenLeavesThemAsTheyWere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs signals")
	}
	config := exportConfig(t, exportable)
	code, said := 0, ""
	for many := 3000; many < 100_000 && (code == 0 || code == -1); many *= 2 { // until the signal does not come too late
		code, said = signalWhileFilesAreWritten(t, config, many)
	}
	if code != 130 || said != "error: interrupted; no file was written\n" {
		t.Errorf("exit code %d, said %q", code, said)
	}
}

// signalWhileFilesAreWritten runs a command that changes many files, and sends it a signal once the first one is being
// written. The exit code is 0 if all were written before, and -1 if the signal has ended the command after that.
func signalWhileFilesAreWritten(t *testing.T, config string, many int) (exitCode int, said string) {
	t.Helper()
	dir := t.TempDir()
	for i := range many {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.yaml", i)), []byte(oneWorkload), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("pillion", "inject", "-c", config, "-f", dir, "-i")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for len(stagedIn(t, dir)) == 0 && len(ended) == 0 {
		time.Sleep(time.Millisecond)
	}
	_ = cmd.Process.Signal(syscall.SIGHUP) // it may have ended
	exitCode = exitCodeOf(<-ended)
	if left := stagedIn(t, dir); len(left) > 0 {
		t.Errorf("%d files are left behind, such as %s", len(left), left[0])
	}
	return exitCode, stderr.String()
}

// stagedIn are the new texts that wait in a directory.
func stagedIn(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, ".*.pillion-*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

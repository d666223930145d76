package command_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"pillion.dev/pillion/internal/edge/command"
)

const oneWorkload = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, " +
	"spec: {template: {spec: {containers: [{name: web, image: web}]}}}}\n"

func TestTimeoutEndsARunWithABlockedOutput(t *testing.T) {
	config := exportConfig(t, exportable)
	unread, out := io.Pipe()
	defer unread.Close() //nolint:errcheck // it lets the writer go
	var said bytes.Buffer
	code := command.Run([]string{"inject", "-c", config, "--timeout", "200ms"}, strings.NewReader(oneWorkload), out, &said)
	if want := "error: not done in time: --timeout is 200ms; no file was written\n"; code != 1 || said.String() != want {
		t.Errorf("exit code %d, said %q", code, said.String())
	}
}

func TestASignalWhileFilesAreWrittenLeavesThemAsTheyWere(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs signals")
	}
	const many = 3000 // so many that the signal comes before they are all on disk
	dir, config := t.TempDir(), exportConfig(t, exportable)
	for i := range many {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.yaml", i)), []byte(oneWorkload), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("pillion", "inject", "-c", config, "-f", dir, "-i")
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(5 * time.Minute); len(stagedIn(t, dir)) == 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if code := exitCodeOf(cmd.Wait()); code != 130 || said.String() != "error: interrupted; no file was written\n" {
		t.Errorf("exit code %d, said %q", code, said.String())
	}
	if left := stagedIn(t, dir); len(left) > 0 {
		t.Errorf("%d files are left behind, such as %s", len(left), left[0])
	}
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

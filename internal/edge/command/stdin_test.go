package command_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/edge/command"
)

const stdinPod = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: web, image: web}]}\n"

// inProject makes a directory with a project file, in which an injection changes nothing, the working directory.
func inProject(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		".pillion.yaml": "apiVersion: pillion.dev/v1alpha1\nkind: Project\nfiles: [web.yaml]\n",
		"injector.yaml": "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: logs}\n" +
			"spec: {expect: {min: 0}, namespaces: {include: [shop]}, containers: [{name: logs, image: logs}]}\n",
		"web.yaml":   stdinPod,
		"empty.yaml": "",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func opened(t *testing.T, name string) *os.File {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file
}

func TestProjectRefusesOnlyStandardInputWithData(t *testing.T) {
	inProject(t)
	for name, want := range map[string]int{os.DevNull: 0, "empty.yaml": 0, "web.yaml": 2} {
		var stderr bytes.Buffer
		stdin := opened(t, name)
		if got := command.Run([]string{"verify"}, stdin, &stderr, &stderr); got != want {
			t.Errorf("standard input is %s: exit code %d, want %d: %s", name, got, want, &stderr)
		}
		if rest, err := io.ReadAll(stdin); len(rest) > 0 || err != nil {
			t.Errorf("standard input is %s: %q is left for the next command (%v)", name, rest, err)
		}
	}
}

// lateWriter writes manifests to a pipe once a run reads it.
type lateWriter struct {
	bytes.Buffer
	pipe *os.File
}

func (l *lateWriter) Write(line []byte) (int, error) {
	n, err := l.Buffer.Write(line)
	if strings.HasPrefix(string(line), "waiting for the end of standard input") {
		_, err = l.pipe.WriteString(stdinPod)
		err = errors.Join(err, l.pipe.Close()) // from here on, the run writes as well
	}
	return n, err
}

func TestProjectWaitsForManifestsOfSlowPrograms(t *testing.T) {
	inProject(t)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close() //nolint:errcheck // it was only read
	stderr := &lateWriter{pipe: writer}
	if got := command.Run([]string{"verify"}, reader, stderr, stderr); got != 2 || !strings.Contains(stderr.String(), "there is data") {
		t.Errorf("exit code %d: %s", got, stderr)
	}
}

func TestProjectReadsNoOpenSocket(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there, no socket is a file")
	}
	inProject(t)
	listener, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close() //nolint:errcheck // the test is over
	conn, err := net.Dial("unix", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // the test is over
	stdin, err := conn.(*net.UnixConn).File()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close() //nolint:errcheck // it is not read
	var stderr bytes.Buffer
	if got := command.Run([]string{"verify"}, stdin, &stderr, &stderr); got != 0 {
		t.Errorf("exit code %d: %s", got, &stderr)
	}
}

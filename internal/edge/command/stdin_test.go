package command_test

import (
	"bytes"
	"io"
	"os"
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
		"web.yaml": stdinPod,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// opened is a pipe that nobody writes to and nobody closes: a command that reads it never ends.
func opened(t *testing.T) (reader, writer *os.File) {
	t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = writer.Close()
		_ = reader.Close()
	})
	return reader, writer
}

func TestCommandsReadNoStandardInputThatNothingNames(t *testing.T) {
	inProject(t)
	stdin, writer := opened(t)
	const list = "the rest of a list\n"
	if _, err := writer.WriteString(list); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line string
		want int
	}{
		{"diff", 0},
		{"verify", 0},
		{"explain", 0},
		{"validate", 0},
		{"inject", 0},
		{"inject -i", 0},
		{"remove --injector logs", 0},
		{"remove --injector logs -i", 0},
		{"inject --project .pillion.yaml", 0},
		{"inject -f web.yaml", 0},
		{"verify -c injector.yaml", 2}, // there are no manifests
		{"diff --project=", 2},
		{"explain -c injector.yaml", 1},
		{"inject -c injector.yaml -i", 1},
		{"audit -c injector.yaml", 2},
		{"audit --project .pillion.yaml", 2},
		{"test", 2},
		{"learn", 1},
		{"export flux", 1}, // for its namespaces
	} {
		var stderr bytes.Buffer
		if got := command.Run(strings.Fields(c.line), stdin, io.Discard, &stderr); got != c.want {
			t.Errorf("pillion %s: exit code %d, want %d: %s", c.line, got, c.want, &stderr)
		}
	}
	_ = writer.Close()
	if rest, err := io.ReadAll(stdin); string(rest) != list || err != nil {
		t.Errorf("%q is left for the next command (%v), want %q", rest, err, list)
	}
}

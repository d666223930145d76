package test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/test/golden"
)

// TestConsoleBlocks runs every console block of the README, line by line, and the shell blocks in front of them that
// are marked to be run, in one directory. A block must show what its commands print to standard output and standard
// error.
func TestConsoleBlocks(t *testing.T) {
	path := filepath.Join(root, "README.md")
	updated := readFile(t, path)
	dir := t.TempDir()
	blocks := readmeBlocks(updated)
	if len(blocks) == 0 {
		t.Fatal("there is no block to run")
	}
	for _, block := range blocks {
		updated = strings.Replace(updated, block.text, block.run(t, dir), 1)
	}
	golden.Check(t, path, updated)
}

// TestReadmeConfig checks that the config at the top of the README adds its sidecar to the Deployment further down.
func TestReadmeConfig(t *testing.T) {
	text := readFile(t, filepath.Join(root, "README.md"))
	_, rest, _ := strings.Cut(text, "```yaml\n")
	config, _, _ := strings.Cut(rest, "```\n")
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "injector.yaml"), config)
	if err := shell(dir, readmeBlocks(text)[0].text).Run(); err != nil {
		t.Fatal(err)
	}
	out, _ := shell(dir, "pillion diff -c injector.yaml -f deployment.yaml 2>/dev/null").Output() // a diff ends with 1
	if want := "+        image: fluent/fluent-bit:3.2.4\n+        restartPolicy: Always\n"; !strings.Contains(string(out), want) {
		t.Errorf("the diff is %s, want the lines %s", out, want)
	}
}

// readmeBlock is the content of a fenced block.
type readmeBlock struct {
	text    string
	console bool // commands behind $, each with what it prints
}

func readmeBlocks(text string) []readmeBlock {
	var blocks []readmeBlock
	for text != "" {
		fence, console := "```console\n", true
		at, marked := strings.Index(text, fence), strings.Index(text, "<!-- run -->\n```sh\n")
		if marked >= 0 && (at < 0 || marked < at) {
			fence, at, console = "<!-- run -->\n```sh\n", marked, false
		}
		if at < 0 {
			break
		}
		inside, rest, _ := strings.Cut(text[at+len(fence):], "```\n")
		blocks = append(blocks, readmeBlock{inside, console})
		text = rest
	}
	return blocks
}

// run runs a block and returns it with what its commands printed.
func (b readmeBlock) run(t *testing.T, dir string) string {
	t.Helper()
	if !b.console {
		if out, err := shell(dir, b.text).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", b.text, err, out)
		}
		return b.text
	}
	var shown strings.Builder
	for line := range strings.Lines(b.text) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			out, _ := shell(dir, command).CombinedOutput() // a diff and a refusal end with 1, and what they say is shown
			shown.WriteString(line + string(out))
		}
	}
	return shown.String()
}

func shell(dir, script string) *exec.Cmd {
	cmd := exec.Command("sh", "-e", "-c", script)
	cmd.Dir = dir
	return cmd
}

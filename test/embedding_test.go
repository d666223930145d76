package test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	// The tests run programs with these; with them, go test's cache knows that they depend on them.
	_ "pillion.dev/pillion/fn/kptfn"
	_ "pillion.dev/pillion/transformers/kiofilter"

	"pillion.dev/pillion/test/golden"
)

// embedded finds a program on the page, what it reads and what it prints.
var embedded = regexp.MustCompile("(?s)(?:```yaml stdin\n(.*?)```\n)?```go\n(.*?)```\n(```[a-z]+ stdout\n)(.*?)```\n")

// TestProgramsInTheEmbeddingPageDoWhatItShows compiles and runs every program in docs/how-to/embedding.md.
func TestProgramsInTheEmbeddingPageDoWhatItShows(t *testing.T) {
	path := filepath.Join(root, "docs", "how-to", "embedding.md")
	page := readFile(t, path)
	programs := embedded.FindAllStringSubmatch(page, -1)
	if blocks := strings.Count(page, "```go\n"); len(programs) != blocks || blocks == 0 {
		t.Fatalf("%d of %d programs have an output", len(programs), blocks)
	}
	for _, found := range programs {
		whole, input, source, fence, want := found[0], found[1], found[2], found[3], found[4]
		got := runProgram(t, source, input)
		page = strings.Replace(page, whole, strings.Replace(whole, fence+want+"```\n", fence+got+"```\n", 1), 1)
	}
	golden.Check(t, path, page)
}

// runProgram builds a program in the module, where it finds the packages that it imports, and runs it.
func runProgram(t *testing.T, source, input string) string {
	t.Helper()
	dir := t.TempDir()
	file, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", binary, file)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, source)
	}
	program := exec.Command(binary)
	program.Stdin = strings.NewReader(input)
	var complaints bytes.Buffer
	program.Stderr = &complaints
	out, err := program.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &complaints)
	}
	return string(out)
}

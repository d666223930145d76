package steps_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/test/steps/instrument"
	"pillion.dev/pillion/test/tools"
)

// Four times the text may take eight times the work: proportional work takes four times as long, quadratic work 16 times. Some texts
// take nearly six times as long, because the larger one exceeds a limit, and the number of steps differs a little from run to run.
const (
	most = 8
	// Less is not compared: tables that are created once, buffers that double, and nodes whose memory is reused only while it is
	// little.
	fewSteps, fewBytes = 60_000, 8 << 20
)

// TestWorkGrowsWithTheInput reads texts that grow in all directions with every reader, and counts steps instead of time.
func TestWorkGrowsWithTheInput(t *testing.T) {
	if !tools.E2E() {
		tools.Need(t, "make e2e", "it compiles everything once more, and counts for a minute")
	}
	run := exec.Command(build(t))
	run.Stderr = os.Stderr
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	measured := 0
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); measured++ {
		name, numbers, _ := strings.Cut(lines.Text(), "\t")
		var steps, moreSteps, memory, moreMemory int64
		if _, err := fmt.Sscan(numbers, &steps, &moreSteps, &memory, &moreMemory); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		if moreSteps > most*steps+fewSteps {
			t.Errorf("%s: %d steps become %d", name, steps, moreSteps)
		}
		if moreMemory > most*memory+fewBytes {
			t.Errorf("%s: %d bytes become %d", name, memory, moreMemory)
		}
	}
	if measured < 1000 {
		t.Errorf("only %d texts were read", measured)
	}
}

// goPackage is a package as printed by go list.
type goPackage struct {
	ImportPath, Dir string
	GoFiles         []string
	Module          *struct {
		Path, Dir string
		Main      bool
	}
}

// build builds the command run from instrumented source: Pillion's own by an overlay, and that of the YAML and glob libraries
// by copies.
func build(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	replaced := map[string]string{}
	for _, p := range packages(t) {
		switch {
		case p.Module == nil || strings.HasPrefix(p.ImportPath, "pillion.dev/pillion/test/"):
			continue
		case p.Module.Main:
		case p.ImportPath == "go.yaml.in/yaml/v3", strings.HasSuffix(p.ImportPath, "/doublestar/v4"):
			replaced[p.Module.Path] = filepath.Join(dir, p.ImportPath)
			write(t, filepath.Join(dir, p.ImportPath, "go.mod"), []byte("module "+p.Module.Path+"\n\ngo 1.26\n"))
		default:
			continue
		}
		for _, name := range p.GoFiles {
			from, to := filepath.Join(p.Dir, name), filepath.Join(dir, p.ImportPath, name)
			source, err := os.ReadFile(from)
			if err != nil {
				t.Fatal(err)
			}
			if source, err = instrument.Source(from, source); err != nil {
				t.Fatal(err)
			}
			write(t, to, source)
			if p.Module.Main {
				overlay.Replace[from] = to
			}
		}
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "overlay.json"), text)
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		for path, to := range replaced {
			if name == "go.mod" {
				text = fmt.Appendf(text, "\nreplace %s => %s\n", path, to)
			}
		}
		write(t, filepath.Join(dir, name), text)
	}
	program := filepath.Join(dir, "steps")
	command := exec.Command("go", "build", "-mod=mod", "-modfile", filepath.Join(dir, "go.mod"),
		"-overlay", filepath.Join(dir, "overlay.json"), "-o", program, "./run")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,Module", "./run").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []goPackage
	for decoder := json.NewDecoder(bytes.NewReader(out)); decoder.More(); {
		var p goPackage
		if err := decoder.Decode(&p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The linker leaves out methods that nothing calls, unless the program can call any method by its name, as templates
// do, or links C.
func TestMethodsThatNothingCallsAreNotLinked(t *testing.T) {
	const unused = ".SwaggerDoc" // a method of all Kubernetes types, for the generator of schemas
	symbols := mustRun(t, root, "", "go", "tool", "nm", filepath.Join(binDir, "pillion")).stdout
	if strings.Contains(symbols, unused) {
		t.Errorf("%s is linked, probably because of text/template or html/template; "+
			"go build -ldflags=-dumpdep . 2>&1 | grep ReflectMethod shows what calls methods by their names", unused)
	}
}

// Memory is counted here instead of time, because it is the same in each run. Clearing new pages takes much of the time
// anyway.
func TestLittleIsDoneBeforeMain(t *testing.T) {
	const (
		mostOfAll = 660_000 // bytes, most of them for regular expressions and tables of kustomize and Kubernetes' packages
		mostOfOne = 6_000   // of a package of Pillion: a table that is needed in every run, and nothing else
	)
	total := 0
	for name, bytes := range allocatedAtInit(t) {
		total += bytes
		if strings.HasPrefix(name, modulePath) && bytes > mostOfOne {
			t.Errorf("%s allocates %d bytes at every start, want at most %d; use sync.OnceValue for what few runs need", name, bytes, mostOfOne)
		}
	}
	t.Logf("packages allocate %d bytes at start", total)
	if total == 0 || total > mostOfAll {
		t.Errorf("packages allocate %d bytes at every start, want at most %d; GODEBUG=inittrace=1 pillion version shows which", total, mostOfAll)
	}
}

// allocatedAtInit returns how many bytes the initialisation of each package allocates.
func allocatedAtInit(t *testing.T) map[string]int {
	t.Helper()
	cmd := exec.Command(filepath.Join(binDir, "pillion"), "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	packages := map[string]int{}
	for _, line := range regexp.MustCompile(`(?m)^init (\S+) .* (\d+) bytes`).FindAllStringSubmatch(string(out), -1) {
		if packages[line[1]], err = strconv.Atoi(line[2]); err != nil {
			t.Fatal(err)
		}
	}
	return packages
}

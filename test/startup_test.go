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

// Memory and packages are counted here instead of time, because they are the same in each run. Clearing new pages takes
// much of the time anyway.
func TestLittleIsDoneBeforeMain(t *testing.T) {
	const (
		mostPackages = 210     // that do anything: most are kustomize's and Kubernetes'
		mostOfAll    = 640_000 // bytes, most of them for regular expressions and tables of these packages
		mostOfOurs   = 26_000  // of all packages of Pillion
		mostOfOne    = 6_000   // of a package of Pillion: a table that is needed in every run, and nothing else
	)
	packages := allocatedAtInit(t)
	total, ours := 0, 0
	for name, bytes := range packages {
		total += bytes
		if !strings.HasPrefix(name, modulePath) {
			continue
		}
		ours += bytes
		if bytes > mostOfOne {
			t.Errorf("%s allocates %d bytes at every start, want at most %d; use sync.OnceValue for what few runs need", name, bytes, mostOfOne)
		}
	}
	t.Logf("%d packages allocate %d bytes at start, %d of them Pillion's", len(packages), total, ours)
	if len(packages) == 0 || len(packages) > mostPackages || total > mostOfAll || ours > mostOfOurs {
		t.Errorf("%d packages allocate %d bytes at every start, %d of them Pillion's, want at most %d, %d and %d; "+
			"GODEBUG=inittrace=1 pillion version shows which", len(packages), total, ours, mostPackages, mostOfAll, mostOfOurs)
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

package test

import (
	"errors"
	"go/build"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// floors are the folders of the project, from the ground up: what is on a line imports only what is on its own line or
// above it. This is the order in which the data flows (see docs/explanation/design.md).
var floors = [][]string{
	{"internal/text", "internal/work", "api/v1alpha1", "finding", "pipelines/kpt"},
	{"internal/pods"},
	{"internal/config"},
	{"internal/core", "decision", "internal/export/patch", "internal/export/refusal"}, // a HelmRelease gets patches
	{"internal/audit", "internal/learn", "internal/export", "internal/testcase"},
	{"internal/output"},
	{"transformers", "fn"},
	{"internal/edge"},
	{"main", "pipelines"},
}

// maxImports is how many imports there are between packages of the project. A new one has to be worth a larger number.
const maxImports = 379

// TestImportsFollowTheDataFlow reports imports of what is above.
func TestImportsFollowTheDataFlow(t *testing.T) {
	count := 0
	for name, imports := range importsOfPackages(t) {
		at := floorOf(t, name)
		for _, imported := range imports {
			if floorOf(t, imported) > at {
				t.Errorf("%s must not import %s, which is above it", name, imported)
			}
		}
		count += len(imports)
	}
	if count > maxImports {
		t.Errorf("there are %d imports between packages, and at most %d are allowed", count, maxImports)
	}
	t.Logf("%d imports", count)
}

// floorOf returns the floor of a package: that of the longest path that leads to it.
func floorOf(t *testing.T, name string) (floor int) {
	t.Helper()
	longest := 0
	for i, folders := range floors {
		for _, folder := range folders {
			if (name == folder || strings.HasPrefix(name, folder+"/")) && len(folder) > longest {
				longest = len(folder)
				floor = i
			}
		}
	}
	if longest == 0 {
		t.Errorf("%s is on no floor", name)
	}
	return floor
}

// TestNoProgramsAndNoNetwork checks what SECURITY.md promises: the program has no code to start another one, and none
// of its own packages opens a connection. Only kustomize's code, which -k uses, has both; package kustomization
// disables them.
func TestNoProgramsAndNoNetwork(t *testing.T) {
	listed := mustRun(t, root, "", "go", "list", "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, ".").stdout
	ours := 0
	for line := range strings.Lines(listed) {
		pkg, imports := strings.Fields(line)[0], strings.Fields(line)[1:]
		isKustomizes := strings.HasPrefix(pkg, "sigs.k8s.io/kustomize/") || pkg == "github.com/google/gnostic-models/compiler"
		if slices.Contains(imports, "os/exec") && !isKustomizes {
			t.Errorf("%s imports os/exec", pkg)
		}
		if !strings.HasPrefix(pkg, modulePath) || pkg == modulePath+"/internal/edge/kustomization" {
			continue
		}
		ours++
		if slices.Contains(imports, "net") || slices.Contains(imports, "net/http") {
			t.Errorf("%s imports net or net/http", pkg)
		}
	}
	if ours < 40 {
		t.Errorf("only %d packages of Pillion are listed", ours)
	}
}

// importsOfPackages returns what each package of the module imports of the others, tests and everything under test/
// left out.
func importsOfPackages(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if path != root && (isOtherModule(path) || slices.Contains([]string{".git", ".cache", "dist", "test", "testdata"}, entry.Name())) {
			return filepath.SkipDir
		}
		inModule, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		pkg, err := build.ImportDir(path, 0)
		var none *build.NoGoError
		if errors.As(err, &none) {
			return nil
		}
		if err != nil {
			return err
		}
		imports := []string{}
		for _, imported := range pkg.Imports {
			if rest, ours := strings.CutPrefix(imported, modulePath+"/"); ours {
				imports = append(imports, shortName(rest))
			}
		}
		all[shortName(filepath.ToSlash(inModule))] = imports
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

const modulePath = "pillion.dev/pillion"

func isOtherModule(dir string) bool {
	found, err := filepath.Glob(filepath.Join(dir, "go.mod"))
	return err == nil && len(found) > 0
}

// shortName returns the name of a package as floors have it.
func shortName(path string) string {
	if path == "." {
		return "main"
	}
	return path
}

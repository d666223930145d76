package sbom

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/spdx/tools-golang/json"
	"github.com/spdx/tools-golang/spdxlib"
)

// TestDocumentOfABinary builds a program, the one of this module, and reads back what is written of it.
func TestDocumentOfABinary(t *testing.T) {
	program := filepath.Join(t.TempDir(), "image")
	if out, err := exec.Command("go", "build", "-o", program, "..").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	binary, err := Read(program)
	if err != nil {
		t.Fatal(err)
	}
	written := write(t, binary)
	if again := write(t, binary); again != written {
		t.Error("written twice it differs")
	}
	document, err := json.Read(strings.NewReader(written))
	if err != nil {
		t.Fatal(err)
	}
	if err := spdxlib.ValidateDocument(document); err != nil {
		t.Error(err)
	}
	if name := "image-v1.2.3-" + runtime.GOOS + "-" + runtime.GOARCH; document.DocumentName != name {
		t.Errorf("the name is %s, want %s", document.DocumentName, name)
	}
	if document.SPDXVersion != "SPDX-2.3" || document.CreationInfo.Created != "2026-01-02T03:04:05Z" {
		t.Errorf("the document is %s of %s", document.SPDXVersion, document.CreationInfo.Created)
	}
	if !strings.Contains(written, "from commit abc") {
		t.Error("the commit is not named")
	}
	described, err := spdxlib.GetDescribedPackageIDs(document)
	if err != nil || len(described) != 1 {
		t.Errorf("the document describes %v, %v", described, err)
	}
	versions := map[string]string{"pillion.dev/pillion/image": "v1.2.3", "stdlib": strings.TrimPrefix(runtime.Version(), "go")}
	for _, linked := range binary.info.Deps {
		versions[linked.Path] = linked.Version
	}
	if _, there := versions["github.com/spdx/tools-golang"]; !there || len(versions) != len(document.Packages) {
		t.Errorf("%d packages, want %v", len(document.Packages), versions)
	}
	for _, p := range document.Packages {
		if versions[p.PackageName] != p.PackageVersion {
			t.Errorf("%s has version %s, want %s", p.PackageName, p.PackageVersion, versions[p.PackageName])
		}
	}
}

func TestModuleOfAnotherName(t *testing.T) {
	replaced := dependency(&debug.Module{
		Path: "example.com/a", Version: "v1.0.0",
		Replace: &debug.Module{Path: "example.com/b_c", Version: "v2.0.0+incompatible", Sum: "h1:x="},
	}, "v1.2.3")
	if replaced.PackageName != "example.com/b_c" || replaced.PackageSPDXIdentifier != "Package-example.com-b-c" {
		t.Errorf("the replacement is %s, %s", replaced.PackageName, replaced.PackageSPDXIdentifier)
	}
	if locator := replaced.PackageExternalReferences[0].Locator; locator != "pkg:golang/example.com/b_c@v2.0.0%2Bincompatible" {
		t.Errorf("its package URL is %s", locator)
	}
}

// TestModuleOfThisRepository checks that a module which go.mod replaces by a directory keeps its name, and has the version of the
// release, which is the version of all modules of the repository.
func TestModuleOfThisRepository(t *testing.T) {
	own := dependency(&debug.Module{
		Path: "pillion.dev/pillion", Version: "v0.0.0", Replace: &debug.Module{Path: "../", Version: "(devel)"},
	}, "v1.2.3")
	if own.PackageName != "pillion.dev/pillion" || own.PackageVersion != "v1.2.3" || own.PackageLicenseDeclared != "Apache-2.0" {
		t.Errorf("the module is %s %s, licensed %s", own.PackageName, own.PackageVersion, own.PackageLicenseDeclared)
	}
	if locator := own.PackageExternalReferences[0].Locator; locator != "pkg:golang/pillion.dev/pillion@v1.2.3" {
		t.Errorf("its package URL is %s", locator)
	}
}

func TestTwoModulesOfOneIdentifierAreRefused(t *testing.T) {
	info := &debug.BuildInfo{Deps: []*debug.Module{{Path: "example.com/a/b"}, {Path: "example.com/a-b"}}}
	err := Binary{info: info}.Write(new(bytes.Buffer), "v1.2.3", "abc", time.Time{})
	if err == nil || !strings.Contains(err.Error(), "example.com/a-b") {
		t.Errorf("said %v", err)
	}
}

func TestOtherFilesAreRefused(t *testing.T) {
	if _, err := Read("sbom.go"); err == nil || !strings.Contains(err.Error(), "sbom.go") {
		t.Errorf("said %v", err)
	}
}

func write(t *testing.T, binary Binary) string {
	t.Helper()
	var out strings.Builder
	if err := binary.Write(&out, "v1.2.3", "abc", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

package sbom

import (
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/spdx/tools-golang/spdx/v2/common"
	"github.com/spdx/tools-golang/spdx/v2/v2_3"
	"golang.org/x/mod/modfile"
)

// program returns the package of the binary itself.
func (b Binary) program(version, revision string) *v2_3.Package {
	p := module(b.info.Main.Path, version)
	p.PackageFileName = b.name
	p.PackageChecksums = []common.Checksum{{Algorithm: common.SHA256, Value: b.sha256}}
	p.PackageSourceInfo = "built by " + b.info.GoVersion + " for " + b.setting("GOOS") + "/" + b.setting("GOARCH")
	if revision != "" {
		p.PackageSourceInfo += " from commit " + revision
	}
	p.PackageLicenseDeclared = "Apache-2.0"
	p.PrimaryPackagePurpose = "APPLICATION"
	return p
}

// standardLibrary returns the package of the standard library, with its name in the Go vulnerability database.
func (b Binary) standardLibrary() *v2_3.Package {
	version, _, _ := strings.Cut(strings.TrimPrefix(b.info.GoVersion, "go"), " ") // experiments may follow
	p := module("stdlib", version)
	p.PackageLicenseDeclared = "BSD-3-Clause"
	return p
}

// dependency returns the package of a linked module. Its sum in go.sum is not a checksum as SPDX defines it, because it covers
// the files and not an archive. A module that is replaced by a directory is one of this repository, and is released with the
// program.
func dependency(linked *debug.Module, release string) *v2_3.Package {
	switch {
	case linked.Replace == nil:
	case modfile.IsDirectoryPath(linked.Replace.Path):
		p := module(linked.Path, release)
		p.PackageLicenseDeclared = "Apache-2.0"
		return p
	default:
		linked = linked.Replace
	}
	p := module(linked.Path, linked.Version)
	if linked.Sum != "" {
		p.PackageSourceInfo = "go.sum has " + linked.Sum
	}
	return p
}

func module(path, version string) *v2_3.Package {
	return &v2_3.Package{
		PackageName:             path,
		PackageSPDXIdentifier:   identifier(path),
		PackageVersion:          version,
		PackageDownloadLocation: unknown,
		PackageLicenseConcluded: unknown,
		PackageLicenseDeclared:  unknown,
		PackageCopyrightText:    unknown,
		PrimaryPackagePurpose:   "LIBRARY",
		PackageExternalReferences: []*v2_3.PackageExternalReference{{
			Category: common.CategoryPackageManager,
			RefType:  common.TypePackageManagerPURL,
			Locator:  packageURL(path, version),
		}},
	}
}

// notInIdentifiers matches the characters of module paths that SPDX does not allow in identifiers.
var notInIdentifiers = regexp.MustCompile(`[^A-Za-z0-9.-]`)

func identifier(path string) common.ElementID {
	return common.ElementID("Package-" + notInIdentifiers.ReplaceAllString(path, "-"))
}

// packageURL returns the URL by which scanners identify a module. It escapes the plus sign, as in v2.0.0+incompatible, which
// would be read as a space.
func packageURL(path, version string) string {
	locator := "pkg:golang/" + path
	if version != "" {
		locator += "@" + strings.ReplaceAll(version, "+", "%2B")
	}
	return locator
}

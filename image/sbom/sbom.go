// Package sbom lists the modules of a Go binary as an SPDX document. It reads them from the build info in the binary, so that
// modules which are only in go.mod are not listed.
package sbom

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/spdx/tools-golang/json"
	"github.com/spdx/tools-golang/spdx/v2/common"
	"github.com/spdx/tools-golang/spdx/v2/v2_3"
)

// creator is the module of this program.
const creator = "pillion.dev/pillion/image"

// unknown is the value for a field without information.
const unknown = "NOASSERTION"

// Binary is a program with its build info.
type Binary struct {
	name   string // of its file
	info   *debug.BuildInfo
	sha256 string
}

// Read reads a Go binary.
func Read(path string) (Binary, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return Binary{}, err
	}
	info, err := buildinfo.Read(bytes.NewReader(content))
	if err != nil {
		return Binary{}, fmt.Errorf("%s: %w", path, err)
	}
	sum := sha256.Sum256(content)
	return Binary{name: filepath.Base(path), info: info, sha256: hex.EncodeToString(sum[:])}, nil
}

// Write writes the document as SPDX 2.3 in JSON. The revision is the commit that was built, or empty.
func (b Binary) Write(out io.Writer, version, revision string, created time.Time) error {
	document, err := b.document(version, revision, created)
	if err != nil {
		return err
	}
	return json.Write(document, out, json.Indent("  "))
}

func (b Binary) document(version, revision string, created time.Time) (*v2_3.Document, error) {
	program := b.program(version, revision)
	packages := []*v2_3.Package{program, b.standardLibrary()}
	for _, module := range b.info.Deps {
		packages = append(packages, dependency(module, version))
	}
	relationships := []*v2_3.Relationship{relationship("DOCUMENT", "DESCRIBES", program)}
	seen := map[common.ElementID]bool{program.PackageSPDXIdentifier: true}
	for _, used := range packages[1:] {
		if seen[used.PackageSPDXIdentifier] {
			return nil, fmt.Errorf("two modules would have the SPDX id %s, one of them is %s", used.PackageSPDXIdentifier, used.PackageName)
		}
		seen[used.PackageSPDXIdentifier] = true
		relationships = append(relationships, relationship(program.PackageSPDXIdentifier, "DEPENDS_ON", used))
	}
	return &v2_3.Document{
		SPDXVersion:    v2_3.Version,
		DataLicense:    v2_3.DataLicense,
		SPDXIdentifier: "DOCUMENT",
		DocumentName:   b.name + "-" + version + "-" + b.setting("GOOS") + "-" + b.setting("GOARCH"),
		// The namespace must be unique for each document.
		DocumentNamespace: "https://" + b.info.Main.Path + "/spdx/" + b.sha256,
		CreationInfo: &v2_3.CreationInfo{
			Creators: []common.Creator{{CreatorType: "Tool", Creator: creator}},
			Created:  created.Format(time.RFC3339),
		},
		Packages:      packages,
		Relationships: relationships,
	}, nil
}

func relationship(from common.ElementID, is string, to *v2_3.Package) *v2_3.Relationship {
	return &v2_3.Relationship{
		RefA:         common.DocElementID{ElementRefID: from},
		RefB:         common.DocElementID{ElementRefID: to.PackageSPDXIdentifier},
		Relationship: is,
	}
}

// setting returns a setting of the build, such as GOARCH.
func (b Binary) setting(key string) string {
	for _, setting := range b.info.Settings {
		if setting.Key == key {
			return setting.Value
		}
	}
	return ""
}

package distro

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/google/rpmpack"

	"pillion.dev/pillion/release/archive"
)

// rpmArchitectures are the names of architectures in rpm, by their names in Go.
var rpmArchitectures = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}

// RPM returns the package for rpm.
func (p Package) RPM() ([]byte, error) {
	arch, isKnown := rpmArchitectures[p.Arch]
	if !isKnown {
		return nil, fmt.Errorf("the name of %s in rpm is unknown; add it to rpmArchitectures", p.Arch)
	}
	packed, err := rpmpack.NewRPM(rpmpack.RPMMetaData{
		Name: p.Name, Version: p.plainVersion(), Release: "1", Epoch: rpmpack.NoEpoch, Arch: arch,
		Summary: p.Summary, Description: p.Description, URL: p.Homepage, Licence: "Apache-2.0", Packager: p.Maintainer,
		BuildTime: p.Modified,
		BuildHost: "localhost", // not the name of the machine
	})
	if err != nil {
		return nil, err
	}
	for _, file := range p.Files {
		packed.AddFile(p.rpmFile(file))
	}
	for _, parent := range []string{"/usr/share/doc/", "/usr/share/licenses/"} { // other directories belong to other packages
		packed.AddFile(rpmpack.RPMFile{Name: parent + p.Name, Mode: 0o40755, Owner: "root", Group: "root", MTime: p.modified()})
	}
	var out bytes.Buffer
	err = packed.Write(&out)
	return out.Bytes(), err
}

func (p Package) rpmFile(file archive.File) rpmpack.RPMFile {
	kind := rpmpack.GenericFile
	switch {
	case strings.HasPrefix(file.Name, "usr/share/licenses/"):
		kind = rpmpack.LicenceFile
	case strings.HasPrefix(file.Name, "usr/share/doc/"), strings.HasPrefix(file.Name, "usr/share/man/"):
		kind = rpmpack.DocFile
	}
	return rpmpack.RPMFile{
		Name: "/" + file.Name, Body: file.Content, Mode: uint(file.Mode()), Owner: "root", Group: "root",
		MTime: p.modified(), Type: kind,
	}
}

// modified returns the time in the form of rpm, which ends in 2106.
func (p Package) modified() uint32 { return uint32(p.Modified.Unix()) }

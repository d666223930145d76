package main

import (
	"pillion.dev/pillion/release/archive"
	"pillion.dev/pillion/release/channel"
	"pillion.dev/pillion/release/distro"
)

const (
	summary     = "Inject sidecars into Kubernetes manifests before they reach the cluster"
	description = `Pillion adds sidecars to the pod templates of Kubernetes manifests, before
they reach the cluster, and updates and removes them again. It is a program
for files, and a function for kustomize and kpt.`
	maintainer = "The Pillion authors <https://pillion.dev/pillion>"
)

// writePackages writes the packages of pillion for Linux distributions.
func (r *release) writePackages(b binary) error {
	for _, format := range []struct {
		name, licenseFile, zshDir string
		write                     func(distro.Package) ([]byte, error)
	}{
		{".deb", "usr/share/doc/pillion/copyright", "usr/share/zsh/vendor-completions", distro.Package.Deb},
		{".rpm", "usr/share/licenses/pillion/LICENSE", "usr/share/zsh/site-functions", distro.Package.RPM},
	} {
		files, err := r.docs.inPackage(format.licenseFile, format.zshDir)
		if err != nil {
			return err
		}
		files = append(files,
			archive.File{Name: "usr/bin/pillion", IsProgram: true, Content: b.content},
			archive.File{Name: "usr/share/doc/pillion/pillion.spdx.json", Content: b.sbom})
		content, err := format.write(distro.Package{
			Name: "pillion", Version: r.commit.Version, Arch: b.platform.Arch, Summary: summary, Description: description,
			Homepage: channel.Homepage, Maintainer: maintainer, Files: files, Modified: r.time(),
		})
		if err != nil {
			return err
		}
		if err := r.writeFile(b.name()+format.name, content); err != nil {
			return err
		}
	}
	return nil
}

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"time"

	"pillion.dev/pillion/image/sbom"
	"pillion.dev/pillion/release/archive"
	"pillion.dev/pillion/release/channel"
	"pillion.dev/pillion/release/compile"
)

// release writes the files of a release.
type release struct {
	commit     compile.Commit
	repository string
	dist       string
	programs   []compile.Program

	// compile and generate are those of commit, except in tests, which have no time to compile.
	compile  func(program compile.Program, platform compile.Platform, file string) error
	generate func(dir string) (compile.Docs, error)

	docs     documents
	archives []channel.Archive // those of pillion
}

// time returns the time of the commit, which is the time of all files.
func (r *release) time() time.Time { return time.Unix(r.commit.Epoch, 0).UTC() }

// write writes all files of the release to dist, and to its directory page the one that is not published with the release.
func (r *release) write() error {
	if err := os.RemoveAll(r.dist); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(r.dist, "page"), 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "pillion-release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work) //nolint:errcheck // a directory left in the temporary space harms nobody
	if r.docs, err = r.readDocuments(work); err != nil {
		return err
	}
	for _, program := range r.programs {
		for _, platform := range program.Platforms {
			if err := r.writeProgram(program, platform, work); err != nil {
				return err
			}
		}
	}
	if err := r.writeChannels(); err != nil {
		return err
	}
	return writeChecksums(r.dist)
}

// writeProgram writes the archive of a program for a platform, its SBOM, and its packages if it has any.
func (r *release) writeProgram(program compile.Program, platform compile.Platform, work string) error {
	file := filepath.Join(work, platform.String(), program.File(platform))
	if err := r.compile(program, platform, file); err != nil {
		return err
	}
	b, err := r.read(program, platform, file)
	if err != nil {
		return err
	}
	if err := r.writeFile(b.name()+".spdx.json", b.sbom); err != nil {
		return err
	}
	if err := r.writeArchive(b); err != nil {
		return err
	}
	if program.Name != "pillion" || platform.OS != "linux" {
		return nil // the watcher is deployed by its image
	}
	return r.writePackages(b)
}

// binary is a program that has been compiled for a platform.
type binary struct {
	program  compile.Program
	platform compile.Platform
	content  []byte
	sbom     []byte
}

// name returns the beginning of the names of its files.
func (b binary) name() string { return b.program.Name + "-" + b.platform.String() }

// read returns a compiled program with its SBOM.
func (r *release) read(program compile.Program, platform compile.Platform, file string) (binary, error) {
	b := binary{program: program, platform: platform}
	described, err := sbom.Read(file)
	if err != nil {
		return b, err
	}
	var document bytes.Buffer
	if err := described.Write(&document, r.commit.Version, r.commit.Revision, r.time()); err != nil {
		return b, err
	}
	b.sbom = document.Bytes()
	b.content, err = os.ReadFile(file)
	return b, err
}

// writeArchive writes the archive of a program, zip for Windows and tar.gz for others.
func (r *release) writeArchive(b binary) error {
	files := append(r.docs.inArchive(b.program.Name),
		archive.File{Name: b.program.File(b.platform), IsProgram: true, Content: b.content},
		archive.File{Name: b.program.Name + ".spdx.json", Content: b.sbom})
	var packed []byte
	var err error
	name := b.name()
	if b.platform.OS == "windows" {
		name += ".zip"
		packed, err = archive.Zip(files, r.time())
	} else {
		name += ".tar.gz"
		packed, err = archive.TarGz(files, "", r.time())
	}
	if err != nil {
		return err
	}
	if b.program.Name == "pillion" {
		r.archives = append(r.archives, channel.Archive{
			OS: b.platform.OS, Arch: b.platform.Arch, Name: name, Program: b.program.File(b.platform), SHA256: sha256Of(packed),
		})
	}
	return r.writeFile(name, packed)
}

// writeChannels writes what package managers need to find the archives, and the page by which go install finds the repository.
func (r *release) writeChannels() error {
	c := channel.Release{Version: r.commit.Version, Repository: r.repository, Archives: r.archives}
	for name, write := range map[string]func() ([]byte, error){
		"pillion.rb": c.Formula, "pillion.yaml": c.Krew, filepath.Join("page", "index.html"): c.Page,
	} {
		text, err := write()
		if err != nil {
			return err
		}
		if err := r.writeFile(name, text); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) writeFile(name string, content []byte) error {
	return os.WriteFile(filepath.Join(r.dist, name), content, 0o644)
}

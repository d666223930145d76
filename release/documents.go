package main

import (
	"os"
	"path"
	"path/filepath"
	"slices"

	"pillion.dev/pillion/release/archive"
)

// documents are the files that go with the programs.
type documents struct {
	texts       []archive.File // of the repository, such as LICENSE
	man         []archive.File
	completions []archive.File
}

func (r *release) readDocuments(work string) (documents, error) {
	var d documents
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		content, err := os.ReadFile(filepath.Join(r.commit.Sources, name))
		if err != nil {
			return d, err
		}
		d.texts = append(d.texts, archive.File{Name: name, Content: content})
	}
	generated, err := r.generate(work)
	if err != nil {
		return d, err
	}
	if d.man, err = readDir(generated.Man); err != nil {
		return d, err
	}
	d.completions, err = readDir(generated.Completions)
	return d, err
}

func readDir(dir string) ([]archive.File, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []archive.File
	for _, entry := range entries {
		content, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, archive.File{Name: entry.Name(), Content: content})
	}
	return files, nil
}

// inArchive returns the documents in the archive of a program. Man pages and completions are those of pillion.
func (d documents) inArchive(program string) []archive.File {
	if program != "pillion" {
		return slices.Clone(d.texts)
	}
	return slices.Concat(d.texts, inDir("man", d.man), inDir("completions", d.completions))
}

// inDir returns the files with their names in a directory.
func inDir(dir string, files []archive.File) []archive.File {
	files = slices.Clone(files)
	for i := range files {
		files[i].Name = path.Join(dir, files[i].Name)
	}
	return files
}

// completionPaths returns where shells on Linux look for completions. PowerShell has no such directory.
func completionPaths(zshDir string) map[string]string {
	return map[string]string{
		"_pillion":     path.Join(zshDir, "_pillion"),
		"pillion.bash": "usr/share/bash-completion/completions/pillion",
		"pillion.fish": "usr/share/fish/vendor_completions.d/pillion.fish",
	}
}

// inPackage returns the documents in a package for a Linux distribution. The directories of the license and of completions for zsh
// depend on the distribution.
func (d documents) inPackage(licenseFile, zshDir string) ([]archive.File, error) {
	var files []archive.File
	for _, text := range d.texts {
		name := path.Join("usr/share/doc/pillion", text.Name)
		if text.Name == "LICENSE" {
			name = licenseFile
		}
		files = append(files, archive.File{Name: name, Content: text.Content})
	}
	for _, page := range d.man {
		compressed, err := archive.Gzip(page.Content)
		if err != nil {
			return nil, err
		}
		files = append(files, archive.File{Name: path.Join("usr/share/man/man1", page.Name+".gz"), Content: compressed})
	}
	paths := completionPaths(zshDir)
	for _, completion := range d.completions {
		if name, hasPath := paths[completion.Name]; hasPath {
			files = append(files, archive.File{Name: name, Content: completion.Content})
		}
	}
	return files, nil
}

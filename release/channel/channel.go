// Package channel writes the files by which package managers find a release: the formula for Homebrew, the manifest of the kubectl
// plugin for krew, and the page by which go install finds the repository.
package channel

import (
	"bytes"
	_ "embed" // for the templates
	"fmt"
	"html/template"
	"io"
	"strings"
	texttemplate "text/template"
)

// Release is what the files point to.
type Release struct {
	// Version is that of the release, such as v1.2.3.
	Version string
	// Repository is the address of the repository, whose releases have the archives.
	Repository string
	// Archives are those of the program, in the order in which they are listed.
	Archives []Archive
}

// Archive is the archive for a platform.
type Archive struct {
	OS, Arch string
	// Name is the name of the file, and Program that of the program in it.
	Name, Program string
	SHA256        string
}

// ModulePath is the path that people install, and its page is at that address.
const ModulePath = "pillion.dev/pillion"

// Homepage is the address of the project.
const Homepage = "https://" + ModulePath

// URL returns the address of the archive.
func (r Release) URL(a Archive) string {
	return strings.TrimSuffix(r.Repository, "/") + "/releases/download/" + r.Version + "/" + a.Name
}

// Number returns the version without its v.
func (r Release) Number() string { return strings.TrimPrefix(r.Version, "v") }

// Homepage returns the address of the project, for the templates.
func (Release) Homepage() string { return Homepage }

// ModulePath returns the path of the module, for the templates.
func (Release) ModulePath() string { return ModulePath }

// Git returns the address that git clones.
func (r Release) Git() string {
	return strings.TrimSuffix(strings.TrimSuffix(r.Repository, "/"), ".git") + ".git"
}

// Archive returns the archive for a platform.
func (r Release) Archive(system, arch string) (Archive, error) {
	for _, a := range r.Archives {
		if a.OS == system && a.Arch == arch {
			return a, nil
		}
	}
	return Archive{}, fmt.Errorf("the release has no archive for %s/%s", system, arch)
}

//go:embed formula.rb.tmpl
var formula string

//go:embed krew.yaml.tmpl
var krew string

//go:embed page.html.tmpl
var page string

// Formula returns the formula for Homebrew.
func (r Release) Formula() ([]byte, error) {
	return r.fill(texttemplate.Must(texttemplate.New("formula").Parse(formula)).Execute)
}

// Krew returns the manifest for krew.
func (r Release) Krew() ([]byte, error) {
	return r.fill(texttemplate.Must(texttemplate.New("krew").Parse(krew)).Execute)
}

// Page returns the page to serve at the address of the module.
func (r Release) Page() ([]byte, error) {
	return r.fill(template.Must(template.New("page").Parse(page)).Execute)
}

// fill returns a template with the values of the release.
func (r Release) fill(execute func(w io.Writer, data any) error) ([]byte, error) {
	var out bytes.Buffer
	err := execute(&out, r)
	return out.Bytes(), err
}

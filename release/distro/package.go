// Package distro writes packages for Linux distributions: deb for Debian and Ubuntu, rpm for Fedora, SUSE and their relatives. The
// package of a static binary with its documentation needs no scripts and has no dependencies.
package distro

import (
	"strings"
	"time"

	"pillion.dev/pillion/release/archive"
)

// Package is a package for one architecture.
type Package struct {
	Name string
	// Version is the version of the release, such as v1.2.3-rc.1.
	Version string
	// Arch is the architecture by its name in Go.
	Arch string
	// Summary is one line, and Description is plain text in lines of at most 79 characters.
	Summary, Description string
	Homepage             string
	Maintainer           string
	// Files have names relative to the root of the file system.
	Files []archive.File
	// Modified is the time of the package and its files.
	Modified time.Time
}

// plainVersion returns the version as dpkg and rpm sort it: pre-releases have a tilde, so that they come before the release.
func (p Package) plainVersion() string {
	release, preRelease, isPreRelease := strings.Cut(strings.TrimPrefix(p.Version, "v"), "-")
	if !isPreRelease {
		return release
	}
	return release + "~" + strings.ReplaceAll(preRelease, "-", ".") // a hyphen would begin the revision of the package
}

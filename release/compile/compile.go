// Package compile compiles the programs of a release, each for its platforms.
package compile

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Platform is an operating system and an architecture, by their names in Go.
type Platform struct{ OS, Arch string }

// String returns the platform as it is in the names of files, such as linux-amd64.
func (p Platform) String() string { return p.OS + "-" + p.Arch }

// Program is a program of the release.
type Program struct {
	Name string
	// Dir is the directory of its package, relative to the root of the repository.
	Dir       string
	Platforms []Platform
}

// File returns the name of the program's file on a platform.
func (p Program) File(platform Platform) string {
	if platform.OS == "windows" {
		return p.Name + ".exe"
	}
	return p.Name
}

// Programs returns the programs of the release. The watcher runs in clusters, whose nodes it needs binaries for.
func Programs() []Program {
	return []Program{
		{"pillion", ".", platforms("linux", "darwin", "windows")},
		{"pillion-audit", "audit", platforms("linux")},
	}
}

func platforms(systems ...string) []Platform {
	var all []Platform
	for _, system := range systems {
		all = append(all, Platform{system, "amd64"}, Platform{system, "arm64"})
	}
	return all
}

// Commit is what is built.
type Commit struct {
	// Sources is the directory with the repository.
	Sources string
	// Version and Revision are those that the programs print.
	Version, Revision string
	// Epoch is the time of the commit, in seconds since 1970.
	Epoch int64
}

// Program compiles a program for a platform into a file. It takes nothing from the environment that changes the result.
func (c Commit) Program(program Program, platform Platform, file string) error {
	file, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	cmd := exec.Command("go", "build", "-buildvcs=false", "-trimpath", "-ldflags", c.linkerFlags(), "-o", file, ".")
	cmd.Dir = filepath.Join(c.Sources, program.Dir)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+platform.OS, "GOARCH="+platform.Arch, "GOAMD64=v1", "GOARM64=v8.0",
		"GOFLAGS=", "GOEXPERIMENT=", "GOFIPS140=off", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s for %s: %w\n%s", program.Name, platform, err, out)
	}
	return nil
}

// linkerFlags are those of the Makefile.
func (c Commit) linkerFlags() string {
	const variables = "pillion.dev/pillion/internal/version."
	return strings.Join([]string{
		"-s", "-w",
		"-X", variables + "version=" + c.Version,
		"-X", variables + "commit=" + c.Revision,
		"-X", variables + "epoch=" + strconv.FormatInt(c.Epoch, 10),
	}, " ")
}

// Docs are the files that are generated from the commands of pillion.
type Docs struct {
	// Man and Completions are directories.
	Man, Completions string
}

// Docs writes the man pages and the completions to directories in dir.
func (c Commit) Docs(dir string) (Docs, error) {
	docs := Docs{Man: filepath.Join(dir, "man"), Completions: filepath.Join(dir, "completions")}
	cmd := exec.Command("go", "run", "./internal/command/docs", "-man", docs.Man, "-completions", docs.Completions)
	cmd.Dir = c.Sources
	// The generator runs on this machine, and the man pages have the month of the commit.
	cmd.Env = append(os.Environ(), "GOOS=", "GOARCH=", "SOURCE_DATE_EPOCH="+strconv.FormatInt(c.Epoch, 10))
	if out, err := cmd.CombinedOutput(); err != nil {
		return docs, fmt.Errorf("writing man pages and completions: %w\n%s", err, out)
	}
	return docs, nil
}

// Release writes the files of a release of Pillion: archives with the programs for all platforms, packages for Linux distributions,
// SBOMs, checksums, and what package managers need to find them. The images are written by the module image.
//
// It is a separate module, so that its dependencies are not dependencies of Pillion. The time comes from flags, and nothing else
// depends on the machine: the same sources result in the same bytes.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"

	"golang.org/x/mod/semver"

	"pillion.dev/pillion/release/compile"
)

func main() {
	r, err := parseFlags(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err == nil {
		err = r.write()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func parseFlags(args []string) (*release, error) {
	r := &release{programs: compile.Programs()}
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.StringVar(&r.commit.Sources, "sources", "..", "the `DIRECTORY` with the repository")
	flags.StringVar(&r.commit.Version, "version", "", "the version of Pillion, such as v1.2.3")
	flags.StringVar(&r.commit.Revision, "revision", "", "the commit it is built from")
	flags.Int64Var(&r.commit.Epoch, "epoch", 0, "the time of that commit, in seconds since 1970")
	flags.StringVar(&r.repository, "repository", "", "the `ADDRESS` of the repository, whose releases will have the files")
	flags.StringVar(&r.dist, "dist", "", "the `DIRECTORY` to write; what is in it is removed")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	r.compile, r.generate = r.commit.Program, r.commit.Docs
	if err := r.check(flags.Args()); err != nil {
		return nil, err
	}
	return r, nil
}

// These texts become part of flags of the linker, Ruby, YAML and HTML, in which many characters have a meaning, such as #{} in Ruby.
var (
	commit  = regexp.MustCompile(`^[0-9a-f]*$`)
	address = regexp.MustCompile(`^https://[0-9A-Za-z.-]+(:\d+)?(/[0-9A-Za-z._~-]+)*/?$`)
)

func (r *release) check(args []string) error {
	switch {
	case len(args) > 0:
		return fmt.Errorf("%q is not a flag", args[0])
	case !semver.IsValid(r.commit.Version):
		return fmt.Errorf("-version is %q; write it like v1.2.3", r.commit.Version)
	case !commit.MatchString(r.commit.Revision):
		return fmt.Errorf("-revision is %q, which is not a commit", r.commit.Revision)
	case !address.MatchString(r.repository):
		return fmt.Errorf("-repository is %q; write its address, such as https://git.example.com/team/pillion", r.repository)
	case r.dist == "":
		return errors.New("-dist is missing; name the directory to write")
	}
	return nil
}

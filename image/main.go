// Image creates the parts of a release of Pillion: the SBOM of a binary, the container image of a program for every platform, and
// the tags of the image. It is a separate module, so that its dependencies are not dependencies of Pillion.
//
// The time comes from flags, and nothing else depends on the machine: the same sources result in the same bytes.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pillion.dev/pillion/image/oci"
	"pillion.dev/pillion/image/sbom"
	"pillion.dev/pillion/image/tag"
)

const usage = `usage:
  image sbom [flags] BINARY             write the binary's SBOM to standard output
  image layout [flags] OS/ARCH...       write an OCI layout, and an archive for docker load for each platform
  image tags VERSION [RELEASED...]      print the tags of a version, given the released versions`

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New(usage)
	}
	switch args[0] {
	case "sbom":
		return writeSBOM(args[1:], out)
	case "layout":
		return writeLayout(args[1:])
	case "tags":
		return printTags(args[1:], out)
	}
	return fmt.Errorf("there is no verb %q\n%s", args[0], usage)
}

// release describes the build of the binary.
type release struct {
	version, revision string
	epoch             int64
}

func (r *release) addFlags(flags *flag.FlagSet) {
	flags.StringVar(&r.version, "version", "", "the version of Pillion")
	flags.StringVar(&r.revision, "revision", "", "the commit it was built from")
	flags.Int64Var(&r.epoch, "epoch", 0, "the time of that commit, in seconds since 1970")
}

func (r *release) time() time.Time { return time.Unix(r.epoch, 0).UTC() }

func writeSBOM(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("sbom", flag.ContinueOnError)
	var r release
	r.addFlags(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || r.version == "" {
		return errors.New("sbom needs -version and one binary")
	}
	binary, err := sbom.Read(flags.Arg(0))
	if err != nil {
		return err
	}
	return binary.Write(out, r.version, r.revision, r.time())
}

func writeLayout(args []string) error {
	flags := flag.NewFlagSet("layout", flag.ContinueOnError)
	var r release
	r.addFlags(flags)
	dist := flags.String("dist", "dist", "the directory with the directories OS-ARCH, where the layout is written")
	program := flags.String("program", "pillion", "the program in the image, one of "+strings.Join(oci.Programs(), " and "))
	name := flags.String("name", "", "the image's name in the archives; by default that of the program")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 || r.version == "" {
		return errors.New("layout needs -version and a platform, such as linux/amd64")
	}
	if !slices.Contains(oci.Programs(), *program) {
		return fmt.Errorf("there is no program %q; the release has %s", *program, strings.Join(oci.Programs(), " and "))
	}
	image := oci.Image{
		Program: *program, Name: cmp.Or(*name, *program), Version: r.version, Revision: r.revision, Created: r.time(),
	}
	for _, platform := range flags.Args() {
		if err := image.Add(platform, filepath.Join(*dist, strings.ReplaceAll(platform, "/", "-"))); err != nil {
			return err
		}
	}
	return image.Write(*dist)
}

func printTags(args []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New("tags needs a version, such as v1.2.3")
	}
	tags, err := tag.ForVersion(args[0], args[1:])
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, strings.Join(tags, "\n"))
	return err
}

// Package version describes the build of a program: its version, and the commit it was built from, with the commit's
// date. The date of the build itself is not recorded, so that the same commit always results in the same bytes.
package version

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"
)

// The linker sets these variables. A program that is built without the Makefile has what Go has recorded instead.
var (
	version string
	commit  string
	epoch   string // the time of the commit, in seconds since 1970
)

// Build describes how a program was built. Commit and Date are empty if they are unknown.
type Build struct {
	Version string
	Commit  string
	Date    string // of the commit, in RFC 3339
	Go      string
}

// Current returns the build of this program.
func Current() Build {
	recorded := readRecorded()
	return Build{
		Version: cmp.Or(version, recorded.Version, "(devel)"),
		Commit:  cmp.Or(commit, recorded.Commit),
		Date:    cmp.Or(date(epoch), recorded.Date),
		Go:      runtime.Version(),
	}
}

// String returns one line that begins with the version, such as "v1.2.3 (commit 0123456789ab, 2026-01-02T03:04:05Z,
// go1.26.8)".
func (b Build) String() string {
	const enough = 12 // digits of a commit
	known := ""
	if b.Commit != "" {
		known += "commit " + b.Commit[:min(enough, len(b.Commit))] + ", "
	}
	if b.Date != "" {
		known += b.Date + ", "
	}
	return fmt.Sprintf("%s (%s%s)", b.Version, known, b.Go)
}

// readRecorded returns what Go has recorded: the version of the module after go install, the commit after a build in a
// checkout.
func readRecorded() Build {
	info, isKnown := debug.ReadBuildInfo()
	if !isKnown {
		return Build{}
	}
	b := Build{Version: info.Main.Version}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Commit = setting.Value
		case "vcs.time":
			b.Date = setting.Value
		}
	}
	return b
}

// date returns the date of a time in seconds. The Makefile sets 0 outside of a git repository, which is not a date.
func date(epoch string) string {
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil || seconds == 0 {
		return ""
	}
	return time.Unix(seconds, 0).UTC().Format(time.RFC3339)
}

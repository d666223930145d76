// Package tag computes the tags of a version of the image, as in the kpt function catalog: v1.2.3, which never moves, and v1.2
// and v1, which move to the newest version. There is no tag latest, because a pipeline with it would change without a commit.
package tag

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// releasable does not match what git describe prints for a commit between two versions, although that is a valid version.
var releasable = regexp.MustCompile(`^v\d+\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$`)

// ForVersion returns the tags of a version, given the versions that are released already. A fix for an older version does not
// move v1 away from a newer one, and a pre-release has only its own tag.
func ForVersion(version string, released []string) ([]string, error) {
	if !semver.IsValid(version) || !releasable.MatchString(version) {
		return nil, fmt.Errorf("%q is not a version to release; write it like v1.2.3 or v1.2.3-rc.1", version)
	}
	tags := []string{version}
	if semver.Prerelease(version) != "" {
		return tags, nil
	}
	for _, line := range []string{semver.MajorMinor(version), semver.Major(version)} {
		newer := slices.ContainsFunc(released, func(other string) bool { return isNewer(other, line, version) })
		if !newer {
			tags = append(tags, line)
		}
	}
	return tags, nil
}

// isNewer reports whether other is a release of the line, such as v1.2, that is newer than version.
func isNewer(other, line, version string) bool {
	return semver.IsValid(other) && semver.Prerelease(other) == "" &&
		strings.HasPrefix(semver.Canonical(other)+".", line+".") && semver.Compare(other, version) > 0
}

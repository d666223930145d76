// Package tag says under which tags a version of the image goes out, as in the kpt function catalog: v1.2.3, which never
// moves, and v1.2 and v1, which move to what is newest. There is no tag latest: a pipeline that follows it changes without
// a commit.
package tag

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// releasable keeps out what git describe says of a commit between two versions, which is a version as well.
var releasable = regexp.MustCompile(`^v\d+\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$`)

// Of gives the tags of a version when others are out already. A fix for an older line does not take v1 from a newer one,
// and a pre-release has only its own tag.
func Of(version string, released []string) ([]string, error) {
	if !semver.IsValid(version) || !releasable.MatchString(version) {
		return nil, fmt.Errorf("%q is no version to release; it has to be like v1.2.3, or v1.2.3-rc.1", version)
	}
	tags := []string{version}
	if semver.Prerelease(version) != "" {
		return tags, nil
	}
	for _, line := range []string{semver.MajorMinor(version), semver.Major(version)} {
		newer := slices.ContainsFunc(released, func(other string) bool { return leads(other, line, version) })
		if !newer {
			tags = append(tags, line)
		}
	}
	return tags, nil
}

// leads tells whether other is a release of the line, such as v1.2, that is newer than version.
func leads(other, line, version string) bool {
	return semver.IsValid(other) && semver.Prerelease(other) == "" &&
		strings.HasPrefix(semver.Canonical(other)+".", line+".") && semver.Compare(other, version) > 0
}

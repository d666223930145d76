package tag_test

import (
	"slices"
	"testing"

	"pillion.dev/pillion/image/tag"
)

func TestForVersion(t *testing.T) {
	released := []string{"v1.1.4", "v1.2.0", "v1.10.0", "v2.0.0-rc.1", "nightly"}
	for name, test := range map[string]struct {
		version string
		out     []string
		want    []string
	}{
		"the first release":                         {"v0.1.0", nil, []string{"v0.1.0", "v0.1", "v0"}},
		"the newest of all":                         {"v1.10.1", released, []string{"v1.10.1", "v1.10", "v1"}},
		"released again":                            {"v1.10.0", released, []string{"v1.10.0", "v1.10", "v1"}},
		"a fix of an older minor keeps v1 in place": {"v1.2.1", released, []string{"v1.2.1", "v1.2"}},
		"v1.1 is no prefix of v1.10":                {"v1.1.5", released, []string{"v1.1.5", "v1.1"}},
		"an older fix":                              {"v1.1.3", released, []string{"v1.1.3"}},
		"a pre-release has its own tag only":        {"v2.0.0-rc.2", released, []string{"v2.0.0-rc.2"}},
		"a pre-release is not in the way":           {"v2.0.0", released, []string{"v2.0.0", "v2.0", "v2"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := tag.ForVersion(test.version, test.out)
			if err != nil || !slices.Equal(got, test.want) {
				t.Errorf("got %q, %v, want %q", got, err, test.want)
			}
		})
	}
}

func TestOnlyAVersionIsReleased(t *testing.T) {
	for _, version := range []string{
		"", "latest", "1.2.3", "v1.2", "v1", "v1.2.3-4-gabcdef", "v1.2.3-dirty", "v01.2.3", "v1.2.3+build", "v1.2.3;id",
	} {
		if tags, err := tag.ForVersion(version, nil); err == nil {
			t.Errorf("%q is released as %q", version, tags)
		}
	}
}

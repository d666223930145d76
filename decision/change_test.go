package decision_test

import (
	"strings"
	"testing"

	"pillion.dev/pillion/decision"
)

func field(field, old, now string) decision.Change {
	return decision.Change{Verb: decision.Updates, Path: "spec/containers", Key: "envoy", Field: field, Old: old, New: now}
}

func thing(verb decision.Verb, path, key, old, now string) decision.Change {
	return decision.Change{Verb: verb, Path: path, Key: key, Old: old, New: now}
}

func TestAnUpdateShowsBothValues(t *testing.T) {
	digest := func(digit string) string { return "@sha256:" + strings.Repeat(digit, 64) }
	tests := map[string]decision.Change{
		"container envoy: image envoy:v1.33.0 -> envoy:v1.34.1": field("image", "envoyproxy/envoy:v1.33.0", "envoyproxy/envoy:v1.34.1"),
		"container envoy: image envoy:v1 -> envoy:v2":           field("image", "localhost:5000/envoy:v1", "envoy:v2"),
		"container envoy: image envoy -> envoy:v2":              field("image", "localhost:5000/envoy", "envoy:v2"),
		"container envoy: image envoy:v1 -> proxy:v1":           field("image", "a/envoy:v1"+digest("1"), "a/proxy:v1"+digest("1")),
		"container envoy: image envoy:v1 -> envoy:v3":           field("image", "a/envoy:v1"+digest("1"), "a/envoy:v3"+digest("2")),
		"container envoy: image envoy:v1@sha256:111111111111... -> envoy:v1@sha256:222222222222...": field(
			"image", "a/envoy:v1"+digest("1"), "a/envoy:v1"+digest("2")),
		"container envoy: image envoy@sha256:111111111111... -> envoy:v1": field("image", "envoy"+digest("1"), "envoy:v1"),
		"container envoy: image a/envoy:v1 -> b/envoy:v1":                 field("image", "x/a/envoy:v1", "x/b/envoy:v1"),
		"container envoy: image library/envoy:v1 -> envoy:v1":             field("image", "mirror/library/envoy:v1", "envoy:v1"),
		"container envoy: imagePullPolicy Always -> IfNotPresent":         field("imagePullPolicy", "Always", "IfNotPresent"),
		`container envoy: workingDir /a -> "/b; removes container web"`:   field("workingDir", "/a", "/b; removes container web"),
		`container envoy: workingDir /a -> "\x1b[31m"`:                    field("workingDir", "/a", "\x1b[31m"),
		"container envoy: updates workingDir":                             field("workingDir", "/a", strings.Repeat("/long", 20)),
		"container envoy: updates args":                                   field("args", "[--a]", "[--b]"),
		"container envoy: adds args":                                      field("args", "", "[--b]"),
		"container envoy: removes args":                                   field("args", "[--a]", ""),
		"label team: a -> b":                                              thing(decision.Updates, "metadata/labels", "team", "a", "b"),
		"replaces hostNetwork: false -> true":                             thing(decision.Replaces, "spec", "hostNetwork", "false", "true"),
		"updates annotation token":                                        thing(decision.Updates, "metadata/annotations", "token", "a", "b"),
		"updates env variable TOKEN of container web":                     thing(decision.Updates, "spec/containers/web/env", "TOKEN", "a", "b"),
		"adds container " + strings.Repeat("a", 320) + "...": thing(
			decision.Adds, "spec/containers", strings.Repeat("a", 1000), "", ""),
		`adds container "a b"`: thing(decision.Adds, "spec/containers", "a b", "", ""),
	}
	for want, change := range tests {
		if got := change.String(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestFieldsOfOneContainerAreNamedTogether(t *testing.T) {
	got := decision.Describe([]decision.Change{
		field("args", "[a]", "[b]"), field("env", "[a]", "[b]"), field("image", "envoy:v1", "envoy:v2"), field("tty", "", "true"),
		{Verb: decision.SetsBack, Path: "spec/containers", Key: "envoy", Field: "workingDir", Old: "/mine", New: "/"},
		{Verb: decision.Removes, Path: "spec/volumes", Key: "conf", Old: "{name: conf}"},
	})
	want := "container envoy: image envoy:v1 -> envoy:v2, sets back workingDir /mine -> /, updates args, env, adds tty; removes volume conf"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

package outcome_test

import (
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/core/outcome"
)

func field(field, old, now string) outcome.Change {
	return outcome.Change{Verb: outcome.Updates, Path: "spec/containers", Key: "envoy", Field: field, Old: old, New: now}
}

func thing(verb outcome.Verb, path, key, old, now string) outcome.Change {
	return outcome.Change{Verb: verb, Path: path, Key: key, Old: old, New: now}
}

func TestAnUpdateShowsBothValues(t *testing.T) {
	digest := func(digit string) string { return "@sha256:" + strings.Repeat(digit, 64) }
	tests := map[string]outcome.Change{
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
		"label team: a -> b":                                              thing(outcome.Updates, "metadata/labels", "team", "a", "b"),
		"replaces hostNetwork: false -> true":                             thing(outcome.Replaces, "spec", "hostNetwork", "false", "true"),
		"updates annotation token":                                        thing(outcome.Updates, "metadata/annotations", "token", "a", "b"),
		"updates env variable TOKEN of container web":                     thing(outcome.Updates, "spec/containers/web/env", "TOKEN", "a", "b"),
		"adds container " + strings.Repeat("a", 320) + "...": thing(
			outcome.Adds, "spec/containers", strings.Repeat("a", 1000), "", ""),
		`adds container "a b"`: thing(outcome.Adds, "spec/containers", "a b", "", ""),
	}
	for want, change := range tests {
		if got := change.String(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestFieldsOfOneContainerAreNamedTogether(t *testing.T) {
	got := outcome.Describe([]outcome.Change{
		field("args", "[a]", "[b]"), field("env", "[a]", "[b]"), field("image", "envoy:v1", "envoy:v2"), field("tty", "", "true"),
		{Verb: outcome.SetsBack, Path: "spec/containers", Key: "envoy", Field: "workingDir", Old: "/mine", New: "/"},
		{Verb: outcome.Removes, Path: "spec/volumes", Key: "conf", Old: "{name: conf}"},
	})
	want := "container envoy: image envoy:v1 -> envoy:v2, sets back workingDir /mine -> /, updates args, env, adds tty; removes volume conf"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestEqualChangesAreCountedOverWorkloads(t *testing.T) {
	run := outcome.Run{}
	for i := range 5 {
		upgrade := field("image", "envoy:v1", "envoy:v2")
		upgrade.Template = fmt.Sprintf("spec.templates[%d]", i)
		app := outcome.Change{Verb: outcome.Adds, Path: fmt.Sprintf("spec/containers/app-%d/env", i), Key: "PROXY"}
		changes := []outcome.Change{app, upgrade, upgrade}
		if i > 2 {
			changes = changes[:1]
		}
		run.Workloads = append(run.Workloads, &outcome.Workload{Outcomes: []*outcome.Outcome{{Decision: outcome.Updated, Changes: changes}}})
	}
	got := fmt.Sprint(run.Changes())
	if want := "[5 x adds env variable PROXY of a container 3 x container envoy: image envoy:v1 -> envoy:v2]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestWhatIsJoinedToAVariableIsCountedWhateverItIs(t *testing.T) {
	run := outcome.Run{}
	for _, name := range []string{"web", "api"} {
		path := "spec/containers/" + name + "/env/OTEL_RESOURCE_ATTRIBUTES/value/,"
		changes := []outcome.Change{{Verb: outcome.Adds, Path: path, Key: "service.name=" + name}}
		run.Workloads = append(run.Workloads, &outcome.Workload{Outcomes: []*outcome.Outcome{{Decision: outcome.Injected, Changes: changes}}})
	}
	got := fmt.Sprint(run.Changes())
	if want := "[2 x adds a value of env variable OTEL_RESOURCE_ATTRIBUTES of a container]"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAWorkloadWithSeveralTemplatesHasEachChangeOnce(t *testing.T) {
	var o outcome.Outcome
	for _, template := range []string{"spec.head.template", "spec.workers[0].template", "spec.workers[1].template"} {
		o.Changes = append(o.Changes,
			outcome.Change{Verb: outcome.Adds, Template: template, Path: "spec/containers", Key: "logs"},
			outcome.Change{Verb: outcome.Adds, Template: template, Path: "spec/containers", Key: "envoy"})
	}
	w := outcome.Workload{Outcomes: []*outcome.Outcome{&o}}
	if got := fmt.Sprint(w.Changes()); got != "[adds containers logs, envoy]" {
		t.Error(got)
	}
}

package patch

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/test/configfields"
	"pillion.dev/pillion/test/golden"
)

// The fields of the spec. Some values of those that are exported are refused.
var (
	exported = []string{
		"action", "selector", "selectorScope", "neverInjectSelector", "rules", "marker", "policy", "jobs", "hostNetwork", "helmHooks",
		"helmReleases",
		"containers", "initContainers", "volumes", "imagePullSecrets", "containers[].mode", "containers[].podInjectPolicy",
		"patchPodMetadata", "patchPodMetadata[].labels", "patchPodMetadata[].annotations", "patchPodMetadata[].patchPolicy",
		"onConflict", "onConflict.container", "onConflict.volume", "onConflict.port",
	}
	refused = []string{
		"paused", "adopt", "namespaces", "namespaceSelector", "names", "excludeNames", "workloads", "podSpec", "appContainers",
		"containers[].before", "containers[].after", "containers[].allowOverride", "containers[].transferEnv",
		"containers[].shareVolumePolicy", "containers[].shareVolumeDevicePolicy", "containers[].resourcesPolicy",
	}
	// meaningless is about what patches do not do. Most of it, pillion verify does with the same config.
	meaningless = []string{
		"checks", "expect", "report", "onDrift", "kubernetesVersion", "defaultNamespace", "namespaceLabels",
		"onConflict.env", "onConflict.mountPath",
	}
)

func TestEveryFieldIsInOneOfTheLists(t *testing.T) {
	isInside := func(field string) bool { return strings.HasPrefix(field, "appContainers[].") } // all of appContainers is refused
	fields := slices.DeleteFunc(configfields.All(), isInside)
	listed := slices.Concat(exported, refused, meaningless)
	slices.Sort(listed)
	if !slices.Equal(fields, listed) {
		t.Errorf("the fields are\n%v\nand the lists have\n%v", fields, listed)
	}
}

func TestRefusalsAreOfListedFields(t *testing.T) {
	missing := map[string]bool{}
	for _, field := range refused {
		missing[field] = true
	}
	for _, r := range Refusals() {
		if r.Patch.Why == "" {
			continue
		}
		delete(missing, r.Field)
		isWhole := r.Patch.When == ""
		isExported := slices.Contains(append(exported, "*"), r.Field)
		if isWhole != slices.Contains(refused, r.Field) || !isWhole && !isExported {
			t.Errorf("%s is in another list, or none", r.Field)
		}
	}
	if len(missing) > 0 {
		t.Errorf("these fields are refused without a reason: %v", slices.Sorted(maps.Keys(missing)))
	}
}

// TestRefusalsAreDocumented compares the list of the page with the refusals. The reasons are in the messages.
func TestRefusalsAreDocumented(t *testing.T) {
	const path, head = "../../../docs/get-started/flux.md", "<!-- written by go test ./internal/export/patch -run Documented -update -->\n"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, isFound := strings.Cut(string(text), head)
	if !isFound {
		t.Fatal("the page has no list")
	}
	_, after, _ := strings.Cut(rest, "\n\n")
	var list strings.Builder
	for _, r := range Refusals() {
		if r.Patch.Why == "" {
			continue
		}
		line := "`" + r.Field + "`: " + r.Patch.When
		if r.Field == "*" {
			line = "`" + r.Patch.When + "`"
		}
		list.WriteString("- " + strings.TrimSuffix(line, ": ") + "\n")
	}
	golden.Check(t, path, before+head+list.String()+"\n"+after)
}

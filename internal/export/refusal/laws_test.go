package refusal_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/export/refusal"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// plain has nothing that is refused. Each config is like it, except for one field.
const plain = "{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, metadata: {name: logs}, " +
	"spec: {containers: [{name: a, image: a, mode: Native}, {name: b, image: b, mode: Native%s}]%s}}"

// Of each field that is refused, values that are and values that are not. A field of a sidecar begins with a comma.
// The paths are those of the findings, for policies and for patches.
var fields = []struct{ field, policy, patch string }{
	{"action: Inject", "", ""},
	{"action: Remove", "spec.action", "spec.action"},
	{"action: Verify", "spec.action", "spec.action"},
	{"paused: true", "spec.paused", "spec.paused"},
	{"paused: false", "", ""},
	{"adopt: true", "spec.adopt", "spec.adopt"},
	{"selector: {matchLabels: {a: b}}", "", ""},
	{"selector: {matchLabels: {a: b}}, selectorScope: PodTemplate", "", ""},
	{"selector: {matchLabels: {a: b}}, selectorScope: Workload", "spec.selectorScope", ""},
	{"namespaces: {include: [a]}", "", "spec.namespaces"},
	{"namespaces: {exclude: [a]}", "", "spec.namespaces"},
	{"namespaceSelector: {matchLabels: {a: b}}", "", "spec.namespaceSelector"},
	{"names: [a]", "spec.names", "spec.names"},
	{"excludeNames: [a]", "spec.excludeNames", "spec.excludeNames"},
	{"neverInjectSelector: [{matchLabels: {a: b}}]", "", ""},
	{"neverInjectSelector: [{matchExpressions: [{key: a, operator: Exists}]}]", "", ""},
	{"neverInjectSelector: [{matchLabels: {a: b, c: d}}]", "", "spec.neverInjectSelector"},
	{"neverInjectSelector: [{matchLabels: {a: b}, matchExpressions: [{key: a, operator: Exists}]}]", "", "spec.neverInjectSelector"},
	{"marker: example.com/inject", "", ""},
	{"policy: Disabled", "", "spec.policy"},
	{"workloads: [{group: example.com, kind: App, podTemplates: [spec.template]}]", "", "spec.workloads"},
	{"rules: [{apiGroups: ['*'], apiVersions: ['*'], resources: ['*']}]", "", ""},
	{"rules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments]}]", "spec.rules", "spec.rules"},
	{"jobs: Skip", "", ""},
	{"jobs: Error", "spec.jobs", "spec.jobs"},
	{"hostNetwork: Skip", "", "spec.hostNetwork"},
	{"hostNetwork: Error", "spec.hostNetwork", "spec.hostNetwork"},
	{"helmHooks: Skip", "spec.helmHooks", "spec.helmHooks"},
	{"onConflict: {container: Error, volume: Error, port: Error}", "", ""},
	{"onConflict: {container: Keep}", "spec.onConflict.container", "spec.onConflict.container"},
	{"onConflict: {volume: Replace}", "spec.onConflict.volume", "spec.onConflict.volume"},
	{"onConflict: {port: Keep}", "spec.onConflict.port", "spec.onConflict.port"},
	{"appContainers: [{env: [{name: E, value: $(F)}]}]", "", "spec.appContainers"},
	{"onConflict: {env: Replace}, appContainers: [{env: [{name: E, value: f}]}]", "", "spec.appContainers"},
	{"onConflict: {env: Replace}, appContainers: [{env: [{name: E, value: $(F)}]}]", "spec.appContainers[0].env[0]", "spec.appContainers"},
	{"onConflict: {env: Replace}, appContainers: [{env: [{name: E, value: $(F), join: ' '}]}]", "", "spec.appContainers"},
	{"podSpec: {priorityClassName: high}", "", "spec.podSpec"},
	{"patchPodMetadata: [{labels: {a: b}, patchPolicy: Overwrite}]", "", ""},
	{
		"patchPodMetadata: [{labels: {a: b}, patchPolicy: Overwrite}, {labels: {c: d, e: f}, patchPolicy: Retain}]", "",
		"spec.patchPodMetadata[1].patchPolicy",
	},
	{
		"patchPodMetadata: [{annotations: {a: '{\"b\":1}'}, patchPolicy: MergePatchJson}]", "spec.patchPodMetadata[0].patchPolicy",
		"spec.patchPodMetadata[0].patchPolicy",
	},
	{", mode: Container", "", "spec.containers[1].mode"},
	{", mode: Auto", "", ""},
	{"kubernetesVersion: '1.28'", "spec.containers[0].mode spec.containers[1].mode", "spec.containers[0].mode spec.containers[1].mode"},
	{", podInjectPolicy: BeforeAppContainer", "", ""},
	{", podInjectPolicy: AfterAppContainer", "", "spec.containers[1].podInjectPolicy"},
	{", before: web", "", "spec.containers[1].before"},
	{", after: web", "", "spec.containers[1].after"},
	{", shareVolumePolicy: {type: Disabled}", "", ""},
	{", shareVolumePolicy: {type: Enabled}", "spec.containers[1].shareVolumePolicy", "spec.containers[1].shareVolumePolicy"},
	{
		", shareVolumeDevicePolicy: {type: Enabled}", "spec.containers[1].shareVolumeDevicePolicy",
		"spec.containers[1].shareVolumeDevicePolicy",
	},
	{", transferEnv: [{sourceContainerName: web}]", "spec.containers[1].transferEnv", "spec.containers[1].transferEnv"},
	{
		", resourcesPolicy: {targetContainersMode: Sum, resourcesExpr: {requests: {cpu: cpu}}}", "spec.containers[1].resourcesPolicy",
		"spec.containers[1].resourcesPolicy",
	},
	{", allowOverride: [image]", "spec.containers[1].allowOverride", "spec.containers[1].allowOverride"},
	{", args: ['${workload.name}', '$${x}']", "", "spec.containers[1].args[0]"},
}

// TestFieldsAreRefusedWhereTheyAre has that a format refuses just what the table says, at its path and with its reason,
// and that each reason of the table is tried.
func TestFieldsAreRefusedWhereTheyAre(t *testing.T) {
	var reasons []string
	for _, test := range fields {
		in := config(t, test.field)
		for i, column := range columns {
			var paths []string
			for _, f := range refusal.Find(in.Plan(), refusal.Table, column) {
				path, why, _ := strings.Cut(f.Message, ": ")
				if f.Field.Path != path || f.Code != finding.NotExportable || f.Severity != finding.Error || f.Injector != "logs" {
					t.Errorf("%s: %+v is at %s", test.field, f, f.Field.Path)
				}
				paths = append(paths, path)
				reasons = append(reasons, why)
			}
			want := []string{test.policy, test.patch}[i]
			if got := strings.Join(paths, " "); got != want {
				t.Errorf("%s: column %d refuses %q, want %q", test.field, i, got, want)
			}
		}
	}
	for _, entry := range refusal.Table {
		for _, column := range columns {
			if why := column(entry).Why; why != "" && !slices.Contains(reasons, why) {
				t.Errorf("nothing is refused because of %s: %s", entry.Field, why)
			}
		}
	}
}

// TestOtherKindsAreRefusedAsAWhole has a config that lacks the fields that the reasons name.
func TestOtherKindsAreRefusedAsAWhole(t *testing.T) {
	in := readConfig(t, "{apiVersion: apps.kruise.io/v1alpha1, kind: SidecarSet, metadata: {name: logs}, "+
		"spec: {selector: {matchLabels: {a: b}}, containers: [{name: a, image: a}]}}")
	for _, column := range columns {
		found := refusal.Find(in.Plan(), refusal.Table, column)
		if len(found) != 1 || found[0].Field.Path != "kind" {
			t.Errorf("got %v", found)
		}
	}
}

var columns = []func(refusal.Entry) refusal.Reason{refusal.Entry.InPolicy, refusal.Entry.InPatch}

func config(t *testing.T, field string) *injector.Injector {
	t.Helper()
	text := fmt.Sprintf(plain, "", ", "+field)
	if strings.HasPrefix(field, ",") {
		text = fmt.Sprintf(plain, field, "")
	}
	text = strings.Replace(text, ", mode: Native, mode: ", ", mode: ", 1)
	if strings.HasPrefix(field, "kubernetesVersion: ") { // which is too old for the mode
		text = strings.ReplaceAll(text, ", mode: Native", "")
	}
	return readConfig(t, text)
}

func readConfig(t *testing.T, text string) *injector.Injector {
	t.Helper()
	document, err := read.Document([]byte(text))
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	in, problems := injector.Read(document.Content[0])
	if finding.HasError(problems) {
		t.Fatalf("%s: %v", text, problems)
	}
	return in[0]
}

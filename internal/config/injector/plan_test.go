package injector_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/test/configfields"
)

const head = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: proxy}
spec:
`

func wordsOf(t *testing.T, spec string) string { return strings.Join(planOf(t, spec).Words(), "\n") }

func planOf(t *testing.T, spec string) *injector.Plan {
	t.Helper()
	config, findings := engine.ReadConfig(finding.Source{Text: []byte(head + spec)})
	if finding.HasError(findings) {
		t.Fatalf("%s: %v", spec, findings)
	}
	return config.Injectors()[0].Plan()
}

const container = "  containers:\n  - {name: proxy, image: p, ports: [{containerPort: 80}], resources: {requests: {cpu: 1}}}\n"

// inPlan has for each field of a config two specs with different values of it, or one that the container above lacks.
var inPlan = map[string]struct{ spec, other string }{
	"paused":              {spec: container + "  paused: true"},
	"kubernetesVersion":   {spec: container + `  kubernetesVersion: "1.28"`},
	"selector":            {spec: container + "  selector: {matchLabels: {app: web}}"},
	"selectorScope":       {container + selector + "  selectorScope: Workload", container + selector},
	"neverInjectSelector": {spec: container + "  neverInjectSelector: [{matchLabels: {app: web}}]"},
	"namespaces":          {spec: container + "  namespaces: {include: [shop]}"},
	"namespaceSelector":   {spec: container + "  namespaceSelector: {matchLabels: {team: a}}"},
	"rules":               {spec: container + "  rules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments]}]"},
	"names":               {spec: container + "  names: [web-*]"},
	"excludeNames":        {spec: container + "  excludeNames: [web-*]"},
	"marker":              {spec: container + "  marker: example.com/mesh"},
	"policy":              {spec: container + "  policy: Disabled"},
	"containers":          {spec: "  containers: [{name: other, image: p}]"},
	"initContainers":      {spec: container + "  initContainers: [{name: init, image: p}]"},
	"volumes":             {spec: container + "  volumes: [{name: data, emptyDir: {}}]"},
	"imagePullSecrets":    {spec: container + "  imagePullSecrets: [{name: registry}]"},
	"appContainers":       {spec: container + "  appContainers: [{env: [{name: A, value: b}]}]"},
	"patchPodMetadata":    {spec: container + "  patchPodMetadata: [{labels: {a: b}}]"},
	"podSpec":             {spec: container + "  podSpec: {dnsPolicy: Default}"},
	"jobs":                {spec: container + "  jobs: Skip"},
	"hostNetwork":         {spec: container + "  hostNetwork: Error"},
	"helmHooks":           {spec: container + "  helmHooks: Skip"},
	"onConflict":          {spec: container + "  onConflict: {container: Keep}"},

	"onConflict.container": {spec: container + "  onConflict: {container: Merge}"},
	"onConflict.volume":    {volume + "  onConflict: {volume: Keep}", volume},
	"onConflict.env":       {app("env: [{name: A, value: b}]") + "\n  onConflict: {env: Replace}", app("env: [{name: A, value: b}]")},
	"onConflict.mountPath": {app(mount) + "\n" + volume + "  onConflict: {mountPath: Replace}", app(mount) + "\n" + volume},
	"onConflict.port":      {spec: container + "  onConflict: {port: Keep}"},

	"containers[].mode":                    {spec: sidecar("mode: Container")},
	"containers[].podInjectPolicy":         {spec: sidecar("podInjectPolicy: AfterAppContainer")},
	"containers[].before":                  {spec: sidecar("before: setup")},
	"containers[].after":                   {spec: sidecar("after: setup")},
	"containers[].allowOverride":           {spec: sidecar("allowOverride: [image]")},
	"containers[].shareVolumePolicy":       {spec: sidecar("shareVolumePolicy: {type: Enabled}")},
	"containers[].shareVolumeDevicePolicy": {spec: sidecar("shareVolumeDevicePolicy: {type: Enabled}")},
	"containers[].transferEnv":             {spec: sidecar("transferEnv: [{sourceContainerName: web, envName: A}]")},
	"containers[].resourcesPolicy":         {spec: sidecar("resourcesPolicy: {resourcesExpr: {requests: {cpu: cpu}}}")},

	"appContainers[].containers":   {app("containers: [web], env: [{name: A, value: b}]"), app("env: [{name: A, value: b}]")},
	"appContainers[].includeInit":  {app("includeInit: true, env: [{name: A, value: b}]"), app("env: [{name: A, value: b}]")},
	"appContainers[].env":          {app("env: [{name: A, value: b}]"), app("env: [{name: B, value: b}]")},
	"appContainers[].envFrom":      {spec: app("envFrom: [{configMapRef: {name: settings}}]")},
	"appContainers[].volumeMounts": {app(mount) + "\n" + volume, volume},
	"appContainers[].envPosition":  {app("envPosition: Append, env: [{name: A, value: b}]"), app("env: [{name: A, value: b}]")},
	"appContainers[].env[].join":   {app("env: [{name: A, value: b, join: ':'}]"), app("env: [{name: A, value: b}]")},
	"appContainers[].env[].joinOrder": {
		app("env: [{name: A, value: b, join: ':', joinOrder: Before}]"), app("env: [{name: A, value: b, join: ':'}]"),
	},

	"patchPodMetadata[].labels":      {spec: metadata("labels: {a: b}")},
	"patchPodMetadata[].annotations": {spec: metadata("annotations: {a: b}")},
	"patchPodMetadata[].patchPolicy": {metadata("annotations: {a: b}, patchPolicy: Overwrite"), metadata("annotations: {a: b}")},
}

const (
	selector = "  selector: {matchLabels: {app: web}}\n"

	volume = "  volumes: [{name: data, emptyDir: {}}]\n"
	mount  = "volumeMounts: [{name: data, mountPath: /data}]"
)

func app(entry string) string      { return "  appContainers: [{" + entry + "}]" }
func sidecar(field string) string  { return "  containers: [{name: proxy, image: p, " + field + "}]" }
func metadata(patch string) string { return container + "  patchPodMetadata: [{" + patch + "}]" }

// notInPlan has the fields that say how a run works, and not what becomes of a pod.
var notInPlan = []string{
	"action", "onDrift", "adopt", "expect", "report", // what a run does with a plan
	"checks",                              // of the result
	"namespaceLabels", "defaultNamespace", // what is known about namespaces
	"workloads",    // where pods are
	"helmReleases", // whose pods are in no manifest
}

// TestWordsOfValues has a transfer without names, and a variable in one of two fields whose paths begin alike.
func TestWordsOfValues(t *testing.T) {
	words := wordsOf(t, sidecar("transferEnv: [{sourceContainerName: web}]"))
	if want := "with all variables of the container web;"; !strings.Contains(words, want) {
		t.Errorf("no %q in\n%s", want, words)
	}
	volumes := make([]string, 11)
	for i := range volumes {
		volumes[i] = fmt.Sprintf("{name: v%d, emptyDir: {}}", i)
	}
	volumes[10] = "{name: v10, configMap: {name: '${workload.name}'}}"
	words = wordsOf(t, "  volumes: ["+strings.Join(volumes, ", ")+"]")
	if !strings.Contains(words, "add volume v10, with variables in configMap.name;") || strings.Count(words, "variables in") != 1 {
		t.Error(words)
	}
}

// TestEveryFieldIsInThePlan makes sure that a new field of the config becomes part of the plan, or is listed as one
// that does not.
func TestEveryFieldIsInThePlan(t *testing.T) {
	fields := configfields.All()
	known := append(slices.Collect(maps.Keys(inPlan)), notInPlan...)
	slices.Sort(known)
	if !slices.Equal(fields, known) {
		t.Errorf("the fields are\n%v\nand the test knows\n%v", fields, known)
	}
}

func TestFieldsChangeThePlan(t *testing.T) {
	for field, test := range inPlan {
		t.Run(field, func(t *testing.T) {
			other := test.other
			if other == "" {
				other = container
			}
			if strings.HasPrefix(field, "containers[].") {
				other = "  containers: [{name: proxy, image: p}]"
			}
			if a, b := wordsOf(t, test.spec), wordsOf(t, other); a == b {
				t.Errorf("the field changes nothing in\n%s", a)
			}
		})
	}
}

package export

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/injector"
	"pillion.dev/pillion/internal/yaml/node"
	yamlread "pillion.dev/pillion/internal/yaml/read"
)

// sidecar is what every case has, so that it has a payload.
const sidecar = "containers: [{name: envoy, image: envoy}]"

func TestUnsupportedFieldsAreNamed(t *testing.T) {
	for _, test := range []struct{ name, spec, field string }{
		{"taking out", "action: Remove", "spec.action"},
		{"nothing at all", "paused: true", "spec.paused"},
		{"taking over", "adopt: true", "spec.adopt"},
		{"labels of the pod template", "selector: {matchLabels: {a: b}}", "spec.selector"},
		{"either labels", "selectorScope: Any\nselector: {matchLabels: {a: b}}", "spec.selector"},
		{"never, by the pod template", "neverInjectSelector: [{matchLabels: {a: b}}]", "spec.neverInjectSelector[0]"},
		{"never, by two labels", "selectorScope: Workload\nneverInjectSelector: [{matchLabels: {a: b, c: d}}]", "spec.neverInjectSelector[0]"},
		{"labels of namespaces", "namespaceSelector: {matchLabels: {a: b}}", "spec.namespaceSelector"},
		{"a pattern of namespaces", "namespaces: {include: [shop, 'team-*']}", "spec.namespaces.include[1]"},
		{"a namespace for objects without one", "namespaces: {exclude: [dev]}\ndefaultNamespace: shop", "spec.defaultNamespace"},
		{"a namespace of Kubernetes for objects without one", "defaultNamespace: kube-system", "spec.defaultNamespace"},
		{"names that are out", "excludeNames: [web]", "spec.excludeNames"},
		{"a pattern of names", "names: [web, 'api-.*']", "spec.names[1]"},
		{"waiting for the marker", "policy: disabled", "spec.policy"},
		{"a kind that is declared", "workloads: [{group: ray.io, kind: RayCluster, podTemplates: [spec.template]}]", "spec.workloads[0]"},
		{"a kind without merge keys", "rules: [{apiGroups: [argoproj.io], apiVersions: ['*'], resources: [rollouts]}]", "spec.rules"},
		{"no kind at all", "rules: [{apiGroups: [''], apiVersions: [v1], resources: [services]}]", "spec.rules"},
		{"what the app's containers get", "appContainers: [{env: [{name: A, value: b}]}]", "spec.appContainers[0]"},
		{
			"JSON in an annotation", "patchPodMetadata: [{annotations: {a: '{}'}, patchPolicy: MergePatchJson}]",
			"spec.patchPodMetadata[0].patchPolicy",
		},
		{"keeping the app's container", "onConflict: {container: Keep}", "spec.onConflict.container"},
		{"replacing the app's volume", "onConflict: {volume: Replace}", "spec.onConflict.volume"},
		{"leaving a port out", "onConflict: {port: Keep}", "spec.onConflict.port"},
		{"pods on the host's network", "hostNetwork: Skip", "spec.hostNetwork"},
		{"Helm hooks", "helmHooks: Error", "spec.helmHooks"},
		{"resources of the pod", "podResources: Share", "spec.podResources"},
		{"clusters without native sidecars", "kubernetesVersion: '1.28'", "spec.containers[0].mode"},
	} {
		t.Run(test.name, func(t *testing.T) { refusesAt(t, test.spec+"\n"+sidecar, test.field) })
	}
	for _, test := range []struct{ name, container, field string }{
		{"before another", "before: app", "spec.containers[0].before"},
		{"after another", "after: app", "spec.containers[0].after"},
		{"in front", "podInjectPolicy: BeforeAppContainer", "spec.containers[0].podInjectPolicy"},
		{"the app's mounts", "shareVolumePolicy: {type: enabled}", "spec.containers[0].shareVolumePolicy"},
		{"the app's devices", "shareVolumeDevicePolicy: {type: enabled}", "spec.containers[0].shareVolumeDevicePolicy"},
		{"the app's variables", "transferEnv: [{sourceContainerName: app, envNames: [A]}]", "spec.containers[0].transferEnv"},
		{"the app's resources", "resourcesPolicy: {resourcesExpr: {requests: {cpu: cpu/2}}}", "spec.containers[0].resourcesPolicy"},
		{"overrides", "allowOverride: [image]", "spec.containers[0].allowOverride"},
		{"variables", "args: ['${workload.name}']", "spec.containers[0].args[0]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			refusesAt(t, "containers: [{name: envoy, image: envoy, mode: Container, "+test.container+"}]", test.field)
		})
	}
}

func refusesAt(t *testing.T, spec, field string) {
	t.Helper()
	made, found := New(read(t, spec), Options{WithoutChecks: true})
	if len(found) == 0 {
		t.Fatalf("it was exported: %d patches", len(made.Patches))
	}
	if len(made.Patches) > 0 {
		t.Error("there are patches beside the error")
	}
	if paths := fieldsOf(found); !slices.Equal(paths, []string{field}) {
		t.Errorf("fields %q, want %q", paths, field)
	}
	if line := found[0].Message; !strings.HasPrefix(line, field+": ") || found[0].Code != finding.NotExportable {
		t.Errorf("%s: %q does not begin with the field", found[0].Code, line)
	}
}

func TestUncheckedFieldsNeedWithoutChecks(t *testing.T) {
	for _, test := range []struct{ name, spec, field string }{
		{"ports", "containers: [{name: envoy, image: envoy, mode: Container, ports: [{containerPort: 80}]}]", "spec.containers[0].ports"},
		{
			"mounts of the app's volumes",
			"containers: [{name: envoy, image: envoy, mode: Container, volumeMounts: [{name: x, mountPath: /x}]}]",
			"spec.containers[0].volumeMounts[0]",
		},
		{"claims", "volumes: [{name: x, emptyDir: {}}]", "spec.volumes"},
		{"selector labels", "patchPodMetadata: [{labels: {a: b}, patchPolicy: Overwrite}]", "spec.patchPodMetadata[0].labels"},
		{"security", "checks: {podSecurity: baseline}\nvolumes: []\n" + plainSidecar, "spec.checks.podSecurity"},
		{"resources", "checks: {requireResources: Warn}\n" + plainSidecar, "spec.checks.requireResources"},
		{"digests", "checks: {requireDigest: Error}\n" + plainSidecar, "spec.checks.requireDigest"},
		{"counts", "expect: {min: 1}\n" + plainSidecar, "spec.expect"},
		{"namespaces that are in", "namespaces: {include: [shop]}\n" + plainSidecar, "spec.namespaces.include"},
		{"namespaces that are out", "namespaces: {exclude: [shop]}\n" + plainSidecar, "spec.namespaces.exclude"},
		{"patterns of namespaces that are out", "namespaces: {include: ['*'], exclude: ['a-*']}\n" + plainSidecar, "spec.namespaces.exclude"},
		{"names", "names: [web]\n" + plainSidecar, "spec.names"},
	} {
		t.Run(test.name, func(t *testing.T) {
			injectors := read(t, test.spec)
			_, found := New(injectors, Options{})
			if paths := fieldsOf(found); !slices.Equal(paths, []string{test.field}) {
				t.Errorf("fields %q, want %q", paths, test.field)
			}
			made, found := New(injectors, Options{WithoutChecks: true})
			if len(found) > 0 {
				t.Fatal(found)
			}
			if len(made.Unchecked) != 1 || !strings.HasPrefix(made.Unchecked[0], test.field+" of envoy: ") {
				t.Errorf("the export tells of %q, want %s", made.Unchecked, test.field)
			}
		})
	}
}

const plainSidecar = "containers: [{name: envoy, image: envoy, mode: Container}]"

func TestRulesForAllGroupsNameNoUnsupportedKind(t *testing.T) {
	for _, groups := range []string{"'*'", "apps, extensions"} {
		made, found := New(read(t, "rules: [{apiGroups: ["+groups+"], apiVersions: ['*'], resources: [deployments]}]\n"+sidecar), Options{})
		if len(found) > 0 {
			t.Fatal(found)
		}
		stops := slices.ContainsFunc(made.Patches, func(p Patch) bool { return p.Target.Group == "extensions" && p.Target.Kind == "Deployment" })
		if !stops {
			t.Errorf("apiGroups [%s]: a Deployment of extensions does not stop the build", groups)
		}
	}
}

func TestNamesTimesNamespacesAreBounded(t *testing.T) {
	names, namespaces := make([]string, 50), make([]string, 50)
	for i := range names {
		names[i], namespaces[i] = fmt.Sprintf("web-%d", i), fmt.Sprintf("shop-%d", i)
	}
	selected := fmt.Sprintf("names: [%s]\nnamespaces: {include: [%s]}\n", strings.Join(names, ", "), strings.Join(namespaces, ", "))
	refusesAt(t, selected+plainSidecar, "spec.names")
}

func TestInjectorsThatAddTheSameAreRefused(t *testing.T) {
	config := `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjectorList
items:
- metadata: {name: one}
  spec: {volumes: [{name: shared, emptyDir: {}}], podSpec: {hostAliases: [{ip: 127.0.0.1, hostnames: [a]}]}}
- metadata: {name: two}
  spec: {volumes: [{name: shared, emptyDir: {}}], podSpec: {hostAliases: [{ip: 127.0.0.2, hostnames: [b]}]}}
`
	_, found := New(readConfig(t, config), Options{WithoutChecks: true})
	want := []string{"items[1].spec.volumes[0]", "items[1].spec.podSpec.hostAliases"}
	if diff := cmp.Diff(want, fieldsOf(found)); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

// TestEveryFieldIsDecided fails when the spec grows: the author of a new field decides whether patches can express it.
func TestEveryFieldIsDecided(t *testing.T) {
	decided := map[reflect.Type]string{
		reflect.TypeFor[v1alpha1.SidecarInjectorSpec](): "Action Paused KubernetesVersion Selector SelectorScope NeverInjectSelector " +
			"Namespaces NamespaceSelector NamespaceLabels DefaultNamespace Rules Names ExcludeNames Marker Policy Workloads " +
			"Containers InitContainers Volumes ImagePullSecrets AppContainers PatchPodMetadata PodSpec Stamp OnDrift Adopt OnConflict Checks " +
			"Jobs HostNetwork PodResources HelmHooks Report Expect",
		reflect.TypeFor[v1alpha1.Container]():        "Container Placement FromApp Overriding Mode",
		reflect.TypeFor[v1alpha1.InitContainer]():    "Container Placement FromApp Overriding",
		reflect.TypeFor[v1alpha1.Placement]():        "PodInjectPolicy Before After",
		reflect.TypeFor[v1alpha1.FromApp]():          "ShareVolumePolicy ShareVolumeDevicePolicy TransferEnv ResourcesPolicy",
		reflect.TypeFor[v1alpha1.Overriding]():       "AllowOverride",
		reflect.TypeFor[v1alpha1.OnConflict]():       "Container Volume Env MountPath Port",
		reflect.TypeFor[v1alpha1.Checks]():           "PodSecurity RequireResources RequireDigest",
		reflect.TypeFor[v1alpha1.PodMetadataPatch](): "Labels Annotations PatchPolicy",
	}
	for spec, fields := range decided {
		var has []string
		for i := range spec.NumField() {
			has = append(has, spec.Field(i).Name)
		}
		if diff := cmp.Diff(strings.Fields(fields), has); diff != "" {
			t.Errorf("%s has fields that nobody decided about (-decided +has):\n%s", spec.Name(), diff)
		}
	}
}

func TestPayloadsReadTheSameInYAML11(t *testing.T) {
	var n node.Node
	if err := yamlread.Into([]byte(`[yes, "no", on, 0o14, 0644, 1.5, true, 12:30, plain, /path, ~, '1e3']`), &n); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := encode(&text, asYAML11(withoutPositions(n.Content[0])).Library()); err != nil {
		t.Fatal(err)
	}
	const want = `["yes", "no", "on", 12, 420, 1.5, true, "12:30", plain, /path, null, '1e3']`
	if got := strings.TrimSpace(text.String()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// withoutPositions makes nodes of what was read, as the reader of configs does: there, yes is a string.
func withoutPositions(n *node.Node) *node.Node {
	n.Start, n.End = 0, 0
	for _, child := range n.Content {
		withoutPositions(child)
	}
	return n
}

func fieldsOf(found []finding.Finding) []string {
	var fields []string
	for _, f := range found {
		fields = append(fields, f.Field.Path)
	}
	return fields
}

func read(t *testing.T, spec string) []*injector.Injector {
	t.Helper()
	return readConfig(t, "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: envoy}\nspec:\n  "+
		strings.ReplaceAll(spec, "\n", "\n  ")+"\n")
}

func readConfig(t *testing.T, config string) []*injector.Injector {
	t.Helper()
	var document node.Node
	if err := yamlread.Into([]byte(config), &document); err != nil {
		t.Fatal(err)
	}
	injectors, found := injector.Read(&document)
	if finding.HasError(found) {
		t.Fatalf("%+v in\n%s", found, config)
	}
	return injectors
}

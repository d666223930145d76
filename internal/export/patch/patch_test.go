package patch_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/export/patch"
)

const sidecar = "containers: [{name: envoy, image: envoy}]"

func TestRefusedFieldsAreNamed(t *testing.T) {
	refused := map[string]bool{}
	for _, test := range []struct{ spec, field string }{
		{"action: Remove", "action"},
		{"paused: true", "paused"},
		{"adopt: true", "adopt"},
		{"neverInjectSelector: [{matchLabels: {a: b}}, {matchLabels: {a: b, c: d}}]", "neverInjectSelector"},
		{"namespaces: {include: [shop]}", "namespaces"},
		{"namespaces: {exclude: [shop]}", "namespaces"},
		{"namespaceSelector: {matchLabels: {a: b}}", "namespaceSelector"},
		{"names: [web]", "names"},
		{"excludeNames: [web]", "excludeNames"},
		{"policy: Disabled", "policy"},
		{"workloads: [{group: ray.io, kind: RayCluster, podTemplates: [spec.template]}]", "workloads"},
		{"rules: [{apiGroups: [argoproj.io], apiVersions: ['*'], resources: [rollouts]}]", "rules"},
		{"rules: [{apiGroups: [apps], apiVersions: [v1beta1], resources: [deployments]}]", "rules"},
		{"jobs: Error", "jobs"},
		{"hostNetwork: Skip", "hostNetwork"},
		{"helmHooks: Error", "helmHooks"},
		{"onConflict: {container: Keep}", "onConflict.container"},
		{"onConflict: {volume: Replace}", "onConflict.volume"},
		{"onConflict: {port: Keep}", "onConflict.port"},
		{"appContainers: [{env: [{name: A, value: b}]}]", "appContainers"},
		{"podSpec: {dnsPolicy: Default}", "podSpec"},
		{"patchPodMetadata: [{labels: {a: b}, patchPolicy: Overwrite}, {labels: {c: d}}]", "patchPodMetadata[1].patchPolicy"},
		{"patchPodMetadata: [{annotations: {a: '{}'}, patchPolicy: MergePatchJson}]", "patchPodMetadata[0].patchPolicy"},
		{"kubernetesVersion: '1.28'", "containers[0].mode"},
		{"initContainers: [{name: init, image: i}]", "initContainers[0].podInjectPolicy"},
		{"volumes: [{name: x, configMap: {name: '${workload.name}'}}]", "volumes[0].configMap.name"},
	} {
		refusesAt(t, test.spec+"\n"+sidecar, test.field, refused)
	}
	for _, test := range []struct{ container, field string }{
		{"mode: Container", "mode"},
		{"podInjectPolicy: AfterAppContainer", "podInjectPolicy"},
		{"before: app", "before"},
		{"after: app", "after"},
		{"shareVolumePolicy: {type: Enabled}", "shareVolumePolicy"},
		{"shareVolumeDevicePolicy: {type: Enabled}", "shareVolumeDevicePolicy"},
		{"transferEnv: [{sourceContainerName: app, envNames: [A]}]", "transferEnv"},
		{"resourcesPolicy: {resourcesExpr: {requests: {cpu: cpu/2}}}", "resourcesPolicy"},
		{"allowOverride: [image]", "allowOverride"},
	} {
		refusesAt(t, "containers: [{name: envoy, image: envoy, "+test.container+"}]", "containers[0]."+test.field, refused)
	}
	for _, r := range patch.Refusals() {
		if r.Patch.Why != "" && !refused[r.Patch.Why] {
			t.Errorf("no case is refused because of %s", r.Field)
		}
	}
}

func refusesAt(t *testing.T, spec, field string, refused map[string]bool) {
	t.Helper()
	_, found := patch.New(read(t, spec))
	var paths []string
	for _, f := range found {
		paths = append(paths, f.Field.Path)
		why, isFirst := strings.CutPrefix(f.Message, f.Field.Path+": ")
		if refused[why] = true; !isFirst || f.Code != finding.NotExportable {
			t.Errorf("%s: %q does not begin with the field", f.Code, f.Message)
		}
	}
	if !slices.Contains(paths, "spec."+field) || len(paths) > 2 {
		t.Errorf("%s: refused are %q, want spec.%s", spec, paths, field)
	}
}

func TestInjectorsDoNotShareNames(t *testing.T) {
	const volume = sidecar + "\nvolumes: [{name: data, emptyDir: {}}]"
	same, other := strings.ReplaceAll(volume, "envoy", "proxy"), strings.Replace(volume, "emptyDir: {}", "emptyDir: {medium: Memory}", 1)
	if _, found := patch.New(read(t, volume, same)); len(found) > 0 {
		t.Errorf("the same volume is refused: %v", found)
	}
	_, found := patch.New(read(t, volume, other))
	if len(found) != 1 || found[0].Field.Path != "spec.volumes[0]" {
		t.Errorf("another volume of the same name: %v", found)
	}
}

func TestTargets(t *testing.T) {
	for _, test := range []struct {
		claim, spec string
		want        []string
	}{
		{"selectors of the pod", "selector: {matchLabels: {a: b}}\nneverInjectSelector: [{matchLabels: {c: d}}]\nmarker: me.io/in", []string{
			`{group: "(apps|batch)?", version: v1, kind: Deployment|StatefulSet|DaemonSet|ReplicaSet|ReplicationController|Job, ` +
				`labelSelector: "a=b,c!=d,me.io/in!=false", annotationSelector: me.io/in!=false}`,
			`{group: batch, version: v1, kind: CronJob, ` +
				`labelSelector: "a=b,c!=d,me.io/in!=false", annotationSelector: me.io/in!=false}`,
			`{group: ^$, version: v1, kind: Pod, ` +
				`labelSelector: "a=b,c!=d,me.io/in!=false", annotationSelector: me.io/in!=false}`,
		}},
		{"one kind", "rules: [{apiGroups: [apps, extensions], apiVersions: [v1], resources: [deployments]}]", []string{
			`{group: apps, version: v1, kind: Deployment, ` + marked,
		}},
		{"no jobs", "jobs: Skip\nrules: [{apiGroups: ['*'], apiVersions: ['*'], resources: [jobs, cronjobs, statefulsets]}]", []string{
			`{group: apps, version: v1, kind: StatefulSet, ` + marked,
		}},
	} {
		got := targets(t, test.spec+"\n"+sidecar)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n%s\nwant:\n%s", test.claim, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
		}
	}
}

const marked = `labelSelector: pillion.dev/inject!=false, annotationSelector: pillion.dev/inject!=false}`

func targets(t *testing.T, spec string) (all []string) {
	t.Helper()
	made, found := patch.New(read(t, spec))
	if len(found) > 0 {
		t.Fatal(found)
	}
	for _, part := range strings.Split(string(made.Component()), "\n- target: ")[1:] {
		target, _, _ := strings.Cut(part, "\n  patch:")
		all = append(all, strings.ReplaceAll(target, "\n    ", " "))
	}
	return all
}

// TestComponentIsShort holds the size of a simple export: a native sidecar with a volume.
func TestComponentIsShort(t *testing.T) {
	made, found := patch.New(read(t, `selector: {matchLabels: {tier: web}}
volumes:
- name: buffer
  emptyDir: {}
containers:
- name: fluent-bit
  image: fluent/fluent-bit:3.2.4
  volumeMounts: [{name: buffer, mountPath: /buffer}]`))
	if lines := bytes.Count(made.Component(), []byte("\n")); len(found) > 0 || lines > 60 {
		t.Errorf("it has %d lines: %v", lines, found)
	}
}

// read returns the injectors of specs.
func read(t *testing.T, specs ...string) []*injector.Injector {
	t.Helper()
	var list strings.Builder
	for i, spec := range specs {
		head := "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: injector-%d}\nspec:\n  %s\n---\n"
		fmt.Fprintf(&list, head, i, strings.ReplaceAll(spec, "\n", "\n  "))
	}
	config, findings := engine.ReadConfig(finding.Source{Text: []byte(list.String())})
	if finding.HasError(findings) {
		t.Fatalf("%v: %v", specs, findings)
	}
	return config.Injectors()
}

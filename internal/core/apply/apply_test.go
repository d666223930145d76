package apply_test

import (
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/apply"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/test/golden"
)

// TestApply runs plans on pods. The golden file has each pod after it, what the injector wants of it, and all that is
// reported.
func TestApply(t *testing.T) {
	const (
		plain   = "{spec: {containers: [{name: web, image: 'web:1'}, {name: db, image: 'db:1'}]}}"
		mounted = "{spec: {volumes: [{name: data, emptyDir: {}}, {name: token, secret: {secretName: t}}], containers: [{name: web, " +
			"env: [{name: A, value: a}, {name: B, value: $(A)}], volumeMounts: [{name: data, mountPath: /data}, " +
			"{name: token, mountPath: /var/run/secrets/kubernetes.io/serviceaccount}, {name: data, mountPath: /x, subPathExpr: $(A)}], " +
			"ports: [{name: http, containerPort: 80}], resources: {requests: {cpu: 100m, memory: 64Mi}, limits: {cpu: 1}}}]}}"
		sidecar = "containers: [{name: logs, image: 'logs:1'%s}]"
		native  = "{spec: {initContainers: [{name: first}, {name: side, restartPolicy: Always}], containers: [{name: web}]}}"
	)
	with := func(fields string) string { return strings.Replace(sidecar, "%s", ", "+fields, 1) }
	label := func(key string) string { return "{metadata: {labels: {" + key + ": x}}, spec: {containers: []}}" }
	var b strings.Builder
	for _, test := range []struct{ claim, spec, pod string }{
		{"a native sidecar", with("tty: true"), plain},
		{"a native sidecar goes before other init containers", with("tty: true"), native},
		{"a native sidecar after one", with("after: first"), native},
		{"a plain container goes last", with("mode: Container"), plain},
		{"a plain container goes first, and the app's stays the default", with("mode: Container, podInjectPolicy: BeforeAppContainer"), plain},
		{"before another", with("mode: Container, before: db"), plain},
		{"after another", with("mode: Container, after: web"), plain},
		{"after one that is not there", with("mode: Container, after: none"), plain},
		{"an equal container", with("mode: Container"), "{spec: {containers: [{name: web}, {name: logs, image: 'logs:1'}]}}"},
		{"a container of the app's name", with("mode: Container"), strings.Replace(plain, "db,", "logs,", 1)},
		{"it is kept", with("mode: Container") + ", onConflict: {container: Keep}", strings.Replace(plain, "db,", "logs,", 1)},
		{"it is replaced", with("mode: Container") + ", onConflict: {container: Replace}", strings.Replace(plain, "db,", "logs,", 1)},
		{"it is merged", with("mode: Container, args: [x]") + ", onConflict: {container: Merge}", strings.Replace(plain, "db,", "logs,", 1)},
		{"a name in the other list", with("mode: Container"), "{spec: {initContainers: [{name: logs}], containers: [{name: web}]}}"},
		{"an init container", "initContainers: [{name: setup, image: s}]", native},
		{"an init container first", "initContainers: [{name: setup, image: s, podInjectPolicy: BeforeAppContainer}]", native},
		{"a port that is taken", with("mode: Container, ports: [{containerPort: 80}]"), mounted},
		{"a port that is free", with("mode: Container, ports: [{containerPort: 81}]"), mounted},
		{"a volume", "volumes: [{name: new, emptyDir: {}}]", mounted},
		{"an equal volume", "volumes: [{name: data, emptyDir: {}}]", mounted},
		{"another volume", "volumes: [{name: data, hostPath: {path: /}}]", mounted},
		{"another volume is kept", "volumes: [{name: data, hostPath: {path: /}}], onConflict: {volume: Keep}", mounted},
		{"another volume is replaced", "volumes: [{name: data, hostPath: {path: /}}], onConflict: {volume: Replace}", mounted},
		{"pull secrets", "imagePullSecrets: [{name: a}, {name: b}]", "{spec: {imagePullSecrets: [{name: b}], containers: []}}"},
		{"mounts of the app", with("shareVolumePolicy: {type: Enabled}"), mounted},
		{"a mount that the sidecar has", with("volumeMounts: [{name: v, mountPath: /data}], shareVolumePolicy: {type: Enabled}"), mounted},
		{"variables of the app", with("env: [{name: A, value: own}], transferEnv: [{sourceContainerName: web}]"), mounted},
		{"one variable", with("transferEnv: [{sourceContainerName: web, envName: B}]"), mounted},
		{"a variable that is not there", with("transferEnv: [{sourceContainerName: web, envName: C}]"), mounted},
		{"variables of a container that is not there", with("transferEnv: [{sourceContainerName: none}]"), mounted},
		{
			"resources by expression",
			with("resourcesPolicy: {resourcesExpr: {requests: {cpu: 'max(cpu*50%, 10m)'}, limits: {memory: memory/2}}}"), mounted,
		},
		{"a variable for the app", "appContainers: [{env: [{name: NEW, value: x}]}]", mounted},
		{"a variable for some", "appContainers: [{containers: [db], env: [{name: NEW, value: x}]}]", plain},
		{"a variable for all, init containers included", "appContainers: [{includeInit: true, env: [{name: NEW, value: x}]}]", native},
		{"an equal variable", "appContainers: [{env: [{name: A, value: a}]}]", mounted},
		{"another variable", "appContainers: [{env: [{name: A, value: x}]}]", mounted},
		{"another variable is kept", "appContainers: [{env: [{name: A, value: x}]}], onConflict: {env: Keep}", mounted},
		{"another variable is replaced", "appContainers: [{env: [{name: A, value: x}]}], onConflict: {env: Replace}", mounted},
		{"a joined variable", "appContainers: [{env: [{name: A, value: x, join: ':'}]}]", mounted},
		{"a joined variable that is there", "appContainers: [{env: [{name: A, value: a, join: ':'}]}]", mounted},
		{"a joined variable that is new", "appContainers: [{env: [{name: NEW, value: x, join: ':'}]}]", mounted},
		{"a variable that is referred to comes first", "appContainers: [{env: [{name: X, value: $(A)}]}]", mounted},
		{"a mount for the app", "appContainers: [{volumeMounts: [{name: data, mountPath: /new}]}]", mounted},
		{"another mount at a path", "appContainers: [{volumeMounts: [{name: token, mountPath: /data}]}]", mounted},
		{"envFrom for the app", "appContainers: [{envFrom: [{configMapRef: {name: c}}]}]", mounted},
		{"pod fields", "podSpec: {serviceAccountName: sa, nodeSelector: {zone: a}, tolerations: [{key: k}]}", plain},
		{
			"pod fields that are there", "podSpec: {hostname: x, nodeSelector: {zone: a, disk: ssd}}",
			"{spec: {hostname: y, nodeSelector: {zone: b}, containers: []}}",
		},
		{"labels", "patchPodMetadata: [{labels: {a: b}, annotations: {c: d}}]", plain},
		{"labels that are there", "patchPodMetadata: [{labels: {a: b}}]", label("a")},
		{"labels are overwritten", "patchPodMetadata: [{labels: {a: b}, patchPolicy: Overwrite}]", label("a")},
		{"a label of the selector", "patchPodMetadata: [{labels: {app: b}, patchPolicy: Overwrite}]", label("app")},
		{
			"the sum, and requests by limits", with("resourcesPolicy: {targetContainersMode: Sum, resourcesExpr: {requests: {cpu: cpu}}}"),
			"{spec: {containers: [{name: a, resources: {limits: {cpu: 100m}}}, {name: b, resources: {requests: {cpu: 200m}}}]}}",
		},
		{
			"the greatest",
			with("resourcesPolicy: {targetContainersMode: Max, resourcesExpr: {requests: {cpu: cpu}, limits: {cpu: cpu}}}"),
			"{spec: {containers: [{name: a, resources: {limits: {cpu: 100m}}}, {name: b, resources: {requests: {cpu: 200m}}}]}}",
		},
		{
			"more than the limit", with("resourcesPolicy: {resourcesExpr: {requests: {cpu: cpu*200%}, limits: {cpu: cpu}}}"),
			"{spec: {containers: [{name: a, resources: {limits: {cpu: 100m}}}]}}",
		},
		{"ports that are taken are left out", with("mode: Container, ports: [{containerPort: 80}]") + ", onConflict: {port: Keep}", mounted},
		{
			"one port is left out", with("mode: Container, ports: [{containerPort: 80}, {containerPort: 81}]") + ", onConflict: {port: Keep}",
			mounted,
		},
		{
			"ports that are its own", with("mode: Container, ports: [{containerPort: 80}]") + ", onConflict: {container: Replace}",
			strings.Replace(mounted, "name: web", "name: logs", 1),
		},
		{"a readiness probe of a native sidecar", with("readinessProbe: {tcpSocket: {port: 1}}"), plain},
		{"a readiness probe behind a startup probe", with("readinessProbe: {tcpSocket: {port: 1}}, startupProbe: {tcpSocket: {port: 1}}"), plain},
		{"a plain container in a pod that finishes", with("mode: Container"), "{spec: {restartPolicy: Never, containers: [{name: web}]}}"},
		{
			"JSON in an annotation", "patchPodMetadata: [{annotations: {j: '{\"a\":null,\"b\":{\"c\":1}}'}, patchPolicy: MergePatchJson}]",
			"{metadata: {annotations: {j: '{\"a\":1,\"b\":{\"d\":2}}'}}, spec: {containers: []}}",
		},
		{
			"what is not JSON in an annotation", "patchPodMetadata: [{annotations: {j: '{\"a\":1}'}, patchPolicy: MergePatchJson}]",
			"{metadata: {annotations: {j: '{} {}'}}, spec: {containers: []}}",
		},
		{
			"an error ends it", "volumes: [{name: data, hostPath: {path: /}}], containers: [{name: logs, image: l, ports: [{containerPort: 80}]}]",
			mounted,
		},
		{
			"the last of two variables", with("transferEnv: [{sourceContainerName: a}]"),
			"{spec: {containers: [{name: a, env: [{name: A, value: first}, {name: A, value: last}]}]}}",
		},
		{
			"the pod's own resources", with("resources: {requests: {cpu: 100m}}"),
			"{spec: {resources: {requests: {cpu: 1}}, containers: [{name: web}]}}",
		},
	} {
		fmt.Fprintf(&b, "# %s\n%s\n", test.claim, applied(t, test.spec, test.pod))
	}
	golden.Check(t, "testdata/apply.golden", b.String())
}

func applied(t *testing.T, spec, pod string) string {
	t.Helper()
	const head = "{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, metadata: {name: x}, spec: {"
	in, problems := injector.Read(document(t, head+spec+"}}"))
	if finding.HasError(problems) {
		t.Fatalf("%s: %v", spec, problems)
	}
	before := document(t, pod)
	p := alone(before)
	p.Finishes = node.Text(before, "spec", "restartPolicy") == "Never"
	p.SelectorLabels = []string{"app"}
	findings := apply.Apply(p, in[0].Plan(), nil, nil)
	var b strings.Builder
	for _, entry := range p.Entries {
		fmt.Fprintf(&b, "wants %s %s", entry.Path, entry.Key)
		if entry.IsApps() {
			b.WriteString(", which the app has")
		}
		if entry.Verb == ledger.Join {
			b.WriteString(", to which it joins something")
		}
		b.WriteString("\n")
	}
	alone := p.Alone()
	view := stamp.NewView(alone)
	for _, f := range append(findings, p.LateWarnings(view, view)...) {
		fmt.Fprintf(&b, "%s %s %s: %s\n", f.Severity, f.Code, f.Field.Path, f.Message)
	}
	if finding.HasError(findings) { // nothing of it is used
		return b.String()
	}
	return flow(alone) + "\n" + b.String()
}

// flow returns a node in braces and brackets.
func flow(n *node.Node) string {
	n = node.Resolve(n)
	var parts []string
	switch n.Kind {
	case node.MappingNode:
		for key, value := range node.Fields(n) {
			parts = append(parts, key+": "+flow(value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case node.SequenceNode:
		for _, entry := range n.Content {
			parts = append(parts, flow(entry))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	default:
		return n.Value
	}
}

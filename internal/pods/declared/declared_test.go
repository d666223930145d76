package declared_test

import (
	"strings"
	"testing"

	"pillion.dev/pillion/internal/pods/declared"
	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
)

func read(t *testing.T, text string) *node.Node {
	t.Helper()
	var document node.Node
	if err := yamlread.Into([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	return document.Content[0]
}

// found returns the paths of the differences between two containers.
func found(t *testing.T, wanted, live string) string {
	t.Helper()
	var all []string
	for _, d := range declared.InPod(read(t, wanted), read(t, live), "spec", "containers", "log") {
		all = append(all, d.Path)
	}
	return strings.Join(all, " ")
}

func TestSameMeaningToKubernetes(t *testing.T) {
	for name, c := range map[string]struct{ declared, live string }{
		"defaults of the API server": {"{name: log, image: l}", "{name: log, image: l, imagePullPolicy: IfNotPresent, resources: {}}"},
		"quantities":                 {"{resources: {limits: {cpu: 0.1, memory: 1Gi}}}", "{resources: {limits: {cpu: 100m, memory: 1024Mi}}}"},
		"small quantities":           {"{resources: {limits: {cpu: 100u}}}", "{resources: {limits: {cpu: 1m}}}"},
		"protocols": {
			"{ports: [{containerPort: 53}]}", "{ports: [{containerPort: 53, protocol: UDP}, {containerPort: 53, protocol: TCP}]}",
		},
		"more entries in keyed lists": {
			"{env: [{name: A, value: a}], volumeMounts: [{name: v, mountPath: /v}]}",
			"{env: [{name: Z, value: z}, {name: A, value: a}], volumeMounts: [{name: v, mountPath: /v}, {name: t, mountPath: /t}]}",
		},
		"variables that take no effect": {
			"{env: [{name: A, value: a}, {name: A, value: b}]}", "{env: [{name: A, value: z}, {name: A, value: a}, {name: A, value: b}]}",
		},
		"zero values": {"{tty: false, workingDir: \"\", env: [{name: A, value: \"\"}], args: []}", "{env: [{name: A}]}"},
		"zero values of defaults": {
			"{imagePullPolicy: \"\", livenessProbe: {periodSeconds: 0}}", "{imagePullPolicy: Always, livenessProbe: {periodSeconds: 10}}",
		},
		"texts of other types":     {"{args: [yes, 010]}", "{args: [\"yes\", \"010\"]}"},
		"numbers of YAML 1.1":      {"{securityContext: {runAsUser: 0x10}}", "{securityContext: {runAsUser: 16}}"},
		"null is no declaration":   {"{command: null}", "{command: [a]}"},
		"mappings of empty fields": {"{resources: {claims: []}}", "{}"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := found(t, c.declared, c.live); got != "" {
				t.Errorf("%s differ", got)
			}
		})
	}
}

func TestDifferences(t *testing.T) {
	for _, c := range []struct{ declared, live, want string }{
		{"{image: l:2}", "{image: l:1}", "image"},
		{"{image: l:2}", "{}", "image"},
		{"{resources: {limits: {cpu: 1, memory: 1Gi}}}", "{resources: {limits: {cpu: 1}}}", "resources.limits.memory"},
		{"{resources: {limits: {cpu: 0}}}", "{}", "resources.limits.cpu"},
		{"{env: [{name: A, value: a}, {name: B, value: b}]}", "{env: [{name: A, value: c}]}", "env[A].value env[B]"},
		{"{env: [{name: A, value: a}]}", "{env: [{name: A, value: a}, {name: A, value: b}]}", "env[A].value"},
		{"{env: [{name: A, value: a}, {name: A, value: b}]}", "{env: [{name: A, value: b}]}", "env[A]"},
		{"{args: [a, b]}", "{args: [a, c]}", "args[1]"},
		{"{args: [a]}", "{args: [a, b, c]}", "args[1]"},
		{"{args: [a, b]}", "{args: [a]}", "args[1]"},
		{"{args: []}", "{args: [a]}", "args[0]"},
		{"{ports: [{containerPort: 53, protocol: UDP}]}", "{ports: [{containerPort: 53, protocol: TCP}]}", "ports[53/UDP]"},
		{"{securityContext: {}}", "{}", "securityContext"},
		{"{securityContext: {runAsNonRoot: false}}", "{securityContext: {}}", "securityContext.runAsNonRoot"},
		{"{livenessProbe: {httpGet: {port: 80}}}", "{livenessProbe: {httpGet: {port: \"80\"}}}", "livenessProbe.httpGet.port"},
		{"{image: l}", "{image: [l]}", "image"},
		{"{resources: {limits: {cpu: \"1e-999999999\"}}}", "{resources: {limits: {cpu: \"1e-999999999\"}}}", "resources.limits.cpu"},
		{"{unknownField: 1}", "{}", "unknownField"},
	} {
		if got := found(t, c.declared, c.live); got != c.want {
			t.Errorf("%s and %s differ in %q, want %q", c.declared, c.live, got, c.want)
		}
	}
}

func TestOtherPartsOfAPod(t *testing.T) {
	if got := declared.InPod(node.String("a"), node.String("b"), "metadata", "labels", "app"); len(got) != 1 || got[0].Path != "" {
		t.Errorf("got %v", got)
	}
	volume, live := "{name: v, emptyDir: {}}", "{name: v, emptyDir: {}, other: 1}"
	if got := declared.InPod(read(t, volume), read(t, live), "spec", "volumes", "v"); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	if got := declared.InPod(read(t, volume), nil, "spec", "volumes", "v"); len(got) == 0 {
		t.Error("a missing volume is no difference")
	}
}

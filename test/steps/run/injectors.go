package main

import (
	"context"
	"strings"

	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/joined"
)

// takeOver is an injector that takes over all that it can from the app, gives it something, and checks what comes of it.
const takeOver = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: NAME}
spec:
  onConflict: {env: Replace, mountPath: Replace}
  checks: {podSecurity: baseline, requireDigest: Warn, requireResources: Warn}
  containers:
  - name: NAME
    image: i
    shareVolumePolicy: {type: enabled, includeInjected: true}
    transferEnv: [{sourceContainerName: a}]
    resourcesPolicy:
      resourcesExpr: {requests: {cpu: "max(cpu*10%, 50m)"}, limits: {memory: memory/4}}
  appContainers:
  - env: [{name: LOG, value: NAME}]
    volumeMounts: [{name: NAME, mountPath: /NAME}]
  volumes: [{name: NAME, emptyDir: {}}]
`

// takeOverFromApp injects, again, and removes.
func takeOverFromApp(text []byte) error {
	return apply(strings.ReplaceAll(takeOver, "NAME", "logs"), text)
}

// keepOfApp injects, again, and removes, and reports each value of the app that stays.
func keepOfApp(text []byte) error {
	const more = "  podSpec: {hostAliases: [{ip: 1.1.1.1, hostnames: [x]}], nodeSelector: {app: x}, serviceAccountName: x}\n" +
		"  patchPodMetadata: [{labels: {app: x}}]\n"
	injector := strings.NewReplacer("NAME", "logs", "Replace", "Keep", "{name: LOG,", "{name: NEW, value: x}, {name: LOG,",
		"    image: i\n", "    image: i\n    podInjectPolicy: BeforeAppContainer\n").Replace(takeOver)
	return apply(injector+more, text)
}

// injectTwice runs two injectors, each of which finds the stamp of the other.
func injectTwice(text []byte) error {
	return injectInTurn(text, strings.Replace(takeOver, "{name: LOG,", "{name: LOG_NAME,", 1))
}

// joinTwice runs two injectors, each of which finds what the other joined to the app's variables.
func joinTwice(text []byte) error {
	return injectInTurn(text, strings.Replace(takeOver, "value: NAME}", "value: NAME, join: ' '}", 1))
}

func injectInTurn(text []byte, spec string) error {
	for _, name := range []string{"logs", "mesh", "logs"} {
		injector := strings.ReplaceAll(spec, "NAME", name)
		config, _ := engine.ReadConfig(engine.Source{File: "inject.yaml", Text: []byte(injector)})
		result, _ := engine.Apply(context.Background(), config, engine.Source{File: "a.yaml", Text: text})
		if after := result.Texts[0]; after != nil {
			text = after
		}
	}
	return nil
}

// splitParts searches a value for many parts that begin or end like every element of it, and mostly are not there.
func splitParts(text []byte) error {
	value := strings.TrimSuffix(strings.Repeat("a ", len(text)/10), " ")
	parts := make([]joined.Part, len(text)/10)
	for i := range parts {
		parts[i].Text = []string{"a", "a b", "b a"}[i%3]
	}
	joined.Split(value, " ", parts)
	return nil
}

func init() {
	readers = append(readers, reader{"take over and remove", shape, takeOverFromApp}, reader{"keep what the app has", shape, keepOfApp},
		reader{"inject twice", shape, injectTwice}, reader{"join twice", shape, joinTwice}, reader{"split parts", shape, splitParts})
	for name, grow := range podShapes {
		texts = append(texts, text{name, shape, grow})
	}
}

// podShapes are pods with many of one thing that injectors and checks look at.
var podShapes = map[string]func(size int) string{
	"resource names": func(n int) string {
		all := numbered("        example.com/r%d: 1\n")(n)
		return pod + "    resources:\n      limits:\n" + all + "      requests:\n" + all
	},
	"native sidecars with resources": func(n int) string {
		return pod + "  resources: {limits: {cpu: 1}}\n  initContainers:\n" +
			numbered("  - {name: i%[1]d, restartPolicy: Always, resources: {limits: {example.com/r%[1]d: 1}}}\n")(n)
	},
	"containers with variables and mounts": func(n int) string {
		return pod + numbered("  - name: c%[1]d\n    env: [{name: E%[1]d, value: v}, {name: LOG, value: v%[1]d}]\n"+
			"    volumeMounts: [{name: v, mountPath: /%[1]d}]\n")(n) +
			"  volumes: [{name: v, emptyDir: {}}]\n"
	},
	"a variable that is set again and again": func(n int) string {
		return pod + "    env:\n" + strings.Repeat("    - {name: LOG, value: v}\n", n)
	},
	"a variable with many elements": func(n int) string {
		return pod + "    env: [{name: LOG, value: \"" + numbered("v%d ")(n) + "\"}]\n"
	},
	"a variable with many references": func(n int) string {
		return pod + "    env: [{name: E, value: \"" + numbered("$(E%d)")(n) + "\"}]\n" +
			"    envFrom:\n" + numbered("    - configMapRef: {name: c%d}\n")(n)
	},
	"mounts with variables": func(n int) string {
		return pod + "    env:\n" + numbered("    - {name: E%d, value: v}\n")(n) +
			"    volumeMounts:\n" + numbered("    - {name: v, mountPath: /%[1]d, subPathExpr: $(E%[1]d)}\n")(n) +
			"  volumes: [{name: v, emptyDir: {}}]\n"
	},
	"ports with names": func(n int) string {
		return pod + "    ports:\n" + numbered("    - {name: p%[1]d, containerPort: %[1]d, hostPort: %[1]d}\n")(n)
	},
	"containers with ports": func(n int) string {
		return pod + numbered("  - {name: c%[1]d, image: b, ports: [{containerPort: %[1]d}]}\n")(n)
	},
	"a volume of many sources": func(n int) string {
		return pod + "  volumes:\n  - name: v\n" + numbered("    s%d: {}\n")(n)
	},
	"fields of a container": func(n int) string { return pod + numbered("    f%d: v\n")(n) },
	"merge keys of many keys": func(n int) string {
		return pod + "    resources: {limits: {<<: {" + numbered("example.com/r%d: 1, ")(n) + "}}}\n"
	},
}

package apply_test

import (
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/core/apply"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// sidecarSet is a config of OpenKruise, with fields of its spec.
func sidecarSet(spec string) string {
	return "{apiVersion: apps.kruise.io/v1beta1, kind: SidecarSet, metadata: {name: x}, " +
		"spec: {selector: {matchLabels: {app: web}}, " + spec + "}}"
}

// configMap is a config of the classic initializer, with more of its data.
func configMap(data string) string {
	return "{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, " +
		"data: {" + data + "config: 'containers: [{name: logs, image: l}]'}}"
}

func TestContainers(t *testing.T) {
	const logs = "containers: [{name: logs, image: l, mode: Container}]"
	many := strings.Repeat("{name: o}, ", pods.MaxContainers-1)
	checkAll(t, []rule{
		{
			claim:  "a container is added behind the app's",
			app:    "containers: [{name: web}]",
			config: logs,
			pod:    "containers: [{name: web}, {name: logs, image: l}]",
			wants:  []string{"puts spec/containers logs"},
		},
		{
			claim:  "a list that is missing is made",
			app:    "containers: [{name: web}]",
			config: "initContainers: [{name: setup, image: s}]",
			pod:    "containers: [{name: web}], initContainers: [{name: setup, image: s}]",
		},
		{
			claim:  "a pod without containers is reported",
			app:    "containers: []",
			config: logs,
			pod:    "containers: [{name: logs, image: l}]",
			finds:  []string{"warning NoContainers spec.containers"},
		},
		{
			claim:  "a pod to which an operator adds containers may have none",
			app:    "containers: []",
			config: logs,
			given:  func(pod *apply.Pod) { pod.Kind.Partial = true },
			pod:    "containers: [{name: logs, image: l}]",
		},
		{
			claim:  "the name of an ephemeral container is refused",
			app:    "containers: [{name: web}], ephemeralContainers: [{name: logs}, {name: debug}]",
			config: logs,
			finds:  []string{"error ContainerConflict spec.ephemeralContainers[0]: already called \"logs\""},
		},
		{
			claim:  "a native sidecar is refused if the app has its name among the containers",
			app:    "containers: [{name: web}, {name: logs, image: l}]",
			config: "containers: [{name: logs, image: l, mode: Native}]",
			finds: []string{
				"error ContainerConflict spec.containers[1]: \"logs\" is already in containers, " +
					"and the injector adds one of " +
					"that name to initContainers; rename it, write mode: Container, " +
					"or set spec.onConflict.container to Keep",
			},
		},
		{
			claim:  "an init container is refused if the app has its name among the containers",
			app:    "containers: [{name: web}, {name: setup}]",
			config: "initContainers: [{name: setup, image: s}]",
			finds:  []string{"error ContainerConflict spec.containers[1]: to initContainers; rename it, or set"},
		},
		{
			claim:  "a port that is taken makes no difference to that",
			app:    "containers: [{name: web, ports: [{containerPort: 80}]}], initContainers: [{name: logs}]",
			config: "containers: [{name: logs, image: l, mode: Container, ports: [{containerPort: 80}]}]",
			finds: []string{
				"error ContainerConflict spec.initContainers[0]: rename it, or set spec.onConflict.container to Keep",
			},
		},
		{
			claim:  "the name of another injector's container in the other list is refused, with the cause",
			app:    "containers: [{name: web}]",
			others: "containers: [{name: web}], initContainers: [{name: logs, image: l}]",
			config: logs,
			finds: []string{
				"error ContainerConflict spec.initContainers[0]: Keep; the cause is what other injectors add (others)",
			},
		},
		{
			claim:  "the most containers of a pod",
			app:    "containers: [" + many + "]",
			config: logs,
			pod:    "containers: [" + many + "{name: logs, image: l}]",
		},
		{
			claim:  "more containers are refused",
			app:    "containers: [" + many + "{name: o}]",
			config: logs,
			finds: []string{fmt.Sprintf("error LimitExceeded spec.containers: more than %d "+
				"containers", pods.MaxContainers)},
		},
		{
			claim:  "one that another injector adds as well counts once",
			app:    "containers: [{name: web}]",
			others: "containers: [{name: web}, {name: logs, image: l}, " + numbered(pods.MaxContainers-3) + "]",
			config: "containers: [{name: logs, image: l, mode: Container}, {name: last, image: l, mode: Container}]",
			pod: "containers: [{name: web}, {name: logs, image: l}, " + numbered(pods.MaxContainers-3) +
				", {name: last, image: l}]",
		},
		{
			claim:  "those of others and init containers count",
			app:    "containers: [{name: web}]",
			others: "containers: [{name: web}, {name: o1}], initContainers: [" + numbered(pods.MaxContainers-2) + "]",
			config: logs,
			finds:  []string{"error LimitExceeded spec.containers: more than"},
		},
	})
}

// numbered returns containers with names of their own.
func numbered(count int) string {
	all := make([]string, count)
	for i := range all {
		all[i] = fmt.Sprintf("{name: c%d}", i)
	}
	return strings.Join(all, ", ")
}

// TestContainersOfTheAppsName has what happens if the app has a container of the name that the injector adds.
func TestContainersOfTheAppsName(t *testing.T) {
	const (
		logs  = "containers: [{name: logs, image: l, mode: Container}], "
		other = "containers: [{name: web}, {name: logs, image: m}]"
		plain = "error ContainerConflict spec.containers[1].image: \"logs\" is already there and differs in image; "
	)
	checkAll(t, []rule{
		{
			claim:  "an equal one is the app's",
			app:    "containers: [{name: logs, image: l}]",
			config: logs + "onConflict: {container: Replace}",
			wants:  []string{"finds spec/containers logs"},
		},
		{
			claim:  "Replace replaces it where it is",
			app:    "containers: [{name: logs, image: m, tty: true}, {name: web}]",
			config: logs + "onConflict: {container: Replace}",
			pod:    "containers: [{name: logs, image: l}, {name: web}]",
			wants:  []string{"puts spec/containers logs"},
		},
		{
			claim:  "Keep leaves it, and warns",
			app:    other,
			config: logs + "onConflict: {container: Keep}",
			wants:  []string{},
			finds: []string{
				"warning ContainerConflict spec.containers[1].image: image is \"m\" instead of \"l\" " +
					"(spec.onConflict.container: Keep), " +
					"so the sidecar may not work; make them equal, " +
					"or set spec.onConflict.container to Merge or Replace",
			},
		},
		{
			claim:  "Keep is silent about an equal one",
			app:    "containers: [{name: web}, {name: logs, image: l}]",
			config: logs + "onConflict: {container: Keep}",
			wants:  []string{},
		},
		{
			claim:  "Keep is no warning if the app's only has more",
			app:    "containers: [{name: logs, image: l, tty: true, stdin: true}]",
			config: logs + "onConflict: {container: Keep}",
			finds: []string{
				"info ContainerConflict spec.containers[0]: has more than the injector's (stdin, " +
					"tty) and stays as it is",
			},
		},
		{
			claim: "Keep warns of three fields, and counts the others",
			app:   "containers: [{name: logs, image: m, tty: true, stdin: true, workingDir: /}]",
			config: "containers: [{name: logs, image: l, tty: false, stdin: false, workingDir: /l, " +
				"mode: Container}], onConflict: {container: Keep}",
			finds: []string{
				"warning ContainerConflict spec.containers[0].image: image is \"m\" instead of \"l\", " +
					"stdin is true instead of false, " +
					"tty is true instead of false, and 1 more (",
			},
		},
		{
			claim: "three fields are all of them",
			app:   "containers: [{name: logs, image: m, tty: true}]",
			config: "containers: [{name: logs, image: l, tty: false, stdin: false, mode: Container}], " +
				"onConflict: {container: Keep}",
			finds: []string{
				"warning ContainerConflict spec.containers[0].image: stdin is not set instead of false, " +
					"tty is true instead of false (spec",
			},
		},
		{
			claim:  "Keep leaves one in the other list, and warns of the list",
			app:    "containers: [{name: web}], initContainers: [{name: logs, image: l}]",
			config: logs + "onConflict: {container: Keep}",
			finds: []string{
				"warning ContainerConflict spec.initContainers[0]: it is in initContainers instead of containers " +
					"(spec.onConflict.container: " +
					"Keep), so the sidecar may not work; make them equal, or rename one of them",
			},
		},
		{
			claim:  "and of the fields",
			app:    "containers: [{name: web}], initContainers: [{name: logs, image: m}]",
			config: logs + "onConflict: {container: Keep}",
			finds: []string{
				"warning ContainerConflict spec.initContainers[0].image: it is in initContainers instead of " +
					"containers, " +
					"image is \"m\" instead of \"l\" (",
			},
		},
		{
			claim: "Keep is about the name first: a port that is taken is no error",
			app:   "containers: [{name: web, ports: [{containerPort: 80}]}, {name: logs, image: m}]",
			config: "containers: [{name: logs, image: l, mode: Container, ports: [{containerPort: 80}]}], " +
				"onConflict: {container: Keep}",
			finds: []string{
				"warning ContainerConflict spec.containers[1].image: instead of \"l\", ports is not set instead of",
			},
		},
		{
			claim: "an equal one lacks only the ports that are left out",
			app:   "containers: [{name: logs, image: l}, {name: web, ports: [{containerPort: 80}]}]",
			config: "containers: [{name: logs, image: l, mode: Container, ports: [{containerPort: 80}]}], " +
				"onConflict: {container: Keep, port: Keep}",
			finds: []string{
				"warning PortConflict spec.containers[1].ports[0]: port 80/TCP of container \"logs\" is left out",
			},
		},
		{
			claim:  "otherwise it is refused, and adopt may help",
			app:    other,
			config: logs,
			wants:  []string{},
			finds: []string{
				plain + "rename it, or set spec.onConflict.container to Keep, Merge or Replace; " +
					"if it was injected before, without a stamp, set spec.adopt to true",
			},
		},
		{
			claim:  "adopt helps only if images differ",
			app:    "containers: [{name: logs, image: l, tty: true}]",
			config: logs,
			finds: []string{
				"error ContainerConflict spec.containers[0].tty: differs in tty; rename it, " +
					"or set spec.onConflict.container to Keep",
			},
		},
		{
			claim:  "adopt does not help twice",
			app:    other,
			config: logs + "adopt: true",
			finds: []string{plain + "it is the only container of the pod, so spec.adopt treats it as the app's; " +
				"rename it"},
		},
		{
			claim:  "adopt says what it accepts",
			app:    "containers: [{name: logs, image: l, tty: true}]",
			config: logs + "adopt: true",
			finds: []string{
				"error ContainerConflict spec.containers[0].tty: spec.adopt accepts only differences in image and " +
					"order; make it equal",
			},
		},
		{
			claim: "Merge adds what the app's does not have",
			app: "containers: [{name: web}, {name: logs, image: l, env: [{name: A, value: a}], " +
				"securityContext: {runAsUser: 1}}]",
			config: "containers: [{name: logs, image: l, mode: Container, tty: true, env: [{name: B, value: b}], " +
				"securityContext: {runAsGroup: 2}}], onConflict: {container: Merge}",
			pod: "containers: [{name: web}, {name: logs, image: l, env: [{name: A, value: a}, {name: B, value: b}], " +
				"securityContext: {runAsUser: 1, runAsGroup: 2}, tty: true}]",
			wants: []string{
				"puts spec/containers/logs tty",
				"puts spec/containers/logs/env B",
				"puts spec/containers/logs/securityContext runAsGroup",
			},
		},
		{
			claim: "Merge keeps the app's values, and warns of all that differ",
			app:   "containers: [{name: logs, image: m, args: [a], livenessProbe: {tcpSocket: {port: 1}}}]",
			config: "containers: [{name: logs, image: l, mode: Container, args: [b], " +
				"livenessProbe: {httpGet: {port: 1}}}], " +
				"onConflict: {container: Merge}",
			wants: []string{"finds, with more, spec/containers logs"},
			finds: []string{
				"warning ContainerConflict spec.containers[0].image: image is \"m\" instead of \"l\", " +
					"args is [a] instead of [b], " +
					"livenessProbe is {tcpSocket: {port: 1}} instead of {httpGet: {port: 1}} " +
					"(spec.onConflict.container: Merge), ",
			},
		},
		{
			claim: "Merge is silent if the app has all of it",
			app:   "containers: [{name: logs, image: l, tty: true, env: [{name: A, value: a}]}]",
			config: "containers: [{name: logs, image: l, mode: Container, env: [{name: A, value: a}]}], " +
				"onConflict: {container: Merge}",
			wants: []string{"finds, with more, spec/containers logs"},
		},
		{
			claim: "null is no value",
			app:   "containers: [{name: logs, image: l, env: , tty: }]",
			config: "containers: [{name: logs, image: l, mode: Container, stdin: , tty: true}], " +
				"onConflict: {container: Merge}",
			pod:   "containers: [{name: logs, image: l, env: , tty: true}]",
			wants: []string{"puts spec/containers/logs tty"},
		},
		{
			claim:  "a SidecarSet replaces it",
			app:    other,
			config: sidecarSet("containers: [{name: logs, image: l}]"),
			pod:    "containers: [{name: web}, {name: logs, image: l}]",
		},
	})
}

// TestTwoContainersShareNoNodes has that a later change of one container is not one of another.
func TestTwoContainersShareNoNodes(t *testing.T) {
	s := newScene(t, "containers: [{name: a}, {name: b}]", "")
	s.inject(t, "appContainers: [{env: [{name: N, value: n}]}]", nil)
	all := node.List(s.version, "spec", "containers")
	if node.List(all[0], "env")[0] == node.List(all[1], "env")[0] {
		t.Error("they share a variable")
	}
}

// TestMayKeep has whether something may stay that the injector wants otherwise.
func TestMayKeep(t *testing.T) {
	for app, want := range map[string]bool{"containers: [{name: web}]": false, "containers: [{name: web}], " +
		"hostname: h": true} {
		pod, _ := newScene(t, app, "").inject(t, "podSpec: {hostname: x}", nil)
		if pod.MayWarn() != want {
			t.Errorf("%s: MayKeep() = %t", app, pod.MayWarn())
		}
	}
}

// TestHas has which containers count as added by the injector.
func TestHas(t *testing.T) {
	for _, test := range []struct {
		claim, app, choice string
		want               bool
	}{
		{"one that is added", "containers: [{name: web}]", "Error", true},
		{"one that the app has just so", "containers: [{name: logs, image: l}]", "Error", true},
		{"one that is replaced", "containers: [{name: logs, image: m}]", "Replace", true},
		{"one that is merged", "containers: [{name: logs, image: m}]", "Merge", true},
		{"not one that is kept", "containers: [{name: logs, image: m}]", "Keep", false},
		{"not one that is refused", "containers: [{name: logs, image: m}]", "Error", false},
	} {
		t.Run(test.claim, func(t *testing.T) {
			config := "containers: [{name: logs, image: l, mode: Container}], " +
				"onConflict: {container: " + test.choice + "}"
			pod, _ := newScene(t, test.app, "").inject(t, config, nil)
			if pod.Has("logs") != test.want || pod.Has("web") {
				t.Errorf("Has(logs) = %t, Has(web) = %t", pod.Has("logs"), pod.Has("web"))
			}
		})
	}
}

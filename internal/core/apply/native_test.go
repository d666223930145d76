package apply_test

import (
	"testing"
)

func TestNativeSidecars(t *testing.T) {
	const (
		web       = "containers: [{name: web}]"
		asPlain   = "containers: [{name: web}, {name: logs, image: l}]"
		asNative  = "containers: [{name: web}], initContainers: [{name: logs, image: l, restartPolicy: Always}]"
		job       = "restartPolicy: Never, containers: [{name: web}]"
		jobPlain  = "restartPolicy: Never, " + asPlain
		jobNative = "restartPolicy: Never, " + asNative
	)
	auto := configMap("")
	sidecar := func(fields string) string { return "containers: [{name: logs, image: l" + fields + "}]" }
	knative := func(pod *subject) { pod.Kind.Knative = true }
	finishes := func(pod *subject) { pod.Finishes = true }
	checkAll(t, []rule{
		{claim: "mode Container is a plain one", app: web, config: sidecar(", mode: Container"), pod: asPlain},
		{claim: "mode Native is a native one", app: web, config: sidecar(", mode: Native"), pod: asNative},
		{claim: "mode Auto is a native one", app: web, config: sidecar(", mode: Auto"), pod: asNative},
		{claim: "in a ConfigMap, it is a plain one in a pod that runs on", app: web, config: auto, pod: asPlain},
		{claim: "and a native one in a pod that ends", app: job, config: auto, pod: jobNative},
		{
			claim:  "a pod that is restarted on failures ends",
			app:    "restartPolicy: OnFailure, containers: [{name: web}]",
			config: auto,
			pod:    "restartPolicy: OnFailure, " + asNative,
		},
		{
			claim:  "a restartPolicy that the injector sets counts",
			app:    web,
			config: "podSpec: {restartPolicy: Never}, " + sidecar(", mode: Container"),
			pod:    "containers: [{name: web}, {name: logs, image: l}], restartPolicy: Never",
			finds:  []string{"warning JobNeverEnds spec.containers"},
		},
		{claim: "the pod of a Job ends", app: web, config: auto, given: finishes, pod: asNative},
		{
			claim:  "Knative has no native sidecars",
			app:    web,
			config: sidecar(", mode: Native"),
			given:  knative,
			pod:    asPlain,
			finds:  []string{"info KnativeLimits spec.containers: container \"logs\" is added as a plain one"},
		},
		{claim: "which is no news about a " +
			"plain one", app: web, config: sidecar(", mode: Container"), given: knative, pod: asPlain},
		{
			claim:  "only the serving container of Knative has ports",
			app:    web,
			config: sidecar(", mode: Container, ports: [{containerPort: 1}]"),
			given:  knative,
			finds:  []string{"error KnativeLimits spec.containers: and container \"logs\" declares some"},
		},
		{
			claim:  "Knative has no init containers",
			app:    web,
			config: "initContainers: [{name: a, image: i}, {name: b, image: i}]",
			given:  knative,
			finds:  []string{"error KnativeLimits spec.initContainers: and the injector has 2"},
		},
		{
			claim: "without Knative, ports and init containers are fine",
			app:   web,
			config: sidecar(", mode: Container, ports: [{containerPort: 1}]") + ", initContainers: [{name: a, " +
				"image: i}]",
			pod: "containers: [{name: web}, {name: logs, image: l, ports: [{containerPort: 1}]}], " +
				"initContainers: [{name: a, image: i}]",
		},
		{
			claim:  "a plain one in a pod that ends is reported",
			app:    job,
			config: sidecar(", mode: Container"),
			pod:    jobPlain,
			finds: []string{
				"warning JobNeverEnds spec.containers: never finishes; remove mode: Container, " +
					"or set spec.jobs to Skip",
			},
		},
		{
			claim:  "so it is if the config asks for it",
			app:    job,
			config: configMap("jobs: Inject, "),
			pod:    jobPlain,
			finds: []string{
				"warning JobNeverEnds spec.containers: never finishes; remove spec.jobs, or set it to Skip",
			},
		},
		{
			claim:  "the remedy for a cluster without native sidecars is another",
			app:    job,
			config: sidecar(", mode: Container") + ", kubernetesVersion: '1.28'",
			pod:    jobPlain,
			finds: []string{
				"warning JobNeverEnds spec.containers: never finishes; set spec.jobs to Skip to keep the sidecar out",
			},
		},
		{
			claim:  "so is that for a SidecarSet",
			app:    job,
			config: sidecarSet("containers: [{name: logs, image: l, podInjectPolicy: AfterAppContainer}]"),
			pod:    jobPlain,
			finds: []string{
				"warning JobNeverEnds spec.containers: declare it under initContainers with restartPolicy: Always",
			},
		},
		{
			claim:  "a cluster without native sidecars gets none that would keep a pod from ending",
			app:    job,
			config: sidecar(", mode: Auto") + ", kubernetesVersion: '1.28'",
			finds:  []string{"error NativeUnsupported spec.containers: Kubernetes 1.28 has no native sidecars"},
		},
		{
			claim: "an init container that is a native sidecar should have a startup probe beside its readiness probe",
			app:   web,
			config: "initContainers: [{name: logs, image: l, restartPolicy: Always, " +
				"readinessProbe: {tcpSocket: {port: 1}}}]",
			pod: "containers: [{name: web}], " +
				"initContainers: [{name: logs, image: l, restartPolicy: Always, " +
				"readinessProbe: {tcpSocket: {port: 1}}}]",
			finds: []string{
				"warning NativeReadiness spec.initContainers: \"logs\" has a readinessProbe and no startupProbe",
			},
		},
	})
}

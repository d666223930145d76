package apply_test

import "testing"

func TestResourcesPolicy(t *testing.T) {
	sidecar := func(policy string) string {
		return "containers: [{name: logs, image: l, mode: Container, resourcesPolicy: {" + policy + "}}]"
	}
	logs := func(resources string) string { return ", {name: logs, image: l" + resources + "}]" }
	const (
		a       = "{name: a, resources: {limits: {cpu: 100m}}}"
		b       = "{name: b, resources: {requests: {cpu: 200m}, limits: {cpu: 300m}}}"
		app     = "containers: [" + a + ", " + b + "]"
		with    = "containers: [" + a + ", " + b
		request = "resourcesExpr: {requests: {cpu: cpu}}"
	)
	checkAll(t, []rule{
		{
			claim:  "the sum, where a limit without a request is one",
			app:    app,
			config: sidecar("targetContainersMode: Sum, " + request),
			pod:    with + logs(", resources: {requests: {cpu: 300m}}"),
		},
		{
			claim:  "the greatest",
			app:    app,
			config: sidecar("targetContainersMode: Max, " + request),
			pod:    with + logs(", resources: {requests: {cpu: 200m}}"),
		},
		{
			claim:  "the greatest, if it comes first",
			app:    "containers: [" + b + ", " + a + "]",
			config: sidecar("targetContainersMode: Max, " + request),
			pod:    "containers: [" + b + ", " + a + logs(", resources: {requests: {cpu: 200m}}"),
		},
		{
			claim:  "a request is no limit",
			app:    "containers: [{name: a, resources: {requests: {memory: 1Gi}}}]",
			config: sidecar("resourcesExpr: {requests: {memory: memory/2}, limits: {memory: memory}}"),
			pod: "containers: [{name: a, " +
				"resources: {requests: {memory: 1Gi}}}" + logs(", resources: {requests: {memory: 512Mi}}"),
		},
		{
			claim:  "nothing of nothing is left out",
			app:    "containers: [{name: a}]",
			config: sidecar(request),
			pod:    "containers: [{name: a}" + logs(""),
		},
		{
			claim: "only containers that match count",
			app:   app,
			config: sidecar("targetContainersNameRegex: '^b$', targetContainersMode: Sum, " +
				"resourcesExpr: {limits: {cpu: cpu}}"),
			pod: with + logs(", resources: {limits: {cpu: 300m}}"),
		},
		{
			claim:  "it is reported if none matches",
			app:    app,
			config: sidecar("targetContainersNameRegex: none, resourcesExpr: {requests: {cpu: cpu+1m}}"),
			pod:    with + logs(", resources: {requests: {cpu: 1m}}"),
			finds: []string{
				"warning NoTargetContainers spec.containers: are computed from 0, " +
					"because no container of the app matches " +
					"targetContainersNameRegex; correct it",
			},
		},
		{
			claim:  "or if there is none",
			app:    "containers: []",
			config: sidecar(request),
			pod:    "containers: [{name: logs, image: l}]",
			finds: []string{
				"warning NoContainers spec.containers",
				"warning NoTargetContainers spec.containers: are computed from 0, " +
					"because the pod has no container of the app; set resources",
			},
		},
		{
			claim: "init containers and those of injectors do not count; those without a name do",
			app: "containers: [{resources: {requests: {cpu: 1m}}}], initContainers: [{name: i, " +
				"resources: {requests: {cpu: 1}}}]",
			others: "containers: [{resources: {requests: {cpu: 1m}}}, {name: o, resources: {requests: {cpu: 1}}}], " +
				"initContainers: [{name: i, resources: {requests: {cpu: 1}}}]",
			config: sidecar("targetContainersMode: Sum, " + request),
			pod: "containers: [{resources: {requests: {cpu: 1m}}}, {name: o, resources: {requests: {cpu: 1}}}, " +
				"{name: logs, image: l, resources: {requests: {cpu: 1m}}}], initContainers: [{name: i, " +
				"resources: {requests: {cpu: 1}}}]",
		},
		{
			claim: "a container that the injector replaces does not count",
			app: "containers: [{name: a, resources: {requests: {cpu: 1m}}}, {name: logs, image: l, " +
				"resources: {requests: {cpu: 1}}}]",
			config: sidecar("targetContainersMode: Sum, "+request) + ", onConflict: {container: Replace}",
			pod: "containers: [{name: a, " +
				"resources: {requests: {cpu: 1m}}}" + logs(", resources: {requests: {cpu: 1m}}"),
		},
		{
			claim:  "what is no quantity is refused",
			app:    "containers: [{name: a, resources: {requests: {cpu: much}}}]",
			config: sidecar(request),
			finds: []string{
				"error ResourcesRefused spec.containers: the requests.cpu of container \"logs\" cannot be computed " +
					"by cpu: container \"a\" has",
			},
		},
		{
			claim:  "so is a division by nothing",
			app:    "containers: [{name: a}]",
			config: sidecar("resourcesExpr: {requests: {cpu: 1/cpu}}"),
			finds:  []string{"error ResourcesRefused spec.containers: with cpu = 0, "},
		},
		{
			claim:  "a request above the limit is refused",
			app:    app,
			config: sidecar("resourcesExpr: {requests: {memory: 2Gi}, limits: {memory: 1Gi}}"),
			finds: []string{
				"error ResourcesRefused spec.containers: would request 2Gi of memory, " +
					"which is more than its limit of 1Gi",
			},
		},
		{
			claim:  "one that equals the limit is fine",
			app:    app,
			config: sidecar("resourcesExpr: {requests: {cpu: '1'}, limits: {cpu: 1000m}}"),
			pod:    with + logs(", resources: {requests: {cpu: 1}, limits: {cpu: 1}}"),
		},
	})
}

// TestResourcesPolicyOfSidecarSets has where a SidecarSet computes as OpenKruise does.
func TestResourcesPolicyOfSidecarSets(t *testing.T) {
	set := func(expr string) string {
		return sidecarSet("containers: [{name: logs, image: l, podInjectPolicy: AfterAppContainer, " +
			"resourcesPolicy: {targetContainersMode: sum, " +
			"targetContainersNameRegex: '^a', resourcesExpr: {" + expr + "}}}]")
	}
	const limited = "{name: a, resources: {limits: {cpu: 100m}}}"
	checkAll(t, []rule{
		{
			claim: "native sidecars count",
			app: "containers: [" + limited + "], initContainers: [{name: an, restartPolicy: Always, " +
				"resources: {limits: {cpu: 1m}}}]",
			config: set("limits: {cpu: cpu}"),
			pod: "containers: [" + limited + ", {name: logs, image: l, resources: {limits: {cpu: 101m}}}], " +
				"initContainers: [{name: an, restartPolicy: Always, resources: {limits: {cpu: 1m}}}]",
		},
		{
			claim:  "init containers that end do not",
			app:    "containers: [" + limited + "], initContainers: [{name: ai, resources: {limits: {cpu: 1m}}}]",
			config: set("limits: {cpu: cpu}"),
			pod: "containers: [" + limited + ", {name: logs, image: l, resources: {limits: {cpu: 100m}}}], " +
				"initContainers: [{name: ai, resources: {limits: {cpu: 1m}}}]",
		},
		{
			claim:  "a limit is left out if one of them has none",
			app:    "containers: [" + limited + ", {name: a2, resources: {requests: {cpu: 1m}}}]",
			config: set("requests: {cpu: cpu}, limits: {cpu: cpu}"),
			pod: "containers: [" + limited + ", {name: a2, resources: {requests: {cpu: 1m}}}, {name: logs, " +
				"image: l, resources: {requests: {cpu: 101m}}}]",
		},
		{
			claim:  "it is an error if none matches",
			app:    "containers: [{name: b}]",
			config: set("requests: {cpu: cpu}"),
			finds: []string{
				"error NoTargetContainers spec.containers: cannot be computed, because no container of the app matches",
			},
		},
	})
}

package apply_test

import "testing"

func TestTransferredVariables(t *testing.T) {
	const (
		env     = "env: [{name: A, value: a}, {name: B, value: b}]"
		web     = "{name: web, " + env + "}"
		app     = "containers: [" + web + "]"
		missing = "warning EnvSourceMissing spec.containers: container \"logs\" is added without "
	)
	sidecar := func(transfer string) string {
		return "containers: [{name: logs, image: l, mode: Container, transferEnv: [" + transfer + "]}]"
	}
	logs := func(env string) string { return "{name: logs, image: l, env: [" + env + "]}" }
	of := func(env string) string { return "{name: web, env: [" + env + "]}" }
	checkAll(t, []rule{
		{
			claim:  "all variables are taken over",
			app:    app,
			config: sidecar("{sourceContainerName: web}"),
			pod:    "containers: [" + web + ", " + logs("{name: A, value: a}, {name: B, value: b}") + "]",
		},
		{
			claim:  "or one",
			app:    app,
			config: sidecar("{sourceContainerName: web, envName: B}"),
			pod:    "containers: [" + web + ", " + logs("{name: B, value: b}") + "]",
		},
		{
			claim:  "or some, in the order of the app",
			app:    app,
			config: sidecar("{sourceContainerName: web, envNames: [B, A]}"),
			pod:    "containers: [" + web + ", " + logs("{name: A, value: a}, {name: B, value: b}") + "]",
		},
		{
			claim: "they go in front of the sidecar's own, which stay",
			app:   app,
			config: "containers: [{name: logs, image: l, mode: Container, env: [{name: C, value: $(B)}, {name: A, " +
				"value: own}], " +
				"transferEnv: [{sourceContainerName: web}]}]",
			pod: "containers: [" + web + ", {name: logs, image: l, env: [{name: B, value: b}, {name: C, " +
				"value: $(B)}, {name: A, value: own}]}]",
		},
		{
			claim:  "of two containers, the first counts",
			app:    "containers: [" + web + ", {name: db, env: [{name: B, value: x}, {name: C, value: c}]}]",
			config: sidecar("{sourceContainerName: web, envName: B}, {sourceContainerName: db}"),
			pod: "containers: [" + web + ", {name: db, env: [{name: B, value: x}, {name: C, value: c}]}, " +
				logs("{name: B, value: b}, {name: C, value: c}") + "]",
		},
		{
			claim:  "of two of a name, Kubernetes uses the last",
			app:    "containers: [" + of("{name: A, value: a}, {name: A, value: z}") + "]",
			config: sidecar("{sourceContainerName: web}"),
			pod: "containers: [" + of("{name: A, value: a}, {name: A, value: z}") + ", " + logs("{name: A, "+
				"value: z}") + "]",
		},
		{
			claim:  "one without a name is left out",
			app:    "containers: [" + of("{value: a}, {name: B, value: b}") + "]",
			config: sidecar("{sourceContainerName: web}"),
			pod:    "containers: [" + of("{value: a}, {name: B, value: b}") + ", " + logs("{name: B, value: b}") + "]",
		},
		{
			claim:  "a container without variables has none",
			app:    "containers: [{name: web}]",
			config: sidecar("{sourceContainerName: web}"),
			pod:    "containers: [{name: web}, {name: logs, image: l}]",
		},
		{
			claim:  "an init container can be the source",
			app:    "containers: [{name: web}], initContainers: [{name: first, " + env + "}]",
			config: sidecar("{sourceContainerName: first, envName: A}"),
			pod: "containers: [{name: web}, " + logs("{name: A, "+
				"value: a}") + "], initContainers: [{name: first, " + env + "}]",
		},
		{
			claim: "a resource of the source stays that of the source",
			app: "containers: [" + of("{name: A, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}, "+
				"{name: B, valueFrom: {resourceFieldRef: {containerName: db, resource: limits.cpu}}}") + "]",
			config: sidecar("{sourceContainerName: web}"),
			pod: "containers: [" + of("{name: A, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}, "+
				"{name: B, valueFrom: {resourceFieldRef: {containerName: db, resource: limits.cpu}}}") + ", " +
				logs("{name: A, valueFrom: {resourceFieldRef: {resource: limits.cpu, containerName: web}}}, "+
					"{name: B, valueFrom: {resourceFieldRef: {containerName: db, resource: limits.cpu}}}") + "]",
		},
		{
			claim:  "a container that is not there is reported",
			app:    app,
			config: sidecar("{sourceContainerName: none}"),
			pod:    "containers: [" + web + ", {name: logs, image: l}]",
			finds: []string{missing + "the variables of container \"none\", because there is none of that name; " +
				"correct transferEnv, or add it"},
		},
		{
			claim:  "so is one of another run, which may come before or after",
			app:    "containers: [{name: web}]",
			others: "containers: [{name: web}, {name: o, " + env + "}]",
			config: sidecar("{sourceContainerName: o}"),
			pod:    "containers: [{name: web}, {name: o, " + env + "}, {name: logs, image: l}]",
			finds: []string{
				missing + "the variables of container \"o\", because an injector adds that container, " +
					"and not before it in the same run",
			},
		},
		{
			claim:   "one of an injector before in the run is a source",
			app:     "containers: [{name: web}]",
			earlier: "containers: [{name: o, image: i, mode: Container, " + env + "}]",
			config:  sidecar("{sourceContainerName: o, envName: A}"),
			pod:     "containers: [{name: web}, {name: o, image: i, " + env + "}, " + logs("{name: A, value: a}") + "]",
		},
		{
			claim:  "a variable that is not there is reported",
			app:    app,
			config: sidecar("{sourceContainerName: web, envNames: [A, C]}"),
			pod:    "containers: [" + web + ", " + logs("{name: A, value: a}") + "]",
			finds: []string{missing + "the variable C, because container \"web\" has none of that name; " +
				"correct transferEnv, or add it"},
		},
		{
			claim:  "it may come from a source of variables",
			app:    "containers: [{name: web, envFrom: [{secretRef: {name: s}}]}]",
			config: sidecar("{sourceContainerName: web, envName: C}"),
			pod:    "containers: [{name: web, envFrom: [{secretRef: {name: s}}]}, {name: logs, image: l}]",
			finds: []string{missing + "the variable C, " +
				"because container \"web\" has none of that name (the names of variables from envFrom are not known"},
		},
		{
			claim: "one that the sidecar has is not missed",
			app:   app,
			config: "containers: [{name: logs, image: l, mode: Container, env: [{name: C, value: c}], " +
				"transferEnv: [{sourceContainerName: web, envName: C}]}]",
			pod: "containers: [" + web + ", {name: logs, image: l, env: [{name: C, value: c}]}]",
		},
		{
			claim:   "one that an injector before in the run adds is taken over if it is named",
			app:     "containers: [{name: web}]",
			earlier: "appContainers: [{env: [{name: N, value: n}]}]",
			config:  sidecar("{sourceContainerName: web, envName: N}"),
			pod:     "containers: [" + of("{name: N, value: n}") + ", " + logs("{name: N, value: n}") + "]",
		},
		{
			claim:   "and not among all",
			app:     "containers: [{name: web}]",
			earlier: "appContainers: [{env: [{name: N, value: n}]}]",
			config:  sidecar("{sourceContainerName: web}"),
			pod:     "containers: [" + of("{name: N, value: n}") + ", {name: logs, image: l}]",
		},
		{
			claim:  "one that another run adds is not taken over",
			app:    "containers: [{name: web}]",
			others: "containers: [" + of("{name: N, value: n}") + "]",
			config: sidecar("{sourceContainerName: web, envName: N}"),
			pod:    "containers: [" + of("{name: N, value: n}") + ", {name: logs, image: l}]",
			finds: []string{missing + "the variable N of container \"web\", because an injector adds that variable, " +
				"and not before it in the same run"},
		},
	})
}

// TestTransferredReferences has variables that would have another value, because they use one that the sidecar does not
// get before them.
func TestTransferredReferences(t *testing.T) {
	const (
		env   = "env: [{name: A, value: a}, {name: B, value: b-$(A)}]"
		start = "containers: [{name: logs, image: l, mode: Container, transferEnv: [{sourceContainerName: web"
	)
	checkAll(t, []rule{
		{
			claim:  "one that it does not get is reported",
			app:    "containers: [{name: web, " + env + "}]",
			config: start + ", envName: B}]}]",
			pod:    "containers: [{name: web, " + env + "}, {name: logs, image: l, env: [{name: B, value: b-$(A)}]}]",
			finds: []string{
				"warning EnvSourceMissing spec.containers: the variable B of container \"web\" refers to A, " +
					"which container \"logs\" does not get",
			},
		},
		{
			claim:  "one that it gets is fine",
			app:    "containers: [{name: web, " + env + "}]",
			config: start + "}]}]",
			pod:    "containers: [{name: web, " + env + "}, {name: logs, image: l, " + env + "}]",
		},
		{
			claim:  "one that is not set anywhere stays as it is",
			app:    "containers: [{name: web, env: [{name: B, value: $(NONE)}]}]",
			config: start + "}]}]",
			pod: "containers: [{name: web, env: [{name: B, value: $(NONE)}]}, {name: logs, image: l, " +
				"env: [{name: B, value: $(NONE)}]}]",
		},
		{
			claim:  "one that may come from a source of variables is reported",
			app:    "containers: [{name: web, env: [{name: B, value: $(S)}], envFrom: [{secretRef: {name: s}}]}]",
			config: start + "}]}]",
			pod: "containers: [{name: web, env: [{name: B, value: $(S)}], envFrom: [{secretRef: {name: s}}]}, " +
				"{name: logs, image: l, env: [{name: B, value: $(S)}]}]",
			finds: []string{
				"warning EnvSourceMissing spec.containers: the variable B of container \"web\" refers to S",
			},
		},
		{
			claim:  "unless the sidecar has one as well",
			app:    "containers: [{name: web, env: [{name: B, value: $(S)}], envFrom: [{secretRef: {name: s}}]}]",
			config: start + "}], envFrom: [{secretRef: {name: s}}]}]",
			pod: "containers: [{name: web, env: [{name: B, value: $(S)}], envFrom: [{secretRef: {name: s}}]}, " +
				"{name: logs, image: l, envFrom: [{secretRef: {name: s}}], env: [{name: B, value: $(S)}]}]",
		},
	})
}

// TestTransferSources has containers that a label or annotation of the pod names.
func TestTransferSources(t *testing.T) {
	const (
		spec   = "spec: {containers: [{name: web, env: [{name: A, value: a}]}"
		config = "containers: [{name: logs, image: l, mode: Container, " +
			"transferEnv: [{sourceContainerNameFrom: {fieldRef: {fieldPath: \"metadata.annotations['main']\"}}, " +
			"envName: A}]}]"
	)
	checkAll(t, []rule{
		{
			claim:  "it is the source",
			app:    "{metadata: {annotations: {main: web}}, " + spec + "]}}",
			config: config,
			pod: "{metadata: {annotations: {main: web}}, " + spec + ", {name: logs, image: l, env: [{name: A, " +
				"value: a}]}]}}",
		},
		{
			claim:  "a pod without the annotation is reported",
			app:    "{metadata: {}, " + spec + "]}}",
			config: config,
			pod:    "{metadata: {}, " + spec + ", {name: logs, image: l}]}}",
			finds: []string{
				"warning EnvSourceMissing spec.containers: because the pod template has no " +
					"metadata.annotations['main'], which would name it",
			},
		},
		{
			claim:  "one that another injector adds counts",
			app:    "{metadata: {}, " + spec + "]}}",
			others: "{metadata: {annotations: {main: web}}, " + spec + "]}}",
			config: config,
			pod: "{metadata: {annotations: {main: web}}, " + spec + ", {name: logs, image: l, env: [{name: A, " +
				"value: a}]}]}}",
		},
	})
}

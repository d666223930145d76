package apply_test

import (
	"testing"
)

func TestAppContainers(t *testing.T) {
	const n = "env: [{name: N, value: n}]"
	checkAll(t, []rule{
		{
			claim:  "all containers of the app get a variable, init containers do not",
			app:    "containers: [{name: web}, {name: db}], initContainers: [{name: first}]",
			config: "appContainers: [{" + n + "}]",
			pod:    "containers: [{name: web, " + n + "}, {name: db, " + n + "}], initContainers: [{name: first}]",
			wants:  []string{"puts spec/containers/web/env N", "puts spec/containers/db/env N"},
		},
		{
			claim:  "those that injectors add get none",
			app:    "containers: [{name: web}]",
			others: "containers: [{name: web}, {name: o}]",
			config: "appContainers: [{" + n + "}], containers: [{name: logs, image: l, mode: Container}]",
			pod:    "containers: [{name: web, " + n + "}, {name: o}, {name: logs, image: l}]",
		},
		{
			claim: "neither does one of the app that has the name of the injector's",
			app:   "containers: [{name: web}, {name: logs}]",
			config: "appContainers: [{" + n + "}], containers: [{name: logs, image: l, mode: Container}], " +
				"onConflict: {container: Replace}",
			pod: "containers: [{name: web, " + n + "}, {name: logs, image: l}]",
		},
		{
			claim:  "a container without a name gets nothing, and is reported",
			app:    "containers: [{image: x}, {name: web}]",
			config: "appContainers: [{" + n + "}]",
			pod:    "containers: [{image: x}, {name: web, " + n + "}]",
			finds:  []string{"warning ContainerMissing spec.containers[0]: spec.containers[0] has no name"},
		},
		{
			claim:  "which is no news if it would not get anything",
			app:    "containers: [{image: x}, {name: web}]",
			config: "appContainers: [{containers: [web], " + n + "}]",
			pod:    "containers: [{image: x}, {name: web, " + n + "}]",
		},
		{
			claim:  "what is there but no list is an error",
			app:    "containers: [{name: web, env: {N: n}, volumeMounts: /x}]",
			config: "appContainers: [{" + n + ", volumeMounts: [{name: v, mountPath: /v}]}]",
			finds: []string{
				"error InvalidItem spec.containers[0].env: must be a list, but is a mapping",
				"error InvalidItem spec.containers[0].volumeMounts: must be a list, but is",
			},
		},
		{
			claim:  "a list that is null is made",
			app:    "containers: [{name: web, env: }]",
			config: "appContainers: [{" + n + "}]",
			pod:    "containers: [{name: web, " + n + "}]",
		},
		{
			claim:  "lists are made in the order variables, sources, mounts, whichever the config has first",
			app:    "containers: [{name: web}]",
			config: "appContainers: [{volumeMounts: [{name: v, mountPath: /v}]}, {" + n + "}]",
			pod:    "containers: [{name: web, " + n + ", volumeMounts: [{name: v, mountPath: /v}]}]",
		},
		{
			claim:  "values may name the container",
			app:    "containers: [{name: web}, {name: db}]",
			config: "appContainers: [{env: [{name: N, value: '${container.name}'}]}]",
			pod:    "containers: [{name: web, env: [{name: N, value: web}]}, {name: db, env: [{name: N, value: db}]}]",
		},
		{
			claim: "variables, sources and mounts are added to their lists",
			app:   "containers: [{name: web}]",
			config: "appContainers: [{volumeMounts: [{name: v, mountPath: /v}], " +
				"envFrom: [{secretRef: {name: s}}], " + n + "}]",
			pod: "containers: [{name: web, " + n + ", envFrom: [{secretRef: {name: s}}], volumeMounts: [{name: v, " +
				"mountPath: /v}]}]",
			wants: []string{
				"puts spec/containers/web/env N",
				"puts spec/containers/web/envFrom secretRef s",
				"puts spec/containers/web/volumeMounts /v",
			},
		},
	})
}

func TestNamesOfAppContainers(t *testing.T) {
	const n = "env: [{name: N, value: n}]"
	const app = "containers: [{name: web}, {name: logs, image: l}], initContainers: [{name: first}]"
	missing := func(name, why string) []string {
		return []string{"info ContainerMissing spec.containers: container \"" + name + "\" of spec.appContainers is " +
			"left out: " + why}
	}
	checkAll(t, []rule{
		{
			claim:  "one that the pod does not have is reported",
			app:    app,
			config: "appContainers: [{containers: [none], " + n + "}]",
			finds:  missing("none", "the pod has none of that name"),
		},
		{
			claim:  "one that it has is not",
			app:    app,
			config: "appContainers: [{containers: [web], " + n + "}]",
			pod:    "containers: [{name: web, " + n + "}, {name: logs, image: l}], initContainers: [{name: first}]",
		},
		{
			claim:  "an init container needs includeInit",
			app:    app,
			config: "appContainers: [{containers: [first], " + n + "}]",
			finds:  missing("first", "it is an init container; set includeInit to true"),
		},
		{
			claim:  "with includeInit it is there",
			app:    app,
			config: "appContainers: [{containers: [first], includeInit: true, " + n + "}]",
			pod:    "containers: [{name: web}, {name: logs, image: l}], initContainers: [{name: first, " + n + "}]",
		},
		{
			claim:  "one that another injector adds is not the app's",
			app:    app,
			others: "containers: [{name: web}, {name: logs, image: l}, {name: o}], initContainers: [{name: first}]",
			config: "appContainers: [{containers: [o], " + n + "}]",
			finds:  missing("o", "an injector adds it"),
		},
		{
			claim:  "a star is all of them, and no name",
			app:    app,
			config: "appContainers: [{containers: ['*'], " + n + "}]",
			pod: "containers: [{name: web, " + n + "}, {name: logs, " +
				"image: l, " + n + "}], initContainers: [{name: first}]",
		},
	})
}

// TestVariables has where variables of the app's containers go, because Kubernetes expands $(NAME) only if NAME comes
// before.
func TestVariables(t *testing.T) {
	web := func(env string) string { return "containers: [{name: web, env: [" + env + "]}]" }
	app := func(fields string) string { return "appContainers: [{" + fields + "}]" }
	const a, b, n = "{name: A, value: a}", "{name: B, value: b}", "{name: N, value: n}"
	checkAll(t, []rule{
		{
			claim:  "they go in front of the app's, in their order",
			app:    web(a),
			config: app("env: [{name: N, value: n}, {name: M, value: m}]"),
			pod:    web("{name: N, value: n}, {name: M, value: m}, " + a),
		},
		{
			claim:  "or behind them",
			app:    web(a),
			config: app("envPosition: Append, env: [{name: N, value: n}, {name: M, value: m}]"),
			pod:    web(a + ", {name: N, value: n}, {name: M, value: m}"),
		},
		{
			claim:  "those in front are first, whichever the config has first",
			app:    web(a),
			config: "appContainers: [{envPosition: Append, env: [{name: M, value: m}]}, {env: [{name: N, value: n}]}]",
			pod:    web("{name: N, value: n}, " + a + ", {name: M, value: m}"),
		},
		{
			claim:  "one that uses the app's goes right behind it",
			app:    web(a + ", " + b),
			config: app("env: [{name: N, value: $(A)}, {name: M, value: m}]"),
			pod:    web("{name: M, value: m}, " + a + ", {name: N, value: $(A)}, " + b),
		},
		{
			claim:  "one that uses the injector's own stays in front",
			app:    web(a),
			config: app("env: [{name: N, value: n}, {name: M, value: $(N)}, {name: K, value: k}]"),
			pod:    web("{name: N, value: n}, {name: M, value: $(N)}, {name: K, value: k}, " + a),
		},
		{
			claim:  "two that use the app's keep their order",
			app:    web(a + ", " + b),
			config: app("env: [{name: N, value: $(A)}, {name: M, value: $(A)}]"),
			pod:    web(a + ", {name: N, value: $(A)}, {name: M, value: $(A)}, " + b),
		},
		{
			claim:  "of two entries of the config, the first counts",
			app:    web(a),
			config: "appContainers: [{env: [{name: N, value: n}]}, {env: [{name: N, value: m}]}]",
			pod:    web(n + ", " + a),
		},
		{
			claim:  "an equal one is the app's",
			app:    web(a),
			config: app("env: [{name: A, value: a}]") + ", onConflict: {env: Error}",
			wants:  []string{"finds spec/containers/web/env A"},
		},
		{
			claim:  "another value stays by default, with a warning",
			app:    web(a),
			config: app("env: [{name: A, value: x}]"),
			wants:  []string{},
			finds: []string{
				"warning EnvConflict spec.containers[0].env[0]: is \"a\" and stays so; " +
					"the injector wants \"x\" (spec.onConflict.env: Keep), " +
					"so the sidecar may not work; make them equal, or set spec.onConflict.env to Replace",
			},
		},
		{
			claim:  "the last of two counts, and the warning names it",
			app:    web("{name: A, value: x}, {name: A, value: a}, " + b),
			config: app("env: [{name: A, value: x}, {name: N, value: n}]"),
			pod:    web(n + ", {name: A, value: x}, {name: A, value: a}, " + b),
			finds: []string{
				"warning EnvConflict spec.containers[0].env[1]: is \"a\" and stays so; the injector wants \"x\"",
			},
		},
		{
			claim:  "a warning names the source of a value",
			app:    web("{name: A, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}, {name: B}"),
			config: app("env: [{name: A, value: x}, {name: B, value: y}]"),
			finds: []string{
				"warning EnvConflict spec.containers[0].env[0]: is {fieldRef: {fieldPath: spec.nodeName}} and stays " +
					"so; the injector wants \"x\"",
				"warning EnvConflict spec.containers[0].env[1]: is \"\" and stays so; the injector wants \"y\"",
			},
		},
		{
			claim:  "or is refused",
			app:    web(b + ", " + a),
			config: app("env: [{name: A, value: x}, {name: N, value: n}]") + ", onConflict: {env: Error}",
			finds: []string{
				"error EnvConflict spec.containers[0].env[1]: env variable \"A\" of the app's container \"web\" " +
					"differs from the injector's; " +
					"make them equal, or set spec.onConflict.env to Keep or Replace",
			},
		},
		{
			claim:  "the path is that of the file, also behind a new one",
			app:    web(b + ", " + a),
			config: app("env: [{name: N, value: n}, {name: B, value: x}]") + ", onConflict: {env: Error}",
			finds:  []string{"error EnvConflict spec.containers[0].env[0]: env variable \"B\""},
		},
		{
			claim:  "beside others as well",
			app:    web(a),
			others: web("{name: O, value: o}, " + a),
			config: app("env: [{name: A, value: x}]") + ", onConflict: {env: Error}",
			finds:  []string{"error EnvConflict spec.containers[0].env[1]: env variable \"A\""},
		},
	})
}

func TestReplacedVariables(t *testing.T) {
	web := func(env string) string { return "containers: [{name: web, env: [" + env + "]}]" }
	replace := func(env string) string { return "appContainers: [{env: [" + env + "]}], onConflict: {env: Replace}" }
	checkAll(t, []rule{
		{
			claim:  "one is replaced where it is",
			app:    web("{name: A, value: a}, {name: B, value: b}"),
			config: replace("{name: A, value: x}"),
			pod:    web("{name: A, value: x}, {name: B, value: b}"),
			wants:  []string{"puts spec/containers/web/env A"},
		},
		{
			claim:   "one that the app sets twice is not",
			app:     web("{name: A, value: a}, {name: B, value: b}, {name: A, value: c}"),
			earlier: "appContainers: [{env: [{name: O, value: o}]}]",
			config:  replace("{name: A, value: x}"),
			pod:     web("{name: O, value: o}, {name: A, value: a}, {name: B, value: b}, {name: A, value: c}"),
			finds: []string{
				"error EnvConflict spec.containers[0].env[1]: env variable \"A\" of the app's container \"web\" is there twice; " +
					"remove one of them in the manifest, or set spec.onConflict.env to Keep",
			},
		},
		{
			claim:  "one is not by one that uses a later one",
			app:    web("{name: A, value: a}, {name: B, value: b}, {name: C, value: c}"),
			config: replace("{name: A, value: $(B)}"),
			pod:    web("{name: A, value: a}, {name: B, value: b}, {name: C, value: c}"),
			finds: []string{
				"error EnvConflict spec.containers[0].env[0]: env variable \"A\" of the app's container \"web\" would use $(B), " +
					"which comes after it; move B before it in the manifest, or set spec.onConflict.env to Keep",
			},
		},
		{
			claim:  "nor by one that uses one of others",
			app:    web("{name: A, value: a}, {name: C, value: c}"),
			others: web("{name: A, value: a}, {name: O, value: o}, {name: C, value: c}"),
			config: replace("{name: A, value: $(O)}"),
			finds:  []string{"error EnvConflict spec.containers[0].env[0]: would use $(O), which comes after it"},
		},
		{
			claim:  "one that uses the one right before it stays",
			app:    web("{name: B, value: b}, {name: A, value: a}, {name: C, value: c}"),
			others: web("{name: O, value: o}, {name: B, value: b}, {name: A, value: a}, {name: C, value: c}"),
			config: replace("{name: A, value: $(B)}"),
			pod:    web("{name: O, value: o}, {name: B, value: b}, {name: A, value: $(B)}, {name: C, value: c}"),
			wants:  []string{"puts spec/containers/web/env A"},
		},
		{
			claim:  "one that uses itself stays",
			app:    web("{name: A, value: a}, {name: B, value: b}"),
			config: replace("{name: A, value: $(A)-x}"),
			pod:    web("{name: A, value: $(A)-x}, {name: B, value: b}"),
			wants:  []string{"puts spec/containers/web/env A"},
		},
		{
			claim:   "also beside others",
			app:     web("{name: A, value: a}, {name: B, value: b}"),
			earlier: "appContainers: [{env: [{name: O, value: o}]}]",
			config:  replace("{name: A, value: $(A)-x}"),
			pod:     web("{name: O, value: o}, {name: A, value: $(A)-x}, {name: B, value: b}"),
			wants:   []string{"puts spec/containers/web/env A"},
		},
	})
}

func TestMountsOfTheApp(t *testing.T) {
	const app = "containers: [{name: web, volumeMounts: [{name: data, mountPath: /data}]}]"
	mount := func(name, path string) string {
		return "appContainers: [{volumeMounts: [{name: " + name + ", mountPath: " + path + "}]}]"
	}
	checkAll(t, []rule{
		{
			claim:  "a mount goes behind the app's",
			app:    app,
			config: mount("data", "/new"),
			pod: "containers: [{name: web, volumeMounts: [{name: data, mountPath: /data}, {name: data, " +
				"mountPath: /new}]}]",
		},
		{
			claim:  "another mount at its path is refused",
			app:    app,
			config: mount("new", "/data"),
			finds: []string{
				"error MountConflict spec.containers[0].volumeMounts[0]: mount path \"/data\" of the app's container " +
					"\"web\" differs from " +
					"the injector's; make them equal, or set spec.onConflict.mountPath to Keep or Replace",
			},
		},
		{
			claim:  "or stays",
			app:    app,
			config: mount("new", "/data") + ", onConflict: {mountPath: Keep}",
			finds: []string{
				"warning MountConflict spec.containers[0].volumeMounts[0]: (spec.onConflict.mountPath: Keep)",
			},
		},
		{
			claim:  "or is replaced",
			app:    app,
			config: mount("new", "/data") + ", onConflict: {mountPath: Replace}",
			pod:    "containers: [{name: web, volumeMounts: [{name: new, mountPath: /data}]}]",
		},
		{
			claim:  "a source that is there with another setting stays",
			app:    "containers: [{name: web, envFrom: [{secretRef: {name: s}}]}]",
			config: "appContainers: [{envFrom: [{secretRef: {name: s, optional: true}}]}]",
			finds: []string{
				"warning EnvConflict spec.containers[0].envFrom[0]: envFrom source \"secretRef s\" of the app's " +
					"container \"web\"",
			},
		},
	})
}

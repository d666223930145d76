package apply_test

import (
	"testing"
)

func TestSharedMounts(t *testing.T) {
	const volumes = "volumes: [{name: v, emptyDir: {}}, {name: w, emptyDir: {}}]"
	sidecar := func(policy, more string) string {
		return "containers: [{name: logs, image: l, mode: Container, " +
			"shareVolumePolicy: {type: Enabled" + policy + "}" + more + "}]"
	}
	mounts := func(name, all string) string { return "{name: " + name + ", volumeMounts: [" + all + "]}" }
	logs := func(all string) string { return "{name: logs, image: l, volumeMounts: [" + all + "]}" }
	const v, w = "{name: v, mountPath: /v}", "{name: w, mountPath: /w}"
	web := mounts("web", v+", "+w)
	app := "containers: [" + web + "], " + volumes
	notShared := func(severity, path, why string) []string {
		return []string{severity + " MountNotShared spec.containers: the mount " + path +
			" of container \"web\" is not shared with container \"logs\": " + why}
	}
	one := func(mount string) string { return "containers: [" + mounts("web", mount) + "], " + volumes }
	checkAll(t, []rule{
		{
			claim:  "all mounts of the app's containers go behind the sidecar's own",
			app:    app,
			config: sidecar("", ", volumeMounts: [{name: v, mountPath: /own}]"),
			pod:    "containers: [" + web + ", " + logs("{name: v, mountPath: /own}, "+v+", "+w) + "], " + volumes,
		},
		{
			claim:  "a path that the sidecar has is not shared, however it is written",
			app:    app,
			config: sidecar("", ", volumeMounts: [{name: w, mountPath: /v/}]"),
			pod:    "containers: [" + web + ", " + logs("{name: w, mountPath: /v/}, "+w) + "], " + volumes,
		},
		{
			claim:  "nor is one that is excluded",
			app:    app,
			config: sidecar(", excludePaths: [/v/]", ""),
			pod:    "containers: [" + web + ", " + logs(w) + "], " + volumes,
		},
		{
			claim:  "nothing is shared if all is excluded",
			app:    app,
			config: sidecar(", excludePaths: [/v, /w]", ", volumeMounts: [{name: v, mountPath: /own}]"),
			pod:    "containers: [" + web + ", " + logs("{name: v, mountPath: /own}") + "], " + volumes,
		},
		{
			claim:  "a disabled policy shares nothing",
			app:    app,
			config: "containers: [{name: logs, image: l, mode: Container, shareVolumePolicy: {type: Disabled}}]",
			pod:    "containers: [" + web + ", {name: logs, image: l}], " + volumes,
		},
		{
			claim:  "an equal mount of two containers is shared once",
			app:    "containers: [" + web + ", " + mounts("db", v) + "], " + volumes,
			config: sidecar("", ""),
			pod:    "containers: [" + web + ", " + mounts("db", v) + ", " + logs(v+", "+w) + "], " + volumes,
		},
		{
			claim: "of two at the same path, the first is shared",
			app: "containers: [" + mounts("db", v) + ", " + mounts("web", "{name: w, "+
				"mountPath: /v}") + "], " + volumes,
			config: sidecar("", ""),
			pod: "containers: [" + mounts("db", v) + ", " + mounts("web", "{name: w, "+
				"mountPath: /v}") + ", " + logs(v) + "], " +
				volumes,
			finds: notShared("info", "/v", "another container has something else at that path, and came first"),
		},
		{
			claim:  "a container without a name shares its mounts",
			app:    "containers: [{volumeMounts: [" + v + "]}], " + volumes,
			config: sidecar("", ""),
			pod:    "containers: [{volumeMounts: [" + v + "]}, " + logs(v) + "], " + volumes,
		},
		{
			claim:  "init containers share nothing",
			app:    "containers: [{name: web}], initContainers: [" + mounts("first", v) + "], " + volumes,
			config: sidecar("", ""),
			pod: "containers: [{name: web}, {name: logs, image: l}], " +
				"initContainers: [" + mounts("first", v) + "], " + volumes,
		},
		{
			claim:  "unless they are named",
			app:    "containers: [" + web + "], initContainers: [" + mounts("first", v) + "], " + volumes,
			config: sidecar(", containers: [first]", ""),
			pod: "containers: [" + web + ", " + logs(v) + "], " +
				"initContainers: [" + mounts("first", v) + "], " + volumes,
		},
		{
			claim:  "a name that the app does not have is reported",
			app:    "containers: [" + mounts("web", v) + "], " + volumes,
			config: sidecar(", containers: [none, web]", ""),
			pod:    "containers: [" + mounts("web", v) + ", " + logs(v) + "], " + volumes,
			finds: []string{
				"info MountNotShared spec.containers: shares no mounts with container \"none\", " +
					"because the app has none of that name",
			},
		},
		{
			claim:  "a mount of no volume is not shared",
			app:    one("{name: none, mountPath: /x}"),
			config: sidecar("", ""),
			pod: "containers: [" + mounts("web", "{name: none, mountPath: /x}") + ", {name: logs, " +
				"image: l}], " + volumes,
			finds: notShared("warning", "/x", "the pod has no volume \"none\""),
		},
		{
			claim:  "a claim of a StatefulSet is a volume",
			app:    one("{name: claim, mountPath: /x}"),
			config: sidecar("", ""),
			given:  func(pod *subject) { pod.ClaimTemplates = []string{"claim"} },
			pod: "containers: [" + mounts("web", "{name: claim, mountPath: /x}") + ", " + logs("{name: claim, "+
				"mountPath: /x}") + "], " + volumes,
		},
		{
			claim:  "a mount without a path is not shared",
			app:    one("{name: v}"),
			config: sidecar("", ""),
			pod:    "containers: [" + mounts("web", "{name: v}") + ", {name: logs, image: l}], " + volumes,
		},
		{
			claim:  "a mount that propagates both ways needs a privileged sidecar",
			app:    one("{name: v, mountPath: /v, mountPropagation: Bidirectional}"),
			config: sidecar("", ""),
			pod: "containers: [" + mounts("web", "{name: v, mountPath: /v, "+
				"mountPropagation: Bidirectional}") + ", {name: logs, image: l}], " + volumes,
			finds: notShared("warning", "/v", "its mountPropagation is Bidirectional"),
		},
		{
			claim:  "which gets it",
			app:    one("{name: v, mountPath: /v, mountPropagation: Bidirectional}"),
			config: sidecar("", ", securityContext: {privileged: true}"),
			pod: "containers: [" + mounts("web", "{name: v, mountPath: /v, mountPropagation: Bidirectional}") + ", " +
				"{name: logs, image: l, securityContext: {privileged: true}, " +
				"volumeMounts: [{name: v, mountPath: /v, mountPropagation: Bidirectional}]}], " + volumes,
		},
		{
			claim:  "a path that depends on variables is not shared",
			app:    one("{name: v, mountPath: /v, subPathExpr: $(A)}"),
			config: sidecar("", ""),
			pod: "containers: [" + mounts("web", "{name: v, mountPath: /v, subPathExpr: $(A)}") + ", {name: logs, " +
				"image: l}], " + volumes,
			finds: notShared("warning", "/v", "its subPathExpr depends on the variables of that container"),
		},
	})
}

func TestSharedDevices(t *testing.T) {
	const volumes = "volumes: [{name: v, persistentVolumeClaim: {claimName: v}}]"
	sidecar := func(more string) string {
		return "containers: [{name: logs, image: l, mode: Container, " + more + "}]"
	}
	const (
		devices = "shareVolumeDevicePolicy: {type: Enabled}"
		x       = "{name: v, devicePath: /dev/x}"
		web     = "{name: web, volumeDevices: [" + x + "]}"
	)
	checkAll(t, []rule{
		{
			claim:  "devices are shared by a policy of their own",
			app:    "containers: [" + web + "], " + volumes,
			config: sidecar(devices),
			pod:    "containers: [" + web + ", {name: logs, image: l, volumeDevices: [" + x + "]}], " + volumes,
		},
		{
			claim:  "not by that of mounts",
			app:    "containers: [" + web + "], " + volumes,
			config: sidecar("shareVolumePolicy: {type: Enabled}"),
			pod:    "containers: [" + web + ", {name: logs, image: l}], " + volumes,
		},
		{
			claim:  "what the sidecar mounts is no device of it",
			app:    "containers: [" + web + "], " + volumes,
			config: sidecar(devices + ", volumeMounts: [{name: v, mountPath: /v}]"),
			pod: "containers: [" + web + ", {name: logs, image: l, volumeMounts: [{name: v, " +
				"mountPath: /v}]}], " + volumes,
			finds: []string{
				"warning MountNotShared spec.containers: this one mounts volume \"v\", " +
					"and a container does not mount its devices",
			},
		},
		{
			claim:  "what is a device of the sidecar is not mounted",
			app:    "containers: [{name: web, volumeMounts: [{name: v, mountPath: /v}]}], " + volumes,
			config: sidecar("shareVolumePolicy: {type: Enabled}, volumeDevices: [" + x + "]"),
			pod: "containers: [{name: web, volumeMounts: [{name: v, mountPath: /v}]}, {name: logs, image: l, " +
				"volumeDevices: [" + x + "]}], " + volumes,
			finds: []string{
				"warning MountNotShared spec.containers: this one has volume \"v\" as a device, " +
					"and a container does not mount",
			},
		},
		{
			claim:  "a volume is a device once",
			app:    "containers: [" + web + ", {name: db, volumeDevices: [{name: v, devicePath: /dev/y}]}], " + volumes,
			config: sidecar(devices),
			pod: "containers: [" + web + ", {name: db, volumeDevices: [{name: v, devicePath: /dev/y}]}, " +
				"{name: logs, image: l, volumeDevices: [" + x + "]}], " + volumes,
			finds: []string{
				"warning MountNotShared spec.containers: this one has volume \"v\" as a device at another path already",
			},
		},
		{
			claim:  "no path is both",
			app:    "containers: [" + web + "], " + volumes,
			config: sidecar(devices + ", volumeMounts: [{name: w, mountPath: /dev/x}]"),
			pod: "containers: [" + web + ", {name: logs, image: l, volumeMounts: [{name: w, " +
				"mountPath: /dev/x}]}], " + volumes,
		},
	})
}

// TestSharedByInjectors has what is shared of what injectors put in: only by includeInjected, and only of injectors
// before in the same run.
func TestSharedByInjectors(t *testing.T) {
	const (
		volumes = "volumes: [{name: v, emptyDir: {}}]"
		adds    = "appContainers: [{volumeMounts: [{name: v, mountPath: /new}]}]"
		mounted = "containers: [{name: web, volumeMounts: [{name: v, mountPath: /new}]}"
		share   = "containers: [{name: logs, image: l, mode: Container, shareVolumePolicy: {type: Enabled"
		logs    = ", {name: logs, image: l, volumeMounts: [{name: v, mountPath: /new}]}], "
		none    = ", {name: logs, image: l}], "
		side    = "containers: [{name: side, image: s, mode: Container, volumeMounts: [{name: v, mountPath: /new}]}]"
	)
	checkAll(t, []rule{
		{
			claim: "not by default", app: "containers: [{name: web}], " + volumes,
			config: adds + ", " + share + "}}]", pod: mounted + none + volumes,
		},
		{
			claim: "its own mounts", app: "containers: [{name: web}], " + volumes,
			config: adds + ", " + share + ", includeInjected: true}}]", pod: mounted + logs + volumes,
		},
		{
			claim: "those of an injector before", app: "containers: [{name: web}], " + volumes, earlier: adds,
			config: share + ", includeInjected: true}}]", pod: mounted + logs + volumes,
		},
		{
			claim: "not those of another run", app: "containers: [{name: " +
				"web}], " + volumes, others: mounted + "], " + volumes,
			config: share + ", includeInjected: true}}]", pod: mounted + none + volumes,
		},
		{
			claim: "those of a container of an injector before", app: "containers: [{name: " +
				"web}], " + volumes, earlier: side,
			config: share + ", includeInjected: true}}]",
			pod: "containers: [{name: web}, {name: side, image: s, volumeMounts: [{name: v, " +
				"mountPath: /new}]}" + logs + volumes,
		},
		{
			claim: "which are not shared by default", app: "containers: [{name: web}], " + volumes, earlier: side,
			config: share + "}}]",
			pod: "containers: [{name: web}, {name: side, image: s, volumeMounts: [{name: v, " +
				"mountPath: /new}]}" + none + volumes,
		},
		{
			claim: "a mount of the app of a volume that an injector before adds",
			app:   "containers: [{name: web, volumeMounts: [{name: v, mountPath: /new}]}]", earlier: volumes,
			config: share + ", includeInjected: true}}]", pod: mounted + logs + volumes,
		},
		{
			claim: "which is not shared by default",
			app:   "containers: [{name: web, volumeMounts: [{name: v, mountPath: /new}]}]", earlier: volumes,
			config: share + "}}]", pod: mounted + none + volumes,
		},
	})
}

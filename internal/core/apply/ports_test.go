package apply_test

import "testing"

func TestPorts(t *testing.T) {
	sidecar := func(ports, more string) string {
		return "containers: [{name: logs, image: l, mode: Container, ports: [" + ports + "]}]" + more
	}
	const keep = ", onConflict: {port: Keep}"
	const app = "containers: [{name: web, ports: [{containerPort: 1}, {name: http, containerPort: 80}]}]"
	const web = "{name: web, ports: [{containerPort: 1}, {name: http, containerPort: 80}]}"
	checkAll(t, []rule{
		{
			claim:  "a free port is added",
			app:    app,
			config: sidecar("{containerPort: 81}", ""),
			pod:    "containers: [" + web + ", {name: logs, image: l, ports: [{containerPort: 81}]}]",
		},
		{
			claim:  "a taken port is refused",
			app:    app,
			config: sidecar("{name: in, containerPort: 80}", ""),
			finds: []string{
				"error PortConflict spec.containers[0].ports[1]: port 80/TCP (in) of container \"logs\" has the same " +
					"number as one of " +
					"container \"web\"; change it, or set spec.onConflict.port to Keep to leave it out",
			},
		},
		{
			claim:  "so is a taken name",
			app:    app,
			config: sidecar("{name: http, containerPort: 81}", ""),
			finds: []string{
				"error PortConflict spec.containers[0].ports[1]: has the same name as one of container \"web\"",
			},
		},
		{
			claim:  "another protocol is another port",
			app:    app,
			config: sidecar("{containerPort: 80, protocol: UDP}", ""),
			pod:    "containers: [" + web + ", {name: logs, image: l, ports: [{containerPort: 80, protocol: UDP}]}]",
		},
		{
			claim:  "init containers end before the others start",
			app:    "containers: [{name: web}], initContainers: [{name: first, ports: [{containerPort: 80}]}]",
			config: sidecar("{containerPort: 80}", ""),
			pod: "containers: [{name: web}, {name: logs, image: l, ports: [{containerPort: 80}]}], " +
				"initContainers: [{name: first, ports: [{containerPort: 80}]}]",
		},
		{
			claim: "native sidecars do not",
			app: "containers: [{name: web}], initContainers: [{name: side, restartPolicy: Always, " +
				"ports: [{containerPort: 80}]}]",
			config: sidecar("{containerPort: 80}", ""),
			finds:  []string{"error PortConflict spec.initContainers[0].ports[0]: as one of container \"side\""},
		},
		{
			claim:  "a port that is taken can be left out",
			app:    app,
			config: sidecar("{containerPort: 80}, {containerPort: 81}", keep),
			pod:    "containers: [" + web + ", {name: logs, image: l, ports: [{containerPort: 81}]}]",
			finds: []string{
				"warning PortConflict spec.containers[0].ports[1]: port 80/TCP of container \"logs\" is left out, " +
					"because port 80/TCP " +
					"(http) of container \"web\" has the same number (spec.onConflict.port: Keep), " +
					"so the sidecar may not work",
			},
		},
		{
			claim:  "without ports there is no list of them",
			app:    app,
			config: sidecar("{containerPort: 80}", keep),
			pod:    "containers: [" + web + ", {name: logs, image: l}]",
			finds:  []string{"warning PortConflict spec.containers[0].ports[1]"},
		},
		{
			claim:  "a port of the container that is replaced is free",
			app:    "containers: [{name: logs, ports: [{containerPort: 80}]}]",
			config: sidecar("{containerPort: 80}", ", onConflict: {container: Replace}"),
			pod:    "containers: [{name: logs, image: l, ports: [{containerPort: 80}]}]",
		},
		{
			claim:  "a port that another injector has taken is refused, with the cause",
			app:    "containers: [{name: web}]",
			others: "containers: [{name: web}, {name: o, ports: [{containerPort: 80}]}]",
			config: sidecar("{containerPort: 80}", ""),
			finds: []string{
				"error PortConflict spec.containers[1].ports[0]: container \"o\"; change it, " +
					"or set spec.onConflict.port to Keep to leave it " +
					"out; the cause is what other injectors add (others)",
			},
		},
		{
			claim:  "one of the app has no other cause",
			app:    app,
			others: "containers: [{name: o}, " + web + "]",
			config: sidecar("{containerPort: 80}", ""),
			finds: []string{
				"error PortConflict spec.containers[1].ports[1]: container \"web\"; change it, " +
					"or set spec.onConflict.port to Keep to leave it out$",
			},
		},
		{
			claim:  "one of a container without a name is found",
			app:    "containers: [{ports: [{containerPort: 80}]}, {name: web}]",
			config: sidecar("{containerPort: 80}", ""),
			finds:  []string{"error PortConflict spec.containers[0].ports[0]: as one of container \"\""},
		},
		{
			claim:  "one of a container that was replaced before is free",
			app:    "containers: [{name: old, ports: [{containerPort: 80}]}]",
			others: "containers: [{name: old, ports: [{containerPort: 80}]}, {name: o}]",
			config: "containers: [{name: old, image: i, mode: Container}, " +
				"{name: b, image: i, mode: Container, ports: [{containerPort: 80}]}], onConflict: {container: Replace}",
			pod: "containers: [{name: old, image: i}, {name: o}, {name: b, image: i, ports: [{containerPort: 80}]}]",
		},
		{
			claim: "the second of the injector's own is refused",
			app:   "containers: [{name: web}]",
			config: "containers: [{name: a, image: i, mode: Container, ports: [{containerPort: 80}]}, " +
				"{name: b, image: i, mode: Container, ports: [{containerPort: 80}]}]",
			finds: []string{"error PortConflict spec.containers[1].ports[0]: as one of container \"a\""},
		},
		{
			claim:  "the first of the injector's own takes it",
			app:    "containers: [{name: web}]",
			others: "containers: [{name: web}, {name: o}]",
			config: "containers: [{name: a, image: i, mode: Container, ports: [{containerPort: 80}]}, " +
				"{name: b, image: i, mode: Container, ports: [{containerPort: 80}]}]" + keep,
			pod: "containers: [{name: web}, {name: o}, {name: a, image: i, ports: [{containerPort: 80}]}, " +
				"{name: b, image: i}]",
			finds: []string{"warning PortConflict spec.containers: port 80/TCP of container \"b\" is left out"},
		},
	})
}

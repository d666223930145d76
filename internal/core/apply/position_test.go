package apply_test

import "testing"

func TestPositions(t *testing.T) {
	const (
		ends   = "{name: a, image: i, mode: Container}, {name: b, image: i, mode: Container}"
		behind = "{name: a, image: i, mode: Container, after: web}, {name: b, image: i, mode: Container, after: web}"
		native = "{name: n, image: i, mode: Native}"
		isN    = "{name: n, image: i, restartPolicy: Always}"
	)
	checkAll(t, []rule{
		{
			claim:  "several at the end keep their order",
			app:    "containers: [{name: web}]",
			config: "containers: [" + ends + "]",
			pod:    "containers: [{name: web}, {name: a, image: i}, {name: b, image: i}]",
		},
		{
			claim:  "several behind one of the app keep their order",
			app:    "containers: [{name: web}, {name: db}]",
			config: "containers: [" + behind + "]",
			pod:    "containers: [{name: web}, {name: a, image: i}, {name: b, image: i}, {name: db}]",
		},
		{
			claim:  "those behind the app's last come before those at the end",
			app:    "containers: [{name: web}]",
			config: "containers: [{name: c, image: i, mode: Container}, " + behind + "]",
			pod:    "containers: [{name: web}, {name: a, image: i}, {name: b, image: i}, {name: c, image: i}]",
		},
		{
			claim: "also if another injector adds some of them",
			app:   "containers: [{name: web}]",
			earlier: "containers: [{name: c, image: i, mode: Container, after: web}, {name: d, image: i, " +
				"mode: Container}]",
			config: "containers: [" + behind + "]",
			pod: "containers: [{name: web}, {name: c, image: i}, {name: a, image: i}, {name: b, image: i}, " +
				"{name: d, image: i}]",
		},
		{
			claim:   "between containers of the app, all that injectors put there come first",
			app:     "containers: [{name: web}, {name: db}]",
			earlier: "containers: [{name: c, image: i, mode: Container, before: db}]",
			config:  "containers: [{name: a, image: i, mode: Container, after: web}]",
			pod:     "containers: [{name: web}, {name: c, image: i}, {name: a, image: i}, {name: db}]",
		},
		{
			claim: "behind one of another injector, only those that go behind it as well come first",
			app:   "containers: [{name: web}]",
			earlier: "containers: [{name: a, image: i, mode: Container}, {name: b, image: i, mode: Container, " +
				"after: a}, {name: c, image: i, mode: Container}]",
			config: "containers: [{name: d, image: i, mode: Container, after: a}]",
			pod: "containers: [{name: web}, {name: a, image: i}, {name: b, image: i}, {name: d, image: i}, " +
				"{name: c, image: i}]",
		},
		{
			claim:  "native sidecars go in front of the app's init containers, in their order",
			app:    "containers: [{name: web}], initContainers: [{name: first}]",
			config: "containers: [" + native + ", {name: o, image: i, mode: Native}]",
			pod: "containers: [{name: web}], " +
				"initContainers: [" + isN + ", {name: o, image: i, restartPolicy: Always}, {name: first}]",
		},
		{
			claim:   "behind those of injectors before",
			app:     "containers: [{name: web}], initContainers: [{name: first}]",
			earlier: "containers: [{name: m, image: i, mode: Native}]",
			config:  "containers: [" + native + "]",
			pod: "containers: [{name: web}], " +
				"initContainers: [{name: m, image: i, restartPolicy: Always}, " + isN + ", {name: first}]",
		},
		{
			claim:   "if the app has no init containers, in front of those that go to the end",
			app:     "containers: [{name: web}]",
			earlier: "containers: [{name: m, image: i, mode: Native}], initContainers: [{name: setup, image: s}]",
			config:  "containers: [" + native + "]",
			pod: "containers: [{name: web}], " +
				"initContainers: [{name: m, image: i, restartPolicy: Always}, " + isN + ", {name: setup, image: s}]",
		},
		{
			claim:   "a container next to one in front is in front as well",
			app:     "containers: [{name: web}]",
			earlier: "containers: [{name: m, image: i, mode: Native}, {name: o, image: i, mode: Native, after: m}]",
			config:  "containers: [" + native + "]",
			pod: "containers: [{name: web}], " +
				"initContainers: [{name: m, image: i, restartPolicy: Always}, {name: o, image: i, " +
				"restartPolicy: Always}, " + isN + "]",
		},
		{
			claim:  "of another run, native sidecars are in front, and others are not",
			app:    "containers: [{name: web}]",
			others: "containers: [{name: web}], initContainers: [{name: m, restartPolicy: Always}, {name: setup}]",
			config: "containers: [" + native + "]",
			pod: "containers: [{name: web}], initContainers: [{name: m, " +
				"restartPolicy: Always}, " + isN + ", {name: setup}]",
		},
		{
			claim:  "of another run alone, all may be in front",
			app:    "containers: [{name: web}]",
			others: "containers: [{name: web}], initContainers: [{name: m, restartPolicy: Always}]",
			config: "containers: [" + native + "]",
			pod:    "containers: [{name: web}], initContainers: [{name: m, restartPolicy: Always}, " + isN + "]",
		},
		{
			claim:  "one without a name is the app's",
			app:    "containers: [{name: web}], initContainers: [{image: x}]",
			config: "containers: [" + native + "]",
			pod:    "containers: [{name: web}], initContainers: [" + isN + ", {image: x}]",
		},
		{
			claim:  "one can go next to a container of another run",
			app:    "containers: [{name: web}, {name: db}]",
			others: "containers: [{name: web}, {name: o}, {name: db}]",
			config: "containers: [{name: a, image: i, mode: Container, after: o}]",
			pod:    "containers: [{name: web}, {name: o}, {name: a, image: i}, {name: db}]",
		},
		{
			claim:   "one before another injector's in front of the app is in front as well",
			app:     "containers: [{name: web}]",
			earlier: "containers: [{name: o, image: i, mode: Container, podInjectPolicy: BeforeAppContainer}]",
			config:  "containers: [{name: a, image: i, mode: Container, before: o}]",
			pod: "{metadata: {annotations: {kubectl.kubernetes.io/default-container: web}}, " +
				"spec: {containers: [{name: a, image: i}, {name: o, image: i}, {name: web}]}}",
			wants: []string{
				"puts spec/containers a", "puts metadata/annotations kubectl.kubernetes.io/default-container",
			},
		},
		{
			claim:  "one before another run's is not, because that may go",
			app:    "containers: [{name: web}]",
			others: "containers: [{name: o, image: i}, {name: web}]",
			config: "containers: [{name: a, image: i, mode: Container, before: o}]",
			pod:    "containers: [{name: a, image: i}, {name: o, image: i}, {name: web}]",
			wants:  []string{"puts spec/containers a"},
		},
		{
			claim:  "a native sidecar is not next to a container",
			app:    "containers: [{name: web}]",
			config: "containers: [{name: n, image: i, mode: Native, after: web}]",
			finds: []string{
				"error PositionNotNative spec.containers[0]: cannot be placed next to \"web\" in containers; " +
					"write mode: Container",
			},
		},
		{
			claim:  "nor is an init container, which only goes to its usual place",
			app:    "containers: [{name: web}], initContainers: [{name: first}]",
			config: "initContainers: [{name: setup, image: s, after: web}]",
			pod:    "containers: [{name: web}], initContainers: [{name: first}, {name: setup, image: s}]",
			finds: []string{
				"info PositionMissing spec.initContainers: next to \"web\", which is not in initContainers",
			},
		},
		{
			claim:  "without its neighbour it goes to its usual place",
			app:    "containers: [{name: web}]",
			config: "containers: [{name: a, image: i, mode: Container, before: none}]",
			pod:    "containers: [{name: web}, {name: a, image: i}]",
			finds:  []string{"info PositionMissing spec.containers: next to \"none\", which is not in containers"},
		},
		{
			claim:  "one that another injector adds as well stays where it is",
			app:    "containers: [{name: web}]",
			others: "containers: [{name: a, image: i}, {name: web}]",
			config: "containers: [{name: a, image: i, mode: Container, after: none}]",
		},
	})
}

package apply_test

import (
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/work/meter"
)

// priced is something that a plan does, with the steps that it takes in addition to those for the text that is made.
type priced struct {
	claim, app, config string
	claims             []string // of a StatefulSet
	steps              int
}

// inject runs the plan on the app.
func (p priced) inject(t *testing.T, s *scene, room *meter.Room) []finding.Finding {
	t.Helper()
	_, findings := s.inject(t, p.config, func(pod *subject) {
		pod.Room = room
		pod.ClaimTemplates = p.claims
	})
	return findings
}

func pricedWork() []priced {
	const (
		three  = "containers: [{name: a}, {name: b}], initContainers: [{name: i}]"
		mounts = "containers: [{name: a, volumeMounts: [{name: v, mountPath: /v}, {name: v, mountPath: /w}]}, " +
			"{name: b}], "
		volumes = "volumes: [{name: v, emptyDir: {}}, {name: w, emptyDir: {}}]"
		env     = "containers: [{name: a, env: [{name: A, value: a}, {name: B, value: b}]}]"
		adds    = "containers: [{name: logs, image: l, mode: Container"
	)
	return []priced{
		{
			claim:  "a container is compared with all of the pod",
			app:    three,
			config: adds + "}]",
			steps:  3 * meter.PerContainer,
		},
		{
			claim:  "a volume is compared with those before it",
			app:    three + ", " + volumes,
			config: "volumes: [{name: x, emptyDir: {}}, {name: y, emptyDir: {}}]",
			steps:  (2 + 3) * meter.PerEntry,
		},
		{
			claim:  "a toleration is compared with those before it",
			app:    three + ", tolerations: [{key: a}, {key: b}]",
			config: "podSpec: {tolerations: [{key: c}, {key: a}]}",
			steps:  (2 + 3) * meter.PerEntry,
		},
		{
			claim: "in a merge, a port is compared with those before it in more than a key",
			app:   "containers: [{name: logs, image: l, ports: [{containerPort: 1}, {containerPort: 2}]}]",
			config: "containers: [{name: logs, image: l, mode: Container, ports: [{containerPort: 3}]}], " +
				"onConflict: {container: Merge}",
			steps: meter.PerContainer + 2*meter.PerPort,
		},
		{
			claim: "a port is compared with those of containers that run beside it",
			app: "containers: [{name: a, ports: [{containerPort: 1}, {containerPort: 2}]}, {name: b, " +
				"ports: [{containerPort: 3}]}]",
			config: adds + ", ports: [{containerPort: 4}, {containerPort: 5}]}]",
			steps:  2*meter.PerContainer + 2*3*meter.PerPort,
		},
		{
			claim:  "each name of appContainers is compared with each container, and each addition with the variables",
			app:    "containers: [{name: a, env: [{name: A, value: a}]}, {name: b}], initContainers: [{name: i}]",
			config: "appContainers: [{containers: [a], env: [{name: N, value: n}, {name: M, value: m}]}]",
			steps:  (1+1)*3*meter.PerValue + 2*(meter.PerShared+2*(1+2)*meter.PerEntry),
		},
		{
			claim:  "a value is read that another one is joined to",
			app:    env,
			config: "appContainers: [{env: [{name: A, value: n, join: ' '}]}]",
			steps:  2*meter.PerValue + meter.PerShared + 2*(2+1)*meter.PerEntry + len("a")*meter.PerByteJoined,
		},
		{
			claim:  "each variable that is taken over is looked at",
			app:    env,
			config: adds + ", transferEnv: [{sourceContainerName: a}]}]",
			steps:  meter.PerContainer + 2*meter.PerShared,
		},
		{
			claim:  "each that is wanted is compared with those of both containers",
			app:    env,
			config: adds + ", env: [{name: O, value: o}], transferEnv: [{sourceContainerName: a, envNames: [A, B]}]}]",
			steps:  meter.PerContainer + 2*(1+2)*meter.PerValue + 2*(meter.PerShared+2*meter.PerValue),
		},
		{
			claim:  "a finding about it has its price",
			app:    env,
			config: adds + ", transferEnv: [{sourceContainerName: none}]}]",
			steps:  meter.PerContainer + meter.PerFinding,
		},
		{
			claim:  "each mount that is shared is looked at, each volume, and each pair of containers",
			app:    mounts + volumes,
			config: adds + ", shareVolumePolicy: {type: Enabled}}]",
			steps: 2*meter.PerContainer + 2*meter.PerContainer + 2*(meter.PerContainer+2*meter.PerValue) +
				2*meter.PerShared,
		},
		{
			claim:  "so is each name of a container that shares its mounts",
			app:    mounts + volumes,
			config: adds + ", shareVolumePolicy: {type: Enabled, containers: [a]}}]",
			steps: 2*meter.PerContainer + 2*meter.PerContainer + 2*(meter.PerContainer+(1+2)*meter.PerValue) +
				2*meter.PerShared,
		},
		{
			claim:  "so is each claim",
			app:    mounts + volumes,
			config: adds + ", shareVolumePolicy: {type: Enabled}}]",
			claims: []string{"one", "two", "three"},
			steps: 2*meter.PerContainer + (2+3)*meter.PerContainer + 2*(meter.PerContainer+2*meter.PerValue) +
				2*meter.PerShared,
		},
		{
			claim: "what an injector shares of its own is looked for in all that it wants",
			app:   "containers: [{name: a}], " + volumes,
			config: "appContainers: [{volumeMounts: [{name: v, mountPath: /v}]}], " +
				adds + ", shareVolumePolicy: {type: Enabled, includeInjected: true}}]",
			steps: 2*meter.PerValue + meter.PerShared + 2*meter.PerEntry + // the mount of the app
				meter.PerContainer + 2*meter.PerContainer + meter.PerContainer + meter.PerValue + // the sidecar
				meter.PerValue + meter.PerShared,
		},
		{
			claim: "each quantity is computed from each container",
			app:   "containers: [{name: a}, {name: b}]",
			config: adds + ", resourcesPolicy: {resourcesExpr: {requests: {cpu: cpu, memory: memory}, " +
				"limits: {cpu: cpu}}}}]",
			steps: 2*meter.PerContainer + 2*meter.PerContainer + 2*3*meter.PerQuantity +
				2*len("a.")*meter.PerInstruction, // of the pattern that matches all names
		},
	}
}

// TestWorkIsCounted has the price of what a plan does, so that a run ends that would take too long.
func TestWorkIsCounted(t *testing.T) {
	for _, test := range pricedWork() {
		t.Run(test.claim, func(t *testing.T) {
			run := meter.New(0)
			room := run.Room(1<<20, 0)
			findings := test.inject(t, newScene(t, test.app, ""), room)
			if finding.HasError(findings) {
				t.Fatal(findings)
			}
			if got := int(run.Used()) - room.Taken()*meter.PerByteMade; got != test.steps {
				t.Errorf("got %d steps, want %d", got, test.steps)
			}
		})
	}
}

// TestARunThatTakesTooLongEnds has that nothing of what a plan does goes on if all steps are taken.
func TestARunThatTakesTooLongEnds(t *testing.T) {
	for _, test := range pricedWork() {
		t.Run(test.claim, func(t *testing.T) {
			run := meter.New(0)
			run.Charge(int(run.Limit()) + 1)
			room := run.Room(1<<20, 0)
			s := newScene(t, test.app, "")
			before := shown(s.version)
			findings := test.inject(t, s, room)
			if len(findings) == 0 || findings[len(findings)-1].Code != finding.LimitExceeded {
				t.Errorf("got %v", findings)
			}
			if after := shown(s.version); after != before {
				t.Errorf("it goes on, to %s", after)
			}
		})
	}
}

// TestAnObjectThatGetsTooLargeIsRefused has that the room for what is added to an object is taken.
func TestAnObjectThatGetsTooLargeIsRefused(t *testing.T) {
	const app = "containers: [{name: a, env: [{name: A, value: a}], volumeMounts: [{name: v, mountPath: /v}]}], " +
		"volumes: [{name: v, emptyDir: {}}]"
	for _, test := range []struct{ claim, config string }{
		{"by variables of the app", "appContainers: [{env: [{name: N, value: n}]}]"},
		{"by values in place of the app's", "onConflict: {env: Replace}, appContainers: [{env: [{name: A, value: n}]}]"},
		{"by values that are joined to the app's", "appContainers: [{env: [{name: A, value: n, join: ' '}]}]"},
		{"by variables that are taken over", "containers: [{name: l, image: l, " +
			"transferEnv: [{sourceContainerName: a}]}]"},
		{"by mounts that are shared", "containers: [{name: l, image: l, shareVolumePolicy: {type: Enabled}}]"},
	} {
		t.Run(test.claim, func(t *testing.T) {
			inject := func(room *meter.Room) []finding.Finding {
				_, findings := newScene(t, app, "").inject(t, test.config, func(pod *subject) { pod.Room = room })
				return findings
			}
			large := meter.New(0).Room(1<<20, 0)
			checkFindings(t, inject(large), nil)
			checkFindings(t, inject(meter.New(0).Room(large.Taken(), 0)), nil)
			small := meter.New(0).Room(large.Taken()-1, 0)
			checkFindings(t, inject(small), []string{"error LimitExceeded spec: a later run could not read it " +
				"with what " +
				"is added"})
		})
	}
}

// TestWhatSharesNothingTakesNoRoom has that a list of the sidecar that stays as it is takes no room.
func TestWhatSharesNothingTakesNoRoom(t *testing.T) {
	for _, fields := range []string{
		"volumeMounts: [{name: v, mountPath: /v}], shareVolumePolicy: {type: Enabled}",
		"env: [{name: A, value: a}], transferEnv: [{sourceContainerName: web}]",
	} {
		room := meter.New(0).Room(1<<20, 0)
		test := priced{config: "containers: [{name: logs, image: l, " + fields + "}]"}
		test.inject(t, newScene(t, "containers: [{name: web}]", ""), room)
		if room.Taken() != 0 {
			t.Errorf("%s: it takes %d bytes", fields, room.Taken())
		}
	}
}

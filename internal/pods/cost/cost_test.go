package cost

import (
	"testing"

	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

func TestAPodAsksForTheMostThatRunsAtOneTime(t *testing.T) {
	const mi = 1 << 20
	for _, test := range []struct {
		claim, spec string
		want        Pod
	}{
		{"nothing declared is nothing", `containers: [{name: a}]`, Pod{}},
		{"no spec is nothing", `null`, Pod{}},
		{
			"containers add up",
			`containers: [{resources: {requests: {cpu: 100m, memory: 64Mi}}}, {resources: {requests: {cpu: "1", memory: 32Mi}}}]`,
			Pod{Requests: Amount{1100, 96 * mi}},
		},
		{
			"a limit is a request where there is none", `containers: [{resources: {limits: {cpu: 1, memory: 64Mi}, requests: {cpu: 0.25}}}]`,
			Pod{Requests: Amount{250, 64 * mi}, Limits: Amount{1000, 64 * mi}},
		},
		{
			"a native sidecar runs with the containers",
			`{initContainers: [{restartPolicy: Always, resources: {requests: {cpu: 100m}}}], containers: [{resources: {requests: {cpu: 200m}}}]}`,
			Pod{Requests: Amount{300, 0}},
		},
		{
			"a small init container is free",
			`{initContainers: [{resources: {requests: {cpu: 100m}}}], containers: [{resources: {requests: {cpu: 200m}}}]}`,
			Pod{Requests: Amount{200, 0}},
		},
		{
			"a large init container is the peak",
			`{initContainers: [{resources: {requests: {cpu: 900m}}}], containers: [{resources: {requests: {cpu: 200m}}}]}`,
			Pod{Requests: Amount{900, 0}},
		},
		{
			"an init container runs beside the native sidecars before it, not those behind it",
			`{initContainers: [{restartPolicy: Always, resources: {requests: {cpu: 100m}}}, {resources: {requests: {cpu: 900m}}},
			  {restartPolicy: Always, resources: {requests: {cpu: 300m}}}], containers: [{resources: {requests: {cpu: 200m}}}]}`,
			Pod{Requests: Amount{1000, 0}},
		},
		{
			"each resource has its own peak",
			`{initContainers: [{resources: {requests: {cpu: 900m, memory: 1Mi}}}], containers: [{resources: {requests: {cpu: 200m, memory: 8Mi}}}]}`,
			Pod{Requests: Amount{900, 8 * mi}},
		},
		{
			"the pod's own resources overrule the sum",
			`{resources: {requests: {cpu: 2}}, containers: [{resources: {requests: {cpu: 200m, memory: 8Mi}}}]}`,
			Pod{Requests: Amount{2000, 8 * mi}},
		},
		{
			"a stranger's numbers do no harm",
			`containers: [{resources: {requests: {cpu: 1e30, memory: 1e-1000000}}}, {resources: {requests: {memory: 1n}}}]`,
			Pod{Requests: Amount{1e33, 1}},
		},
		{"what is no quantity is nothing", `containers: [{resources: {requests: {cpu: lots, memory: -1Mi}}}]`, Pod{}},
	} {
		t.Run(test.claim, func(t *testing.T) {
			var spec node.Node
			if err := read.Into([]byte(test.spec), &spec); err != nil {
				t.Fatal(err)
			}
			if got := ReadPod(spec.Content[0]); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestATotalReadsAsASentence(t *testing.T) {
	const gi = 1 << 30
	requests := func(cpu, bytes float64) Pod { return Pod{Requests: Amount{cpu, bytes}} }
	for _, test := range []struct {
		claim, want string
		added       []Addition
	}{
		{"nothing is nothing to say", "", []Addition{{Replicas: 3}}},
		{"a workload of no replicas costs nothing", "", []Addition{{Pod: requests(100, 0), Replicas: 0}}},
		{"one", "adds 0.05 CPU requests over 1 replica", []Addition{{Pod: requests(50, 0), Replicas: 1}}},
		{"less than before", "frees 0.1 CPU requests over 2 replicas", []Addition{{Pod: requests(-50, 0), Replicas: 2}}},
		{"times replicas", "adds 2.4 CPU, 3.1 GiB requests over 27 replicas", []Addition{
			{Pod: requests(100, 0), Replicas: 24},
			{Pod: requests(0, 3.1*gi/3), Replicas: 3},
		}},
		{
			"limits", "adds 1.23 CPU requests and 1024 CPU, 512 MiB limits over 1 replica",
			[]Addition{{Pod: Pod{Amount{1234, 0}, Amount{1024000, gi / 2}}, Replicas: 1}},
		},
		{"limits alone", "adds 1 GiB limits over 2 replicas", []Addition{{Pod: Pod{Limits: Amount{0, gi / 2}}, Replicas: 2}}},
		{
			"what nobody can tell", "adds 0.1 CPU requests over 1 replica (1 workload does not say how many, and counts as 1)",
			[]Addition{{Pod: requests(100, 0), Replicas: 1, Unknown: true}},
		},
		{
			"several that nobody can tell", "adds 0.2 CPU requests over 2 replicas (2 workloads do not say how many, and count as 1 each)",
			[]Addition{
				{Pod: requests(100, 0), Replicas: 1, Unknown: true},
				{Pod: requests(100, 0), Replicas: 1, Unknown: true},
			},
		},
		{
			"a sidecar that became smaller", "adds 1 KiB requests, frees 0.1 CPU requests over 1 replica",
			[]Addition{{Pod: requests(-100, 1024), Replicas: 1}},
		},
		{
			"no amount is below zero", "adds 1 GiB limits, frees 1 CPU requests over 1 replica",
			[]Addition{{Pod: Pod{Amount{-1000, 0}, Amount{0, gi}}, Replicas: 1}},
		},
	} {
		t.Run(test.claim, func(t *testing.T) {
			var total Total
			for _, a := range test.added {
				total.Add(a)
			}
			if got := total.String(); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestWhatAnInjectionAddsIsTheDifference(t *testing.T) {
	parse := func(text string) *node.Node {
		var spec node.Node
		if err := read.Into([]byte(text), &spec); err != nil {
			t.Fatal(err)
		}
		return spec.Content[0]
	}
	before := parse(`{containers: [{name: app, resources: {requests: {cpu: 1}}}]}`)
	with := func(entry string) *node.Node {
		after := *before
		list := *before.Content[1]
		list.Content = append([]*node.Node{parse(entry)}, list.Content...)
		after.Content = []*node.Node{before.Content[0], &list}
		return &after
	}
	for entry, want := range map[string]Pod{
		`{name: bare}`: {},
		`{name: sidecar, resources: {requests: {cpu: 200m}}}`: {Requests: Amount{200, 0}},
	} {
		if got := Difference(before, with(entry)); got != want {
			t.Errorf("%s adds %+v, want %+v", entry, got, want)
		}
		if got := Difference(with(entry), before); got != (Pod{}).minus(want) {
			t.Errorf("without %s it is %+v, want the same below zero", entry, got)
		}
	}
	if got := Difference(before, before); got != (Pod{}) {
		t.Errorf("nothing changed, and it adds %+v", got)
	}
}

package apply_test

import "testing"

// TestPodResourcesGrow has what becomes of the resources that a pod has for all of its containers.
func TestPodResourcesGrow(t *testing.T) {
	sidecar := func(resources string) string {
		return "containers: [{name: logs, image: l, mode: Container, resources: {" + resources + "}}]"
	}
	pod := func(own, container, more string) string {
		return "resources: {" + own + "}, containers: [{name: web" + container + "}" + more + "]"
	}
	logs := func(resources string) string { return ", {name: logs, image: l, resources: {" + resources + "}}" }
	const cpu = "requests: {cpu: 100m}"
	checkAll(t, []rule{
		{
			claim:  "the request grows by what the sidecar requests",
			app:    pod("requests: {cpu: 1}", "", ""),
			config: sidecar(cpu),
			pod:    pod("requests: {cpu: 1100m}", "", logs(cpu)),
			wants:  []string{"puts spec/containers logs", "adds 100m to spec/resources/requests cpu"},
		},
		{
			claim:  "what the pod does not have does not grow",
			app:    pod("requests: {cpu: 1}", "", ""),
			config: sidecar("requests: {memory: 1Mi}"),
			pod:    pod("requests: {cpu: 1}", "", logs("requests: {memory: 1Mi}")),
			wants:  []string{"puts spec/containers logs"},
		},
		{
			claim:  "a pod without resources of its own gets none",
			app:    "containers: [{name: web}]",
			config: sidecar(cpu),
			pod:    "containers: [{name: web}" + logs(cpu) + "]",
		},
		{
			claim:  "the limit grows by the limit, or by the request if there is none",
			app:    pod("requests: {cpu: 1}, limits: {cpu: 2}", "", ""),
			config: sidecar("requests: {cpu: 100m}, limits: {cpu: 300m}"),
			pod: pod("requests: {cpu: 1100m}, limits: {cpu: 2300m}", "", logs("requests: {cpu: 100m}, "+
				"limits: {cpu: 300m}")),
		},
		{
			claim:  "a request that equals the limit still does",
			app:    pod("requests: {cpu: 2}, limits: {cpu: 2}", "", ""),
			config: sidecar("requests: {cpu: 100m}, limits: {cpu: 300m}"),
			pod: pod("requests: {cpu: 2300m}, limits: {cpu: 2300m}", "", logs("requests: {cpu: 100m}, "+
				"limits: {cpu: 300m}")),
		},
		{
			claim:  "a limit without a request grows, and the request that it implies is written",
			app:    pod("limits: {cpu: 2}", "", ""),
			config: sidecar(cpu),
			pod:    pod("limits: {cpu: 2100m}, requests: {cpu: 2100m}", "", logs(cpu)),
			wants: []string{
				"puts spec/containers logs", "adds 100m to spec/resources/limits cpu", "adds 100m to " +
					"spec/resources/requests cpu",
			},
		},
		{
			claim:  "containers that request less than the limit imply no request",
			app:    pod("limits: {cpu: 2}", ", resources: {requests: {cpu: 1}}", ""),
			config: sidecar(cpu),
			pod:    pod("limits: {cpu: 2100m}", ", resources: {requests: {cpu: 1}}", logs(cpu)),
		},
		{
			claim:  "huge pages imply none",
			app:    pod("limits: {hugepages-2Mi: 2Mi}", "", ""),
			config: sidecar("limits: {cpu: 1, hugepages-2Mi: 2Mi}"),
			pod:    pod("limits: {hugepages-2Mi: 4Mi}", "", logs("limits: {cpu: 1, hugepages-2Mi: 2Mi}")),
		},
		{
			claim:  "a sidecar that requests nothing changes nothing",
			app:    pod("requests: {cpu: 1}, limits: {cpu: 2}", "", ""),
			config: "containers: [{name: logs, image: l, mode: Container}]",
			pod:    pod("requests: {cpu: 1}, limits: {cpu: 2}", "", ", {name: logs, image: l}"),
			wants:  []string{"puts spec/containers logs"},
		},
		{
			claim:  "nor does it imply a request",
			app:    pod("limits: {cpu: 2}", "", ""),
			config: "containers: [{name: logs, image: l, mode: Container}]",
			pod:    pod("limits: {cpu: 2}", "", ", {name: logs, image: l}"),
		},
		{
			claim:  "one that requests 0 as the first writes what was implied",
			app:    pod("limits: {cpu: 2}", "", ""),
			config: sidecar("requests: {cpu: 0}"),
			pod:    pod("limits: {cpu: 2}, requests: {cpu: 2}", "", logs("requests: {cpu: 0}")),
		},
		{
			claim:  "beside another request it changes nothing",
			app:    pod("limits: {cpu: 2}", ", resources: {requests: {cpu: 2}}", ""),
			config: sidecar("requests: {cpu: 0}"),
			pod:    pod("limits: {cpu: 2}", ", resources: {requests: {cpu: 2}}", logs("requests: {cpu: 0}")),
		},
		{
			claim:  "it grows beside what others have added",
			app:    pod("requests: {cpu: 1}", "", ""),
			others: pod("requests: {cpu: 1500m}", "", ", {name: o, resources: {requests: {cpu: 500m}}}"),
			config: sidecar(cpu),
			pod:    pod("requests: {cpu: 1600m}", "", ", {name: o, resources: {requests: {cpu: 500m}}}"+logs(cpu)),
			wants:  []string{"puts spec/containers logs", "adds 100m to spec/resources/requests cpu"},
		},
		{
			claim: "it grows by more if others need it",
			app:   pod("requests: {cpu: 100m}", ", resources: {requests: {cpu: 100m}}", ""),
			others: pod("requests: {cpu: 100m}", ", resources: {requests: {cpu: 100m}}", ", {name: o, "+
				"resources: {requests: {cpu: 500m}}}"),
			config: sidecar(cpu),
			pod: pod("requests: {cpu: 700m}", ", resources: {requests: {cpu: 100m}}",
				", {name: o, resources: {requests: {cpu: 500m}}}"+logs(cpu)),
		},
		{
			claim:  "not if the app's own pod has too little",
			app:    pod("requests: {cpu: 50m}", ", resources: {requests: {cpu: 100m}}", ""),
			config: sidecar(cpu),
			pod:    pod("requests: {cpu: 150m}", ", resources: {requests: {cpu: 100m}}", logs(cpu)),
		},
		{
			claim:  "a native sidecar runs beside the app",
			app:    pod("requests: {cpu: 1}", "", ""),
			config: "containers: [{name: logs, image: l, mode: Native, resources: {requests: {cpu: 100m}}}]",
			pod: "resources: {requests: {cpu: 1100m}}, containers: [{name: web}], " +
				"initContainers: [{name: logs, image: l, resources: {requests: {cpu: 100m}}, restartPolicy: Always}]",
		},
		{
			claim:  "an init container that ends needs nothing beside a larger app",
			app:    pod("requests: {cpu: 1}", ", resources: {requests: {cpu: 1}}", ""),
			config: "initContainers: [{name: setup, image: s, resources: {requests: {cpu: 1}}}]",
			pod: pod("requests: {cpu: 1}", ", resources: {requests: {cpu: 1}}", "") +
				", initContainers: [{name: setup, image: s, resources: {requests: {cpu: 1}}}]",
		},
		{
			claim:  "what is no quantity cannot grow",
			app:    pod("requests: {cpu: much}", "", ""),
			config: sidecar(cpu),
			finds: []string{
				"error InvalidResources spec.resources: the requests of cpu in the resources of the pod are no " +
					"quantity",
			},
		},
		{
			claim:  "and need not if the sidecar has none of it",
			app:    pod("requests: {cpu: much}", "", ""),
			config: sidecar("requests: {memory: 1Mi}"),
			pod:    pod("requests: {cpu: much}", "", logs("requests: {memory: 1Mi}")),
		},
		{
			claim: "what is written elsewhere cannot grow",
			app: "{metadata: {annotations: &r {cpu: 1}}, spec: {resources: {requests: *r}, " +
				"containers: [{name: web}]}}",
			config: sidecar(cpu),
			finds:  []string{"error InvalidResources spec.resources: the requests of the pod are written elsewhere"},
		},
	})
}

// TestPodResourcesShare has sidecars that use what the pod has for all of its containers.
func TestPodResourcesShare(t *testing.T) {
	sidecar := func(resources string) string {
		return "containers: [{name: logs, image: l, mode: Container" + resources + "}], podResources: Share"
	}
	const pod = "resources: {requests: {cpu: 1}}, containers: [{name: web}"
	checkAll(t, []rule{
		{
			claim:  "the sidecar loses the resources that the pod has",
			app:    pod + "]",
			config: sidecar(", resources: {requests: {cpu: 100m, memory: 1Mi}, limits: {cpu: 1}}"),
			pod:    pod + ", {name: logs, image: l, resources: {requests: {memory: 1Mi}}}]",
		},
		{
			claim:  "all of them, if the pod has all",
			app:    pod + "]",
			config: sidecar(", resources: {requests: {cpu: 100m}}"),
			pod:    pod + ", {name: logs, image: l}]",
		},
		{
			claim:  "a sidecar without resources has none",
			app:    pod + "]",
			config: sidecar(""),
			pod:    pod + ", {name: logs, image: l}]",
		},
		{
			claim:  "a pod without resources of its own shares none",
			app:    "containers: [{name: web}]",
			config: sidecar(", resources: {requests: {cpu: 100m}}"),
			pod:    "containers: [{name: web}, {name: logs, image: l, resources: {requests: {cpu: 100m}}}]",
		},
		{
			claim:  "nor do those that another injector gave it",
			app:    "containers: [{name: web}]",
			others: pod + "]",
			config: sidecar(", resources: {requests: {cpu: 100m}}"),
			pod:    pod + ", {name: logs, image: l, resources: {requests: {cpu: 100m}}}]",
		},
	})
}

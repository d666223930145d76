package injector

import "testing"

func TestContainersThatNoPodCanHaveAreRefused(t *testing.T) {
	for _, test := range []bad{
		{
			"Bidirectional propagation without privileges", sidecar("volumeMounts: [{name: v, mountPath: /x, mountPropagation: Bidirectional}]"),
			[]string{`spec.containers[0].volumeMounts[0].mountPropagation: container "envoy" mounts "/x" with Bidirectional propagation, ` +
				`which is for privileged containers only; ` +
				"write HostToContainer or None, or make it privileged"},
		},
		{
			"a probe that does two things", sidecar("livenessProbe: {exec: {command: [x]}, tcpSocket: {port: 80}}"),
			[]string{`spec.containers[0].livenessProbe: container "envoy" has a livenessProbe with the actions exec and tcpSocket; keep one`},
		},
		{
			"a probe of an init container that ends", envoy("initContainers: [{name: a, image: b, startupProbe: {tcpSocket: {port: 80}}}]"),
			[]string{`spec.initContainers[0].startupProbe: container "a" has a startupProbe, which an init container has only with ` +
				`restartPolicy Always; remove it, or set restartPolicy`},
		},
		{
			"a request above its limit", sidecar("resources: {requests: {cpu: 2}, limits: {cpu: 1}}"),
			[]string{`spec.containers[0].resources.requests.cpu: container "envoy" requests 2 of cpu, and its limit is 1; lower the request ` +
				`or raise the limit`},
		},
		{
			"a variable whose name is none", sidecar(`env: [{name: "A=B", value: x}]`),
			[]string{`spec.containers[0].env[0].name: "A=B" is not a valid environment variable name: a valid environment variable name must ` +
				`consist only of printable ASCII characters other than '='`},
		},
		{
			"a prefix that no name has", sidecar(`envFrom: [{prefix: "A=", configMapRef: {name: c}}]`),
			[]string{`spec.containers[0].envFrom[0].prefix: "A=" is not a valid environment variable name: a valid environment variable name ` +
				`must consist only of printable ASCII characters other than '='`},
		},
		{
			"a variable from two sources", sidecar("env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}, secretKeyRef: {name: s, " +
				"key: k}}}]"),
			[]string{"spec.containers[0].env[0].valueFrom: valueFrom has 2 sources, and a variable has one value; keep one of them"},
		},
		{
			"a variable from nowhere", sidecar("env: [{name: A, valueFrom: {}}]"),
			[]string{"spec.containers[0].env[0].valueFrom.fieldRef: valueFrom needs a source; write one of fieldRef, resourceFieldRef, " +
				"configMapKeyRef, secretKeyRef, fileKeyRef"},
		},
	} {
		test.run(t)
	}
}

func TestAContainerWithVariablesIsJudgedWhenTheyAreFilledIn(t *testing.T) {
	one(t, sidecar(`resources: {requests: {cpu: "${pod.labels['cpu']:-2}"}, limits: {cpu: 1}}`))
}

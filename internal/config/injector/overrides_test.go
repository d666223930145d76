package injector

import (
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/yaml/node"
)

func TestAllowOverrideNamesFieldsOfAContainer(t *testing.T) {
	allow := func(fields string) string { return sidecar("allowOverride: [" + fields + "]") }
	for _, test := range []bad{
		{
			"a misspelt field", allow("imag"),
			[]string{`spec.containers[0].allowOverride[0]: a container has no field "imag"; did you mean image?`},
		},
		{
			"a misspelt field further in", allow("resources.request.cpu"),
			[]string{`spec.containers[0].allowOverride[0]: resources has no field "request"; did you mean resources.requests?`},
		},
		{
			"a misspelt resource", allow("resources.requests.cpus"),
			[]string{`spec.containers[0].allowOverride[0]: resources.requests has no field "cpus"; did you mean resources.requests.cpu?`},
		},
		{
			"nothing", allow(`""`),
			[]string{`spec.containers[0].allowOverride[0]: a container has no field ""; known are name, image, command, args, workingDir, ` +
				`ports, envFrom, env, resources, resizePolicy, restartPolicy, restartPolicyRules, ...`},
		},
		{
			"the name", allow("image, name"),
			[]string{"spec.containers[0].allowOverride[1]: the name identifies the container of an annotation, so no annotation can change " +
				"it; remove it"},
		},
		{
			"a list", allow("args"),
			[]string{"spec.containers[0].allowOverride[0]: args is a list, and an annotation sets one value; name a field of one value, such " +
				"as image"},
		},
		{
			"an entry of a list", allow("env.LEVEL, 'ports[0].containerPort'"),
			[]string{
				"spec.containers[0].allowOverride[0]: env is a list, and an annotation sets one value; name a field of one value, such as image",
				`spec.containers[0].allowOverride[1]: ports is a list, and an annotation sets one value; name a field of one value, such as image`,
			},
		},
		{
			"a mapping", allow("resources, resources.limits, 'resources.'"),
			[]string{
				"spec.containers[0].allowOverride[0]: resources is a mapping, and an annotation sets one value; name a field inside it, such as " +
					"resources.limits",
				"spec.containers[0].allowOverride[1]: resources.limits is a mapping, and an annotation sets one value; name a field inside it, " +
					"such as resources.limits.cpu",
				`spec.containers[0].allowOverride[2]: resources has no field ""; known are limits, requests, claims`,
			},
		},
		{
			"a field of a value", allow("image.tag"),
			[]string{`spec.containers[0].allowOverride[0]: image is one value and has no field "tag"; write image`},
		},
		{
			"a name with a slash", allow("resources.limits.nvidia.com/gpu"),
			[]string{"spec.containers[0].allowOverride[0]: no annotation can be called pillion.dev/envoy.resources.limits.nvidia.com/gpu: " +
				"a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
				"(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') " +
				"with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName'); remove it"},
		},
		{
			"a name that is too long", envoy("containers: [{name: opentelemetry-collector-sidecar, image: a, allowOverride: " +
				"[securityContext.allowPrivilegeEscalation]}]"),
			[]string{"spec.containers[0].allowOverride[0]: no annotation can be called " +
				"pillion.dev/opentelemetry-collector-sidecar.securityContext.allowPrivilegeEscalation: " +
				"name part must be no more than 63 bytes; remove it"},
		},
		{
			"of an init container", envoy("initContainers: [{name: a, image: b, allowOverride: [command]}]"),
			[]string{"spec.initContainers[0].allowOverride[0]: command is a list, and an annotation sets one value; name a field of one " +
				"value, such as image"},
		},
	} {
		test.run(t)
	}
}

func TestAnnotationsOverrideWhatIsAllowed(t *testing.T) {
	in := one(t, sidecar(`
resources: {requests: {memory: 1Gi}}
allowOverride: [image, resources.requests.cpu, securityContext.runAsUser, tty, livenessProbe.httpGet.port,
    startupProbe.httpGet.port, imagePullPolicy]`))
	made, met := forPod(in, of(t, `
annotations:
  pillion.dev/envoy.image: my/envoy:2
  pillion.dev/envoy.resources.requests.cpu: "2"
  pillion.dev/envoy.securityContext.runAsUser: "01000"
  pillion.dev/envoy.tty: "true"
  pillion.dev/envoy.livenessProbe.httpGet.port: "8080"
  pillion.dev/envoy.startupProbe.httpGet.port: http
  pillion.dev/envoy.imagePullPolicy: Never
`))
	if len(met) > 0 {
		t.Fatal(said(met))
	}
	body := made.Containers[0].Body
	if got := node.Brief(body); got != "{name: envoy, image: my/envoy:2, resources: {requests: {memory: 1Gi, cpu: 2}}, securityContext: "+
		"{runAsUser: 1000}, tty: true, "+
		"livenessProbe: {httpGet: {port: 8080}}, startupProbe: {httpGet: {port: htt..." {
		t.Error(got)
	}
	for tag, at := range map[node.Tag][]string{
		node.StrTag:  {"resources", "requests", "cpu"},
		node.IntTag:  {"livenessProbe", "httpGet", "port"},
		node.BoolTag: {"tty"},
	} {
		if got := node.Get(body, at...).Tag; got != tag {
			t.Errorf("%v is of %s, not of %s", at, got, tag)
		}
	}
	if got := node.Brief(in.Containers[0].Body); got != "{name: envoy, image: envoy:v1, resources: {requests: {memory: 1Gi}}}" {
		t.Errorf("the injector itself has changed: %s", got)
	}
}

func TestOverridesThatDoNotFitAreRefused(t *testing.T) {
	in := one(t, sidecar("allowOverride: [image, resources.requests.cpu, securityContext.runAsUser, tty, imagePullPolicy, "+
		"startupProbe.periodSeconds]"))
	for annotation, want := range map[string]string{
		`envoy.image: ""`: `the annotation pillion.dev/envoy.image is not valid: a container needs an ` +
			`image; write one, such as envoyproxy/envoy:v1.33.0`,
		`envoy.image: [a]`: `the annotation pillion.dev/envoy.image is a list; write one value in quotes`,
		`envoy.image:`:     `the annotation pillion.dev/envoy.image is empty; write one value in quotes`,
		`envoy.resources.requests.cpu: lots`: `the annotation pillion.dev/envoy.resources.requests.cpu is not valid: expected ` +
			`a quantity such as 100m, 0.5 or 512Mi, found the string "lots"`,
		`envoy.securityContext.runAsUser: "root"`: `the annotation pillion.dev/envoy.securityContext.runAsUser is not valid: ` +
			`expected a whole number, found the string "root"`,
		`envoy.tty: "yes"`: `the annotation pillion.dev/envoy.tty is not valid: expected true or false, ` +
			`found the string "yes"; write true`,
		`envoy.imagePullPolicy: always`: `the annotation pillion.dev/envoy.imagePullPolicy is not valid: "always" is not ` +
			`one of Always, Never, IfNotPresent; did you mean Always?`,
		`envoy.startupProbe.periodSeconds: "99999999999"`: `the annotation pillion.dev/envoy.startupProbe.periodSeconds is not valid: the ` +
			`number 99999999999 is too large for this field`,
	} {
		t.Run(annotation, func(t *testing.T) {
			_, met := forPod(in, of(t, "annotations:\n  pillion.dev/"+annotation))
			if got := said(met); got != "error: "+want+"\n" {
				t.Fatalf("got  %swant %s", got, want)
			}
			if met[0].Code != finding.OverrideInvalid {
				t.Errorf("the code is %s", met[0].Code)
			}
		})
	}
}

func TestOverridesThatAreNotAllowedAreIgnoredLoudly(t *testing.T) {
	for claim, test := range map[string]struct{ config, want string }{
		"what is allowed is said": {
			sidecar("allowOverride: [image, tty]"),
			`the annotation pillion.dev/envoy.imag is ignored, because imag of container "envoy" may not be overridden; what may be is image, ` +
				`tty; did you mean pillion.dev/envoy.image?`,
		},
		"so is that nothing is": {
			sidecar(""),
			`the annotation pillion.dev/envoy.imag is ignored, because nothing of container "envoy" may be overridden; ` +
				`remove it, or write allowOverride: [imag] on the container in the injector`,
		},
	} {
		t.Run(claim, func(t *testing.T) {
			in := one(t, test.config)
			made, met := forPod(in, of(t, "annotations: {pillion.dev/envoy.imag: a}"))
			if got := said(met); got != "warning: "+test.want+"\n" || made != in {
				t.Fatalf("got %s", got)
			}
			if f := met[0]; f.Code != finding.OverrideNotAllowed || f.Field.Path != `spec.template.metadata.annotations["pillion.dev/envoy.imag"]` {
				t.Errorf("%+v %+v", f, f.Field)
			}
		})
	}
}

func TestOverridesMeetNamesWithVariables(t *testing.T) {
	in := one(t, envoy("containers: [{name: \"${workload.name}-proxy\", image: a, allowOverride: [image]}]"))
	made, met := forPod(in, of(t, "annotations: {pillion.dev/web-proxy.image: '${workload.name}'}"))
	if len(met) > 0 || node.Text(made.Containers[0].Body, "image") != "${workload.name}" {
		t.Errorf("%s %+v", said(met), made)
	}
}

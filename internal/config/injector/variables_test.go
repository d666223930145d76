package injector

import (
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// of is a Deployment web in the namespace shop with these fields as its pod template's metadata.
func of(t testing.TB, metadata string) Subject {
	t.Helper()
	template := node.Mapping(node.String("metadata"), parse(t, metadata).Content[0], node.String("spec"), node.Mapping())
	return Subject{
		Object:   &finding.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"},
		Template: pod.Template{Path: "spec.template", Node: template},
	}
}

func TestBadVariablesAreRefused(t *testing.T) {
	const escape = "; write $${ for a literal ${"
	const known = "workload.name, workload.namespace, workload.kind, pod.labels['KEY'], pod.annotations['KEY'], " +
		"container.name, container.image, container.port"
	for _, test := range []bad{
		{
			"an unknown one, with the nearest", sidecar(`env: [{name: A, value: "${workload.nme}"}]`),
			[]string{"spec.containers[0].env[0].value: there is no variable ${workload.nme}; did you mean ${workload.name}? Write $${ for a " +
				"literal ${"},
		},
		{
			"the shell's, with the way to write it", sidecar(`args: [sh, -c, "echo ${HOME}"]`),
			[]string{"spec.containers[0].args[2]: there is no variable ${HOME}; known are " + known + escape},
		},
		{
			"an unclosed one", envoy(`volumes: [{name: a, configMap: {name: "${workload.name"}}]`),
			[]string{`spec.volumes[0].configMap.name: "${workload.name" is not closed; write the "}" that ends it, or $${ for a literal ${`},
		},
		{
			"an empty one", envoy(`imagePullSecrets: [{name: "${}"}]`),
			[]string{"spec.imagePullSecrets[0].name: ${} names no variable; known are " + known + escape},
		},
		{
			"wrong quotes", envoy(`initContainers: [{name: a, image: '${pod.labels["app"]}'}]`),
			[]string{`spec.initContainers[0].image: the key in ${pod.labels["app"]} has the wrong form; write ${pod.labels['app']}`},
		},
		{
			"once, where the type would not take it either", sidecar(`resources: {limits: {cpu: "${x}"}}`),
			[]string{"spec.containers[0].resources.limits.cpu: there is no variable ${x}; known are " + known + escape},
		},
		{
			"for a number", sidecar(`ports: [{containerPort: "${pod.labels['port']}"}]`),
			[]string{`spec.containers[0].ports[0].containerPort: expected a whole number, found the string "${pod.labels['port']}"; a ` +
				`variable gives a string, which this field does not take`},
		},
		{
			"for a truth value", sidecar(`tty: "${pod.labels['tty']}"`),
			[]string{`spec.containers[0].tty: expected true or false, found the string "${pod.labels['tty']}"; a variable gives a string, ` +
				`which this field does not take`},
		},
		{
			"in a list, with the path of the item",
			"apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems: [{metadata: {name: a}, spec: {volumes: [{name: '${a}'}]}}]",
			[]string{"items[0].spec.volumes[0].name: there is no variable ${a}; known are " + known + escape},
		},
	} {
		test.run(t)
	}
	t.Run("knobs have none", func(t *testing.T) {
		_, findings := Read(parse(t, sidecar("after: ${workload.name}")))
		if got := said(findings); !strings.HasPrefix(got, `error: spec.containers[0].after: "${workload.name}" is not a valid container name`) {
			t.Error(got)
		}
	})
}

func TestVariablesGoWhereStringsGo(t *testing.T) {
	in := one(t, envoy(`
containers:
- name: ${workload.name}-proxy
  image: "registry/${pod.labels['app']}:${pod.labels['version']:-1}"
  imagePullPolicy: ${pod.annotations['pull']:-Always}
  resources: {limits: {cpu: "${pod.annotations['cpu']:-100m}"}}
  livenessProbe: {httpGet: {port: "${pod.annotations['port']:-http}"}}
  ports: [{containerPort: 80, name: "${pod.labels['app']}"}]
  volumeMounts: [{name: "${workload.name}-conf", mountPath: "/etc/${workload.kind}"}]
volumes: [{name: "${workload.name}-conf", configMap: {name: x}}]
imagePullSecrets: [{name: "${workload.namespace}-registry"}]
`))
	filled, met := forPod(in, of(t, "labels: {app: shop}"))
	if len(met) > 0 {
		t.Fatal(said(met))
	}
	c := filled.Containers[0]
	if got := c.Name + " " + node.Brief(c.Body); got != "web-proxy {name: web-proxy, image: registry/shop:1, imagePullPolicy: Always, "+
		"resources: {limits: {cpu: 100m}}, livenessProbe: {httpGet: {port: http}}, ports: [{containerPort: 80, name: shop}], "+
		"volumeMounts: [{n..." {
		t.Error(got)
	}
	if cpu := filled.Spec.Containers[0].Resources.Limits.Cpu().String(); cpu != "100m" {
		t.Errorf("the typed container has the cpu %s", cpu)
	}
	if got := filled.Volumes[0].Name + " " + filled.ImagePullSecrets[0].Name; got != "web-conf shop-registry" {
		t.Error(got)
	}
	if again := node.Text(in.Containers[0].Body, "name"); again != "${workload.name}-proxy" {
		t.Errorf("the injector itself has changed: %s", again)
	}
}

func TestAnInjectorWithoutVariablesIsItselfForEveryPod(t *testing.T) {
	in := one(t, sidecar("allowOverride: [image]\nenv: [{name: A, value: $(B) $$(C) $$}]"))
	plain := of(t, "labels: {a: b}\nannotations: {c: d}")
	if allocated := testing.AllocsPerRun(10, func() {
		if made, met := forPod(in, plain); made != in || len(met) > 0 {
			t.Error(said(met))
		}
	}); allocated > 0 {
		t.Errorf("it takes %v allocations for a pod", allocated)
	}
	others := of(t, "annotations: {pillion.dev/inject: 'true', pillion.dev/other.image: a, pillion.dev/injected-envoy.image: b, "+
		"x/envoy.image: c}")
	if made, met := forPod(in, others); made != in || len(met) > 0 {
		t.Error(said(met))
	}
}

func TestTheClassicPayloadIsLiteral(t *testing.T) {
	in := one(t, classicMap("config: |\n  containers:\n  - {name: a, image: b, args: [\"${HOME}\", \"$${x}\"]}"))
	made, met := forPod(in, of(t, "{}"))
	if !in.Literal || made != in || len(met) > 0 {
		t.Error(in.Literal, said(met))
	}
	if got := node.Brief(made.Containers[0].Body); got != "{name: a, image: b, args: [${HOME}, $${x}]}" {
		t.Error(got)
	}
}

func TestWhatVariablesMakeIsCheckedAsTheConfigIs(t *testing.T) {
	for claim, test := range map[string]struct{ config, metadata, want string }{
		"a name": {
			envoy("containers: [{name: \"${pod.labels['app']}\", image: a}]"), "labels: {app: '-'}",
			`with the variables of the injector filled in, spec.containers[0].name: "-" is not a valid container name: `,
		},
		"an image": {
			envoy("containers: [{name: a, image: \"${pod.labels['app']}\"}]"), "labels: {app: ''}",
			"with the variables of the injector filled in, spec.containers[0].image: a container needs an image; write one",
		},
		"a choice": {
			sidecar("imagePullPolicy: ${pod.labels['pull']}"), "labels: {pull: Sometimes}",
			`with the variables of the injector filled in, spec.containers[0].imagePullPolicy: "Sometimes" is not one of Always, `,
		},
		"a quantity": {
			sidecar("resources: {limits: {cpu: \"${pod.labels['cpu']}\"}}"), "labels: {cpu: lots}",
			`with the variables of the injector filled in, spec.containers[0].resources.limits.cpu: expected a quantity such as 100m, 0.5 or ` +
				`512Mi, found the string "lots"`,
		},
		"two names that become one": {
			envoy("volumes: [{name: web}, {name: \"${workload.name}\"}]"), "{}",
			`with the variables of the injector filled in, spec.volumes[1].name: spec.volumes[0] has the name "web" already; rename one of them`,
		},
		"the fixed name of a container, after one that becomes it": {
			envoy("containers: [{name: \"${workload.name}\", image: a}, {name: web, image: a}]"), "{}",
			`with the variables of the injector filled in, spec.containers[1].name: spec.containers[0] has the name "web" already; rename one`,
		},
		"a container of the app that becomes one of the injector": {
			envoy("containers: [{name: \"${workload.name}\", image: a}]\nappContainers: [{containers: [web], env: [{name: A, value: b}]}]"), "{}",
			`with the variables of the injector filled in, spec.appContainers[0].containers[0]: "web" is a container of this injector and not`,
		},
	} {
		t.Run(claim, func(t *testing.T) {
			_, met := forPod(one(t, test.config), of(t, test.metadata))
			if len(met) != 1 || met[0].Code != finding.VariableInvalid || met[0].Severity != finding.Error || !strings.HasPrefix(met[0].Message,
				test.want) {
				t.Errorf("got %s", said(met))
			}
		})
	}
}

func TestWhatEachContainerGetsIsCheckedAtItsPathInTheConfig(t *testing.T) {
	in := one(t, envoy("appContainers: [{env: [{name: A, value: a}, {name: B, value: \"${workload.name}\"}]}, {containers: [web, api], env: "+
		"[{name: \"${container.name}\", value: a}, {name: \"${container.image}\", value: \"${container.name}\"}]}]"))
	made, met := forPod(in, podOf(t, "containers: [{name: web, image: x}, {name: api, image: api}]"))
	want := "error: with the variables of the injector filled in, for container \"api\": spec.appContainers[1].env[1].name: " +
		"spec.appContainers[1].env[0] sets \"api\" already; Kubernetes takes the last one, so remove the first\n"
	if got := said(met); got != want || made != in {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
	made, met = forPod(in, podOf(t, "containers: [{name: web, image: x}]"))
	if of := made.Spec.AppContainers; len(met) > 0 || of[0].Env[1].Value != "web" || of[1].Env[1].Value != "${container.name}" {
		t.Errorf("%s%+v", said(met), of)
	}
}

func TestAnUnsetVariableIsSaidOnce(t *testing.T) {
	in := one(t, sidecar("args: [\"${pod.labels['a']}\", \"${pod.labels['a']}\", \"${pod.annotations['b']}\"]"))
	_, met := forPod(in, of(t, "{}"))
	want := "error: spec.containers[0].args[0]: ${pod.labels['a']} has no value, because the pod template has no label \"a\"; add it, " +
		"or give a default: ${pod.labels['a']:-DEFAULT}\n" +
		"error: spec.containers[0].args[2]: ${pod.annotations['b']} has no value, because the pod template has no annotation \"b\"; add " +
		"it, or give a default: ${pod.annotations['b']:-DEFAULT}\n"
	if got := said(met); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
	if met[0].Code != finding.VariableUnset || met[0].Field.Path != "spec.template.metadata.labels" {
		t.Errorf("%+v %+v", met[0], met[0].Field)
	}
}

func BenchmarkForPod(b *testing.B) {
	var document node.Node
	if err := read.Into([]byte(sidecar(`env: [{name: A, value: "${workload.name}"}]`)), &document); err != nil {
		b.Fatal(err)
	}
	injectors, _ := Read(&document)
	subject := of(b, "labels: {app: shop}")
	b.ReportAllocs()
	for b.Loop() {
		if _, met := forPod(injectors[0], subject); len(met) > 0 {
			b.Fatal(met)
		}
	}
}

// podOf is a Deployment web with these containers and init containers.
func podOf(t testing.TB, spec string) Subject {
	t.Helper()
	subject := of(t, "{}")
	node.Set(subject.Template.Node, "spec", parse(t, spec).Content[0])
	return subject
}

func TestTheAppsContainerHasOnePortOrNone(t *testing.T) {
	const noPort = `${container.port} has no value, because container "web" of the app `
	const otherwise = ", write the number in the config, exclude the workload, or give a default: ${container.port:-DEFAULT}"
	in := one(t, sidecar(`args: ["${container.port}"]`))
	for ports, want := range map[string]string{
		"[{containerPort: 8080}]":                                                        "8080",
		"[{containerPort: 0x1F90, protocol: TCP}]":                                       "8080",
		"[{containerPort: 53, protocol: UDP}, {containerPort: 8080}]":                    "8080",
		"[{containerPort: 9102}, {containerPort: 8080, name: http}]":                     "8080",
		"[{containerPort: 8080, hostPort: 80}, {containerPort: 8080, hostPort: 81}]":     "8080",
		"[{containerPort: 53, protocol: UDP, name: http}, {containerPort: 80, name: a}]": "80",

		"[]":                   noPort + "declares no port; declare it" + otherwise,
		"none":                 noPort + "declares no port; declare it" + otherwise,
		"[{containerPort: 0}]": noPort + `declares its port without a valid number, "0"; correct it` + otherwise,
		"[null, a, [b]]": noPort +
			`declares several TCP ports, "", "", "", and none of them is named http; name one of them http` + otherwise,
		"[{name: http}]":         noPort + `declares its port without a valid number, "" "http"; correct it` + otherwise,
		"[{containerPort: 1.5}]": noPort + `declares its port without a valid number, "1.5"; correct it` + otherwise,
		"[{containerPort: 65536, name: http}, {containerPort: 80}]": noPort +
			`declares its port without a valid number, "65536" "http", 80; correct it` + otherwise,
		"[{containerPort: 53, protocol: UDP}, {containerPort: 9, protocol: SCTP, name: x}]": noPort +
			`declares no TCP port, only 53/UDP, 9/SCTP "x"; declare it` + otherwise,
		"[" + strings.Repeat("{containerPort: 1}, {containerPort: 2}, ", 10) + "]": noPort +
			"declares several TCP ports, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, ..., and none of them is named http; name one of them http" + otherwise,
	} {
		t.Run(ports, func(t *testing.T) {
			made, met := forPod(in, podOf(t, "containers: [{name: web, image: web:1, ports: "+ports+"}]"))
			got := strings.TrimSpace(strings.TrimPrefix(said(met), "error: spec.containers[0].args[0]: "))
			if len(met) == 0 {
				got = node.List(made.Containers[0].Body, "args")[0].Value
			}
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

func TestWhatTheAppLacksIsNamed(t *testing.T) {
	in := one(t, sidecar(`args: ["${container.name}", "${container.image}"]`))
	for spec, want := range map[string]string{
		"containers: [{name: web}]": `args[1]: ${container.image} has no value, because container "web" of the app has no image; add it, or`,
		"containers: [{image: a}]":  "args[0]: ${container.name} has no value, because a container of the app has no name; add it, or",
		"initContainers: [{name: web, image: a}]": "args[0]: ${container.name} has no value, because the pod template has no container " +
			"except those that injectors add; add one, exclude the workload, or",
		"containers: [{name: envoy, image: a}]": "args[0]: ${container.name} has no value, because the pod template has no container " +
			"except those that injectors add; add one, exclude the workload, or",
	} {
		if _, met := forPod(in, podOf(t, spec)); len(met) == 0 || !strings.Contains(said(met), want) {
			t.Errorf("%s:\ngot  %s\nwant %s", spec, said(met), want)
		}
	}
}

func TestVariablesOfTheAppAreRefusedWhereTheyAreCircular(t *testing.T) {
	const depends = `: the injector "envoy" depends on this, so a second run would differ from the first; remove it, or let the injector ` +
		`depend on something else`
	const patch = "\npatchPodMetadata: [{annotations: {kubectl.kubernetes.io/default-container: a}}]"
	const annotation = `spec.patchPodMetadata[0].annotations["kubectl.kubernetes.io/default-container"]`
	const name = "the name of a container cannot depend on the app's containers, because names tell these from sidecars; " +
		"write a fixed name, or use ${workload.name}"
	for _, test := range []bad{
		{
			"in the name of a container", envoy(`containers: [{name: "${container.name}-a", image: a}]`),
			[]string{"spec.containers[0].name: " + name},
		},
		{
			"in the name of an init container", envoy(`initContainers: [{name: "a${container.port:-1}", image: a}]`),
			[]string{"spec.initContainers[0].name: " + name},
		},
		{"with the default container set", envoy(`containers: [{name: a, image: "${container.image}"}]` + patch), []string{annotation + depends}},
	} {
		test.run(t)
	}
	one(t, envoy(`appContainers: [{env: [{name: A, value: "${container.name}"}]}]`+patch)) // each container has its own
}

func TestFieldsWithoutVariablesAreCheckedNextToThoseWithSome(t *testing.T) {
	const variable = "${workload.name}"
	for _, test := range []bad{
		{
			"an init container with a hook", envoy("initContainers: [{name: a, image: a, args: ['" + variable + "'], lifecycle: {preStop: " +
				"{exec: {command: ['" + variable + "']}}}}]"),
			[]string{`spec.initContainers[0].lifecycle: container "a" has a lifecycle, which an init container has only with ` +
				"restartPolicy Always; remove it, or set restartPolicy"},
		},
		{
			"a request above its limit", sidecar("args: ['" + variable + "']\nresources: {requests: {cpu: 2}, limits: {cpu: 1}}"),
			[]string{`spec.containers[0].resources.requests.cpu: container "envoy" requests 2 of cpu, and its limit is 1; lower the request or ` +
				"raise the limit"},
		},
		{
			"a probe with two actions", sidecar("livenessProbe:\n  exec: {command: ['" + variable + "']}\n  httpGet: {path: '" + variable +
				"', port: 1}"),
			[]string{`spec.containers[0].livenessProbe: container "envoy" has a livenessProbe with the actions exec and httpGet; keep one`},
		},
	} {
		test.run(t)
	}
}

func TestFieldsWithVariablesAreCheckedForEachPod(t *testing.T) {
	for claim, fields := range map[string]string{
		"a profile":          "securityContext: {seccompProfile: {type: Localhost, localhostProfile: '${workload.name}'}}",
		"a device's limit":   `resources: {requests: {example.com/gpu: "1"}, limits: {example.com/gpu: "${pod.labels['gpu']:-1}"}}`,
		"a mount":            "volumeMounts: [{name: v, mountPath: /a, subPath: '${workload.name}'}]",
		"a repeat on a list": "args: ['${workload.name}', '${workload.name}', a, a]",
	} {
		t.Run(claim, func(t *testing.T) { one(t, sidecar(fields)) })
	}
}

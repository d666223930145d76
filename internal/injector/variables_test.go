package injector

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// of is a Deployment web in the namespace shop with these fields as its pod template's metadata.
func of(t testing.TB, metadata string) Subject {
	t.Helper()
	template := node.Mapping(node.String("metadata"), parse(t, metadata).Content[0], node.String("spec"), node.Mapping())
	return Subject{
		Object:   &finding.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"},
		Template: podtemplate.Template{Path: "spec.template", Node: template},
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
	filled, met := in.For(of(t, "labels: {app: shop}"))
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
		if made, met := in.For(plain); made != in || len(met) > 0 {
			t.Error(said(met))
		}
	}); allocated > 0 {
		t.Errorf("it takes %v allocations for a pod", allocated)
	}
	others := of(t, "annotations: {pillion.dev/inject: 'true', pillion.dev/other.image: a, pillion.dev/injected-envoy.image: b, "+
		"x/envoy.image: c}")
	if made, met := in.For(others); made != in || len(met) > 0 {
		t.Error(said(met))
	}
}

func TestTheClassicPayloadIsLiteral(t *testing.T) {
	in := one(t, classicMap("config: |\n  containers:\n  - {name: a, image: b, args: [\"${HOME}\", \"$${x}\"]}"))
	made, met := in.For(of(t, "{}"))
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
	} {
		t.Run(claim, func(t *testing.T) {
			_, met := one(t, test.config).For(of(t, test.metadata))
			if len(met) != 1 || met[0].Code != finding.VariableInvalid || met[0].Severity != finding.Error || !strings.HasPrefix(met[0].Message,
				test.want) {
				t.Errorf("got %s", said(met))
			}
		})
	}
}

func TestAnUnsetVariableIsSaidOnce(t *testing.T) {
	in := one(t, sidecar("args: [\"${pod.labels['a']}\", \"${pod.labels['a']}\", \"${pod.annotations['b']}\"]"))
	_, met := in.For(of(t, "{}"))
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
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(sidecar(`env: [{name: A, value: "${workload.name}"}]`)), &document); err != nil {
		b.Fatal(err)
	}
	injectors, _ := Read(&document)
	subject := of(b, "labels: {app: shop}")
	b.ReportAllocs()
	for b.Loop() {
		if _, met := injectors[0].For(subject); len(met) > 0 {
			b.Fatal(met)
		}
	}
}

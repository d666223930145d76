package injector

import "testing"

func TestConfigsOfNoUseSayWhatIsNeeded(t *testing.T) {
	const none = `there is no function config, so Pillion does not know what to inject; write a SidecarInjector` +
		` (apiVersion pillion.dev/v1alpha1) in a file and name that file under "transformers" in kustomization.yaml,` +
		` under pipeline.mutators[].configPath in a Kptfile, or with "kpt fn eval --fn-config FILE"`
	const known = "Pillion reads a SidecarInjector or a SidecarInjectorList of pillion.dev/v1alpha1, a ConfigMap of v1, or a SidecarSet " +
		"of apps.kruise.io/v1beta1"
	for _, test := range []bad{
		{"null is no config", "null", []string{none}},
		{"nothing is no config", "", []string{none}},
		{"an empty mapping is no config", "{}", []string{none}},
		{
			"the ConfigMap that kpt sends without a config is no config",
			"{apiVersion: v1, kind: ConfigMap, metadata: {name: function-input}, data: {}}",
			[]string{none},
		},
		{"a list is no config", "[a]", []string{`expected a mapping, found a list; its fields are apiVersion, kind, metadata, spec`}},
		{"a string is no config", "hello", []string{
			`expected a mapping, found the string "hello"; its fields are apiVersion, kind, metadata, spec`,
		}},
		{"a config needs a kind", "{spec: {}}", []string{"kind: the config has no kind; " + known}},
		{
			"a config needs an apiVersion", "{kind: SidecarInjector}",
			[]string{"apiVersion: the config has no apiVersion; did you mean pillion.dev/v1alpha1? " + known},
		},
		{
			"a misspelt kind is told the nearest", "{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjecter}",
			[]string{`kind: the kind "SidecarInjecter" of "pillion.dev/v1alpha1" is not known; did you mean SidecarInjector? ` + known},
		},
		{
			"another kind is told what there is", "{apiVersion: apps/v1, kind: Deployment}",
			[]string{`kind: a Deployment is a manifest to inject into, and not a config; ` +
				`give it as a manifest, and a config in its place. ` + known},
		},
		{
			"another version is told the right one", "{apiVersion: pillion.dev/v1, kind: SidecarInjector}",
			[]string{`apiVersion: SidecarInjector of "pillion.dev/v1" is not known; did you mean pillion.dev/v1alpha1? ` + known},
		},
		{
			"a ConfigMap of another version is told the right one", "{apiVersion: v2, kind: ConfigMap}",
			[]string{`apiVersion: ConfigMap of "v2" is not known; did you mean v1? ` + known},
		},
	} {
		test.run(t)
	}
}

func TestMistypedConfigsAreRefusedWithPathAndRemedy(t *testing.T) {
	for _, test := range []bad{
		{
			"an unknown spec field is told the nearest", with("selectr: {}"),
			[]string{`spec.selectr: there is no field "selectr" here; did you mean selector?`},
		},
		{
			"case counts", sidecar("imagepullpolicy: Always"),
			[]string{`spec.containers[0].imagepullpolicy: there is no field "imagepullpolicy" here; did you mean imagePullPolicy?`},
		},
		{
			"an unknown field deep in a body is told the nearest", sidecar("livenessProbe: {httpGet: {prot: 80}}"),
			[]string{`spec.containers[0].livenessProbe.httpGet.prot: there is no field "prot" here; did you mean port?`},
		},
		{
			"a field with nothing near it lists a few", with("expect: {atLeast: 1}"),
			[]string{`spec.expect.atLeast: there is no field "atLeast" here; known are min, max`},
		},
		{
			"a field with nothing near it lists no long list", sidecar("zebra: 1"),
			[]string{`spec.containers[0].zebra: there is no field "zebra" here; ` +
				`remove it, or if it is newer than Kubernetes 1.37, set kubernetesVersion`},
		},
		{
			"a misspelt field of a newer Kubernetes", sidecar("imagePullPolcy: Always") + "  kubernetesVersion: '1.99'\n",
			[]string{`spec.containers[0].imagePullPolcy: there is no field "imagePullPolcy" here; did you mean imagePullPolicy?`},
		},
		{
			"an unknown field of a known Kubernetes", sidecar("zebra: 1") + "  kubernetesVersion: '1.37'\n",
			[]string{`spec.containers[0].zebra: there is no field "zebra" here; ` +
				`remove it, or if it is newer than Kubernetes 1.37, set kubernetesVersion`},
		},
		{
			"a field of a newer Kubernetes than the cluster's", with("volumes: [{name: agent, image: {reference: a}}]\nkubernetesVersion: '1.30'"),
			[]string{`spec.volumes[0].image: the field needs Kubernetes 1.31, and kubernetesVersion is 1.30; remove it or raise the version`},
		},
		{
			"a restart policy where mode Auto is plain", sidecar("restartPolicy: Never") + "  kubernetesVersion: '1.28'\n",
			[]string{`spec.containers[0].restartPolicy: restart policies of containers need Kubernetes 1.35, and kubernetesVersion is 1.28; ` +
				`remove it or raise the version`},
		},
		{
			"an unknown setting of a newer Kubernetes", with("zebra: 1\nkubernetesVersion: '1.99'"),
			[]string{`spec.zebra: there is no field "zebra" here; remove it`},
		},
		{
			"a key twice in an unknown field", sidecar("zebra: {a: 1, a: 2}") + "  kubernetesVersion: '1.99'\n",
			[]string{`spec.containers[0].zebra: expected a value of JSON without repeated keys, found a mapping`},
		},
		{
			"a field one level too high is told where it belongs", sidecar("runAsUser: 0"),
			[]string{`spec.containers[0].runAsUser: there is no field "runAsUser" here, but there is one in securityContext; move it there`},
		},
		{
			"a number for a string is to be quoted", sidecar("env: [{name: PORT, value: 8080}]"),
			[]string{`spec.containers[0].env[0].value: expected a string, found the number 8080; write it in quotes: "8080"`},
		},
		{
			"a truth value for a string is to be quoted", sidecar("args: [true]"),
			[]string{`spec.containers[0].args[0]: expected a string, found the boolean true; write it in quotes: "true"`},
		},
		{
			"a version without quotes keeps its zero", with("kubernetesVersion: 1.30"),
			[]string{`spec.kubernetesVersion: expected a string, found the number 1.30; write it in quotes: "1.30"`},
		},
		{
			"a string for a number is to be bare", sidecar(`ports: [{containerPort: "80"}]`),
			[]string{`spec.containers[0].ports[0].containerPort: expected a whole number, found the string "80"; write 80`},
		},
		{
			"a word for a number is refused", sidecar(`ports: [{containerPort: http}]`),
			[]string{`spec.containers[0].ports[0].containerPort: expected a whole number, found the string "http"`},
		},
		{
			"a fraction for a whole number is refused", with(`expect: {min: 1.5}`),
			[]string{`spec.expect.min: expected a whole number, found the number 1.5`},
		},
		{
			"a number beyond its field is refused", sidecar(`ports: [{containerPort: 99999999999}]`),
			[]string{`spec.containers[0].ports[0].containerPort: the number 99999999999 is too large for this field`},
		},
		{
			"yes is no truth value", sidecar(`tty: yes`),
			[]string{`spec.containers[0].tty: expected true or false, found the string "yes"; write true`},
		},
		{
			"a mapping for a list is refused", envoy("containers: {name: envoy}"),
			[]string{`spec.containers: expected a list, found a mapping; begin each entry with "- "`},
		},
		{
			"a list for a mapping is refused", with("selector: [a]"),
			[]string{`spec.selector: expected a mapping, found a list; its fields are matchLabels, matchExpressions`},
		},
		{
			"a truth value for a choice is told the choices", with("policy: true"),
			[]string{`spec.policy: expected one of Enabled, Disabled, found the boolean true`},
		},
		{
			"names for a mapping are told its fields", with("namespaces: [shop]"),
			[]string{`spec.namespaces: expected a mapping, found a list; its fields are include, exclude`},
		},
		{
			"a line that is indented too little is told where it belongs", with("image: envoy:1"),
			[]string{`spec.image: there is no field "image" here, but there is one in containers; move it there`},
		},
		{
			"sidecars are told where they are listed", with("sidecars: [{name: a, image: b}]"),
			[]string{`spec.sidecars: there is no field "sidecars" here; sidecars are listed under containers`},
		},
		{
			"a pod template is told that there is none", with("template: {spec: {}}"),
			[]string{`spec.template: containers, initContainers and volumes are fields of spec itself, without a template; move them there`},
		},
		{
			"a mapping for a string is refused", sidecar("workingDir: {}"),
			[]string{`spec.containers[0].workingDir: expected a string, found a mapping`},
		},
		{
			"an empty entry is refused", envoy("containers:\n- \n"),
			[]string{"spec.containers[0]: this entry is empty; write a mapping or remove its dash"},
		},
		{
			"a quantity is a quantity", sidecar("resources: {limits: {memory: 512 MB}}"),
			[]string{`spec.containers[0].resources.limits.memory: expected a quantity such as 100m, 0.5 or 512Mi, found the string "512 MB"` +
				`; write 512M, without B`},
		},
		{
			"a text that only ends like bytes is no amount", sidecar("resources: {limits: {memory: lotsB}}"),
			[]string{`spec.containers[0].resources.limits.memory: expected a quantity such as 100m, 0.5 or 512Mi, found the string "lotsB"`},
		},
		{
			"an abbreviated field has its name", sidecar("img: x"),
			[]string{`spec.containers[0].img: there is no field "img" here; did you mean image?`},
		},
		{
			"a policy for all conflicts is one for each", with("onConflict: Keep"),
			[]string{`spec.onConflict: expected a mapping, found the string "Keep"; its fields are container, volume, env, mountPath, port; ` +
				`write what to do for each, such as onConflict: {container: Keep}`},
		},
		{
			"a port reference is a number or a name", sidecar("livenessProbe: {httpGet: {port: true}}"),
			[]string{`spec.containers[0].livenessProbe.httpGet.port: expected a number or a string, found the boolean true`},
		},
		{
			"an enum of ours has its values", with("jobs: native"),
			[]string{`spec.jobs: "native" is not one of Native, Inject, Skip, Error; did you mean Native?`},
		},
		{
			"an enum of Kubernetes has its values", sidecar("ports: [{containerPort: 53, protocol: ICMP}]"),
			[]string{`spec.containers[0].ports[0].protocol: "ICMP" is not one of TCP, UDP, SCTP`},
		},
		{
			"a key given twice is refused", sidecar("tty: true\ntty: false"),
			[]string{`spec.containers[0].tty: this key is given twice in one mapping; remove one`},
		},
		{
			"a key that is another one to kubectl is refused", sidecar("resources: {requests: {00: 1}}"),
			[]string{`spec.containers[0].resources.requests.00: this key is "0" to kubectl; write that, or put the key in quotes`},
		},
		{
			"an empty key is refused", with("selector: {matchLabels: {null: b}}"),
			[]string{`spec.selector.matchLabels: a key is empty; write a word`},
		},
		{
			"a label given twice is refused", with("selector: {matchLabels: {a.b/c: d, a.b/c: e}}"),
			[]string{`spec.selector.matchLabels["a.b/c"]: this key is given twice in one mapping; remove one`},
		},
		{
			"a key that is a list is refused", with("selector: {? [a] : b}"),
			[]string{`spec.selector: a key here is a list or a mapping; a key must be a word`},
		},
		{
			"a YAML tag that means nothing here is refused", sidecar("workingDir: !secret x"),
			[]string{`spec.containers[0].workingDir: expected a string, found a value with a YAML tag that no object has; remove the tag`},
		},
		{
			"a YAML tag on a port is refused", sidecar("livenessProbe: {tcpSocket: {port: !!binary aGVsbG8=}}"),
			[]string{`spec.containers[0].livenessProbe.tcpSocket.port: expected a number or a string, found a value with the YAML tag !!binary; ` +
				`remove the tag`},
		},
		{"all problems are said at once", with("selectr: {}\njobs: native\nmarker: /x"), []string{
			`spec.selectr: there is no field "selectr" here; did you mean selector?`,
			`spec.jobs: "native" is not one of Native, Inject, Skip, Error; did you mean Native?`,
			`spec.marker: "/x" is not a valid annotation key: prefix part must be non-empty`,
		}},
		{"a marker that would be a stamp is refused", with("marker: pillion.dev/injected-x"), []string{
			`spec.marker: annotations whose keys begin with pillion.dev/injected- are stamps; choose another key`,
		}},
		{"what is misspelt is not said to be missing too", envoy("containers: [{naem: envoy, image: 5}]"), []string{
			`spec.containers[0].naem: there is no field "naem" here; did you mean name?`,
			`spec.containers[0].image: expected a string, found the number 5; write it in quotes: "5"`,
		}},
	} {
		test.run(t)
	}
}

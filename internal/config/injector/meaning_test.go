package injector

import (
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
)

const noGlob = ` is not a glob, in which "*" stands for any number of characters, "?" for one, and the rest for itself; write `

func TestInjectorsThatMakeNoSenseAreRefused(t *testing.T) {
	for _, test := range []bad{
		{
			"a name is needed", strings.Replace(with(""), "{name: envoy}\nspec", "{}\nspec", 1),
			[]string{"metadata.name: an injector needs a name, which is its identity; write one"},
		},
		{
			"a long name is refused", strings.Replace(with(""), "{name: envoy}\nspec", "{name: "+strings.Repeat("a", 64)+"}\nspec", 1),
			[]string{"metadata.name: the name is 64 characters long; the most is 63"},
		},
		{
			"a paused injector verifies nothing", with("action: Verify\npaused: true"),
			[]string{"spec.paused: an injector that is paused has nothing to verify; remove one of the two"},
		},
		{
			"changes by hand do not stay", with("onDrift: Keep"),
			[]string{"spec.onDrift: changes by hand do not stay; remove the field, and put them into the config, or let workloads set " +
				"the field by allowOverride"},
		},
		{
			"every injection leaves a stamp", with("stamp: None"),
			[]string{"spec.stamp: every injection leaves a stamp; remove the field, and set adopt: true to take over sidecars " +
				"that have none"},
		},
		{
			"the resources of a pod are the app's", with("podResources: Grow"),
			[]string{"spec.podResources: the resources of a pod itself are the app's, and no injection changes them; remove the field"},
		},
		{
			"a version is a version", with("kubernetesVersion: latest"),
			[]string{`spec.kubernetesVersion: "latest" is not a Kubernetes version; write MAJOR.MINOR or MAJOR.MINOR.PATCH in quotes, ` +
				`such as "1.33"`},
		},
		{
			"a payload is needed", envoy("policy: Enabled"),
			[]string{"spec.containers: there is nothing to inject; write at least one of containers, initContainers, volumes, " +
				"imagePullSecrets, appContainers, patchPodMetadata, podSpec"},
		},
		{"fewer than none cannot be expected", with("expect: {min: -1, max: -2}"), []string{
			"spec.expect.min: -1 is not a number of workloads; write 0 or more",
			"spec.expect.max: -2 is not a number of workloads; write 0 or more",
			"spec.expect.min: min -1 is more than max -2, which no number of workloads fits; correct one of them",
		}},
	} {
		test.run(t)
	}
}

func TestSelectionsThatMakeNoSenseAreRefused(t *testing.T) {
	for _, test := range []bad{
		{
			"a selector's operator is a known one", with("selector: {matchExpressions: [{key: a, operator: Like}]}"),
			[]string{`spec.selector: this is not a valid label selector: "Like" is not a valid label selector operator`},
		},
		{
			"names are no regular expressions",
			with(`namespaces: {include: ["team-.*"], exclude: ["^a"]}` + "\nnames: ['web|db']\nexcludeNames: [.*]"),
			[]string{
				`spec.namespaces.include[0]: "team-.*"` + noGlob + `"team-*"`, `spec.namespaces.exclude[0]: "^a"` + noGlob + `"a"`,
				`spec.names[0]: "web|db"` + noGlob + `one entry for each name or glob`, `spec.excludeNames[0]: ".*"` + noGlob + `"*"`,
			},
		},
		{
			"a name is not negated", with("namespaces: {include: ['!dev-*']}\nnames: ['!web']"),
			[]string{
				`spec.namespaces.include[0]: "!dev-*": "!" negates nothing here; namespaces.exclude lists what to leave alone`,
				`spec.names[0]: "!web": "!" negates nothing here; excludeNames lists what to leave alone`,
			},
		},
		{
			"globs are bounded",
			with("namespaces: {include: [" + strings.Repeat("'a*', ", 101) + "]}\nnames: [" + strings.Repeat("'a*', b, ", 101) + "]"),
			[]string{
				"spec.namespaces.include: there are 101 globs; the most is 100, so select by labels instead",
				"spec.names: there are 101 globs; the most is 100, so select by labels instead",
			},
		},
		{
			"a name could be one", with("names: [Web, '*Web', 'web.v1-*', web.v1]"),
			[]string{
				`spec.names[0]: "Web" is not a valid workload name: it must consist of lower case alphanumeric characters, '-' or '.', and must ` +
					`start and end with an alphanumeric character; did you mean web?`,
				`spec.names[1]: "*Web" is not a valid glob for a workload name: it must consist of lower case alphanumeric characters, '-' or '.', ` +
					`and must start and end with an alphanumeric character; did you mean *web?`,
			},
		},
		{
			"a namespace cannot be in and match a pattern that is out",
			with("namespaces: {include: [team-a, 'b-*'], exclude: ['team-?', 'b-*']}"),
			[]string{
				`spec.namespaces.include[0]: the namespace "team-a" is in namespaces.exclude too; remove it from one of them`,
				`spec.namespaces.include[1]: the namespace "b-*" is in namespaces.exclude too; remove it from one of them`,
			},
		},
		{
			"a namespace cannot be in and out", with("namespaces: {include: [shop], exclude: [shop]}"),
			[]string{`spec.namespaces.include[0]: the namespace "shop" is in namespaces.exclude too; remove it from one of them`},
		},
		{"a rule has all three lists", with("rules: [{apiGroups: [apps]}]"), []string{
			`spec.rules[0].apiVersions: a rule with no apiVersions matches nothing; write them, such as ["v1"] or ["*"] for all`,
			`spec.rules[0].resources: a rule with no resources matches nothing; write them, such as ["deployments"] or ["*"] for all`,
		}},
		{"a rule has resources, not kinds", with("rules: [{apiGroups: [apps], apiVersions: [v1], resources: [Deployment, " +
			"pods/status]}]"), []string{
			`spec.rules[0].resources[0]: "Deployment" is not a resource; write the lower-case plural of the kind, such as deployments`,
			`spec.rules[0].resources[1]: "pods/status" is a subresource, which no manifest holds; write "pods"`,
		}},
		{"a patch does not go by what it sets", with(`patchPodMetadata: [{annotations: {x: "${pod.annotations['x']:-a}b"}, patchPolicy: ` +
			`Overwrite}]`), []string{
			`spec.patchPodMetadata[0].annotations.x: the injector "envoy" depends on this, so a second run would differ from the first; ` +
				`remove it, or let the injector depend on something else`,
		}},
		{"a JSON patch holds no variables", with(`patchPodMetadata: [{annotations: {j: '{"n": "${workload.name}"}'}, patchPolicy: ` +
			`MergePatchJson}]`), []string{
			`spec.patchPodMetadata[0].annotations.j: a MergePatchJson holds no variables, because a pod could write JSON of its own by them; ` +
				`write the value, or use another patchPolicy`,
		}},
		{"a config does not depend on what an injection sets", envoy(`containers: [{name: e, image: e, args: ` +
			`["${pod.annotations['kubectl.kubernetes.io/default-container']:-none}"]}]`), []string{
			"metadata.name: the injector depends on the annotation kubectl.kubernetes.io/default-container, which an injection may set, so a " +
				"second run would differ from the first; use another annotation",
		}},
		{"an expression can be computed", envoy(`containers: [{name: e, image: e, resourcesPolicy: {resourcesExpr: {requests: {cpu: ` +
			`cpu/0}}}}]`), []string{
			`spec.containers[0].resourcesPolicy.resourcesExpr.requests.cpu: "cpu/0" cannot be computed for any app: it divides by zero`,
		}},
		{"a group has no version", with("rules: [{apiGroups: [apps/v1], apiVersions: [v1], resources: [deployments]}]"), []string{
			`spec.rules[0].apiGroups[0]: "apps/v1" is a group and a version; write "apps" here, and "v1" under apiVersions`,
		}},
		{"a workload has a kind and paths", with("workloads: [{group: a.b}]"), []string{
			`spec.workloads[0].kind: a workload needs a kind, such as FlinkDeployment; write it`,
			`spec.workloads[0].podTemplates: a workload needs the paths of its pod templates, such as [spec.template], or [] for a kind ` +
				`that gets no sidecars; write them, or podSpecs`,
		}},
		{"a path is a path", with("workloads: [{kind: A, podTemplates: ['spec.tasks[0].template', '']}]"), []string{
			`spec.workloads[0].podTemplates[0]: "spec.tasks[0].template" is not a path to pods; write field names with dots between them, ` +
				`and [] after a list, such as spec.tasks[].template, but no list in a pod, such as containers[]`,
			`spec.workloads[0].podTemplates[1]: "" is not a path to pods; write field names with dots between them, and [] after a list, ` +
				`such as spec.tasks[].template, but no list in a pod, such as containers[]`,
		}},
		{"no pod is in a list of a pod", with("workloads: [{kind: A, podSpecs: [spec, 'spec.containers[].pod', 'spec.*.pod']}]"), []string{
			`spec.workloads[0].podSpecs[1]: "spec.containers[].pod" is not a path to pods; write field names with dots between them, ` +
				`and [] after a list, such as spec.tasks[].template, but no list in a pod, such as containers[]`,
			`spec.workloads[0].podSpecs[2]: "spec.*.pod" is not a path to pods; write field names with dots between them, ` +
				`and [] after a list, such as spec.tasks[].template, but no list in a pod, such as containers[]`,
		}},
	} {
		test.run(t)
	}
}

func TestPayloadsThatMakeNoSenseAreRefused(t *testing.T) {
	for _, test := range []bad{
		{"a container has a name and an image", envoy("containers: [{tty: true}]"), []string{
			"spec.containers[0].name: a container needs a name; write one",
			"spec.containers[0].image: a container needs an image; write one, such as envoyproxy/envoy:v1.33.0",
		}},
		{
			"two containers of one name, over both lists", with("initContainers: [{name: envoy, image: a}]"),
			[]string{`spec.initContainers[0].name: spec.containers[0] has the name "envoy" already; rename one of them`},
		},
		{
			"two volumes of one name", envoy("volumes: [{name: a}, {name: a}]"),
			[]string{`spec.volumes[1].name: spec.volumes[0] has the name "a" already; rename one of them`},
		},
		{
			"two imagePullSecrets of one name", envoy("imagePullSecrets: [{name: a}, {name: a}]"),
			[]string{`spec.imagePullSecrets[1].name: spec.imagePullSecrets[0] has the name "a" already; rename one of them`},
		},
		{
			"a volume of two sources", envoy("volumes: [{name: a, emptyDir: {}, configMap: {name: b}}]"),
			[]string{`spec.volumes[0].configMap: the volume has emptyDir already, and a volume has one source; remove one`},
		},
		{
			"a variable set twice", sidecar("env: [{name: A, value: a}, {name: A, value: b}]"),
			[]string{`spec.containers[0].env[1].name: spec.containers[0].env[0] sets "A" already; Kubernetes takes the last one, so remove ` +
				`the first`},
		},
		{"a mount needs a name and a path", sidecar("volumeMounts: [{readOnly: true}]"), []string{
			"spec.containers[0].volumeMounts[0].name: a mount needs the name of its volume; write it",
			"spec.containers[0].volumeMounts[0].mountPath: a mount needs a mountPath; write one, such as /etc/envoy",
		}},
		{
			"two mounts at one path", sidecar("volumeMounts: [{name: a, mountPath: /a}, {name: b, mountPath: /a}]"),
			[]string{`spec.containers[0].volumeMounts[1].mountPath: spec.containers[0].volumeMounts[0] has the path "/a" already; use each ` +
				`path once`},
		},
		{"a port is a port", sidecar("ports: [{containerPort: 70000}, {name: x}]"), []string{
			"spec.containers[0].ports[0].containerPort: 70000 is not a port; write a number from 1 to 65535",
			"spec.containers[0].ports[1].containerPort: 0 is not a port; write a number from 1 to 65535",
		}},
		{
			"a variable needs a name", sidecar("env: [{value: a}]"),
			[]string{"spec.containers[0].env[0].name: an environment variable needs a name; write one"},
		},
		{
			"a sidecar that becomes native restarts always", sidecar("restartPolicy: Never"),
			[]string{"spec.containers[0].restartPolicy: a sidecar that becomes a native one has the restart policy Always; remove it, or " +
				"write mode: Container"},
		},
		{
			"a ConfigMap has no modes", classicMap("config: 'containers: [{name: a, image: b, restartPolicy: Never}]'"),
			[]string{"data.config: containers[0].restartPolicy: a sidecar that becomes a native one has the restart policy Always; remove it"},
		},
		{
			"restart policies need a cluster that has them", sidecar("mode: Container\nrestartPolicy: Never") + "  kubernetesVersion: '1.34'\n",
			[]string{"spec.containers[0].restartPolicy: restart policies of containers need Kubernetes 1.35, and kubernetesVersion is 1.34; " +
				"remove it or raise the version"},
		},
		{
			"rules that restart all containers are newer", sidecar("mode: Container\nrestartPolicy: Never\nrestartPolicyRules: "+
				"[{action: Restart, exitCodes: {operator: In}}, {action: RestartAllContainers, exitCodes: {operator: In}}]") +
				"  kubernetesVersion: '1.35'\n",
			[]string{"spec.containers[0].restartPolicyRules[1]: restart rules of native sidecars, and RestartAllContainers, need " +
				"Kubernetes 1.36, and kubernetesVersion is 1.35; remove it or raise the version"},
		},
		{
			"an action is a known one", sidecar("restartPolicy: Always\nrestartPolicyRules: [{action: Stop, exitCodes: {operator: In}}]"),
			[]string{`spec.containers[0].restartPolicyRules[0].action: "Stop" is not one of Restart, RestartAllContainers`},
		},
		{
			"native sidecars need a cluster that knows them", sidecar("mode: Native") + "  kubernetesVersion: v1.28.3\n",
			[]string{"spec.containers[0].mode: native sidecars need Kubernetes 1.29, and kubernetesVersion is v1.28.3; write mode: Container " +
				"or raise the version"},
		},
		{
			"native init containers need it too", envoy("kubernetesVersion: '1.28'\ninitContainers: [{name: a, image: b, restartPolicy: Always}]"),
			[]string{"spec.initContainers[0].restartPolicy: native sidecars need Kubernetes 1.29, and kubernetesVersion is 1.28; remove it or " +
				"raise the version"},
		},
		{
			"before and after exclude each other", sidecar("before: a\nafter: b"),
			[]string{"spec.containers[0].after: before and after cannot both be given; keep one"},
		},
		{
			"a container does not stand before itself", sidecar("before: envoy"),
			[]string{"spec.containers[0].before: a container cannot be put before itself; name another"},
		},
	} {
		test.run(t)
	}
}

func TestNamesFollowKubernetes(t *testing.T) {
	_, findings := Read(parse(t, envoy("containers: [{name: Envoy, image: a}]\nvolumes: [{name: a_b}]\n"+
		"namespaces: {include: ['-a*', 'Team-*'], exclude: [A]}\ndefaultNamespace: a_b\nnamespaceLabels: {_: {a: b}}")))
	for i, want := range []string{
		`spec.namespaceLabels._: "_" is not a valid namespace name: `,
		`spec.defaultNamespace: "a_b" is not a valid namespace name: `,
		`spec.namespaces.include[0]: "-a*" is not a valid glob for a namespace name: it must consist of `,
		`spec.namespaces.include[1]: "Team-*" is not a valid glob for a namespace name: it must consist of `,
		`spec.namespaces.exclude[0]: "A" is not a valid namespace name: `,
		`spec.containers[0].name: "Envoy" is not a valid container name: `,
		`spec.volumes[0].name: "a_b" is not a valid volume name: `,
	} {
		if len(findings) != 7 || !strings.HasPrefix(findings[i].Message, want) {
			t.Fatalf("got:\n%s", said(findings))
		}
	}
}

func TestDoubtfulConfigsAreReadWithAWarning(t *testing.T) {
	for claim, test := range map[string]struct{ config, want string }{
		"a resource that is nearly one that holds pods": {
			with("rules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployment]}]"),
			"warning: spec.rules[0].resources[0]: no resource that holds pods is called \"deployment\"; did you mean deployments?\n",
		},
		"a pattern that keeps every namespace out": {
			with("namespaces: {exclude: ['*']}"),
			`warning: spec.namespaces.exclude[0]: "*" excludes every namespace, so that nothing is injected; write a narrower glob` + "\n",
		},
		"a pattern that seems to include one of Kubernetes' namespaces": {
			with("namespaces: {include: ['*', 'team-*', '*-system']}"),
			`warning: spec.namespaces.include[2]: "*-system" does not include kube-system, because Kubernetes' own namespaces are ` +
				"included only by their full names; add kube-system to namespaces.include or to namespaces.exclude\n",
		},
		"a pattern with one of Kubernetes' namespaces in and the others out": {
			with("namespaces: {include: ['kube-*', kube-system], exclude: [kube-public, 'kube-node-*']}"), "",
		},
		"a selector that keeps every pod out": {
			with("neverInjectSelector: [{}]"),
			"warning: spec.neverInjectSelector[0]: an empty selector matches every pod, so that nothing is injected; remove it or add matchLabels\n",
		},
	} {
		t.Run(claim, func(t *testing.T) {
			injectors, findings := Read(parse(t, test.config))
			if got := said(findings); got != test.want || len(injectors) != 1 {
				t.Errorf("%d injectors, said:\n%swant:\n%s", len(injectors), got, test.want)
			}
		})
	}
}

func TestFindingsNameInjectorObjectAndField(t *testing.T) {
	_, findings := Read(parse(t, with("policy: enabled")))
	if len(findings) != 1 {
		t.Fatal(said(findings))
	}
	f := findings[0]
	if f.Injector != "envoy" || *f.Object != (finding.Object{APIVersion: "pillion.dev/v1alpha1", Kind: "SidecarInjector", Name: "envoy"}) {
		t.Errorf("injector %q, object %+v", f.Injector, f.Object)
	}
	if *f.Field != (finding.Field{Path: "spec.policy", Current: "enabled", Proposed: "Enabled"}) {
		t.Errorf("field %+v", f.Field)
	}
}

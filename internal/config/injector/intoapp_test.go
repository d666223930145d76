package injector

import (
	"strings"
	"testing"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/text/yaml/node"
)

func TestAppContainersThatMakeNoSenseAreRefused(t *testing.T) {
	for _, test := range []bad{
		{
			"something must be given", envoy("appContainers: [{containers: [web]}]"),
			[]string{"spec.appContainers[0].env: there is nothing here for the app's containers; write at least one of env, envFrom and " +
				"volumeMounts"},
		},
		{
			"somebody must get it", envoy("appContainers: [{containers: [], env: [{name: A}]}]"),
			[]string{`spec.appContainers[0].containers: the list is empty, so no container gets this; name containers, or leave it out for ` +
				`all of them`},
		},
		{
			"all and some exclude each other", envoy("appContainers: [{containers: ['*', web], env: [{name: A}]}]"),
			[]string{`spec.appContainers[0].containers: "*" means all of the app's containers; remove the other names`},
		},
		{
			"a sidecar is none of the app's", with("appContainers: [{containers: [envoy], env: [{name: A}]}]"),
			[]string{`spec.appContainers[0].containers[0]: "envoy" is a container of this injector and not of the app; move this to its entry ` +
				`in containers or initContainers`},
		},
		{
			"a position is one of two", envoy("appContainers: [{envPosition: prepend, env: [{name: A}]}]"),
			[]string{`spec.appContainers[0].envPosition: "prepend" is not one of Prepend, Append; did you mean Prepend?`},
		},
		{"env and mounts are checked as a sidecar's", envoy("appContainers: [{env: [{value: a}, {name: A, value: a, valueFrom: {}}], " +
			"volumeMounts: [{name: a}]}]"), []string{
			"spec.appContainers[0].env[0].name: an environment variable needs a name; write one",
			"spec.appContainers[0].env[1].valueFrom: value and valueFrom cannot both be given; keep one",
			"spec.appContainers[0].volumeMounts[0].mountPath: a mount needs a mountPath; write one, such as /etc/envoy",
		}},
		{"envFrom has one source with a name", envoy("appContainers: [{envFrom: [{prefix: A}, {configMapRef: {name: a}, secretRef: {name: " +
			"a}}, {secretRef: {optional: true}}, {configMapRef: {}}]}]"), []string{
			"spec.appContainers[0].envFrom[0].configMapRef: an entry of envFrom needs a configMapRef or a secretRef; write one",
			"spec.appContainers[0].envFrom[1].secretRef: configMapRef and secretRef cannot both be given; make two entries of them",
			"spec.appContainers[0].envFrom[2].secretRef.name: the reference needs the name of a Secret; write it",
			"spec.appContainers[0].envFrom[3].configMapRef.name: the reference needs the name of a ConfigMap; write it",
		}},
		{
			"a separator and a value are needed to join", envoy("appContainers: [{env: [{name: A, value: a, joinOrder: Before}, " +
				"{name: B, value: b, join: ''}, {name: C, join: ','}, {name: D, join: ',', valueFrom: {fieldRef: {fieldPath: metadata.uid}}}, " +
				"{name: E, value: ',e', join: ','}, {name: F, value: '$(F) f', join: ' '}, {name: G, value: g, join: ',', joinOrder: behind}]}]"),
			[]string{
				`spec.appContainers[0].env[6].joinOrder: "behind" is not one of After, Before`,
				`spec.appContainers[0].env[0].joinOrder: joinOrder has no effect without join; write join with a separator, such as join: " ", ` +
					`or remove joinOrder`,
				`spec.appContainers[0].env[1].join: the separator is empty; write the text between two values of the variable, such as ` +
					`join: " "`,
				"spec.appContainers[0].env[2].value: there is nothing to join to the app's value; write a value, or remove join",
				"spec.appContainers[0].env[3].valueFrom: only a value can be joined to the app's, because what valueFrom gives is not known " +
					"before the pod runs; set another variable from it, and join $(NAME) with the name of that one",
				`spec.appContainers[0].env[4].value: the value begins or ends with the separator ",", which is added where it is needed; ` +
					`remove it`,
				"spec.appContainers[0].env[5].value: the value uses the variable itself; remove $(F), because join keeps the app's value",
			},
		},
		{
			"only joined variables may have one name, and one separator", envoy("appContainers: [{env: [{name: A, value: a, join: ':'}, " +
				"{name: A, value: b, join: ':'}, {name: A, value: c, join: ','}, {name: B, value: a, join: ':'}, {name: B, value: b}, " +
				"{name: C, value: a}, {name: C, value: b, join: ':'}]}]"),
			[]string{
				`spec.appContainers[0].env[2].join: A is joined with the separator ":" elsewhere in this injector; use the same one`,
				`spec.appContainers[0].env[4].name: spec.appContainers[0].env[3] sets "B" already; Kubernetes takes the last one, so remove the ` +
					`first`,
				`spec.appContainers[0].env[6].name: spec.appContainers[0].env[5] sets "C" already; Kubernetes takes the last one, so remove the ` +
					`first`,
			},
		},
		{
			"other fields of a container are not for the app's", envoy("appContainers: [{env: [{name: A}], image: a}]"),
			[]string{`spec.appContainers[0].image: there is no field "image" here; known are containers, includeInit, env, envFrom, ` +
				`volumeMounts, envPosition`},
		},
	} {
		test.run(t)
	}
}

func TestPodMetadataThatMakesNoSenseIsRefused(t *testing.T) {
	for _, test := range []bad{
		{
			"something must be given", envoy("patchPodMetadata: [{patchPolicy: Retain}]"),
			[]string{"spec.patchPodMetadata[0].labels: there is nothing here for the pod's metadata; write labels, annotations or both"},
		},
		{
			"a policy is one of three", envoy("patchPodMetadata: [{labels: {a: b}, patchPolicy: MergePatchJSON}]"),
			[]string{`spec.patchPodMetadata[0].patchPolicy: "MergePatchJSON" is not one of Retain, Overwrite, MergePatchJson; did you mean ` +
				`MergePatchJson?`},
		},
		{
			"labels hold no JSON", envoy("patchPodMetadata: [{labels: {a: b}, patchPolicy: MergePatchJson}]"),
			[]string{"spec.patchPodMetadata[0].labels: MergePatchJson merges JSON objects, and a label holds none; move the labels to an " +
				"entry with Retain or Overwrite"},
		},
		{"only a JSON object can be merged", envoy("patchPodMetadata: [{annotations: {a: '[1]', b: words, c: 'null'}, patchPolicy: " +
			"MergePatchJson}]"), []string{
			`spec.patchPodMetadata[0].annotations.a: MergePatchJson takes a JSON object, and "[1]" is none; write one, such as '{"key": "value"}'`,
			`spec.patchPodMetadata[0].annotations.b: MergePatchJson takes a JSON object, and "words" is none; write one, such as '{"key": "value"}'`,
			`spec.patchPodMetadata[0].annotations.c: MergePatchJson takes a JSON object, and "null" is none; write one, such as '{"key": "value"}'`,
		}},
		{
			"a value is a string", envoy("patchPodMetadata: [{annotations: {scrape: true}}]"),
			[]string{`spec.patchPodMetadata[0].annotations.scrape: expected a string, found the boolean true; write it in quotes: "true"`},
		},
		{
			"a key is set once", envoy("patchPodMetadata: [{annotations: {a: b}, labels: {a: b}}, {annotations: {a: c}, patchPolicy: Overwrite}]"),
			[]string{"spec.patchPodMetadata[1].annotations.a: spec.patchPodMetadata[0].annotations.a sets it already; keep one of the two"},
		},
		{
			"the orchestrators' annotations are theirs", envoy("patchPodMetadata: [{annotations: {config.kubernetes.io/path: a}}]"),
			[]string{`spec.patchPodMetadata[0].annotations["config.kubernetes.io/path"]: this annotation is how kustomize and kpt keep track ` +
				`of files and objects; remove it`},
		},
	} {
		test.run(t)
	}
}

func TestWhatIsGoneByIsNotChanged(t *testing.T) {
	const why = " depends on this, so a second run would differ from the first; remove it, or let the injector depend on something else"
	for _, test := range []bad{
		{"a label or a marker of the injector's own", with("selector: {matchLabels: {tier: web}}\nneverInjectSelector: [{matchExpressions: " +
			"[{key: never, operator: Exists}]}]\n" +
			"patchPodMetadata: [{labels: {tier: web, never: a}, annotations: {tier: web, pillion.dev/inject: 'false'}}]"), []string{
			`spec.patchPodMetadata[0].labels.tier: the injector "envoy"` + why,
			`spec.patchPodMetadata[0].labels.never: the injector "envoy"` + why,
			`spec.patchPodMetadata[0].annotations["pillion.dev/inject"]: the injector "envoy"` + why,
		}},
		{"a label that a variable " +
			"looks at", sidecar("args: [\"${pod.labels['team']:-none}\"]") + "  patchPodMetadata: [{labels: {team: a}}]\n", []string{
			`spec.patchPodMetadata[0].labels.team: the injector "envoy"` + why,
		}},
		{"an annotation that overrides", with("patchPodMetadata: [{annotations: {pillion.dev/envoy.image: a}}]"), []string{
			`spec.patchPodMetadata[0].annotations["pillion.dev/envoy.image"]: annotations of pillion.dev are settings of a pod for Pillion; ` +
				`set it on the pods themselves`,
		}},
		{"a label of another injector's of the list", "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems:\n" +
			"- {metadata: {name: a}, spec: {selector: {matchLabels: {mesh: 'on'}}, containers: [{name: a, image: a}]}}\n" +
			"- {metadata: {name: b}, spec: {patchPodMetadata: [{labels: {mesh: 'on'}}]}}\n", []string{
			`items[1].spec.patchPodMetadata[0].labels.mesh: the injector "a"` + why,
		}},
		{
			"a pod field that a policy keeps out", with("hostNetwork: Skip\njobs: Error\npodSpec: {hostNetwork: true, restartPolicy: Never}"),
			[]string{
				"spec.podSpec.hostNetwork: a second run would not inject into the pod that this makes, because spec.hostNetwork is Skip; set that " +
					"to Inject, or remove this",
				"spec.podSpec.restartPolicy: a second run would not inject into the pod that this makes, because spec.jobs is Error; set that to " +
					"Native, or remove this",
			},
		},
	} {
		test.run(t)
	}
}

func TestKeysAndValuesOfMetadataFollowKubernetes(t *testing.T) {
	_, findings := Read(parse(t, envoy("patchPodMetadata: [{labels: {a b: c, a: 'b c'}, annotations: {Team/Owner: any value, 'a b': c}}]")))
	for i, want := range []string{
		`spec.patchPodMetadata[0].labels["a b"]: "a b" is not a valid label key: `,
		`spec.patchPodMetadata[0].labels.a: "b c" is not a valid label value: `,
		`spec.patchPodMetadata[0].annotations["a b"]: "a b" is not a valid annotation key: `,
	} {
		if len(findings) != 3 || !strings.HasPrefix(findings[i].Message, want) {
			t.Fatalf("got:\n%s", said(findings))
		}
	}
}

func TestPodSpecsThatMakeNoSenseAreRefused(t *testing.T) {
	for _, test := range []bad{
		{"what has a field of its own goes there", with("podSpec: {containers: [], initContainers: [], ephemeralContainers: [], volumes: " +
			"[], imagePullSecrets: []}"), []string{
			"spec.podSpec.containers: sidecars belong in spec.containers, and what the app's containers get in spec.appContainers; move it there",
			"spec.podSpec.initContainers: initContainers have a field of their own, spec.initContainers; move them there",
			"spec.podSpec.ephemeralContainers: ephemeral containers can only be added to running pods, not to a manifest; remove them",
			"spec.podSpec.volumes: volumes have a field of their own, spec.volumes; move them there",
			"spec.podSpec.imagePullSecrets: imagePullSecrets have a field of their own, spec.imagePullSecrets; move them there",
		}},
		{
			"its fields are Kubernetes'", envoy("podSpec: {hostAlias: []}"),
			[]string{`spec.podSpec.hostAlias: there is no field "hostAlias" here; did you mean hostAliases?`},
		},
		{
			"its types are Kubernetes'", envoy("podSpec: {terminationGracePeriodSeconds: long, tolerations: {key: a}}"),
			[]string{
				`spec.podSpec.terminationGracePeriodSeconds: expected a whole number, found the string "long"`,
				`spec.podSpec.tolerations: expected a list, found a mapping; begin each entry with "- "`,
			},
		},
		{
			"a pod field right under spec is led there", with("hostAliases: []"),
			[]string{`spec.hostAliases: there is no field "hostAliases" here, but there is one in podSpec; move it there`},
		},
		{
			"entries are not repeated", with("podSpec:\n" +
				"  tolerations: [{key: a}, {key: b, operator: Exists}, {operator: Exists, key: b}]\n" +
				"  hostAliases: [{ip: 10.0.0.1, hostnames: [a]}, {ip: 10.0.0.1, hostnames: [b, c, b]}]\n" +
				"  dnsConfig: {searches: [a, b, a], options: [{name: ndots, value: '2'}, {name: ndots}]}\n" +
				"  readinessGates: [{conditionType: a}, {conditionType: a}]\n" +
				"  securityContext: {supplementalGroups: [1, 2, 1]}\n" +
				"  affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: " +
				"[{weight: 1, podAffinityTerm: {topologyKey: a}}, {weight: 1, podAffinityTerm: {topologyKey: a}}]}}"),
			[]string{
				"spec.podSpec.tolerations[2]: spec.podSpec.tolerations[1] is the same; remove one of them",
				`spec.podSpec.hostAliases[1]: spec.podSpec.hostAliases[0] has the same key, "10.0.0.1"; make one entry of both`,
				"spec.podSpec.hostAliases[1].hostnames[2]: spec.podSpec.hostAliases[1].hostnames[0] is the same; remove one of them",
				"spec.podSpec.dnsConfig.searches[2]: spec.podSpec.dnsConfig.searches[0] is the same; remove one of them",
				`spec.podSpec.dnsConfig.options[1]: spec.podSpec.dnsConfig.options[0] has the same key, "ndots"; make one entry of both`,
				"spec.podSpec.readinessGates[1]: spec.podSpec.readinessGates[0] is the same; remove one of them",
				"spec.podSpec.securityContext.supplementalGroups[2]: spec.podSpec.securityContext.supplementalGroups[0] is the same; " +
					"remove one of them",
				"spec.podSpec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[1]: " +
					"spec.podSpec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution[0] is the same; remove one of them",
			},
		},
		{
			"an empty one is no payload", envoy("podSpec: {}"),
			[]string{"spec.containers: there is nothing to inject; write at least one of containers, initContainers, volumes, " +
				"imagePullSecrets, appContainers, patchPodMetadata, podSpec"},
		},
	} {
		test.run(t)
	}
}

func TestWhatGoesIntoThePodIsKeptAsWritten(t *testing.T) {
	in := one(t, envoy(`
appContainers:
- env: [{name: A, value: "1"}]
patchPodMetadata:
- labels: {b: "1", a: "2"}
podSpec: {hostAliases: [{ip: 10.0.0.1, hostnames: [a]}]}
`))
	app := in.AppContainers[0]
	if !app.Includes("any") || app.IncludeInit || app.EnvPosition != v1alpha1.EnvPrepend || node.Brief(app.Env[0]) != "{name: A, value: 1}" {
		t.Errorf("appContainers: %+v", app)
	}
	if patch := in.PodMetadata[0]; patch.Policy != v1alpha1.PatchRetain || node.Brief(patch.Labels) != "{b: 1, a: 2}" {
		t.Errorf("patchPodMetadata: %+v", patch)
	}
	if got := node.Brief(in.PodSpec); got != "{hostAliases: [{ip: 10.0.0.1, hostnames: [a]}]}" {
		t.Errorf("podSpec: %s", got)
	}
}

func TestAClassicConfigMapTakesThemByTheirDataKeys(t *testing.T) {
	in := one(t, classicMap("appContainers: |\n  - containers: [web]\n    env: [{name: A, value: a}]\npodSpec: '{priorityClassName: high}'"))
	if !in.AppContainers[0].Includes("web") || in.AppContainers[0].Includes("other") || node.Text(in.PodSpec, "priorityClassName") != "high" {
		t.Errorf("%+v", in)
	}
}

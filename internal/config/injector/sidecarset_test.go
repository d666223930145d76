package injector

import (
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// kruise is a SidecarSet of v1beta1 with this text as its spec.
func kruise(spec string) string {
	return "apiVersion: apps.kruise.io/v1beta1\nkind: SidecarSet\nmetadata: {name: logs}\nspec:\n" + indent(spec)
}

// kruiseWith is a SidecarSet of one container with more spec fields.
func kruiseWith(fields string) string {
	return kruise("selector: {matchLabels: {app: web}}\ncontainers: [{name: logs, image: logs:v1}]\n" + fields)
}

// kruiseContainer is a SidecarSet of one container with more fields.
func kruiseContainer(fields string) string {
	return kruise("selector: {matchLabels: {app: web}}\ncontainers:\n- name: logs\n  image: logs:v1\n" + indent(fields))
}

// alpha makes a SidecarSet one of v1alpha1.
func alpha(set string) string {
	return strings.Replace(set, "kruise.io/v1beta1", "kruise.io/v1alpha1", 1)
}

func TestSidecarSetIsAnInjector(t *testing.T) {
	for _, set := range []string{kruiseWith(""), alpha(kruiseWith(""))} {
		in := one(t, set)
		if in.Name != "logs" || in.Kind != "SidecarSet" || in.Paused {
			t.Errorf("the injector is %+v", in)
		}
		if in.Spec.Selector.MatchLabels["app"] != "web" || in.Spec.SelectorScope != v1alpha1.ScopePodTemplate {
			t.Errorf("the selector is %+v of %s", in.Spec.Selector, in.Spec.SelectorScope)
		}
		if len(in.Spec.Namespaces.Include)+len(in.Spec.Namespaces.Exclude) > 0 {
			t.Errorf("a SidecarSet is for all namespaces except Kubernetes' own, and this one for %+v", in.Spec.Namespaces)
		}
		if in.Spec.OnConflict.Container != v1alpha1.ContainerReplace || in.Spec.OnConflict.Volume != v1alpha1.ConflictKeep {
			t.Errorf("onConflict is %+v", in.Spec.OnConflict)
		}
	}
}

func TestSidecarSetContainersGoWhereOpenKruisePutsThem(t *testing.T) {
	in := one(t, kruise(`
selector: {matchLabels: {app: web}}
containers:
- {name: first, image: a}
- {name: last, image: a, podInjectPolicy: AfterAppContainer}
initContainers:
- {name: zeta, image: a}
- {name: alpha, image: a, restartPolicy: Always}
- {name: mid, image: a, podInjectPolicy: BeforeAppContainer}
`))
	var got []string
	for _, c := range append(slices.Clone(in.Containers), in.InitContainers...) {
		got = append(got, c.Name+" "+string(c.PodInjectPolicy)+" "+string(c.Mode))
	}
	want := []string{
		"first BeforeAppContainer Container", "last AfterAppContainer Container",
		"alpha AfterAppContainer ", "mid BeforeAppContainer ", "zeta AfterAppContainer ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if in.Spec.InitContainers[0].Name != "alpha" {
		t.Error("the typed init containers are in another order than their bodies")
	}
}

func TestSidecarSetKnobsNeverReachAPod(t *testing.T) {
	injectors, findings := Read(parse(t, kruiseContainer(`
podInjectPolicy: BeforeAppContainer
upgradeStrategy: {upgradeType: ColdUpgrade}
shareVolumePolicy: {type: disabled}
shareVolumeDevicePolicy: {type: disabled}
transferEnv: []
env: [{name: A, value: "1"}]
`)))
	if finding.HasError(findings) {
		t.Fatal(said(findings))
	}
	if got := node.Keys(injectors[0].Containers[0].Body); !slices.Equal(got, []string{"name", "image", "env"}) {
		t.Errorf("the body has %q", got)
	}
}

func TestSidecarSetPayloadIsTakenLiterally(t *testing.T) {
	in := one(t, kruiseContainer(`args: ["${workload.name}", "${nothing", "$$"]`))
	if got := node.Brief(node.Get(in.Containers[0].Body, "args")); !in.Literal || !strings.Contains(got, "${workload.name}") ||
		!strings.Contains(got, "$$") {
		t.Errorf("the arguments are %s", got)
	}
}

func TestSidecarSetPatchesAnnotations(t *testing.T) {
	in := one(t, kruiseWith("patchPodMetadata:\n- annotations: {a: b}\n- {annotations: {c: '{}'}, patchPolicy: MergePatchJson}"))
	if len(in.PodMetadata) != 2 || in.PodMetadata[0].Policy != v1alpha1.PatchRetain || in.PodMetadata[1].Policy != v1alpha1.PatchMergeJSON {
		t.Errorf("the patches are %+v", in.PodMetadata)
	}
}

func TestSidecarSetOfOneNamespace(t *testing.T) {
	in := one(t, alpha(kruiseWith("namespace: kube-system")))
	if !slices.Equal(in.Spec.Namespaces.Include, []string{"kube-system"}) || len(in.Spec.Namespaces.Exclude) > 0 {
		t.Errorf("the namespaces are %+v", in.Spec.Namespaces)
	}
	in = one(t, kruiseWith("namespaceSelector: {matchLabels: {team: shop}}"))
	if in.Spec.NamespaceSelector.MatchLabels["team"] != "shop" {
		t.Errorf("the namespace selector is %+v", in.Spec.NamespaceSelector)
	}
}

func TestSidecarSetNamespaceIsNoPattern(t *testing.T) {
	bad{
		"a wildcard", alpha(kruiseWith("namespace: team-*")),
		[]string{`spec.namespace: "team-*" has a wildcard, and a SidecarSet is for one namespace; use namespaceSelector instead`},
	}.run(t)
}

func TestSidecarSetMayCarryWhatAClusterAdds(t *testing.T) {
	one(t, strings.Replace(kruiseWith(`
revisionHistoryLimit: 10
customVersion: v2
injectionStrategy: {}
updateStrategy: {}
`), "metadata: {name: logs}", `
metadata:
  name: logs
  uid: 1b4c
  generation: 3
  creationTimestamp: 2026-01-02T15:04:05Z
  annotations: {kruise.io/sidecarset-hash: abc}
status: {matchedPods: 1, readyPods: 1, updatedPods: 1, latestRevision: logs-1}`, 1))
}

func TestSidecarSetFieldsThatAreOthersWorkAreSaid(t *testing.T) {
	for _, test := range []struct{ claim, config, want string }{
		{
			"updateStrategy", kruiseWith("updateStrategy: {type: RollingUpdate, maxUnavailable: 10%, partition: 2}"),
			"spec.updateStrategy: it is not used, because the workload's own rollout replaces the pods; remove it",
		},
		{
			"a cold upgrade", kruiseContainer("upgradeStrategy: {upgradeType: ColdUpgrade}"),
			"spec.containers[0].upgradeStrategy: it is not used, because the workload's own rollout replaces the sidecar; remove it",
		},
		{
			"a hot upgrade", kruiseContainer("upgradeStrategy: {upgradeType: HotUpgrade, hotUpgradeEmptyImage: empty:v1}"),
			"spec.containers[0].upgradeStrategy: there is no hot upgrade: OpenKruise would add logs-1 and logs-2, and Pillion adds logs once; " +
				"the workload's own rollout replaces it",
		},
		{
			"a revision", kruiseWith("injectionStrategy: {revision: {customVersion: v1, policy: Partial}}"),
			"spec.injectionStrategy.revision: revisions are not looked up, and the SidecarSet is injected as it is in this file; remove the field",
		},
		{
			"a pause", kruiseWith("injectionStrategy: {paused: true}"),
			"spec.injectionStrategy.paused: the SidecarSet is paused, so nothing is injected; write false or remove it to inject",
		},
		{
			"a volume that no container mounts", kruiseWith("volumes: [{name: spare, emptyDir: {}}]"),
			`spec.volumes[0]: no container of the SidecarSet mounts volume "spare", so it is not injected; mount it or remove it`,
		},
		{
			"a namespace and a namespaceSelector", alpha(kruiseWith("namespace: shop\nnamespaceSelector: {matchLabels: {team: shop}}")),
			"spec.namespaceSelector: it is not used, because spec.namespace is set; keep one of the two",
		},
		{
			"a canary", strings.Replace(kruiseWith(""), "{name: logs}",
				`{name: logs, annotations: {apps.kruise.io/sidecarset-canary: "true", apps.kruise.io/sidecarset-base: main}}`, 1),
			`metadata.annotations["apps.kruise.io/sidecarset-canary"]: this annotation is not used, so the pods would get both SidecarSets; ` +
				`exclude these pods in the selector of "main"`,
		},
	} {
		t.Run(test.claim, func(t *testing.T) {
			injectors, findings := Read(parse(t, test.config))
			if got := said(findings); got != "warning: "+test.want+"\n" || len(injectors) != 1 {
				t.Errorf("%d injectors, and got:\n%swant:\nwarning: %s", len(injectors), got, test.want)
			}
			for _, f := range findings {
				if f.Code != finding.FieldIgnored && f.Code != finding.Paused {
					t.Errorf("the code is %s, although the config is valid", f.Code)
				}
			}
		})
	}
}

func TestSidecarSetVolumesThatNobodyMountsStayOut(t *testing.T) {
	injectors, _ := Read(parse(t, kruiseContainer(`
volumeMounts: [{name: used, mountPath: /a}]
volumeDevices: [{name: disk, devicePath: /dev/a}]
`)+indent("volumes: [{name: spare}, {name: used}, {name: disk}]")))
	in := injectors[0]
	if len(in.Volumes) != 2 || in.Volumes[0].Name != "used" || in.Volumes[1].Name != "disk" || in.Spec.Volumes[0].Name != "used" {
		t.Errorf("the volumes are %+v", in.Volumes)
	}
}

func TestSidecarSetsThatOpenKruiseRefusesAreRefused(t *testing.T) {
	for _, test := range []bad{
		{
			"a selector is needed", kruise("containers: [{name: a, image: a}]"),
			[]string{"spec.selector: a SidecarSet needs a selector; write the labels of the pods that get the sidecar"},
		},
		{
			"an empty selector is none", kruise("selector: {}\nnamespaceSelector: {}\ncontainers: [{name: a, image: a}]"),
			[]string{
				"spec.selector: the selector is empty, which OpenKruise refuses; add matchLabels or matchExpressions",
				"spec.namespaceSelector: the selector is empty, which OpenKruise refuses; add matchLabels or matchExpressions",
			},
		},
		{
			"a container is needed", kruise("selector: {matchLabels: {app: web}}\nimagePullSecrets: [{name: a}]"),
			[]string{"spec.containers: a SidecarSet needs a container; write at least one under containers or initContainers"},
		},
		{
			"a spec is needed", "apiVersion: apps.kruise.io/v1beta1\nkind: SidecarSet\nmetadata: {name: logs}\n",
			[]string{
				"spec.selector: a SidecarSet needs a selector; write the labels of the pods that get the sidecar",
				"spec.containers: a SidecarSet needs a container; write at least one under containers or initContainers",
			},
		},
		{
			"a name has no dots", strings.Replace(kruiseWith(""), "{name: logs}", "{name: logs.v1}", 1),
			[]string{`metadata.name: "logs.v1" has a dot; a SidecarSet's name is of letters, digits and hyphens`},
		},
		{
			"a mount has a volume", kruiseContainer("volumeMounts: [{name: data, mountPath: /data}]\nvolumeDevices: [{name: disk, devicePath: " +
				"/dev/disk}]"),
			[]string{
				`spec.containers[0].volumeMounts[0].name: spec.volumes has no volume "data", and OpenKruise refuses the mount of another; add it`,
				`spec.containers[0].volumeDevices[0].name: spec.volumes has no volume "disk", and OpenKruise refuses the mount of another; add it`,
			},
		},
		{
			"a container needs what every container needs", kruise("selector: {matchLabels: {app: web}}\ncontainers: [{name: logs}]"),
			[]string{"spec.containers[0].image: a container needs an image; write one, such as envoyproxy/envoy:v1.33.0"},
		},
		{
			"an unknown policy", kruiseContainer("podInjectPolicy: BeforeApp"),
			[]string{`spec.containers[0].podInjectPolicy: "BeforeApp" is not one of AfterAppContainer, BeforeAppContainer`},
		},
		{
			"an unknown share", kruiseContainer("shareVolumePolicy: {type: Enabled}"),
			[]string{`spec.containers[0].shareVolumePolicy.type: "Enabled" is not one of enabled, disabled; did you mean enabled?`},
		},
		{
			"an unknown upgrade", kruiseContainer("upgradeStrategy: {upgradeType: WarmUpgrade}"),
			[]string{`spec.containers[0].upgradeStrategy.upgradeType: "WarmUpgrade" is not one of ColdUpgrade, HotUpgrade`},
		},
		{
			"a revision names one", kruiseWith("injectionStrategy: {revision: {policy: Always}}"),
			[]string{"spec.injectionStrategy.revision.revisionName: a revision needs a revisionName or a customVersion; write one, or remove " +
				"revision"},
		},
		{
			"an update by selector and partition", kruiseWith("updateStrategy: {selector: {matchLabels: {a: b}}, partition: 1}"),
			[]string{"spec.updateStrategy.partition: selector and partition cannot both be given; keep one"},
		},
		{
			"an update of some", kruiseWith("updateStrategy: {partition: some, maxUnavailable: -1}"),
			[]string{
				`spec.updateStrategy.partition: "some" is neither a number of pods nor a percentage; write one such as 1 or 10%`,
				`spec.updateStrategy.maxUnavailable: "-1" is neither a number of pods nor a percentage; write one such as 1 or 10%`,
			},
		},
		{
			"two priorities", kruiseWith("updateStrategy: {priorityStrategy: {orderPriority: [{orderedKey: a}], weightPriority: [{weight: " +
				"101, matchSelector: {}}]}}"),
			[]string{
				"spec.updateStrategy.priorityStrategy.weightPriority: orderPriority and weightPriority cannot both be given; keep one",
				"spec.updateStrategy.priorityStrategy.weightPriority[0].weight: a weight is from 0 to 100, and not 101",
			},
		},
		{
			"a term scatters by a key", kruiseWith("updateStrategy: {scatterStrategy: [{value: a}]}"),
			[]string{"spec.updateStrategy.scatterStrategy[0].key: a term needs the key of a label; write it"},
		},
		{
			"a patch has annotations", kruiseWith("patchPodMetadata: [{patchPolicy: Retain}]"),
			[]string{"spec.patchPodMetadata[0].annotations: there is nothing here for the pod's metadata; write annotations"},
		},
		{
			"a patch has no labels", kruiseWith("patchPodMetadata: [{labels: {a: b}}]"),
			[]string{`spec.patchPodMetadata[0].labels: there is no field "labels" here; known are annotations, patchPolicy`},
		},
		{
			"an annotation is patched once", kruiseWith("patchPodMetadata: [{annotations: {a: b}}, {annotations: {a: c}, patchPolicy: Overwrite}]"),
			[]string{"spec.patchPodMetadata[1].annotations.a: spec.patchPodMetadata[0].annotations.a sets it already; keep one of the two"},
		},
		{
			"an unknown patch policy", kruiseWith("patchPodMetadata: [{annotations: {a: b}, patchPolicy: Replace}]"),
			[]string{`spec.patchPodMetadata[0].patchPolicy: "Replace" is not one of Retain, Overwrite, MergePatchJson`},
		},
		{
			"v1beta1 has no namespace", kruiseWith("namespace: shop"),
			[]string{"spec.namespace: v1beta1 has no namespace; write namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: NAME}}"},
		},
		{
			"v1alpha1 has no customVersion", alpha(kruiseWith("customVersion: v1")),
			[]string{"spec.customVersion: in v1alpha1 it is the label apps.kruise.io/sidecarset-custom-version; write that, or apiVersion: " +
				"apps.kruise.io/v1beta1"},
		},
		{
			"a field of Pillion's is none of SidecarSet's", kruiseContainer("mode: Native"),
			[]string{`spec.containers[0].mode: there is no field "mode" here; remove it`},
		},
		{
			"a misspelt field", kruiseWith("imagePullSecret: []"),
			[]string{`spec.imagePullSecret: there is no field "imagePullSecret" here; did you mean imagePullSecrets?`},
		},
		{
			"another version", strings.Replace(kruiseWith(""), "v1beta1", "v1", 1),
			[]string{`apiVersion: SidecarSet of "apps.kruise.io/v1" is not known; did you mean apps.kruise.io/v1beta1? Pillion reads a ` +
				`SidecarInjector or a ` +
				"SidecarInjectorList of pillion.dev/v1alpha1, a ConfigMap of v1, or a SidecarSet of apps.kruise.io/v1beta1"},
		},
	} {
		test.run(t)
	}
}

func TestSidecarSetFindingsNameWhatWasWritten(t *testing.T) {
	const set = `
selector: {matchLabels: {app: web}}
initContainers:
- {name: zeta, image: a}
- {name: alpha}
`
	for _, test := range []bad{
		{
			"entries that are sorted", kruise(set),
			[]string{"spec.initContainers[1].image: a container needs an image; write one, such as envoyproxy/envoy:v1.33.0"},
		},
		{
			"a field of another name", alpha(kruiseWith("namespace: Shop")),
			[]string{`spec.namespace: "Shop" is not a valid namespace name: it must consist of lower case alphanumeric characters or '-', and ` +
				`must start and end with an alphanumeric character; did you mean shop?`},
		},
	} {
		test.run(t)
	}
}

func TestSidecarSetPathsAreThoseOfTheSet(t *testing.T) {
	in := one(t, kruise("selector: {matchLabels: {app: web}}\ninitContainers: [{name: zeta, image: a}, {name: alpha, image: a}]"))
	if got := in.PathOf("initContainers[0].image"); in.InitContainers[0].Name != "alpha" || got != "spec.initContainers[1].image" {
		t.Errorf("the first init container is %s, at %s", in.InitContainers[0].Name, got)
	}
}

package finding

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// Help returns what a code means and what to do about it, in a few sentences; "" for an unknown code.
func (c Code) Help() string {
	e := help()[c]
	return strings.TrimSpace(e.cause + " " + e.remedy)
}

// Codes returns all codes, sorted by name.
func Codes() []Code { return slices.Sorted(maps.Keys(help())) }

// explanation is the entry of a code in docs/reference/reason-codes.md, which a test writes from this table.
type explanation struct {
	severity string // the severities that findings of the code have, and when
	cause    string
	remedy   string // empty if there is nothing to do
}

const (
	infos           = "info"
	warnings        = "warning"
	errs            = "error"
	infoUnlessSet   = "info; error if set to Error"
	warnIfKept      = "error; warning with Keep or Merge"
	warnUnlessSet   = "warning; error if set to Error"
	correctIt       = "Correct it."
	correctManifest = "Correct the manifest."
)

// help explains all codes. Most runs do not need it.
var help = sync.OnceValue(func() map[Code]explanation {
	return map[Code]explanation{
		Injected:  {infos, "The sidecar is added.", ""},
		Updated:   {infos, "The sidecar becomes what the injector declares now.", ""},
		Removed:   {infos, "What the injector added is removed: the pod is no longer selected, or spec.action is Remove.", ""},
		Unchanged: {infos, "The workload is already as the injector wants it.", ""},
		Patched:   {infos, "The HelmRelease adds the sidecar to what its chart makes. The chart is not rendered here.", ""},
		HeldBack:  {infos, "The workload would change, but there are errors elsewhere.", "Correct those first."},
		Outdated: {
			"error; warning for the sidecar of an older config if --outdated is warn", "An injection would change the workload.",
			"Inject, and commit the result; the message contains the command.",
		},

		SelectorMismatch: {
			"info; warning if the workload's own labels match", "The pod's labels do not match spec.selector.",
			"If the workload's own labels do, label the pod template, or set spec.selectorScope to Workload.",
		},
		NamespaceExcluded: {
			infos, "The namespace is excluded or not included, or is one of Kubernetes' own, or its labels do not match spec.namespaceSelector.",
			"To include one of Kubernetes' own namespaces, write its full name in spec.namespaces.include.",
		},
		NamespaceAmbiguous: {
			errs, "spec.namespaceSelector matches only some of several Namespaces of one name in the input, or a Namespace has a repeated key.",
			"Remove all except one, give them the same labels, or read them in separate runs. Of a repeated key, remove one.",
		},
		NamespaceLabelsUnknown: {
			"warning; error in pillion audit, and in a verification of what has the sidecar",
			"spec.namespaceSelector needs the labels of the namespace, which are not known.",
			"Add the Namespace to the input, or its labels to spec.namespaceLabels.",
		},
		NamespaceUnknown: {
			"warning once for each injector; info for each workload, or error in a verification of what has the sidecar",
			"The workload has no metadata.namespace, and the injector selects by namespace.",
			"Set it, or name the namespace to deploy to as spec.defaultNamespace.",
		},
		NeverSelector: {infos, "The labels match spec.neverInjectSelector.", ""},
		RuleMismatch:  {infos, "No rule in spec.rules matches this resource.", ""},
		NameMismatch:  {infos, "The name matches none of spec.names.", ""},
		NameExcluded:  {infos, "The name matches one of spec.excludeNames.", ""},
		OptedOut:      {infos, "The marker is \"false\", or names other injectors.", ""},
		NotOptedIn:    {infos, "spec.policy is Disabled and the pod has no marker.", "To opt in, add the marker to the pod template."},
		MarkerMisplaced: {
			warnings, "The marker is outside the pod template.",
			"Move it there, or set spec.selectorScope to Workload.",
		},
		MarkerUnclear: {
			"warning; error in a verification of what has the sidecar",
			"The marker is \"yes\" or something similar. What was injected before stays.",
			"Write \"true\", \"false\" or names of injectors.",
		},
		LocalConfig: {infos, "The object is for local tools; kustomize and kpt do not apply it.", ""},
		MirrorPod:   {infos, "The Pod is the mirror of a static pod.", "Change the file that the kubelet reads."},
		LiveObject: {
			"warning; error if all workloads were", "The object was read back from a cluster.",
			"Inject into the manifest that it was applied from, or check what runs in the cluster with pillion audit.",
		},
		WorkloadRef:   {infos, "The pods come from another workload, which gets the sidecar.", ""},
		NoPodTemplate: {infos, "The kind can hold pods, but this object has none, or the config declares that the kind has none.", ""},
		LeftOut: {
			"error in pillion verify; warning elsewhere, and for what is never opened",
			"A workload that an injector selects, or an object or a file that may have one, is left out of the run, such as by an " +
				"ignore file, or because it cannot be read.",
			"Do what the message says: include it, or leave it out with --exclude or the marker.",
		},
		PatchedAway: {
			"error in pillion verify and with -k; otherwise warning",
			"A kustomization changes what was injected into the files that it builds on, such as by a patch that goes by the index " +
				"in a list, or that replaces a list.",
			"Do what the message says: name the entries of the list in a strategic merge patch, or inject into what the " +
				"kustomization builds.",
		},
		BuildFailed: {
			"error in pillion verify and with -k; otherwise warning, also for one of several that builds nothing",
			"Kustomizations cannot be built, so that it is not known whether what they build has its sidecars. All that have the " +
				"same kind of cause are one finding, counted by what they need, at the first of them; -v lists the others.",
			"Do what the message says, or leave the kustomizations out with --exclude.",
		},
		NotRendered: {
			"error in pillion verify and if spec.action is Verify; info for what is covered; warning otherwise",
			"Pods are made elsewhere, from an object such as a HelmRelease or a file such as a chart, so that it is not known " +
				"whether they have their sidecars.",
			"Do what the message says. To accept it, add a row to covered in the project file, or set the marker on the object.",
		},
		UnsupportedKind: {
			"error in pillion verify and if spec.action is Verify; otherwise, and for kinds whose pods Pillion cannot change, " +
				"warning; info if no injector would select it",
			"The kind is unknown, but looks as if it held pods: it has a pod template, or a list of containers without one. " +
				"Or Pillion cannot change the pods of the kind, because its operator makes their containers.",
			"Declare its pods in spec.workloads, with the lines in the message, or do what it says instead. To accept that it " +
				"gets no sidecar, declare podTemplates: [], set the marker on the object, or leave its file out.",
		},
		WrongVersion: {
			warnings, "Kubernetes has no such kind in this API version, or no longer, or apiVersion is missing.",
			"Correct apiVersion or kind.",
		},
		HostNetwork: {infoUnlessSet, "The pod uses the host's network, and spec.hostNetwork keeps such pods out.", ""},
		JobSkipped:  {infoUnlessSet, "The pod is meant to finish, and spec.jobs keeps such pods out.", ""},
		HelmHook: {
			infoUnlessSet + "; warning for a HelmRelease",
			"The object is a Helm hook, and spec.helmHooks keeps those out; or spec.postRenderStrategy of a HelmRelease does.", "",
		},
		Paused: {
			"info; warning for a SidecarSet", "The injector, or the SidecarSet, is paused. What was injected before stays.",
			"To continue, remove the field paused.",
		},
		NotRolledOut: {
			"info; error for a base that is used inside and outside of a rollout",
			"The rollouts of the project file do not choose the workload for the injector. What was injected before stays.",
			"To go on with the rollout, add to its field to, and inject.",
		},
		NothingToRemove: {infos, "spec.action is Remove, and the workload has nothing of this injector.", ""},

		ContainerConflict: {
			warnIfKept + ", and info if it only has more", "The pod already has a different container of the sidecar's name.",
			"Rename one, or set spec.onConflict.container.",
		},
		VolumeConflict: {
			warnIfKept, "The pod already has a different volume of that name.", "Rename one, or set spec.onConflict.volume.",
		},
		PortConflict:  {warnIfKept, "Another container has a port of the sidecar.", "Change one of them, or set spec.onConflict.port."},
		MountConflict: {warnIfKept, "Another volume is mounted at that path.", "Change one of the paths, or set spec.onConflict.mountPath."},
		EnvConflict: {
			warnIfKept + ", or if a replaced variable moves", "The app sets the variable to another value.",
			"Make them equal, or set spec.onConflict.env.",
		},
		PodSpecConflict: {
			warnings, "The pod sets a field of spec.podSpec to another value, which stays.", "Make them equal, or remove it from spec.podSpec.",
		},
		MetadataConflict: {
			warnings, "The pod has another value for a label or annotation, which stays.", "Make them equal, or set patchPolicy to Overwrite.",
		},
		DanglingMount: {
			"error; warning if the volume is removed with the injector", "A mount names a volume that neither the payload nor the pod has.",
			"Add it to spec.volumes.",
		},
		EnvSourceMissing: {
			warnings, "transferEnv names a container or a variable that is not there. The sidecar is added without it.",
			"Correct transferEnv, or add it.",
		},
		MountNotShared: {
			"warning or info",
			"A mount of the app would not work in the sidecar, and is left out.", "",
		},
		NoTargetContainers: {
			"warning; error for a SidecarSet",
			"resourcesPolicy finds no container of the app to compute from, so that their resources count as 0.", correctIt,
		},
		ResourcesRefused: {
			errs, "resourcesPolicy cannot be computed: it divides by zero, requests more than the limit, or finds an invalid quantity.",
			"Correct the expression, or the app's resources.",
		},
		NativeUnsupported: {errs, "The pod needs a native sidecar, which spec.kubernetesVersion does not have.", "Set spec.jobs."},
		NativeReadiness: {
			warnings, "A native sidecar has a readiness probe but no startup probe, so nothing waits for it.", "Add a startup probe.",
		},
		NoContainers: {
			"warning; error if the pod would have no container left",
			"The pod has no containers of its own, as in a patch, so it is left alone.",
			"Inject into the workload that it patches, or set partial: true in spec.workloads if an operator adds them.",
		},
		JobNeverEnds: {
			warnings, "A plain sidecar keeps a pod running that is meant to finish.", "Remove mode: Container, or set spec.jobs.",
		},
		KnativeLimits: {
			"error; info if a native sidecar became a plain one", "Knative allows no ports or init containers here.", "Keep it out by spec.rules.",
		},
		KindLimits: {
			"error; info if a native sidecar became a plain one",
			"The API server would drop what the injector does to the pods of this kind, or its controller would misunderstand it.",
			"Take it out of the injector, or keep the kind out by spec.rules.",
		},
		PositionNotNative: {
			errs, "A sidecar becomes native, and the container that before or after names is a plain one.", "Write mode: Container.",
		},
		PositionMissing: {infos, "The container that before or after names is not there, so podInjectPolicy decides.", ""},
		ContainerMissing: {
			"info; warning for a container without a name; error for a transformer of a Go program",
			"spec.appContainers names a container that the app does not have.", "",
		},
		SelectorLabel: {
			"error; warning if the workload has no selector", "spec.patchPodMetadata changes a label that the workload's selector uses, or adds " +
				"one to a workload whose labels are its selector.",
			"Remove it from the config, keep the workload out, or add a selector.",
		},
		AnnotationNotJSON: {
			errs, "MergePatchJson needs an annotation that holds a JSON object.", "Correct it, or choose another patchPolicy.",
		},
		Encrypted: {
			errs, "The document is encrypted with SOPS, and a change would break its MAC.",
			"Decrypt it first and encrypt the result, or keep it out of the selection.",
		},
		SharedByAlias: {errs, "A YAML alias would carry the change to other fields.", "Write the value in place of the alias."},
		CommentsMoved: {
			infos, "The item is returned without its id, so that kpt keeps its comments in place.", "",
		},
		VariableUnset: {
			errs, "A variable has no value for this workload.", "Add the label or the port, or write a default: ${pod.labels['app']:-web}.",
		},
		VariableInvalid: {
			errs, "With its variables replaced, the payload is not valid, or a value is too long.",
			"Correct the payload, or the label or annotation that it uses.",
		},
		OverrideNotAllowed: {
			warnings, "An annotation overrides a field that allowOverride does not list, and is ignored.",
			"Remove the annotation, or add the field to allowOverride.",
		},
		OverrideInvalid: {errs, "The value of an override annotation does not fit the field.", correctIt},

		Drifted: {
			"warning; error if onDrift is Error, and in verify outside of a rollout",
			"What was injected was changed by hand, and becomes what the injector declares.",
			"Put the change into the injector, or use an override.",
		},
		Renamed: {
			infos, "kustomize gave an object that the payload names another name, which the reference keeps.", "",
		},
		StampBroken: {
			"error; warning outside of a rollout", "The stamp cannot be read, claims what no injection does, or was written by a newer version.",
			"Restore it from Git, or remove it and set spec.adopt to true. If a newer version wrote it, update Pillion.",
		},
		StampTooLong: {
			errs, "The stamp would keep more of what is replaced than an annotation can hold.", "Replace less.",
		},
		NotRecordable: {
			errs, "A stamp cannot record a change, so it could not be undone.",
			"Write out the alias, or change less in the transformer.",
		},
		ForeignStamp: {
			"info; warning if the container does not match the stamp, or for a line, and then an error of verify",
			"The stamp of an injector that is not in the run names a container, so it does not count as the app's; or a stamp has a " +
				"line for what is no pod spec of the kind.",
			"If there is no such injector, remove the annotation, or the line.",
		},
		Unstamped: {
			"error in pillion verify and if spec.action is Verify; otherwise warning",
			"A container of the sidecar's name is not in the stamp of this injector, and stays.",
			"Set spec.adopt to true, remove it by hand, or remove the injector that the message names. " +
				"If it is the app's own, set spec.onConflict.container to Keep.",
		},
		InjectorConflict: {
			errs, "Two injectors want different things at the same address. The message names both.",
			"Make them equal, rename one, or keep one of them from this pod.",
		},
		PostRendererConflict: {
			errs, "Another entry of spec.postRenderers of a HelmRelease comes after those that Pillion adds, or may change what they add.",
			"Move it before them, or what it does into the values of the chart.",
		},
		LimitExceeded: {
			errs, "A workload would be too large to read again, or the run would take too much work for so much input.",
			"Add less, or run fewer injectors on fewer manifests at once.",
		},
		MoreFindings: {
			"that of the worst finding that is not shown", "An injector has more findings about the workload than are shown.", "",
		},

		InvalidVolume: {errs, "A volume has two sources, or one that does not fit its use.", correctIt},
		InvalidResources: {
			errs, "A quantity is not valid, a request is above its limit, or the containers request more than the pod has.", correctIt,
		},
		InvalidMount: {
			errs, "The API server would refuse a mount, such as one with Bidirectional propagation without privileges.", correctIt,
		},
		InvalidContainer: {
			errs, "The API server would refuse a container because two of its fields exclude each other.", "Change one of them.",
		},
		InvalidPod: {
			errs, "The API server would refuse the pod because two of its fields exclude each other.", "Change one, or keep the pod out.",
		},
		PodSecurity: {
			"error; warning if the injector is removed", "The pod would lose the security level that spec.checks.podSecurity protects.",
			"Change the fields that the message names.",
		},
		NoResources: {warnUnlessSet, "An injected container declares no resources, which spec.checks requires.", "Add them."},
		NoDigest:    {warnUnlessSet, "An image is not pinned by digest, which spec.checks requires.", "Add the digest."},
		WebhookMarker: {
			warnings, "A marker of the pod, or of its namespace, makes a webhook inject the same sidecar again.", "Remove it.",
		},
		ReferenceMissing: {
			"warning; info for imagePullSecrets, without which pods start",
			"The payload names a ConfigMap, Secret or ServiceAccount that the input does not have. Below a " +
				"kustomization, only files that one lists count.",
			"Add it to the input, or check that the cluster has it.",
		},
		AnnotationsTooLong: {
			errs, "With the stamp, the annotations of the pod exceed the API server's limit of 256 KiB.",
			"Shorten some.",
		},

		Finished:    {infos, "The live pod has succeeded or failed, so nothing runs in it any more.", ""},
		Terminating: {infos, "The live pod was deleted, and ends soon. The pod that replaces it counts.", ""},
		ImageFromMirror: {
			infos, "The live container has the declared image from another registry, which counts as current.", "",
		},
		ImageMoved: {
			infos, "Pods run different images by one tag, because the tag was moved between their starts.",
			"Restart the older ones, or pin the image by digest.",
		},
		ResourcesChanged: {
			infos, "A vertical pod autoscaler set other resources than are declared.",
			"Exclude the container in its resourcePolicy to keep what is declared.",
		},

		Cost: {infos, "What the sidecars of this run add to the requests of the pods.", ""},
		NotLearned: {
			warnings, "Something differs between two versions of a pod that no injector expresses, or that the pods do not have in common.",
			"Complete the injector by hand; `pillion learn --check` lists the differences of each pod.",
		},
		CredentialHidden: {
			warnings, "A value that looks like a credential was not written into the config that was learned.",
			"Refer to a Secret with valueFrom.secretKeyRef, or use --keep-secrets.",
		},
		NotExportable: {
			"error; info for what is left as it is because of that error",
			"Patches or admission policies cannot express this field of the config.", "Remove it, or run Pillion itself.",
		},
		TooFewMatches: {
			"warning if no workload matches; error in verify, if workloads would lose the sidecar, " +
				"or if fewer than spec.expect.min have it",
			"Fewer workloads matched, or have the sidecar, than expected.",
			"Compare spec.selector with the labels of the pod templates; spec.expect.min 0 accepts it.",
		},
		TooManyMatches: {errs, "More workloads have the sidecar than spec.expect.max.", "Narrow the selection, or raise spec.expect.max."},
		InvalidConfig: {
			"error; warning if the config is valid and cannot do what it says", "The config is wrong.",
			"Correct the field in the message, which also has the nearest correct name.",
		},
		FieldIgnored: {
			warnings, "A field of the config, such as a SidecarSet's updateStrategy, has no effect on manifests.", "Remove it.",
		},
		UnknownField: {
			warnings, "The payload has a field that this version of Pillion does not know; it is added as written.",
			"Check its spelling, or update Pillion.",
		},
		RepeatedKey: {
			warnings, "An object that is not changed has a key twice, and tools differ in which one they use.", "Remove one of them.",
		},
		InvalidItem: {
			"error; warning for an object that gets no sidecar anyway; info for workloads beside it",
			"A workload cannot be read or written, or its pod spec is missing, of the wrong type, or has a name twice.",
			correctManifest,
		},

		NotAsExpected: {
			errs, "The result of a test is not the expected one, a second injection changes something, or a removal does not give back the input.",
			"Correct the config, or accept the result with pillion test --update.",
		},
		NothingExpected: {
			errs, "Nothing is expected of a workload of a test, or a test has no workload.",
			"Add a line to expected.yaml, or a file to expected/; --update does it.",
		},
		InvalidExpectation: {
			errs, "An expectation of a test cannot be read, or names a file that the test does not have.", "Correct it.",
		},
	}
})

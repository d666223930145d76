package finding

import (
	"maps"
	"slices"
)

// Help returns what a code means and what to do about it, in one or two sentences; "" for an unknown code.
func (c Code) Help() string { return help[c] }

// Codes returns all codes, sorted by name.
func Codes() []Code { return slices.Sorted(maps.Keys(help)) }

// help explains codes. The README has a table of them with more detail.
var help = map[Code]string{
	Injected:  "The sidecar is added. The message lists the changes.",
	Updated:   "The sidecar was there in an older form, and becomes what the injector declares now.",
	Removed:   "What the injector added is removed. The message lists the changes.",
	Unchanged: "The workload is already as the injector wants it.",
	HeldBack:  "The workload would change, but there are errors elsewhere. Correct those first.",
	OutOfDate: "An injection would change the workload. Inject, and commit the result; the message contains the command.",

	SelectorMismatch: "The pod's labels do not match spec.selector. If the workload's own labels do, label the pod template, " +
		"or set spec.selectorScope to Any.",
	NamespaceExcluded: "The namespace is excluded, is not included, or has labels that do not match spec.namespaceSelector. " +
		"Kubernetes' own namespaces are included only by their full names in spec.namespaces.include.",
	NamespaceLabelsUnknown: "spec.namespaceSelector needs the labels of the namespace. Add the Namespace to the input, " +
		"or its labels to spec.namespaceLabels.",
	NamespaceUnknown: "The workload has no metadata.namespace, and the injector selects by namespace. " +
		"Set it, or give the namespace with --namespace or spec.defaultNamespace.",
	NeverSelector:   "The labels match spec.neverInjectSelector.",
	RuleMismatch:    "No rule matches this resource, neither in spec.rules nor in the InitializerConfiguration.",
	NameMismatch:    "The name matches none of spec.names.",
	NameExcluded:    "The name matches one of spec.excludeNames.",
	OptedOut:        "The marker is \"false\", or names other injectors.",
	NotOptedIn:      "spec.policy is disabled and the pod has no marker. Add one to the pod template.",
	MarkerMisplaced: "The marker is outside the pod template. Move it there, or set spec.selectorScope to Any.",
	MarkerUnclear:   "The marker is \"yes\" or the like. Write \"true\", \"false\" or names of injectors.",
	LocalConfig:     "The object is for local tools and never reaches the cluster.",
	MirrorPod:       "The Pod is a static pod, or its mirror. Change the file that the kubelet reads.",
	LiveObject:      "The object was read back from a cluster. Inject into the manifest that it was applied from.",
	WorkloadRef:     "The pods come from another workload, which the object refers to. The sidecar is added there.",
	NoPodTemplate:   "The kind can hold pods, but this object has none.",
	LeftOut: "A kustomization lists the file of a complete workload as a patch or an input, and no manifest has the workload that it " +
		"would patch. If the file is a manifest, list it under resources.",
	UnsupportedKind: "The kind is unknown, but looks as if it held pods. Declare it in spec.workloads.",
	WrongVersion:    "Kubernetes has no such kind in this API version. Correct apiVersion or kind.",
	HostNetwork:     "The pod uses the host's network, and spec.hostNetwork keeps such pods out.",
	JobSkipped:      "The pod is meant to finish, and spec.jobs keeps such pods out.",
	HelmHook:        "The object is a Helm hook, and spec.helmHooks keeps those out.",
	Paused:          "The injector, or the SidecarSet, is paused. What was injected before stays.",
	NothingToRemove: "The workload has nothing of this injector.",

	ContainerConflict: "The pod already has a different container of the sidecar's name. Rename one, or set spec.onConflict.container.",
	VolumeConflict:    "The pod already has a different volume of that name. Rename one, or set spec.onConflict.volume.",
	PortConflict:      "Another container has a port of the sidecar. Change one of them, or set spec.onConflict.port.",
	MountConflict:     "Another volume is mounted at that path. Change one of the paths, or set spec.onConflict.mountPath.",
	EnvConflict:       "The app sets the variable to another value. Make them equal, or set spec.onConflict.env.",
	PodSpecConflict:   "The pod sets a field of spec.podSpec to another value, which stays. Make them equal, or remove it from spec.podSpec.",
	MetadataConflict:  "The pod has another value for a label or annotation, which stays. Make them equal, or set patchPolicy to Overwrite.",
	DanglingMount:     "A mount names a volume that neither the payload nor the pod has. Add it to spec.volumes.",
	EnvSourceMissing:  "transferEnv names a container or a variable that is not there. Correct transferEnv, or add it.",
	MountNotShared:    "A mount of the app would not work in the sidecar, or would mean something else there, and is left out.",
	NoTargetContainers: "resourcesPolicy finds no container of the app to compute from: there is none, or none matches " +
		"targetContainersNameRegex. Correct it.",
	ResourcesRefused:  "resourcesPolicy cannot be computed. Correct the expression, or the app's resources.",
	NativeUnsupported: "The pod needs a native sidecar, which spec.kubernetesVersion does not have. Set spec.jobs.",
	NativeReadiness:   "A native sidecar has a readiness probe but no startup probe, so nothing waits for it. Add a startup probe.",
	NoContainers:      "The pod has no containers of its own. Most likely something is missing, or indented wrongly.",
	JobNeverEnds:      "A plain sidecar keeps a pod running that is meant to finish. Use mode Auto, and Native for spec.jobs.",
	KnativeLimits:     "Knative allows no ports or init containers here. Keep it out by spec.rules.",
	PositionMissing:   "The container that before or after names is not there, so podInjectPolicy decides.",
	ContainerMissing:  "spec.appContainers names a container that the app does not have.",
	SelectorLabel: "spec.patchPodMetadata changes a label that the workload's selector uses, or adds one to a workload whose labels are " +
		"its selector. Remove it from the config, keep the workload out, or add a selector.",
	AnnotationNotJSON: "MergePatchJson needs an annotation that holds a JSON object. Correct it, or choose another patchPolicy.",
	SharedByAlias:     "A YAML alias would carry the change to other places. Write the value in place of the alias.",
	WrittenAnew:       "The object could not be edited in place and is written as a whole. Check its comments.",
	CommentsMoved: "A container is added in front of others with comments. " +
		"The item is returned without its id, to keep them in place.",
	VariableUnset:      "A variable has no value for this workload. Add the label or the port, or write a default: ${pod.labels['app']:-web}.",
	VariableInvalid:    "With its variables replaced, the payload is not valid, such as a container name with capitals.",
	OverrideNotAllowed: "An annotation overrides a field that allowOverride does not list, and is ignored.",
	OverrideInvalid:    "The value of an override annotation does not fit the field. Correct it.",

	Drifted: "What was injected was changed by hand, and becomes what the injector declares. Put the change into the injector, " +
		"or use an override.",
	Renamed: "kustomize gave an object that the payload names another name, with a prefix, a suffix or a hash. " +
		"The reference keeps that name.",
	StampBroken: "The stamp of an earlier injection cannot be read, or claims what no injection does. Restore it, " +
		"or remove it and set spec.adopt to true.",
	StampTooLong: "The stamp would keep more of what is replaced than an annotation can hold. Replace less, or set spec.stamp to None.",
	NotRecordable: "A transformer of a Go program changed something that a stamp cannot record, so it could not be undone. Change less " +
		"there, or set spec.stamp to None.",
	Unstamped: "A container of the sidecar's name has no stamp of this injector, and stays.",
	InjectorConflict: "Two injectors want different things in the same place. Make them equal, rename one, " +
		"or keep one of them from this pod.",

	InvalidVolume: "A volume has two sources, or one that does not fit its use. Correct it.",
	InvalidResources: "A quantity is not valid, a request is above its limit, or the containers request more than the pod has. " +
		"Correct it.",
	InvalidMount:     "The API server would refuse a mount, such as one with Bidirectional propagation without privileges. Correct it.",
	InvalidContainer: "The API server would refuse a container because two of its fields exclude each other. Change one of them.",
	InvalidPod:       "The API server would refuse the pod because two of its fields exclude each other. Change one, or keep the pod out.",
	PodSecurity:      "The pod would lose the security level that spec.checks.podSecurity protects. The message names the fields.",
	NoResources:      "An injected container declares no resources, which spec.checks requires.",
	NoDigest:         "An image is not pinned by digest, which spec.checks requires.",
	WebhookMarker:    "A marker of the pod, or of its namespace, makes a webhook inject the same sidecar again. Remove it.",
	ReferenceMissing: "The payload names a ConfigMap, Secret or ServiceAccount that the input does not have. " +
		"Check that the cluster has it.",

	AnnotationsTooLong: "With the stamp, the annotations of the pod exceed the API server's limit. " +
		"Shorten some, or set spec.stamp to None.",

	Finished:    "The live pod has succeeded or failed, so nothing runs in it any more.",
	Terminating: "The live pod was deleted, and ends soon. The pod that replaces it counts.",
	ImageFromMirror: "The live container has the declared image from another registry, such as a mirror that a webhook puts in. " +
		"It counts as current.",
	ImageMoved: "Pods run different images by one tag, because the tag was moved between their starts. " +
		"Restart the older ones, or pin the image by digest.",
	ResourcesChanged: "A vertical pod autoscaler or a LimitRange set other resources than are declared. What the autoscaler set " +
		"counts as current. Exclude the container in its resourcePolicy to keep what is declared.",

	Cost:          "What the sidecars of this run add to the requests of the pods.",
	NotExportable: "Patches or admission policies cannot express this field of the config. Remove it, or run Pillion itself.",

	TooFewMatches:  "Fewer workloads matched, or have the sidecar, than expected. Compare spec.selector with the labels of the pod templates.",
	TooManyMatches: "More workloads have the sidecar than spec.expect.max. Narrow the selection, or raise it.",
	InvalidConfig:  "The config is wrong. The message contains the field and the nearest correct name.",
	FieldIgnored:   "A field of the config, such as a SidecarSet's updateStrategy, has no effect on manifests. Remove it.",
	RepeatedKey:    "An object that is not changed has a key twice, and tools differ in which one they use. Remove one of them.",
	InvalidItem:    "A workload cannot be read or written, or its pod spec is missing or of the wrong type. Correct the manifest.",
}

package pod

import (
	"slices"
	"strings"

	"pillion.dev/pillion/internal/text/spelling"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// current are the API versions of Kubernetes' own kinds that hold pods.
var current = map[string]string{
	"Pod": "v1", "PodTemplate": "v1", "ReplicationController": "v1",
	"ReplicaSet": "apps/v1", "Deployment": "apps/v1", "StatefulSet": "apps/v1", "DaemonSet": "apps/v1",
	"Job": "batch/v1", "CronJob": "batch/v1",
}

// ownGroups are Kubernetes' own groups that have ever had such kinds.
var ownGroups = []string{"", "apps", "batch", "extensions"}

// goneSince are the versions that these groups had, with the release of Kubernetes since which no API server has them.
var goneSince = map[string]string{
	"extensions/v1beta1": "1.16",
	"apps/v1beta1":       "1.16",
	"apps/v1beta2":       "1.16",
	"batch/v2alpha1":     "1.21",
	"batch/v1beta1":      "1.25",
}

// MeantVersion returns the API version of a kind of Kubernetes' own, such as apps/v1, if the object has a wrong one of
// Kubernetes' own or none, and since which release, such as 1.16, it is wrong. It returns "" for all other kinds and
// groups.
func MeantVersion(apiVersion, kind string) (meant, since string) {
	meant = current[kind]
	group, _ := SplitVersion(apiVersion)
	if meant == apiVersion || !slices.Contains(ownGroups, group) {
		return "", ""
	}
	if IsBuiltIn(group, kind) {
		since = goneSince[apiVersion]
	}
	return meant, since
}

// MeantKind returns the kind of Kubernetes' own that was probably meant by a misspelt one, or "".
func MeantKind(apiVersion, kind string) string {
	group, _ := SplitVersion(apiVersion)
	var kinds []string
	for _, k := range builtIn() {
		if slices.Contains(ownGroups, group) && k.Group == group {
			kinds = append(kinds, k.Kind)
		}
	}
	return spelling.Nearest(kind, kinds)
}

// withoutPods are groups, with all groups below them, whose objects never run pods, although they may look like it:
// policies contain pods as patterns, definitions contain them as examples.
var withoutPods = []string{
	"admissionregistration.k8s.io", "apiextensions.k8s.io", "kyverno.io", "gatekeeper.sh",
	"config.kubernetes.io", "kpt.dev", "kustomize.config.k8s.io", "pillion.dev",
}

// kindsWithoutPods are such kinds of other groups.
var kindsWithoutPods = [][2]string{
	{"apps", "ControllerRevision"}, // history
	// The values and patches in them are for pods of charts and of other manifests.
	{"helm.toolkit.fluxcd.io", "HelmRelease"},
	{"helm.fluxcd.io", "HelmRelease"},
	{"kustomize.toolkit.fluxcd.io", "Kustomization"},
	{"argoproj.io", "Application"},
	{"argoproj.io", "ApplicationSet"},
	// These change or restart containers of other workloads.
	{"apps.kruise.io", "SidecarSet"},
	{"apps.kruise.io", "WorkloadSpread"},
	{"apps.kruise.io", "ContainerRecreateRequest"},
}

// HoldsNoPods reports whether the objects of a kind hold no pods of their own, although they may look like it.
func HoldsNoPods(apiVersion, kind string) bool {
	group, _ := SplitVersion(apiVersion)
	isBelow := func(other string) bool { return group == other || strings.HasSuffix(group, "."+other) }
	return slices.ContainsFunc(withoutPods, isBelow) || slices.Contains(kindsWithoutPods, [2]string{group, kind})
}

// kubernetesGroups are the groups of Kubernetes itself with a dot. Each group without one is its own, too.
var kubernetesGroups = []string{
	"admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io", "authentication.k8s.io",
	"authorization.k8s.io", "certificates.k8s.io", "coordination.k8s.io", "discovery.k8s.io", "events.k8s.io",
	"flowcontrol.apiserver.k8s.io", "networking.k8s.io", "node.k8s.io", "rbac.authorization.k8s.io", "resource.k8s.io",
	"scheduling.k8s.io", "storage.k8s.io", "storagemigration.k8s.io",
}

// IsOfKubernetes reports whether an API version is of a group of Kubernetes itself, whose kinds with pods are known.
func IsOfKubernetes(apiVersion string) bool {
	group, _ := SplitVersion(apiVersion)
	return !strings.Contains(group, ".") || slices.Contains(kubernetesGroups, group)
}

// Unsupported is a group of kinds whose pods no injection can change.
type Unsupported struct {
	group string
	kinds []string
	// Why is the reason, and Instead what to do, in words.
	Why, Instead string
	// unless reports whether an object is an exception. It is nil if there are none.
	unless func(object *node.Node) bool
}

// IsException reports whether an object of one of the kinds has no such pods.
func (u *Unsupported) IsException(object *node.Node) bool { return u.unless != nil && u.unless(object) }

var allUnsupported = []Unsupported{
	{
		group:   "trainer.kubeflow.org",
		kinds:   []string{"TrainJob"},
		Why:     "Kubeflow Trainer takes containers only from the runtime of a TrainJob",
		Instead: "inject into its TrainingRuntime or ClusterTrainingRuntime",
	},
	{
		group:   "argoproj.io",
		kinds:   []string{"Workflow", "WorkflowTemplate", "ClusterWorkflowTemplate", "CronWorkflow"},
		Why:     "Argo Workflows makes each pod from a template that is no pod spec, and ends its sidecars itself",
		Instead: "write the sidecar into sidecars and volumes of its templates or templateDefaults",
	},
	{
		group:   "tekton.dev",
		kinds:   []string{"Task", "TaskRun", "Pipeline", "PipelineRun", "ClusterTask"},
		Why:     "Tekton makes each pod from steps, with a type of sidecars of its own, which it ends itself",
		Instead: "write the sidecar into spec.sidecars and spec.volumes of the Task",
	},
	{
		group:   "postgresql.cnpg.io",
		kinds:   []string{"Cluster"},
		Why:     "CloudNativePG makes all containers of its pods",
		Instead: "use a CNPG-I plugin, or as a last resort the annotation cnpg.io/podPatch",
	},
	{
		group:   "kafka.strimzi.io",
		kinds:   []string{"Kafka", "KafkaNodePool", "KafkaConnect", "KafkaBridge", "KafkaMirrorMaker2"},
		Why:     "Strimzi makes all containers of its pods",
		Instead: "run the program in a Deployment of its own",
	},
	{
		group:   "core.strimzi.io",
		kinds:   []string{"StrimziPodSet"},
		Why:     "Strimzi makes all containers of its pods",
		Instead: "run the program in a Deployment of its own",
	},
	{
		group:   "opentelemetry.io",
		kinds:   []string{"OpenTelemetryCollector"},
		Why:     "the OpenTelemetry operator makes the pods of a collector",
		Instead: "write the sidecar into spec.additionalContainers",
		unless:  func(object *node.Node) bool { return node.Text(object, "spec", "mode") == "sidecar" },
	},
	{
		group:   "serving.kserve.io",
		kinds:   []string{"LLMInferenceService"},
		Why:     "without containers in it, KServe makes the pods itself",
		Instead: "write containers into spec.template, and declare that in podSpecs of spec.workloads",
		unless:  holdsPods,
	},
	// These are built in, and count here if an object has no pod template.
	{
		group:   "sparkoperator.k8s.io",
		kinds:   []string{"SparkApplication", "ScheduledSparkApplication"},
		Why:     "without a pod template, the Spark operator makes the pods itself",
		Instead: "give driver and executor a template with the container spark-kubernetes-driver or spark-kubernetes-executor",
	},
	{
		group:   "flink.apache.org",
		kinds:   []string{"FlinkDeployment"},
		Why:     "without a pod template, Flink's operator makes the pods itself",
		Instead: "write spec.podTemplate with the container flink-main-container",
	},
	{
		group:   "postgresql.cnpg.io",
		kinds:   []string{"Pooler"},
		Why:     "without a pod template, CloudNativePG makes the pods itself",
		Instead: "write spec.template with spec: {containers: []}",
	},
}

// FindUnsupported returns why no injection can change the pods of a kind, or those of its objects without a pod
// template if it is built in. It is nil for all other kinds.
func FindUnsupported(apiVersion, kind string) *Unsupported {
	group, _ := SplitVersion(apiVersion)
	for i, u := range allUnsupported {
		if u.group == group && slices.Contains(u.kinds, kind) {
			return &allUnsupported[i]
		}
	}
	return nil
}

// holdsPods reports whether a part of an object looks like a pod.
func holdsPods(object *node.Node) bool {
	for range Search(object, maxSearched) {
		return true
	}
	return false
}

// maxSearched is more nodes than an object that is read has.
const maxSearched = 2_000_000

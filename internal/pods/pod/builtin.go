package pod

import (
	"slices"
	"sync"
)

const template = "spec.template"

// builtIn returns the kinds that Pillion knows.
var builtIn = sync.OnceValue(func() []Kind {
	return slices.Concat(ofKubernetes, ofDelivery, ofTraining(), ofServing, ofAgents, ofOperators)
})

var ofKubernetes = []Kind{
	{Group: "", Kind: "Pod", Paths: []string{""}, One: true},
	{Group: "", Kind: "PodTemplate", Paths: []string{"template"}},
	{Group: "", Kind: "ReplicationController", Paths: []string{template}, One: true},
	{Group: "apps", Kind: "ReplicaSet", Paths: []string{template}, One: true},
	{Group: "apps", Kind: "Deployment", Paths: []string{template}, One: true},
	{Group: "apps", Kind: "StatefulSet", Paths: []string{template}, One: true},
	{Group: "apps", Kind: "DaemonSet", Paths: []string{template}},
	{Group: "extensions", Kind: "ReplicaSet", Paths: []string{template}, One: true},
	{Group: "extensions", Kind: "Deployment", Paths: []string{template}, One: true},
	{Group: "extensions", Kind: "DaemonSet", Paths: []string{template}},
	{Group: "batch", Kind: "Job", Paths: []string{template}, Finishes: true, One: true},
	{Group: "batch", Kind: "CronJob", Paths: []string{"spec.jobTemplate.spec.template"}, Finishes: true, One: true},
}

var ofDelivery = []Kind{
	{Group: "", Kind: "DeploymentConfig", Paths: []string{template}, Optional: true}, // of old versions of OpenShift
	{Group: "apps.openshift.io", Kind: "DeploymentConfig", Paths: []string{template}, Optional: true},
	{Group: "argoproj.io", Kind: "Rollout", Paths: []string{template}, Reference: "workloadRef", One: true},
	{Group: "apps.kruise.io", Kind: "CloneSet", Paths: []string{template}, One: true},
	{Group: "apps.kruise.io", Kind: "StatefulSet", Paths: []string{template}, One: true},
	{Group: "apps.kruise.io", Kind: "DaemonSet", Paths: []string{template}},
	{Group: "apps.kruise.io", Kind: "BroadcastJob", Paths: []string{template}, Finishes: true},
	{Group: "apps.kruise.io", Kind: "AdvancedCronJob", Paths: []string{
		"spec.template.jobTemplate.spec.template",
		"spec.template.broadcastJobTemplate.spec.template",
	}, Optional: true, Finishes: true},
	{Group: "serving.knative.dev", Kind: "Service", Paths: []string{template}, Knative: true},
	{Group: "serving.knative.dev", Kind: "Configuration", Paths: []string{template}, Knative: true},
	{Group: "keda.sh", Kind: "ScaledJob", Paths: []string{"spec.jobTargetRef.template"}, Finishes: true},
	{Group: "batch.volcano.sh", Kind: "Job", Paths: []string{"spec.tasks[].template"}, Finishes: true},
}

func ofTraining() []Kind {
	return []Kind{
		{Group: "kubeflow.org", Kind: "PyTorchJob", Paths: replicas("spec.pytorch"), Optional: true, Finishes: true},
		{Group: "kubeflow.org", Kind: "TFJob", Paths: replicas("spec.tf"), Optional: true, Finishes: true},
		{
			Group: "kubeflow.org", Kind: "MPIJob", Paths: replicas("spec.mpi"),
			Optional: true, Finishes: true, First: true,
		},
		{Group: "kubeflow.org", Kind: "XGBoostJob", Paths: replicas("spec.xgb"), Optional: true, Finishes: true},
		{Group: "kubeflow.org", Kind: "PaddleJob", Paths: replicas("spec.paddle"), Optional: true, Finishes: true},
		{Group: "kubeflow.org", Kind: "JAXJob", Paths: replicas("spec.jax"), Optional: true, Finishes: true},
		{Group: "kubeflow.org", Kind: "Experiment", Paths: slices.Concat( // whose trials are of any kind; most are these
			[]string{trial + ".template"}, replicas(trial+".pytorch"), replicas(trial+".tf"), replicas(trial+".mpi"),
			replicas(trial+".xgb"), replicas(trial+".paddle"), replicas(trial+".jax"), rayGroups(trial+".rayClusterSpec"),
		), Optional: true, Finishes: true},
		{
			Group: "trainer.kubeflow.org", Kind: "TrainingRuntime", Paths: []string{runtime},
			Optional: true, Finishes: true, Note: "only new TrainJobs get a change",
		},
		{
			Group: "trainer.kubeflow.org", Kind: "ClusterTrainingRuntime", Paths: []string{runtime},
			Optional: true, Finishes: true, Note: "only new TrainJobs get a change",
		},
		{
			Group: "jobset.x-k8s.io", Kind: "JobSet", Paths: []string{jobSet},
			Optional: true, Finishes: true,
			Note: "the API server refuses to change the jobs of an existing one: delete it and create it again",
		},
		{Group: "ray.io", Kind: "RayCluster", Paths: rayGroups("spec"), Optional: true, First: true},
		{Group: "ray.io", Kind: "RayService", Paths: rayGroups("spec.rayClusterConfig"), Optional: true, First: true},
		{
			Group: "ray.io", Kind: "RayJob",
			Paths:    append(rayGroups("spec.rayClusterSpec"), "spec.submitterPodTemplate"),
			Optional: true, Finishes: true, First: true,
		},
		{
			Group: "ray.io", Kind: "RayCronJob",
			Paths:    append(rayGroups("spec.jobTemplate.rayClusterSpec"), "spec.jobTemplate.submitterPodTemplate"),
			Optional: true, Finishes: true, First: true,
		},
		{
			Group: "sparkoperator.k8s.io", Kind: "SparkApplication",
			Paths:    []string{"spec.driver.template", "spec.executor.template"},
			Parts:    [][]string{{"spec.driver.template"}, {"spec.executor.template"}},
			Optional: true, Partial: true, Finishes: true, Note: spark,
		},
		{
			Group: "sparkoperator.k8s.io", Kind: "ScheduledSparkApplication",
			Paths:    []string{"spec.template.driver.template", "spec.template.executor.template"},
			Parts:    [][]string{{"spec.template.driver.template"}, {"spec.template.executor.template"}},
			Optional: true, Partial: true, Finishes: true, Note: spark,
		},
		{Group: "flink.apache.org", Kind: "FlinkDeployment", Paths: []string{
			"spec.podTemplate",
			"spec.jobManager.podTemplate",
			"spec.taskManager.podTemplate",
		}, Parts: [][]string{
			{"spec.jobManager.podTemplate", "spec.podTemplate"},
			{"spec.taskManager.podTemplate", "spec.podTemplate"},
		}, Optional: true, Partial: true},
	}
}

var ofServing = []Kind{
	{
		Group: "leaderworkerset.x-k8s.io", Kind: "LeaderWorkerSet",
		Paths:    []string{"spec.leaderWorkerTemplate.leaderTemplate", "spec.leaderWorkerTemplate.workerTemplate"},
		Optional: true,
		Note:     "a restart of a sidecar restarts its whole group, unless `restartPolicy` is `None`",
	},
	{
		Group: "serving.kserve.io", Kind: "InferenceService",
		Specs:   []string{"spec.predictor", "spec.transformer", "spec.explainer", "spec.predictor.workerSpec"},
		Partial: true, Knative: true, First: true, Main: "kserve-container", Copies: true,
		Note: "a custom predictor must call its container `kserve-container`; a change of one component rolls all of them",
	},
	{
		Group: "serving.kserve.io", Kind: "ServingRuntime", Specs: []string{"spec", "spec.workerSpec"},
		Fields: runtimeFields, Mixed: true, Plain: true, Note: "a change rolls all InferenceServices that use it",
	},
	{
		Group: "serving.kserve.io", Kind: "ClusterServingRuntime", Specs: []string{"spec", "spec.workerSpec"},
		Fields: runtimeFields, Mixed: true, Plain: true, Note: "a change rolls all InferenceServices that use it",
	},
	{
		Group: "grove.io", Kind: "PodCliqueSet", Specs: []string{"spec.template.cliques[].spec.podSpec"},
		Note: "a native sidecar runs while its clique waits for others (`startsAfter`)",
	},
}

var ofAgents = []Kind{
	{
		Group: "agents.x-k8s.io", Kind: "Sandbox", Paths: []string{"spec.podTemplate"},
		Note: "its controller does not replace a pod that runs: delete the pod",
	},
	{
		Group: "extensions.agents.x-k8s.io", Kind: "SandboxTemplate", Paths: []string{"spec.podTemplate"},
		Note: "by default, its pods have no token and no DNS of the cluster",
	},
	{
		Group: "kubeflow.org", Kind: "Notebook", Specs: []string{"spec.template.spec"},
		Plain: true, First: true, Copies: true,
		Note: "its controller copies annotations only when it creates the pods",
	},
}

var ofOperators = []Kind{
	{
		Group: "monitoring.coreos.com", Kind: "Prometheus", Specs: []string{"spec"},
		Fields: monitoringFields, Mixed: true, Partial: true, Note: monitoring,
	},
	{
		Group: "monitoring.coreos.com", Kind: "Alertmanager", Specs: []string{"spec"},
		Fields: monitoringFields, Mixed: true, Partial: true, Note: monitoring,
	},
	{
		Group: "monitoring.coreos.com", Kind: "PrometheusAgent", Specs: []string{"spec"},
		Fields: monitoringFields, Mixed: true, Partial: true, Note: monitoring,
	},
	{
		Group: "monitoring.coreos.com", Kind: "ThanosRuler", Specs: []string{"spec"},
		Fields: rulerFields, Mixed: true, Partial: true, Note: monitoring,
	},
	{
		Group: "postgresql.cnpg.io", Kind: "Pooler", Paths: []string{template},
		Optional: true, Partial: true, Note: "the operator adds the container `pgbouncer`",
	},
}

// trial is where the spec of a trial's job is in an Experiment.
const trial = "spec.trialTemplate.trialSpec.spec"

const (
	jobSet  = "spec.replicatedJobs[].template.spec.template"
	runtime = template + "." + jobSet
)

// replicas returns the pod templates of a training job, given what its field with the types of replicas begins with.
// The controllers accept each type in upper and lower case, and no other types, so that there is no list of them here.
func replicas(field string) []string { return []string{field + "ReplicaSpecs.*.template"} }

// rayGroups returns the pod templates of a Ray cluster.
func rayGroups(cluster string) []string {
	return []string{cluster + ".headGroupSpec.template", cluster + ".workerGroupSpecs[].template"}
}

const (
	spark = "only with a `template` that has the container `spark-kubernetes-driver` or `spark-kubernetes-executor`; " +
		"`sidecars` of the driver and executor cannot have volumes of their own"
	monitoring = "the operator adds its own containers, which nothing can be put into, and merges those of the same name"
)

// runtimeFields are what a ServingRuntime has of a pod spec.
var runtimeFields = []string{
	"affinity", "containers", "hostIPC", "imagePullSecrets", "nodeSelector", "schedulerName", "tolerations", "volumes",
}

// monitoringFields are what most resources of the Prometheus Operator have of a pod spec.
var monitoringFields = []string{
	"affinity", "automountServiceAccountToken", "containers", "dnsConfig", "dnsPolicy", "enableServiceLinks",
	"hostAliases", "hostNetwork", "hostUsers", "imagePullSecrets", "initContainers", "nodeSelector",
	"priorityClassName", "schedulerName", "securityContext", "serviceAccountName", "terminationGracePeriodSeconds",
	"tolerations", "topologySpreadConstraints", "volumes",
}

// rulerFields are what a ThanosRuler has of a pod spec.
var rulerFields = []string{
	"affinity", "containers", "dnsConfig", "dnsPolicy", "enableServiceLinks", "hostAliases", "hostUsers",
	"imagePullSecrets", "initContainers", "nodeSelector", "priorityClassName", "schedulerName", "securityContext",
	"serviceAccountName", "terminationGracePeriodSeconds", "tolerations", "topologySpreadConstraints", "volumes",
}

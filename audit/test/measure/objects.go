package main

import (
	"fmt"
	"strings"

	"pillion.dev/pillion/audit/test/apiserver"
)

// injectors are two: one for all pods and one for some.
const injectors = `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: proxy}
spec:
  selector: {matchExpressions: [{key: app, operator: Exists}]}
  containers:
  - name: proxy
    image: registry.example.com/mesh/proxy:2.1
    mode: Container
    args: ["--name=${workload.name}"]
    ports: [{name: metrics, containerPort: 9901}]
    resources: {limits: {cpu: 100m, memory: 64Mi}}
    volumeMounts: [{name: proxy-config, mountPath: /etc/proxy}]
  volumes: [{name: proxy-config, configMap: {name: proxy-config}}]
---
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: logs}
spec:
  selector: {matchLabels: {tier: "3"}}
  containers: [{name: logs, mode: Container, image: "registry.example.com/logs:5", volumeMounts: [{name: logs, mountPath: /logs}]}]
  volumes: [{name: logs, emptyDir: {}}]
`

const (
	podsPerWorkload = 10
	oldReplicaSets  = 5 // per Deployment
	namespaces      = 100
)

// fill creates pods with their owners, and returns how large the pods are together. One pod in ten runs without a
// sidecar, and one in ten runs an old one.
func fill(api *apiserver.Server, pods int) int {
	for i := range namespaces {
		api.Put(namespace(fmt.Sprintf("team-%03d", i)))
	}
	size := 0
	for workload := 0; workload*podsPerWorkload < pods; workload++ {
		o := owner{namespace: fmt.Sprintf("team-%03d", workload%namespaces), name: fmt.Sprintf("service-%d", workload), tier: workload % 10}
		api.Put(o.deployment())
		for revision := range oldReplicaSets {
			api.Put(o.replicaSet(revision))
		}
		for i := range min(podsPerWorkload, pods-workload*podsPerWorkload) {
			text := o.pod(i, version(workload))
			size += len(text)
			api.Put(text)
		}
	}
	api.Compact() // the history would take as much memory as the objects
	return size
}

func version(workload int) string {
	switch workload % 10 {
	case 0:
		return ""
	case 1:
		return "2.0"
	default:
		return "2.1"
	}
}

func namespace(name string) string {
	return fmt.Sprintf(`{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": %q,
		"labels": {"kubernetes.io/metadata.name": %q}}}`, name, name)
}

// owner is a Deployment with its pods.
type owner struct {
	namespace, name string
	tier            int
}

func (o owner) hash(revision int) string {
	return fmt.Sprintf("%d%08x", revision, len(o.name)*7919+o.tier)
}

func (o owner) labels() string {
	return fmt.Sprintf(`"app": %q, "tier": "%d", "app.kubernetes.io/part-of": "the-shop", "app.kubernetes.io/managed-by": "Helm"`, o.name,
		o.tier)
}

func (o owner) deployment() string {
	return fmt.Sprintf(`{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": %q, "namespace": %q, %s},
		"spec": {"replicas": %d, "template": {"metadata": {"labels": {%s}}, "spec": {"containers": [%s]}}}}`,
		o.name, o.namespace, managedFields(1500), podsPerWorkload, o.labels(), app)
}

func (o owner) replicaSet(revision int) string {
	replicas := 0
	if revision == oldReplicaSets-1 {
		replicas = podsPerWorkload
	}
	return fmt.Sprintf(`{"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": {"name": "%s-%s", "namespace": %q, %s, "ownerReferences":
		[{"apiVersion": "apps/v1", "kind": "Deployment", "name": %q, "uid": "1", "controller": true}]},
		"spec": {"replicas": %d, "template": {"metadata": {"labels": {%s}}, "spec": {"containers": [%s]}}}}`,
		o.name, o.hash(revision), o.namespace, managedFields(1500), o.name, replicas, o.labels(), app)
}

// pod returns a pod with a proxy of a version, or none if it is empty, as an API server returns it.
func (o owner) pod(i int, version string) string {
	hash := o.hash(oldReplicaSets - 1)
	token := fmt.Sprintf("kube-api-access-%05x", (i+1)*48271%0xfffff)
	mount := fmt.Sprintf(`{"name": %q, "readOnly": true, "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount"}`, token)
	containers := strings.Replace(app, `"volumeMounts": [`, `"volumeMounts": [`+mount+",", 1)
	volumes := `{"name": "data", "emptyDir": {}}`
	statuses := containerStatus("web")
	if version != "" {
		containers += fmt.Sprintf(`, {"name": "proxy", "image": "registry.example.com/mesh/proxy:%s", "args": ["--name=%s"],
			"ports": [{"name": "metrics", "containerPort": 9901, "protocol": "TCP"}], "terminationMessagePath": "/dev/termination-log",
			"resources": {"limits": {"cpu": "100m", "memory": "64Mi"}, "requests": {"cpu": "100m", "memory": "64Mi"}},
			"volumeMounts": [{"name": "proxy-config", "mountPath": "/etc/proxy"}, %s]}`, version, o.name, mount)
		volumes += `, {"name": "proxy-config", "configMap": {"name": "proxy-config", "defaultMode": 420}}`
		statuses += "," + containerStatus("proxy")
	}
	return fmt.Sprintf(`{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s-%s-%05d", "generateName": "%s-%s-", "namespace": %q,
		"uid": "0b0ae4b7-6b5c-4bcd-9c2b-%012d", "creationTimestamp": "2026-11-16T04:00:30Z", "labels": {%s, "pod-template-hash": %q},
		"annotations": {"prometheus.io/scrape": "true", "checksum/config": "0f4d5c"},
		%s, "ownerReferences": [{"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "%s-%s", "uid": "2", "controller": true,
			"blockOwnerDeletion": true}]},
		"spec": {"nodeName": "node-%d", "serviceAccountName": "default", "restartPolicy": "Always", "dnsPolicy": "ClusterFirst", "priority": 0,
		"schedulerName": "default-scheduler", "enableServiceLinks": true, "preemptionPolicy": "PreemptLowerPriority",
		"tolerations": [{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300},
		{"key": "node.kubernetes.io/unreachable", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}],
		"containers": [%s], "volumes": [%s, {"name": %q, "projected": {"defaultMode": 420,
			"sources": [{"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
		{"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}}]}}]},
		"status": {"phase": "Running", "hostIP": "10.0.0.1", "podIP": "10.1.2.%d", "qosClass": "Burstable", "startTime": "2026-11-16T04:00:30Z",
		"conditions": [{"type": "Ready", "status": "True", "lastTransitionTime": "2026-11-16T04:00:40Z"}], "containerStatuses": [%s]}}`,
		o.name, hash, i, o.name, hash, o.namespace, i, o.labels(), hash, managedFields(2200), o.name, hash, i, containers, volumes, token, i,
		statuses)
}

// app is the container of the app.
const app = `{"name": "web", "image": "registry.example.com/shop/web:1.2.3", "imagePullPolicy": "IfNotPresent",
	"ports": [{"name": "http", "containerPort": 8080, "protocol": "TCP"}],
	"env": [{"name": "LOG_LEVEL", "value": "info"}, {"name": "POD_NAME", "valueFrom": {"fieldRef": {"apiVersion": "v1",
		"fieldPath": "metadata.name"}}},
	{"name": "DATABASE", "value": "postgres://db.shop.svc.cluster.local:5432/shop"}, {"name": "CACHE",
		"value": "redis://cache.shop.svc.cluster.local:6379"}],
	"resources": {"requests": {"cpu": "100m", "memory": "256Mi"}, "limits": {"memory": "512Mi"}},
	"livenessProbe": {"httpGet": {"path": "/healthz", "port": "http", "scheme": "HTTP"}, "timeoutSeconds": 1, "periodSeconds": 10,
		"failureThreshold": 3},
	"readinessProbe": {"httpGet": {"path": "/ready", "port": "http", "scheme": "HTTP"}, "timeoutSeconds": 1, "periodSeconds": 10,
		"failureThreshold": 3},
	"terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
		"securityContext": {"readOnlyRootFilesystem": true},
	"volumeMounts": [{"name": "data", "mountPath": "/data"}]}`

func containerStatus(name string) string {
	return fmt.Sprintf(`{"name": %q, "ready": true, "restartCount": 0, "image": "registry.example.com/%s:1", "started": true,
		"imageID": "registry.example.com/%s@sha256:%064d", "containerID": "containerd://%064d",
			"state": {"running": {"startedAt": "2026-11-16T04:00:35Z"}}}`,
		name, name, name, len(name), len(name)*3)
}

// managedFields returns a field of metadata that takes a third of most objects.
func managedFields(size int) string {
	return fmt.Sprintf(`"managedFields": [{"manager": "kube-controller-manager", "operation": "Update", "apiVersion": "v1",
		"fieldsType": "FieldsV1",
		"fieldsV1": {"f:metadata": {%q: {}}}}]`, strings.Repeat("f:x", size/3))
}

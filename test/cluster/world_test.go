package cluster

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pillion.dev/pillion/internal/core/engine"
)

// declaredInjectors are what the pods are audited with.
const declaredInjectors = `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjectorList
items:
- apiVersion: pillion.dev/v1alpha1
  kind: SidecarInjector
  metadata: {name: proxy}
  spec:
    namespaceSelector: {matchLabels: {team: shop}}
    neverInjectSelector: [{matchLabels: {proxy: never}}]
    containers:
    - name: proxy
      mode: Container
      image: proxy:2.1
      args: ["--name=${workload.name}", "--kind=${workload.kind}"]
      ports: [{containerPort: 15001, name: proxy}]
      resources: {requests: {cpu: 0.1, memory: 64Mi}}
      volumeMounts: [{name: proxy-conf, mountPath: /etc/proxy}]
    volumes: [{name: proxy-conf, configMap: {name: proxy}}]
- apiVersion: pillion.dev/v1alpha1
  kind: SidecarInjector
  metadata: {name: logs}
  spec:
    selector: {matchLabels: {logs: "yes"}}
    rules: [{apiGroups: [apps], apiVersions: [v1], resources: [statefulsets]}]
    initContainers: [{name: logs, image: "logs:1", restartPolicy: Always}]
`

// namespaceLabels are what the audit learns from the cluster, and an injection does not.
const namespaceLabels = "    namespaceLabels: {shop: {team: shop}, lab: {team: research}}\n"

// The hashes of pod templates in the names of ReplicaSets.
const hash, oldHash = "7d4b9c5f6d", "5c6d7f8b9c"

// world is a cluster with pods in all states, and what an audit of them must find.
type world struct {
	*Cluster
	injectors engine.Config
	config    string            // the path of the injectors
	want      map[string]string // states by injector and pod
	pillion   string            // the path of the program
	watcher   string            // the path of pillion-audit
}

// newWorld starts a cluster and creates the objects that its controllers would create, if there were any.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{
		Cluster: Start(t), config: filepath.Join(t.TempDir(), "injectors.yaml"), want: map[string]string{},
		injectors: readConfig(t, strings.ReplaceAll(declaredInjectors, "    namespaceSelector:", namespaceLabels+"    namespaceSelector:")),
	}
	write(t, w.config, declaredInjectors)
	w.Namespace(t, "shop", map[string]string{"team": "shop"})
	w.Namespace(t, "lab", map[string]string{"team": "research"})
	w.createDeployments(t)
	w.createOtherWorkloads(t)
	w.createJobs(t)
	w.createPodsOnTheirOwn(t)
	return w
}

// deployment returns the manifest of a Deployment, with more metadata of its pods.
func deployment(namespace, name, metadata string) string {
	return "{apiVersion: apps/v1, kind: Deployment, metadata: {name: " + name + ", namespace: " + namespace +
		"}, spec: {selector: {matchLabels: {app: x}}, template: {metadata: {labels: {app: x}" + metadata +
		"}, spec: {containers: [{name: app, image: 'app:1'}]}}}}"
}

func (w *world) createDeployments(t *testing.T) {
	t.Helper()
	web := w.inject(t, deployment("shop", "web", ""))
	now, before := w.replicaSet(t, web, hash), w.replicaSet(t, web, oldHash)
	w.pod(t, now.pod(t, "aaaaa"), "current")
	w.pod(t, now.pod(t, "bbbbb"), "current")
	old := before.pod(t, "ccccc")
	old.container("proxy")["image"] = "proxy:2.0"
	w.pod(t, old, "stale")

	forgotten := w.replicaSet(t, w.Create(t, []byte(deployment("shop", "forgotten", ""))), hash)
	w.pod(t, forgotten.pod(t, "aaaaa"), "missing")

	stripped := w.replicaSet(t, w.inject(t, deployment("shop", "stripped", "")), hash).pod(t, "aaaaa")
	stripped.without("containers", "proxy")
	stripped.without("volumes", "proxy-conf")
	w.pod(t, stripped, "missing")

	quiet := w.replicaSet(t, w.inject(t, deployment("shop", "quiet", `, annotations: {pillion.dev/inject: "false"}`)), hash)
	w.pod(t, quiet.pod(t, "aaaaa"), "skipped")

	former := w.replicaSet(t, w.inject(t, deployment("shop", "former", "")), hash).pod(t, "aaaaa")
	former.at("metadata", "labels")["proxy"] = "never"
	w.pod(t, former, "unexpected")

	elsewhere := w.replicaSet(t, w.inject(t, deployment("lab", "web", "")), hash)
	w.pod(t, elsewhere.pod(t, "aaaaa"), "skipped")
}

func (w *world) createOtherWorkloads(t *testing.T) {
	t.Helper()
	const spec = `selector: {matchLabels: {app: x}}, template: {metadata: {labels: {app: x, logs: "yes"}},
  spec: {containers: [{name: app, image: app}]}}`
	db := w.inject(t, `{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db, namespace: shop}, spec: {serviceName: db, `+spec+`}}`)
	w.pod(t, db.pod(t, "0"), "current")
	w.want["logs shop/db-0"] = "current"

	agent := w.inject(t, `{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: agent, namespace: shop}, spec: {`+spec+`}}`)
	w.pod(t, agent.pod(t, "aaaaa"), "current")
}

func (w *world) createJobs(t *testing.T) {
	t.Helper()
	const spec = "template: {spec: {restartPolicy: Never, containers: [{name: app, image: app}]}}"
	migrate := w.inject(t, `{apiVersion: batch/v1, kind: Job, metadata: {name: migrate, namespace: shop}, spec: {`+spec+`}}`)
	w.pod(t, migrate.pod(t, "aaaaa"), "current")

	report := w.inject(t, `{apiVersion: batch/v1, kind: CronJob, metadata: {name: report, namespace: shop},
  spec: {schedule: "0 0 * * *", jobTemplate: {spec: {`+spec+`}}}}`)
	run := stored(w.Create(t, report.job(t, time.Now().Unix()/60).json(t)))
	w.pod(t, run.pod(t, "aaaaa"), "current")
	done := w.pod(t, run.pod(t, "bbbbb"), "skipped")
	w.patch(t, done, "/status", `{"status": {"phase": "Succeeded"}}`)
}

func (w *world) createPodsOnTheirOwn(t *testing.T) {
	t.Helper()
	alone := func(name, metadata string) stored {
		manifest := "{apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: " + name + metadata + "}, " +
			"spec: {containers: [{name: app, image: app}]}}"
		return parsed(t, injected(t, w.injectors, manifest))
	}
	w.pod(t, alone("alone", ""), "current")
	leaving := w.pod(t, alone("leaving", ", finalizers: [example.com/hold]"), "skipped")
	w.Delete(t, leaving.json(t))
	w.pod(t, alone("not-static", ", annotations: {kubernetes.io/config.source: file}"), "current")
}

// inject creates a workload as Pillion writes it.
func (w *world) inject(t *testing.T, manifest string) stored {
	t.Helper()
	return w.Create(t, []byte(injected(t, w.injectors, manifest)))
}

func (w *world) replicaSet(t *testing.T, deployment stored, hash string) stored {
	t.Helper()
	return w.Create(t, deployment.replicaSet(t, hash).json(t))
}

// pod creates a pod, and records the state that the audit must find under the injector proxy. Under the injector logs,
// pods are skipped.
func (w *world) pod(t *testing.T, pod stored, state string) stored {
	t.Helper()
	created := stored(w.Create(t, pod.json(t)))
	w.want["proxy "+created.namespace()+"/"+created.name()] = state
	w.want["logs "+created.namespace()+"/"+created.name()] = "skipped"
	return created
}

// patch changes an object, or a subresource of it such as /status.
func (w *world) patch(t *testing.T, o stored, subresource, patch string) {
	t.Helper()
	path, name, err := w.path(o.json(t))
	if err != nil {
		t.Fatal(err)
	}
	w.mustDo(t, http.MethodPatch, path+"/"+name+subresource, "application/strategic-merge-patch+json", []byte(patch))
}

// deletePod deletes a pod, and forgets it.
func (w *world) deletePod(t *testing.T, o stored) {
	t.Helper()
	w.Delete(t, o.json(t))
	delete(w.want, "proxy "+o.namespace()+"/"+o.name())
	delete(w.want, "logs "+o.namespace()+"/"+o.name())
}

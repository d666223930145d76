package audit_test

import (
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/core/engine"
)

const (
	plainContainers = `[{name: web, image: "web:1"}]`
	allContainers   = `[{name: web, image: "web:1"}, {name: proxy, image: "proxy:2.1", args: [--name=web], resources: {limits: {cpu: 100m}}}]`
)

// deployment returns a live Deployment with containers, and with more in its spec and status.
func deployment(containers, spec, status string) string {
	return "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop, generation: 2}, spec: {" + spec +
		"template: {metadata: {labels: {app: web}}, spec: {containers: " + containers + "}}}, status: {" + status + "}}"
}

func replicaSet(name, containers string) string {
	return "{apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: " + name + ", namespace: shop, " +
		"ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, controller: true}]}, " +
		"spec: {template: {metadata: {labels: {app: web, pod-template-hash: x}}, spec: {containers: " + containers + "}}}}"
}

func TestCauses(t *testing.T) {
	const proxy = `  - {name: proxy, image: "proxy:2.1", args: [--name=web], resources: {limits: {cpu: 100m}, requests: {cpu: 100m}}}` + "\n"
	const done = "observedGeneration: 2, replicas: 2, updatedReplicas: 2"
	newer, older := pod("7d4b9c", "8e5c0d"), pod(proxy, "")
	asStatefulSet := strings.NewReplacer("kind: ReplicaSet, name: web-7d4b9c", "kind: StatefulSet, name: web",
		"kind: Deployment", "kind: StatefulSet", "pod-template-hash: 7d4b9c", "controller-revision-hash: web-7d").Replace
	anyKind := strings.Replace(config, "resources: [deployments]", "resources: ['*']", 1)
	cronJobs := strings.NewReplacer("apiGroups: [apps]", "apiGroups: [batch]", "    mode: Container\n", "").Replace(anyKind)
	nightly := strings.NewReplacer("apps/v1, kind: ReplicaSet, name: web-7d4b9c", "batch/v1, kind: Job, name: web-1").Replace
	const job = "{apiVersion: batch/v1, kind: Job, metadata: {name: web-1, namespace: shop, " +
		"ownerReferences: [{apiVersion: batch/v1, kind: CronJob, name: web, controller: true}]}, " +
		"spec: {template: {metadata: {labels: {app: web}}, spec: {containers: " + plainContainers + "}}}}"
	const cronJob = "{apiVersion: batch/v1, kind: CronJob, metadata: {name: web, namespace: shop}, spec: {jobTemplate: {spec: " +
		"{template: {metadata: {labels: {app: web}}, spec: {containers: " + plainContainers + ", " +
		"initContainers: [{name: proxy, image: \"proxy:2.1\", args: [--name=web], restartPolicy: Always, resources: {limits: {cpu: 100m}}}]}}}}}}"
	native := func(config string) string { return strings.Replace(config, "    mode: Container\n", "", 1) }
	withoutPolicy := func(changes ...string) string {
		return pod(append([]string{"  - {name: proxy", "  initContainers:\n  - {name: proxy"}, changes...)...)
	}
	nativeDeployment := func(policy, status string) string {
		return deployment(plainContainers+`, initContainers: [{name: proxy, `+policy+`image: "proxy:2.1", args: [--name=web], `+
			`resources: {limits: {cpu: 100m}}}]`, "", status)
	}
	for name, c := range map[string]struct {
		config   string
		objects  []string
		cause    audit.Cause
		template audit.State
		want     string
	}{
		"all current": {config, []string{newer, deployment(allContainers, "", done)}, "", "current", ""},
		"rolling out": {
			config,
			[]string{newer, older, deployment(allContainers, "", strings.Replace(done, "updatedReplicas: 2", "updatedReplicas: 1", 1))},
			audit.RollingOut, "current",
			"rolling out: the template of deployment/web is current, and 1 of 2 pods is from before",
		},
		"rolling out, as the ReplicaSet shows": {
			config,
			[]string{newer, older, deployment(allContainers, "", done), replicaSet("web-7d4b9c", plainContainers)},
			audit.RollingOut, "current", "rolling out",
		},
		"paused": {
			config,
			[]string{older, deployment(allContainers, "paused: true, ", "")},
			audit.Paused, "current",
			"paused: the template of deployment/web is current, and 1 pod is from before",
		},
		"removed, as the ReplicaSet shows": {
			config,
			[]string{newer, older, deployment(allContainers, "", ""), replicaSet("web-7d4b9c", allContainers)},
			audit.Removed, "current",
			"its template is as declared: replicaset/web-7d4b9c has what is declared, and 1 pod of it does not; it was probably removed",
		},
		"removed, without the Deployment": {
			config, []string{older, replicaSet("web-7d4b9c", allContainers)}, audit.Removed, "", "replicaset/web-7d4b9c has",
		},
		"changed, as the status shows": {
			config,
			[]string{pod("proxy:2.1", "proxy:2.0"), deployment(allContainers, "", done)},
			audit.Removed, "current",
			"deployment/web has what is declared, and 1 pod of it does not; it was probably changed",
		},
		"not applied": {
			config,
			[]string{older, deployment(plainContainers, "", done)},
			audit.NotApplied, "missing",
			"deployment/web does not have what is declared; the injected manifest was probably not applied",
		},
		"not applied, and a pod of before was changed": {
			config,
			[]string{
				pod("7d4b9c", "8e5c0d", "proxy:2.1", "proxy:2.0"), replicaSet("web-8e5c0d", allContainers), older,
				replicaSet("web-7d4b9c", plainContainers), deployment(plainContainers, "", ""),
			},
			audit.NotApplied, "missing", "probably not applied",
		},
		"an old version applied": {
			config, []string{older, deployment(strings.Replace(allContainers, "2.1", "2.0", 1), "", "")}, audit.NotApplied, "stale", "not applied",
		},
		"added at admission": {
			config,
			[]string{pod(), older, deployment(plainContainers, "", done)},
			audit.NotAdded, "missing",
			"the template of deployment/web does not have it, and 1 of 2 pods of revision web-7d4b9c has it: it is probably added at admission",
		},
		"a ReplicaSet of its own": {
			anyKind,
			[]string{
				pod(proxy, "", "pod-template-hash", "x"),
				strings.Replace(replicaSet("web-7d4b9c", strings.Replace(allContainers, "web]", "web-7d4b9c]", 1)), "ownerReferences", "old", 1),
			},
			audit.OnDelete, "current", "because a ReplicaSet replaces no others",
		},
		"not known": {config, []string{older}, "", "", ""},
		"on delete": {
			anyKind,
			[]string{asStatefulSet(older), asStatefulSet(deployment(allContainers, "updateStrategy: {type: OnDelete}, ", ""))},
			audit.OnDelete, "current", "OnDelete: the template of statefulset/web is current",
		},
		"partition": {
			anyKind,
			[]string{asStatefulSet(older), asStatefulSet(deployment(allContainers, "updateStrategy: {rollingUpdate: {partition: 2}}, ", ""))},
			audit.Partition, "current", "partition, which is 2",
		},
		"removed, as the revision shows": {
			anyKind,
			[]string{asStatefulSet(older), asStatefulSet(deployment(allContainers, "", "updateRevision: web-7d"))},
			audit.Removed, "current", "statefulset/web has what is declared",
		},
		"next run": {cronJobs, []string{nightly(older), job, cronJob}, audit.NextRun, "current", "the next run is as declared"},
		"unmanaged": {
			strings.Replace(anyKind, "apiGroups: [apps]", "apiGroups: ['']", 1),
			[]string{pod("ownerReferences", "old", proxy, "")},
			audit.Unmanaged, "", "nothing replaces the pod",
		},
		"restartPolicy dropped, of a pod that nothing manages": {
			native(strings.Replace(anyKind, "apiGroups: [apps]", "apiGroups: ['']", 1)),
			[]string{withoutPolicy("ownerReferences", "old", "--name=web", "--name=web-7d4b9c-x2x")},
			audit.Dropped, "", "an old admission webhook has probably dropped it",
		},
		"restartPolicy dropped from pods": {
			native(config),
			[]string{withoutPolicy(), nativeDeployment("restartPolicy: Always, ", done)},
			audit.Dropped, "current", "restartPolicy: Always of a native sidecar is not there",
		},
		"restartPolicy dropped from the template": {
			native(config), []string{withoutPolicy(), nativeDeployment("", done)}, audit.Dropped, "stale", "or Kubernetes before 1.29",
		},
		"restartPolicy dropped, and rolling out": {
			native(config), []string{withoutPolicy(), nativeDeployment("restartPolicy: Always, ", "")}, audit.RollingOut, "current", "rolling out",
		},
		"no restartPolicy, and another image": {
			native(config),
			[]string{withoutPolicy("proxy:2.1", "proxy:2.0"), nativeDeployment("", done)},
			audit.NotApplied, "stale", "probably not applied",
		},
	} {
		t.Run(name, func(t *testing.T) {
			groups := runOn(t, c.config, items(t, c.objects...)).Groups
			if len(groups) != 1 {
				t.Fatalf("got %+v", groups)
			}
			g := groups[0]
			isExplained := strings.Contains(g.Explanation, c.want) && (c.want == "") == (g.Explanation == "")
			if g.Cause != c.cause || g.Template != c.template || !isExplained {
				t.Errorf("template %s, %s: %s\nwant %s, %s: %s", g.Template, g.Cause, g.Explanation, c.template, c.cause, c.want)
			}
		})
	}
}

// TestNoLongerDeclared audits pods with stamps after the selector of the injector was changed.
func TestNoLongerDeclared(t *testing.T) {
	result, err := engine.Apply(t.Context(), read(t, config), finding.Source{Text: []byte(deployment(plainContainers, "", ""))})
	if err != nil {
		t.Fatal(err)
	}
	injected := string(result.Texts[0])
	_, template, _ := strings.Cut(injected, "template: {metadata: {")
	template, _, _ = strings.Cut(template, "}, status:")
	live := "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: shop, uid: a, ownerReferences: [{apiVersion: apps/v1, " +
		"kind: Deployment, name: web, controller: true}], " + template
	others := strings.Replace(config, "app: web", "app: db", 1)
	alone := runOn(t, others, items(t, strings.Replace(live, "ownerReferences", "old", 1)))
	if g := alone.Groups[0]; g.Cause != audit.Unmanaged || !strings.Contains(g.Explanation, "apply its manifest without") {
		t.Errorf("a pod that nothing manages: %s: %s", g.Cause, g.Explanation)
	}
	for name, c := range map[string]struct {
		deployment string
		template   audit.State
		cause      audit.Cause
	}{
		"in the template as well": {injected, audit.Unexpected, audit.NotApplied},
		"only in pods":            {deployment(plainContainers, "", ""), audit.Skipped, audit.RollingOut},
	} {
		found := runOn(t, others, items(t, live, c.deployment))
		if len(found.Rows) != 1 || found.Rows[0].State != audit.Unexpected || found.Rows[0].Reason != finding.SelectorMismatch {
			t.Fatalf("%s: %+v %v\n%s", name, found.Rows, found.Findings, live)
		}
		if g := found.Groups[0]; g.Template != c.template || g.Cause != c.cause {
			t.Errorf("%s: template %s, %s", name, g.Template, g.Cause)
		}
	}
}

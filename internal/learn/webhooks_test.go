package learn_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/learn"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/test/golden"
)

// meshApp is a workload that a service mesh changes.
type meshApp struct {
	name, namespace string
	ports           []int
	isOdd           bool // the pod was created with other settings
	isOut           bool // it has opted out
}

var meshApps = []meshApp{
	{name: "cart", namespace: "shop", ports: []int{8080}},
	{name: "catalog", namespace: "shop", ports: []int{9090}},
	{name: "orders", namespace: "shop", ports: []int{8443, 8080}},
	{name: "mail", namespace: "office", ports: []int{2525}, isOdd: true},
	{name: "users", namespace: "office", ports: []int{7000}},
	{name: "batch", namespace: "office", isOut: true},
}

func (a meshApp) listedPorts() string {
	var all []string
	for _, port := range a.ports {
		all = append(all, fmt.Sprint(port))
	}
	return strings.Join(all, ",")
}

// container returns the container of the app, as it is in Git and in the pod.
func (a meshApp) container(mounts string) string {
	ports := ""
	for _, port := range a.ports {
		ports += fmt.Sprintf("{containerPort: %d, protocol: TCP}, ", port)
	}
	return fmt.Sprintf("{name: %s, image: registry.example.com/%[1]s:1.4.0, ports: [%[2]s], volumeMounts: [%[3]s]}",
		a.name, strings.TrimSuffix(ports, ", "), mounts)
}

func (a meshApp) deployment(annotations string) string {
	return fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata: {name: %s, namespace: %s}
spec:
  selector: {matchLabels: {app: %[1]s}}
  template:
    metadata: {labels: {app: %[1]s}, annotations: {%[3]s}}
    spec:
      containers:
      - %[4]s
`, a.name, a.namespace, annotations, a.container(""))
}

const tokenMount = "{name: kube-api-access-x7k2p, mountPath: /var/run/secrets/kubernetes.io/serviceaccount, readOnly: true}"

// pod returns what runs, with what the API server adds. The lists are flow mappings, one on a line.
func (a meshApp) pod(labels, annotations string, init, containers, volumes []string) string {
	return fmt.Sprintf(`apiVersion: v1
kind: Pod
metadata:
  name: %s-7d4b9c-x7k2p
  namespace: %s
  uid: 0b6f6f0e-4a55-4b8e-9a57-1d1f2f1f7a01
  labels: {app: %[1]s, pod-template-hash: 7d4b9c%[3]s}
  annotations: {%[4]s}
  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: %[1]s-7d4b9c, uid: "1", controller: true, blockOwnerDeletion: true}]
spec:
  initContainers: [%[5]s]
  containers:
  - %[6]s
  dnsPolicy: ClusterFirst
  enableServiceLinks: true
  nodeName: node-1
  preemptionPolicy: PreemptLowerPriority
  priority: 0
  restartPolicy: Always
  schedulerName: default-scheduler
  serviceAccount: default
  serviceAccountName: default
  terminationGracePeriodSeconds: 30
  tolerations:
  - {effect: NoExecute, key: node.kubernetes.io/not-ready, operator: Exists, tolerationSeconds: 300}
  volumes:
  - {name: kube-api-access-x7k2p, projected: {defaultMode: 420, sources: [{serviceAccountToken: {expirationSeconds: 3607, path: token}}]}}
%[7]s
status: {phase: Running}
`, a.name, a.namespace, labels, annotations, strings.Join(init, ",\n    "), strings.Join(containers, "\n  - "),
		strings.Join(volumes, "\n"))
}

// istioPod returns a pod as Istio's webhook changes it: an init container for iptables, the proxy, volumes, a status.
func istioPod(a meshApp) string {
	if a.isOut {
		return a.pod("", `sidecar.istio.io/inject: "false"`, nil, []string{a.container(tokenMount)}, nil)
	}
	cpu, revision := "100m", "default"
	if a.isOdd {
		cpu, revision = "500m", "canary"
	}
	init := fmt.Sprintf(`{name: istio-init, image: docker.io/istio/proxyv2:1.26.0, imagePullPolicy: IfNotPresent,
      args: [istio-iptables, -p, "15001", -z, "15006", -u, "1337", -m, REDIRECT, -i, "*", -x, "", -b, "*", -d, "15090,15021,15020"],
      resources: {limits: {cpu: "2", memory: 1Gi}, requests: {cpu: %s, memory: 128Mi}},
      securityContext: {allowPrivilegeEscalation: false, capabilities: {add: [NET_ADMIN, NET_RAW], drop: [ALL]},
        runAsUser: 0, runAsNonRoot: false},
      terminationMessagePath: /dev/termination-log, terminationMessagePolicy: File, volumeMounts: [%s]}`, cpu, tokenMount)
	env := []string{
		"{name: JWT_POLICY, value: third-party-jwt}", "{name: PILOT_CERT_PROVIDER, value: istiod}",
		"{name: CA_ADDR, value: istiod.istio-system.svc:15012}",
		"{name: POD_NAME, valueFrom: {fieldRef: {apiVersion: v1, fieldPath: metadata.name}}}",
		"{name: ISTIO_CPU_LIMIT, valueFrom: {resourceFieldRef: {divisor: \"0\", resource: limits.cpu}}}",
		`{name: PROXY_CONFIG, value: "{}\n"}`,
		fmt.Sprintf(`{name: ISTIO_META_POD_PORTS, value: '[{"containerPort":%d,"protocol":"TCP"}]'}`, a.ports[0]),
		fmt.Sprintf("{name: ISTIO_META_APP_CONTAINERS, value: %s}", a.name),
		fmt.Sprintf("{name: ISTIO_META_WORKLOAD_NAME, value: %s}", a.name),
		fmt.Sprintf("{name: ISTIO_META_OWNER, value: kubernetes://apis/apps/v1/namespaces/%s/deployments/%s}", a.namespace, a.name),
		fmt.Sprintf("{name: ISTIO_META_REVISION, value: %s}", revision),
		"{name: ISTIO_META_MESH_ID, value: cluster.local}",
	}
	proxy := fmt.Sprintf(`{name: istio-proxy, image: docker.io/istio/proxyv2:1.26.0, imagePullPolicy: IfNotPresent,
      args: [proxy, sidecar, --domain, $(POD_NAMESPACE).svc.cluster.local, --proxyLogLevel=warning, --concurrency, "2"],
      env: [%s],
      ports: [{containerPort: 15090, name: http-envoy-prom, protocol: TCP}],
      readinessProbe: {failureThreshold: 4, httpGet: {path: /healthz/ready, port: 15021, scheme: HTTP}, periodSeconds: 15,
        timeoutSeconds: 3,
        successThreshold: 1},
      resources: {limits: {cpu: "2", memory: 1Gi}, requests: {cpu: %s, memory: 128Mi}},
      securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, runAsGroup: 1337,
        runAsNonRoot: true, runAsUser: 1337},
      volumeMounts: [{name: istiod-ca-cert, mountPath: /var/run/secrets/istio}, {name: istio-envoy, mountPath: /etc/istio/proxy},
        {name: istio-token, mountPath: /var/run/secrets/tokens}, %s]}`, strings.Join(env, ",\n        "), cpu, tokenMount)
	return a.pod(", security.istio.io/tlsMode: istio, service.istio.io/canonical-name: "+a.name,
		"istio.io/rev: "+revision+", kubectl.kubernetes.io/default-container: "+a.name+", "+
			`sidecar.istio.io/status: '{"initContainers":["istio-init"],"containers":["istio-proxy"],"volumes":["istio-envoy","istio-token"],`+
			`"imagePullSecrets":null,"revision":"`+revision+`"}'`,
		[]string{init}, []string{a.container(tokenMount), proxy}, []string{
			"  - {name: istio-envoy, emptyDir: {medium: Memory}}",
			"  - {name: istio-token, projected: {defaultMode: 420, sources: [{serviceAccountToken: {" +
				"audience: istio-ca, expirationSeconds: 43200, path: istio-token}}]}}",
			"  - {name: istiod-ca-cert, configMap: {defaultMode: 420, name: istio-ca-root-cert}}",
		})
}

// linkerdPod returns a pod as Linkerd's webhook changes it: an init container for iptables, the proxy in front of the
// app, its identity.
func linkerdPod(a meshApp) string {
	if a.isOut {
		return a.pod("", "linkerd.io/inject: disabled", nil, []string{a.container(tokenMount)}, nil)
	}
	level := "warn,linkerd=info"
	if a.isOdd {
		level = "debug"
	}
	init := fmt.Sprintf(`{name: linkerd-init, image: "cr.l5d.io/linkerd/proxy-init:v2.4.1", imagePullPolicy: IfNotPresent,
      args: [--incoming-proxy-port, "4143", --outgoing-proxy-port, "4140", --proxy-uid, "2102", --inbound-ports-to-ignore, "4190,4191"],
      securityContext: {allowPrivilegeEscalation: false, capabilities: {add: [NET_ADMIN, NET_RAW]}, runAsNonRoot: true, runAsUser: 65534},
      volumeMounts: [{name: linkerd-proxy-init-xtables-lock, mountPath: /run}, %s]}`, tokenMount)
	proxy := fmt.Sprintf(`{name: linkerd-proxy, image: "cr.l5d.io/linkerd/proxy:edge-25.4.1", imagePullPolicy: IfNotPresent,
      env: [{name: _pod_name, valueFrom: {fieldRef: {fieldPath: metadata.name}}},
        {name: LINKERD2_PROXY_LOG, value: "%s"},
        {name: LINKERD2_PROXY_INBOUND_PORTS, value: "%s"},
        {name: LINKERD2_PROXY_POLICY_WORKLOAD, value: '{"ns":"%s", "pod":"$(_pod_name)"}'},
        {name: LINKERD2_PROXY_IDENTITY_TOKEN_FILE, value: /var/run/secrets/tokens/linkerd-identity-token},
        {name: LINKERD2_PROXY_IDENTITY_TRUST_ANCHORS,
          value: "-----BEGIN CERTIFICATE-----\nMIIBjDCCATOgAwIBAgIB\n-----END CERTIFICATE-----\n"},
        {name: _l5d_ns, value: linkerd}],
      lifecycle: {postStart: {exec: {command: [/usr/lib/linkerd/linkerd-await, --timeout=2m, --port=4191]}}},
      livenessProbe: {failureThreshold: 3, httpGet: {path: /live, port: 4191, scheme: HTTP}, initialDelaySeconds: 10, periodSeconds: 10},
      ports: [{containerPort: 4143, name: linkerd-proxy, protocol: TCP}, {containerPort: 4191, name: linkerd-admin, protocol: TCP}],
      securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, runAsUser: 2102,
        seccompProfile: {type: RuntimeDefault}},
      terminationMessagePolicy: FallbackToLogsOnError,
      volumeMounts: [{name: linkerd-identity-end-entity, mountPath: /var/run/linkerd/identity/end-entity},
        {name: linkerd-identity-token, mountPath: /var/run/secrets/tokens}, %s]}`, level, a.listedPorts(), a.namespace, tokenMount)
	return a.pod(", linkerd.io/control-plane-ns: linkerd, linkerd.io/proxy-deployment: "+a.name+", linkerd.io/workload-ns: "+a.namespace,
		"linkerd.io/created-by: linkerd/proxy-injector edge-25.4.1, linkerd.io/proxy-version: edge-25.4.1, linkerd.io/inject: enabled, "+
			"linkerd.io/trust-root-sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		[]string{init}, []string{proxy, a.container(tokenMount)}, []string{
			"  - {name: linkerd-proxy-init-xtables-lock, emptyDir: {}}",
			"  - {name: linkerd-identity-end-entity, emptyDir: {medium: Memory}}",
			"  - {name: linkerd-identity-token, projected: {sources: [{serviceAccountToken: {audience: identity.l5d.io, expirationSeconds: 86400, " +
				"path: linkerd-identity-token}}]}}",
		})
}

// TestWebhooksAreLearned learns from pods in the shape of two service meshes, one of which was created with other
// settings, has several ports, or has opted out. What is written is valid, and the golden files are to be read as by
// somebody who has to own them.
func TestWebhooksAreLearned(t *testing.T) {
	for name, of := range map[string]struct {
		pod              func(meshApp) string
		marker, optedOut string
	}{
		"istio":   {istioPod, "", `sidecar.istio.io/inject: "false"`},
		"linkerd": {linkerdPod, "linkerd.io/inject: enabled", "linkerd.io/inject: disabled"},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after []string
			for _, a := range meshApps {
				annotations := of.marker
				if a.isOut {
					annotations = of.optedOut
				}
				before, after = append(before, a.deployment(annotations)), append(after, of.pod(a))
			}
			learned := mustLearn(t, strings.Join(before, "---\n"), strings.Join(after, "---\n"), false)
			if _, findings := engine.ReadConfig(finding.Source{Text: learned.Text}); finding.HasError(findings) {
				t.Errorf("what was written is not valid: %v", findings)
			}
			golden.Check(t, "testdata/webhooks/"+name+".yaml", string(learned.Text))
		})
	}
}

func mustLearn(t *testing.T, before, after string, keepSecrets bool) learn.Learned {
	t.Helper()
	var items [2][]*manifest.Item
	for i, text := range []string{before, after} {
		stream, err := manifest.Read([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		items[i] = stream.Items
	}
	matched, err := learn.Match(items[0], items[1], keepSecrets)
	if err != nil {
		t.Fatal(err)
	}
	learned, err := learn.From(context.Background(), matched.Pairs, "")
	if err != nil {
		t.Fatalf("%v: %v", err, learned.Findings)
	}
	return learned
}

package admission

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"pillion.dev/pillion/test/admission/apiserver"
)

var shop = apiserver.Namespace{Name: "shop"}

// everything declares every kind of thing, with values that the API server writes in another way or gives defaults.
const everything = `{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, metadata: {name: log}, spec: {
  onConflict: {env: Error, mountPath: Error},
  initContainers: [{name: setup, image: "setup:1", command: [sh, -c, "true"]}],
  containers: [{
    name: log, mode: Container, image: "log:1", args: ["--level", info], stdin: false,
    env: [
      {name: A, value: a}, {name: EMPTY, value: ""}, {name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}},
      {name: CPU, valueFrom: {resourceFieldRef: {resource: limits.cpu, divisor: 1000m}}},
    ],
    envFrom: [{secretRef: {name: log}}], ports: [{name: metrics, containerPort: 9090}, {containerPort: 53, protocol: UDP}],
    resources: {limits: {cpu: 0.1, memory: 1024Mi}},
    securityContext: {privileged: false, runAsUser: 0, capabilities: {drop: [ALL]}},
    livenessProbe: {httpGet: {port: metrics, httpHeaders: [{name: X, value: y}]}},
    readinessProbe: {tcpSocket: {port: 9090}, initialDelaySeconds: 0},
    lifecycle: {preStop: {exec: {command: [sleep, "5"]}}},
    volumeMounts: [{name: logs, mountPath: /logs, readOnly: true}],
  }],
  volumes: [
    {name: logs, emptyDir: {sizeLimit: 1024Mi}},
    {name: all, projected: {sources: [
      {serviceAccountToken: {path: token, audience: log}},
      {downwardAPI: {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}]}},
      {configMap: {name: log, items: [{key: a, path: b}]}},
    ]}},
  ],
  imagePullSecrets: [{name: registry}],
  appContainers: [{
    includeInit: true, env: [{name: APP_LOG, value: /logs}, {name: OPTS, value: -log, join: " "}],
    envFrom: [{configMapRef: {name: app}, prefix: P_}], volumeMounts: [{name: logs, mountPath: /var/log/app}],
  }],
  podSpec: {shareProcessNamespace: true, securityContext: {fsGroup: 2000}},
  patchPodMetadata: [{labels: {logged: "true"}}, {annotations: {example.com/owner: platform}, patchPolicy: Overwrite}],
}}`

// TestAlteredPodsAreRefused takes away or changes each declared thing in the pod that the mutating policy made. The
// message names it.
func TestAlteredPodsAreRefused(t *testing.T) {
	subject, err := Compile(everything, nil)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := apiserver.Pod([]byte(`{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: web, image: web}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	mutated, err := subject.policies.Mutate(arrive(plain, true), shop)
	if err != nil {
		t.Fatal(err)
	}
	whole := arrive(mutated.Pod, true)
	if verdict, err := subject.policies.Validate(whole, shop); err != nil || verdict.Denied != nil {
		t.Fatalf("%v, %v", err, verdict.Denied)
	}
	log := func(p *corev1.Pod) *corev1.Container { return &p.Spec.Containers[1] }
	app := func(p *corev1.Pod) *corev1.Container { return &p.Spec.Containers[0] }
	for what, alter := range map[string]func(p *corev1.Pod){
		"container log: is missing":          func(p *corev1.Pod) { p.Spec.Containers = p.Spec.Containers[:1] },
		"container log: image":               func(p *corev1.Pod) { log(p).Image = "log:2" },
		"container log: args":                func(p *corev1.Pod) { log(p).Args = log(p).Args[:1] },
		"container log: stdin":               func(p *corev1.Pod) { log(p).Stdin = true },
		"container log: env[A]":              func(p *corev1.Pod) { log(p).Env = log(p).Env[1:] },
		"container log: env[EMPTY]":          func(p *corev1.Pod) { log(p).Env[1].Value = "x" },
		"container log: env[NODE]":           func(p *corev1.Pod) { log(p).Env[2].ValueFrom.FieldRef.FieldPath = "metadata.name" },
		"container log: ports[53/UDP]":       func(p *corev1.Pod) { log(p).Ports[1].Protocol = "TCP" },
		"container log: resources":           func(p *corev1.Pod) { log(p).Resources.Limits["cpu"] = resource.MustParse("2") },
		"container log: securityContext":     func(p *corev1.Pod) { log(p).SecurityContext.Capabilities.Drop = nil },
		"container log: securityContext ":    func(p *corev1.Pod) { *log(p).SecurityContext.RunAsUser = 1 },
		"container log: livenessProbe":       func(p *corev1.Pod) { log(p).LivenessProbe.HTTPGet.HTTPHeaders[0].Value = "z" },
		"container log: lifecycle":           func(p *corev1.Pod) { log(p).Lifecycle = nil },
		"container log: volumeMounts[/logs]": func(p *corev1.Pod) { log(p).VolumeMounts[0].ReadOnly = false },
		"init container setup: is missing":   func(p *corev1.Pod) { p.Spec.InitContainers = nil },
		"volume logs: emptyDir":              func(p *corev1.Pod) { *p.Spec.Volumes[1].EmptyDir.SizeLimit = resource.MustParse("2Gi") },
		"volume all: projected":              func(p *corev1.Pod) { p.Spec.Volumes[2].Projected.Sources[2].ConfigMap.Items[0].Path = "c" },
		"imagePullSecret":                    func(p *corev1.Pod) { p.Spec.ImagePullSecrets = nil },
		"env variable APP_LOG":               func(p *corev1.Pod) { app(p).Env[0].Value = "other" },
		"env variable OPTS":                  func(p *corev1.Pod) { app(p).Env[1].Value = "-logs" },
		"envFrom source":                     func(p *corev1.Pod) { app(p).EnvFrom[0].Prefix = "" },
		"mount /var/log/app":                 func(p *corev1.Pod) { app(p).VolumeMounts = app(p).VolumeMounts[:1] },
		"field spec.shareProcessNamespace":   func(p *corev1.Pod) { p.Spec.ShareProcessNamespace = nil },
		"field spec.securityContext.fsGroup": func(p *corev1.Pod) { p.Spec.SecurityContext = nil },
		"label logged":                       func(p *corev1.Pod) { delete(p.Labels, "logged") },
		"annotation example.com/owner":       func(p *corev1.Pod) { p.Annotations["example.com/owner"] = "me" },
	} {
		altered := whole.DeepCopy()
		alter(altered)
		verdict, err := subject.policies.Validate(altered, shop)
		thing, field, _ := strings.Cut(strings.TrimSpace(what), ": ")
		if field != "" && field != "is missing" {
			field = "differs in " + field
		}
		if err != nil || verdict.Denied == nil || !strings.Contains(verdict.Denied.Error(), thing) ||
			!strings.HasSuffix(verdict.Denied.Error(), field) {
			t.Errorf("%s: %v, %v", what, err, verdict.Denied)
		}
	}
}

// TestChangedPoliciesAreFound is the negative control: a policy with one changed line differs from Pillion.
func TestChangedPoliciesAreFound(t *testing.T) {
	for _, c := range []struct{ config, old, changed string }{
		{"plain", `"log:1"`, `"log:2"`},
		{"selection", `team-b`, `team-x`},
		{"several", `name: "three"`, `name: "tree"`},
		{"variables", `[?"app"]`, `[?"team"]`},
		{"variables-of-containers", `"http"`, `"web"`},
		{"jobs-skip", `== "Always"`, `!= "Always"`},
		{"env-join", `.filter(p, p != "")`, `.filter(p, p == "")`},
		{"env-uses", ".max() + 1", ".max() + 2"},
		{"modes", `/spec/initContainers/0`, `/spec/initContainers/-`},
	} {
		t.Run(c.config, func(t *testing.T) {
			config, err := os.ReadFile("testdata/configs/" + c.config + ".yaml")
			if err != nil {
				t.Fatal(err)
			}
			subject, err := Compile(string(config), func(text []byte) []byte {
				if !bytes.Contains(text, []byte(c.old)) {
					t.Fatalf("the policy does not contain %s:\n%s", c.old, text)
				}
				return bytes.ReplaceAll(text, []byte(c.old), []byte(c.changed))
			})
			if err != nil {
				t.Fatal(err)
			}
			found := 0
			for seed := range int64(100) {
				manifest, namespace := randomPod(seed)
				if comparison, err := subject.Compare(manifest, namespace); err != nil || len(comparison.Problems) > 0 {
					found++
				}
			}
			if found == 0 {
				t.Error("no pod of 100 differs")
			}
		})
	}
}

// TestSelectionOfSinglePods compares Pillion and the policies where random pods rarely are: on values that are almost
// others.
func TestSelectionOfSinglePods(t *testing.T) {
	for spec, pods := range map[string]map[string]string{
		"neverInjectSelector: [{}]": {"": "unselected"},
		"neverInjectSelector: [{matchLabels: {a: b}}, {matchLabels: {c: d, e: f}}]": {
			"labels: {a: b}": "unselected", "labels: {c: d}": "injected", "labels: {c: d, e: f}": "unselected",
		},
		"namespaces: {include: ['team-*', 'shop-?', one]}": {
			"namespace: team-": "injected", "namespace: my-team-a": "unselected", "namespace: shop-a": "injected",
			"namespace: shop-ab": "unselected", "namespace: one": "injected", "namespace: kube-system": "unselected",
		},
		"namespaces: {exclude: ['team-*', shop]}": {
			"namespace: team-a": "unselected", "namespace: shop": "unselected", "namespace: other": "injected",
			"namespace: kube-system": "unselected",
		},
		"namespaces: {include: [kube-system]}":      {"namespace: kube-system": "injected", "namespace: shop": "unselected"},
		"namespaces: {include: ['*', kube-system]}": {"namespace: kube-system": "injected", "namespace: kube-public": "unselected"},
		"selector: {matchLabels: {app: ''}}":        {"": "unselected", "labels: {app: ''}": "injected", "labels: {app: web}": "unselected"},
		"selector: {matchExpressions: [{key: app, operator: NotIn, values: [web]}]}": {
			"": "injected", "labels: {app: web}": "unselected", "labels: {app: ''}": "injected",
		},
		"policy: Enabled": {
			"annotations: {pillion.dev/inject: 'TRUE'}":                                        "injected",
			"annotations: {pillion.dev/inject: 'False'}":                                       "unselected",
			"annotations: {pillion.dev/inject: 'other, log'}":                                  "injected",
			"annotations: {pillion.dev/inject: 'a,b-log,log.c'}":                               "unselected",
			"annotations: {pillion.dev/inject: ''}":                                            "unselected",
			"annotations: {pillion.dev/inject: 'true'}, labels: {pillion.dev/inject: 'false'}": "unselected",
			"annotations: {kubernetes.io/config.mirror: x}":                                    "unselected",
		},
		"policy: Disabled": {
			"": "unselected", "annotations: {pillion.dev/inject: 'true'}": "injected", "labels: {pillion.dev/inject: log}": "injected",
			"annotations: {pillion.dev/inject: 'true'}, labels: {pillion.dev/inject: 'false'}": "unselected",
		},
	} {
		config := fmt.Sprintf("apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: log}\n"+
			"spec: {containers: [{name: log, image: 'log:1'}], %s}", spec)
		for _, list := range []string{config, asList(spec)} { // with selectors of the API server, and with variables
			subject, err := Compile(list, nil)
			if err != nil {
				t.Fatal(err)
			}
			for metadata, want := range pods {
				for _, pod := range Find("{apiVersion: v1, kind: Pod, metadata: {name: web, " + metadata +
					"}, spec: {containers: [{name: web, image: web}]}}") {
					comparison, err := subject.Compare(pod.Manifest, pod.Namespace)
					isOther := list != config && want == "unselected" // another injector may select it
					if err != nil || comparison.Outcome != want && !isOther || len(comparison.Problems) > 0 {
						t.Errorf("%s, %s: %v %v, want %s", spec, metadata, err, comparison, want)
					}
				}
			}
		}
	}
}

// asList returns a list with an injector and another one, so that what selects its pods is a variable.
func asList(spec string) string {
	return fmt.Sprintf("apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems:\n"+
		"- {metadata: {name: log}, spec: {containers: [{name: log, image: 'log:1'}], %s}}\n"+
		"- {metadata: {name: other}, spec: {namespaces: {include: [shop-a, kube-system]}, marker: example.com/other, "+
		"containers: [{name: other, image: 'o:1'}]}}", spec)
}

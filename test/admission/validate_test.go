package admission

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/admission"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/stamp"
	"pillion.dev/pillion/test/admission/apiserver"
)

// oldest is the oldest version of Kubernetes that has validating policies.
const oldest = "1.30"

// fullSpec declares every kind of thing, with values that the API server writes in another way or gives defaults.
const fullSpec = `
  initContainers:
  - name: setup
    image: setup:1
    command: [sh, -c, "true"]
  containers:
  - name: log
    mode: Container
    image: log:1
    args: ["--level", info]
    stdin: false
    env:
    - {name: A, value: a}
    - {name: EMPTY, value: ""}
    - {name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}
    - {name: CPU, valueFrom: {resourceFieldRef: {resource: limits.cpu, divisor: "1000m"}}}
    envFrom: [{secretRef: {name: log}}]
    ports:
    - {name: metrics, containerPort: 9090}
    - {containerPort: 53, protocol: UDP}
    resources:
      limits: {cpu: 0.1, memory: 1024Mi}
    securityContext:
      privileged: false
      runAsUser: 0
      capabilities: {drop: [ALL]}
    livenessProbe:
      httpGet: {port: metrics, httpHeaders: [{name: X, value: y}]}
    readinessProbe:
      tcpSocket: {port: 9090}
      initialDelaySeconds: 0
    lifecycle:
      preStop: {exec: {command: [sleep, "5"]}}
    volumeMounts:
    - {name: logs, mountPath: /logs, readOnly: true}
  volumes:
  - name: logs
    emptyDir: {sizeLimit: 1024Mi}
  - name: all
    projected:
      sources:
      - serviceAccountToken: {path: token, audience: log}
      - downwardAPI: {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}]}
      - configMap: {name: log, items: [{key: a, path: b}]}
  - name: scratch
    emptyDir: {sizeLimit: 1500u}
  imagePullSecrets: [{name: registry}]
  appContainers:
  - containers: ["*"]
    includeInit: true
    env:
    - {name: APP_LOG, value: /logs}
    envFrom: [{configMapRef: {name: app}, prefix: P_}]
    volumeMounts: [{name: logs, mountPath: /var/log/app}]
  - containers: [app]
    env:
    - {name: APP_LOG, value: second}
    - {name: ONLY_APP, value: "1"}
  podSpec:
    shareProcessNamespace: true
    securityContext: {fsGroup: 2000}
  patchPodMetadata:
  - labels: {logged: "true"}
    annotations: {example.com/format: json}
  - annotations: {example.com/owner: platform}
    patchPolicy: Overwrite
`

const plainPod = `
metadata: {name: web}
spec:
  containers: [{name: app, image: app:1}]
`

// validated are the policies of a config, and the config.
type validated struct {
	*Subject
	text string
}

func validates(t *testing.T, spec string) validated {
	t.Helper()
	config := "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: log}\nspec:\n" + spec
	read, findings := engine.ReadConfig(engine.Source{Text: []byte(config)})
	if finding.HasError(findings) {
		t.Fatal(finding.Err(findings))
	}
	policies, findings := newPolicies(read.Injectors(), admission.Options{
		Minor: 30, Validate: true, Actions: []string{"Deny"}, FailurePolicy: "Fail", Program: "v1", Digest: "0123",
	})
	if finding.HasError(findings) {
		t.Fatal(finding.Err(findings))
	}
	text := policies.YAML()
	loaded, err := apiserver.Load(text, oldest)
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, text)
	}
	return validated{&Subject{read, loaded}, string(text)}
}

func (v validated) verdict(t *testing.T, pod *corev1.Pod) string {
	t.Helper()
	verdict, err := v.policies.Validate(apiserver.Arrive(pod), apiserver.Namespace{Name: "shop"})
	if err != nil {
		t.Fatal(err)
	}
	if verdict.Denied == nil {
		return ""
	}
	return strings.Join(verdict.Denials, "\n")
}

func podOf(t *testing.T, manifest string) *corev1.Pod {
	t.Helper()
	pod, err := apiserver.Pod([]byte("apiVersion: v1\nkind: Pod\n" + manifest))
	if err != nil {
		t.Fatal(err)
	}
	return pod
}

// injectedPod returns what Pillion makes of a pod.
func (v validated) injectedPod(t *testing.T, manifest string) *corev1.Pod {
	t.Helper()
	text := []byte("apiVersion: v1\nkind: Pod\n" + manifest)
	result, err := engine.Apply(t.Context(), v.config, engine.Source{Text: text})
	if err != nil || finding.HasError(result.Run.Findings()) {
		t.Fatal(err, result.Run.Findings())
	}
	pod, err := apiserver.Pod(result.Texts[0])
	if err != nil {
		t.Fatal(err)
	}
	return pod
}

func withoutStamp(pod *corev1.Pod) *corev1.Pod {
	pod = pod.DeepCopy()
	delete(pod.Annotations, stamp.Key("log"))
	return pod
}

func TestValidatingAcceptsWhatPillionInjects(t *testing.T) {
	for name, manifest := range map[string]string{
		"plain": plainPod,
		"finishing": `
metadata: {name: web}
spec:
  restartPolicy: Never
  containers: [{name: app, image: app:1}]
`,
		"empty fields": `
metadata: {name: web, labels: {}, annotations: {}}
spec:
  initContainers: []
  volumes: []
  imagePullSecrets: []
  containers: [{name: app, image: app:1, env: [], envFrom: [], volumeMounts: [], ports: []}]
`,
		"several containers": `
metadata: {name: web, labels: {logged: "no"}, annotations: {example.com/owner: me}}
spec:
  securityContext: {fsGroup: 1}
  initContainers: [{name: first, image: first:1, env: [{name: APP_LOG, value: mine}]}]
  containers:
  - {name: app, image: app:1, env: [{name: B, value: b}], ports: [{containerPort: 8080}]}
  - {name: other, image: other, ports: [{containerPort: 53}]}
  volumes: [{name: mine, emptyDir: {}}]
`,
	} {
		t.Run(name, func(t *testing.T) {
			v := validates(t, fullSpec)
			pod := v.injectedPod(t, manifest)
			if denied := v.verdict(t, pod); denied != "" {
				t.Errorf("with its stamp it is denied: %s", denied)
			}
			if denied := v.verdict(t, withoutStamp(pod)); denied != "" {
				t.Errorf("without its stamp it is denied: %s\n%s", denied, v.text)
			}
			if denied := v.verdict(t, podOf(t, manifest)); !strings.Contains(denied, `container "log" is missing`) {
				t.Errorf("without the sidecar: %s", denied)
			}
		})
	}
}

// TestValidatingNamesEachChangeOfAContainer changes the injected pod in one place each.
func TestValidatingNamesEachChangeOfTheInjectedPod(t *testing.T) {
	v := validates(t, fullSpec)
	log := func(change func(*corev1.Container)) func(*corev1.Pod) {
		return func(pod *corev1.Pod) { change(&pod.Spec.Containers[1]) }
	}
	app := func(change func(*corev1.Container)) func(*corev1.Pod) {
		return func(pod *corev1.Pod) { change(&pod.Spec.Containers[0]) }
	}
	const differs = `ContainerConflict: container "log" is already there and differs in `
	for i, c := range []struct {
		change func(*corev1.Pod)
		want   string
	}{
		{log(func(c *corev1.Container) { c.Image = "log:2" }), differs + "image;"},
		{log(func(c *corev1.Container) { c.Args = c.Args[:1] }), differs + "args;"},
		{log(func(c *corev1.Container) { c.Stdin = true }), differs + "stdin;"},
		{log(func(c *corev1.Container) { c.Env[0].Value = "b" }), differs + "env;"},
		{log(func(c *corev1.Container) { c.Env[1].Value = "b" }), differs + "env;"},
		{log(func(c *corev1.Container) { c.Env[2].ValueFrom.FieldRef.FieldPath = "spec.hostIP" }), differs + "env;"},
		{log(func(c *corev1.Container) { c.Env = append(c.Env, corev1.EnvVar{Name: "A", Value: "b"}) }), differs + "env;"},
		{log(func(c *corev1.Container) { c.Env[1].ValueFrom = c.Env[2].ValueFrom }), differs + "env;"},
		{log(func(c *corev1.Container) { c.EnvFrom = nil }), differs + "envFrom;"},
		{log(func(c *corev1.Container) { c.Ports[1].Protocol = "TCP" }), differs + "ports;"},
		{log(func(c *corev1.Container) { delete(c.Resources.Limits, "cpu") }), differs + "resources;"},
		{log(func(c *corev1.Container) { c.Resources.Limits["memory"] = resource.MustParse("2Gi") }), differs + "resources;"},
		{log(func(c *corev1.Container) { c.SecurityContext.Privileged = nil }), differs + "securityContext;"},
		{log(func(c *corev1.Container) { c.SecurityContext.RunAsUser = nil }), differs + "securityContext;"},
		{log(func(c *corev1.Container) { c.SecurityContext = nil }), differs + "securityContext;"},
		{log(func(c *corev1.Container) { c.LivenessProbe.HTTPGet.HTTPHeaders[0].Value = "" }), differs + "livenessProbe;"},
		{log(func(c *corev1.Container) { c.ReadinessProbe.InitialDelaySeconds = 3 }), differs + "readinessProbe;"},
		{log(func(c *corev1.Container) { c.Lifecycle = nil }), differs + "lifecycle;"},
		{log(func(c *corev1.Container) { c.VolumeMounts[0].ReadOnly = false }), differs + "volumeMounts;"},
		{func(pod *corev1.Pod) {
			pod.Spec.InitContainers = append(pod.Spec.InitContainers, pod.Spec.Containers[1])
			pod.Spec.Containers = pod.Spec.Containers[:1]
		}, `ContainerConflict: container "log" is already in initContainers, and the injector adds one of that name to containers; rename it`},
		{func(pod *corev1.Pod) { pod.Spec.InitContainers = nil }, `container "setup" is missing`},
		{func(pod *corev1.Pod) { pod.Spec.Volumes[0].EmptyDir.SizeLimit = nil }, `VolumeConflict: volume "logs" is already there`},
		{func(pod *corev1.Pod) { pod.Spec.Volumes[1].Projected.Sources[0].ServiceAccountToken.Audience = "" }, `VolumeConflict: volume "all"`},
		{func(pod *corev1.Pod) { pod.Spec.Volumes = pod.Spec.Volumes[:2] }, `volume "scratch" is missing`},
		{func(pod *corev1.Pod) { pod.Spec.ImagePullSecrets = nil }, `imagePullSecret "registry" is missing`},
		{app(func(c *corev1.Container) { c.Env = c.Env[1:] }), `env variable "APP_LOG" of the app's container "app" is missing`},
		{app(func(c *corev1.Container) { c.Env = c.Env[:1] }), `env variable "ONLY_APP" of the app's container "app" is missing`},
		{app(func(c *corev1.Container) { c.EnvFrom[0].Prefix = "" }), `source of variables "configMapRef app P_" of the app's container`},
		{app(func(c *corev1.Container) { c.VolumeMounts = nil }), `mount path "/var/log/app" of the app's container "app" is missing`},
		{func(pod *corev1.Pod) { pod.Spec.ShareProcessNamespace = nil }, "spec.shareProcessNamespace is not set"},
		{func(pod *corev1.Pod) { pod.Spec.SecurityContext = nil }, "spec.securityContext.fsGroup is not set"},
		{func(pod *corev1.Pod) { pod.Labels = nil }, `label "logged" is missing`},
		{func(pod *corev1.Pod) { delete(pod.Annotations, "example.com/format") }, `annotation "example.com/format" is missing`},
		{func(pod *corev1.Pod) { pod.Annotations["example.com/owner"] = "me" }, `annotation "example.com/owner" differs`},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			pod := withoutStamp(v.injectedPod(t, plainPod))
			c.change(pod)
			if denied := v.verdict(t, pod); !strings.Contains(denied, c.want) {
				t.Errorf("the answer is %q, and not %q", denied, c.want)
			}
		})
	}
}

func TestAStampAloneIsDenied(t *testing.T) {
	v := validates(t, fullSpec)
	pod := podOf(t, plainPod)
	pod.Annotations = map[string]string{stamp.Key("log"): "forged"}
	if denied := v.verdict(t, pod); !strings.Contains(denied, `OutOfDate: an injection would change the pod: container "setup" is missing`) {
		t.Errorf("the answer is %q", denied)
	}
}

func TestAPodOfAnOlderConfigPasses(t *testing.T) {
	older := validates(t, strings.NewReplacer("log:1", "log:0", "value: a}", "value: b}", "1024Mi", "5Mi", "/logs", "/old").Replace(fullSpec))
	pod := older.injectedPod(t, plainPod)
	if denied := validates(t, fullSpec).verdict(t, pod); denied != "" {
		t.Errorf("it is denied: %s", denied)
	}
	if denied := validates(t, fullSpec).verdict(t, withoutStamp(pod)); !strings.Contains(denied, "ContainerConflict") {
		t.Errorf("without its stamp, the answer is %q", denied)
	}
}

func TestMissingSidecarIsDeniedWithTheWaysOut(t *testing.T) {
	v := validates(t, "\n  containers: [{name: log, mode: Container, image: log:1}]\n")
	const want = `OutOfDate: an injection would change the pod: container "log" is missing; run pillion inject on the manifest ` +
		`that the pod comes from, or set the pod's annotation pillion.dev/inject to "false" to do without (injector log)`
	if denied := v.verdict(t, podOf(t, plainPod)); denied != want {
		t.Errorf("the answer is %q, and not %q", denied, want)
	}
	optedOut := podOf(t, plainPod)
	optedOut.Annotations = map[string]string{"pillion.dev/inject": "false"}
	if denied := v.verdict(t, optedOut); denied != "" {
		t.Errorf("a pod that opts out is denied: %s", denied)
	}
}

// TestRefusalsHaveTheWordsOfPillion compares the answers with the findings of Pillion for the same pod.
func TestRefusalsHaveTheWordsOfPillion(t *testing.T) {
	const sidecar = "\n  containers: [{name: log, mode: Container, image: log:1, ports: [{name: http, containerPort: 80, hostPort: 8000}]}]\n"
	const volume = sidecar + "  volumes: [{name: logs, emptyDir: {}}]\n"
	const env = sidecar + "  appContainers:\n  - containers: ['*']\n    env: [{name: A, value: a}]\n" +
		"    volumeMounts: [{name: logs, mountPath: /logs}]\n  volumes: [{name: logs, emptyDir: {}}]\n"
	const joined = sidecar + "  appContainers:\n  - containers: ['*']\n    env: [{name: OPTS, value: -x, join: ' '}]\n"
	const ofPort = "\n  containers: [{name: log, mode: Container, image: log:1, args: ['${container.port}']}]\n"
	const typed = "\n  containers: [{name: log, mode: Container, image: log:1, imagePullPolicy: \"${pod.annotations['pull']:-Always}\", " +
		"resources: {limits: {cpu: \"${pod.annotations['cpu']:-1}\"}}, livenessProbe: {tcpSocket: {port: \"${pod.annotations['port']:-1}\"}}}]\n"
	annotated := func(annotation string) string {
		return "metadata: {name: web, annotations: {" + annotation + "}}\nspec: {containers: [{name: app, image: a:1}]}\n"
	}
	pod := func(spec string) string { return "metadata: {name: web}\nspec: {" + spec + "}\n" }
	app := func(fields string) string { return pod("containers: [{name: app, image: app:1, " + fields + "}]") }
	for name, c := range map[string]struct{ spec, pod string }{
		"port number": {sidecar, app("ports: [{containerPort: 80}]")},
		"port name":   {sidecar, app("ports: [{name: http, containerPort: 81}]")},
		"host port":   {sidecar, app("ports: [{containerPort: 81, hostPort: 8000}]")},
		"port of a native sidecar": {sidecar, pod("containers: [{name: app, image: a:1}], " +
			"initContainers: [{name: i, image: i:1, restartPolicy: Always, ports: [{containerPort: 80}]}]")},
		"container": {sidecar, pod("containers: [{name: app, image: a:1}, {name: log, image: log:1, " +
			"ports: [{name: other, containerPort: 80, hostPort: 8000}]}]")},
		"container elsewhere": {sidecar, pod("containers: [{name: app, image: a:1}], initContainers: [{name: log, image: log:1}]")},
		"volume":              {volume, pod("containers: [{name: app, image: a:1}], volumes: [{name: logs, hostPath: {path: /x}}]")},
		"volume in memory":    {volume, pod("containers: [{name: app, image: a:1}], volumes: [{name: logs, emptyDir: {medium: Memory}}]")},
		"volume that is created": {sidecar + "  volumes: [{name: logs, hostPath: {path: /x}}]\n", pod("containers: [{name: app, image: a:1}], " +
			"volumes: [{name: logs, hostPath: {path: /x, type: DirectoryOrCreate}}]")},
		"volume that is read only": {
			sidecar + "  volumes: [{name: logs, persistentVolumeClaim: {claimName: c}}]\n",
			pod("containers: [{name: app, image: a:1}], volumes: [{name: logs, persistentVolumeClaim: {claimName: c, readOnly: true}}]"),
		},
		"volume with another mode": {
			sidecar + "  volumes: [{name: logs, configMap: {name: c}}]\n",
			pod("containers: [{name: app, image: a:1}], volumes: [{name: logs, configMap: {name: c, defaultMode: 256}}]"),
		},
		"variable": {env + "  onConflict: {env: Error}\n", app("env: [{name: A, value: b}]")},
		"mount path": {env + "  onConflict: {mountPath: Error}\n", pod("containers: [{name: app, image: a:1, " +
			"volumeMounts: [{name: mine, mountPath: /logs}]}], volumes: [{name: mine, emptyDir: {}}]")},
		"host network":            {sidecar + "  hostNetwork: Error\n", pod("hostNetwork: true, containers: [{name: app, image: a:1}]")},
		"job":                     {sidecar + "  jobs: Error\n", pod("restartPolicy: Never, containers: [{name: app, image: a:1}]")},
		"joined, value from":      {joined, app("env: [{name: OPTS, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]")},
		"joined, uses one behind": {strings.Replace(joined, "-x", "$(POD)", 1), app("env: [{name: OPTS, value: a}, {name: POD, value: b}]")},
		"variable of a label": {
			"\n  containers: [{name: log, mode: Container, image: log:1, args: [\"${pod.labels['app']}\"]}]\n",
			pod("containers: [{name: app, image: a:1}]"),
		},
		"image that is empty": {
			"\n  containers: [{name: log, mode: Container, image: \"${pod.labels['app']}\"}]\n",
			"metadata: {name: web, labels: {app: ''}}\nspec: {containers: [{name: app, image: a:1}]}\n",
		},
		"port of a container":      {ofPort, app("ports: []")},
		"UDP port of a container":  {ofPort, app("ports: [{containerPort: 53, protocol: UDP, name: dns}]")},
		"several ports":            {ofPort, app("ports: [{containerPort: 80}, {containerPort: 81, name: admin}]")},
		"port, only the sidecar":   {ofPort, pod("containers: [{name: log, image: log:1, args: [a]}]")},
		"port for the app":         {"\n  appContainers: [{env: [{name: PORT, value: '${container.port}'}]}]\n", app("ports: []")},
		"quantity that is a word":  {typed, annotated("cpu: lots")},
		"number that is too large": {typed, annotated(`port: "3000000000"`)},
		"invalid pull policy":      {typed, annotated("pull: hourly")},
		"joined, set twice":        {joined, app("env: [{name: OPTS, value: a}, {name: OPTS, value: b}]")},
	} {
		t.Run(name, func(t *testing.T) {
			v := validates(t, c.spec)
			result, err := engine.Apply(t.Context(), v.config, engine.Source{Text: []byte("apiVersion: v1\nkind: Pod\n" + c.pod)})
			if err != nil {
				t.Fatal(err)
			}
			denied, refused := v.verdict(t, podOf(t, c.pod)), false
			for _, f := range result.Run.Findings() {
				if f.Severity != finding.Error {
					continue
				}
				refused = true
				if want := string(f.Code) + ": " + f.Message; !strings.HasPrefix(denied, want) {
					t.Errorf("the answer is %q, and not %q", denied, want)
				}
			}
			if !refused {
				t.Error("Pillion does not refuse it")
			}
		})
	}
}

// TestKeptThingsPass shows what passes because the app's own things are kept.
func TestKeptThingsPass(t *testing.T) {
	v := validates(t, `
  containers: [{name: log, mode: Container, image: log:1}]
  volumes: [{name: logs, emptyDir: {}}]
  appContainers: [{containers: ["*"], env: [{name: A, value: a}], volumeMounts: [{name: logs, mountPath: /logs}]}]
  onConflict: {env: Keep, mountPath: Keep}
`)
	pod := podOf(t, `
metadata: {name: web}
spec:
  containers:
  - {name: app, image: a:1, env: [{name: A, value: b}], volumeMounts: [{name: mine, mountPath: /logs}]}
  - {name: log, image: log:1}
  volumes: [{name: mine, emptyDir: {}}, {name: logs, emptyDir: {}}]
`)
	if denied := v.verdict(t, pod); denied != "" {
		t.Errorf("it is denied: %s", denied)
	}
}

package check

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
)

// pods is the pod before an injection and after it, as specs.
type pods struct{ before, after string }

func TestWhatAnInjectionMakesWrongIsAnError(t *testing.T) {
	const app = `containers: [{name: app, ports: [{name: http, containerPort: 80}], volumeMounts: [{name: data, mountPath: /data}], ` +
		`env: [{name: A}, {name: A}]}]`
	for _, test := range []struct {
		claim string
		pods
		want []string
	}{
		{"a sound pod", pods{app, `{` + app + `, volumes: [{name: data, emptyDir: {}}]}`}, nil},
		{"what was wrong before is not a finding", pods{app, app}, nil},
		{
			"a name over both lists",
			pods{`containers: [{name: a}]`, `{containers: [{name: a}], initContainers: [{name: a}]}`},
			[]string{`ContainerConflict spec.initContainers[0].name: two containers are called "a"; rename one of them`},
		},
		{
			"a name that was there twice is not there three times",
			pods{`containers: [{name: a}, {name: a}]`, `{containers: [{name: a}, {name: a}, {name: a}]}`},
			[]string{`ContainerConflict spec.containers[2].name: two containers are called "a"; rename one of them`},
		},
		{
			"a profile of the pod is not hidden by that of a container with a strange name",
			pods{`containers: [{name: the pod, securityContext: {seccompProfile: {type: Localhost}}}]`, `{containers: [{name: the pod}], ` +
				`securityContext: {seccompProfile: {type: Localhost}}}`},
			[]string{`InvalidContainer spec.securityContext.seccompProfile: the pod has a seccompProfile with a type and a localhostProfile ` +
				`that do not match; set localhostProfile if the type is Localhost, and only then`},
		},
		{
			"two volumes of one name",
			pods{`volumes: [{name: a}]`, `volumes: [{name: a}, {name: a}]`},
			[]string{`VolumeConflict spec.volumes[1].name: two volumes are called "a"; rename one of them`},
		},
		{
			"a port of two containers",
			pods{`containers: [{name: a, ports: [{containerPort: 80}]}]`, `containers: [{name: a, ports: [{containerPort: 80}]}, {name: b, ` +
				`ports: [{containerPort: 80, protocol: TCP}]}]`},
			[]string{`PortConflict spec.containers[1].ports[0]: port 80/TCP of container "b" is also a port of container "a"; ` +
				`change one of them`},
		},
		{"a port of another protocol", pods{`containers: []`, `containers: [{name: a, ports: [{containerPort: 53}]}, {name: b, ports: ` +
			`[{containerPort: 53, protocol: UDP}]}]`}, nil},
		{"an init container that ends frees its ports", pods{`containers: []`, `{containers: [{name: a, ports: [{containerPort: 80}]}], ` +
			`initContainers: [{name: b, ports: [{containerPort: 80}]}]}`}, nil},
		{
			"a native sidecar keeps its ports",
			pods{`containers: []`, `{containers: [{name: a, ports: [{containerPort: 80}]}], initContainers: [{name: b, restartPolicy: Always, ` +
				`ports: [{containerPort: 80}]}]}`},
			[]string{`PortConflict spec.initContainers[0].ports[0]: port 80/TCP of container "b" is also a port of container "a"; ` +
				`change one of them`},
		},
		{
			"a port name of two containers",
			pods{`containers: []`, `containers: [{name: a, ports: [{name: http, containerPort: 80}]}, {name: b, ports: [{name: http, ` +
				`containerPort: 81}]}]`},
			[]string{`PortConflict spec.containers[1].ports[0].name: port name "http" of container "b" is used by container "a" already; ` +
				`rename one of them`},
		},
		{"one container may say a port twice", pods{
			`containers: []`,
			`containers: [{name: a, ports: [{containerPort: 80}, {containerPort: 80}]}]`,
		}, nil},
		{
			"a mount path that is used twice",
			pods{`containers: []`, `{volumes: [{name: v}], containers: [{name: a, volumeMounts: [{name: v, mountPath: /x}, {name: v, ` +
				`mountPath: /x}]}]}`},
			[]string{`MountConflict spec.containers[0].volumeMounts[1].mountPath: container "a" uses the mount path "/x" twice; change one of them`},
		},
		{
			"a device path that is a mount path",
			pods{`containers: []`, `{volumes: [{name: v}, {name: w, ephemeral: {}}], containers: [{name: a, volumeMounts: [{name: v, ` +
				`mountPath: /x}], volumeDevices: [{name: w, devicePath: /x}]}]}`},
			[]string{`MountConflict spec.containers[0].volumeDevices[0].devicePath: container "a" uses the device path "/x" twice; ` +
				`change one of them`},
		},
		{
			"a mount without a volume",
			pods{`containers: []`, `{containers: [{name: a, volumeMounts: [{name: claim, mountPath: /y}, {name: v, mountPath: /x}]}]}`},
			[]string{`DanglingMount spec.containers[0].volumeMounts[1].name: container "a" mounts volume "v", which neither the pod nor the ` +
				`injector has; add it to spec.volumes`},
		},
		{
			"a variable that is set twice",
			pods{`containers: [{name: a, env: [{name: X}]}]`, `containers: [{name: a, env: [{name: X}, {name: Y}, {name: X}]}]`},
			[]string{`EnvConflict spec.containers[0].env[2].name: container "a" sets the env variable "X" twice; Kubernetes takes the last ` +
				`one, so remove one of them`},
		},
		{
			"a volume of two sources",
			pods{`containers: []`, `volumes: [{name: v, emptyDir: {}, secret: null}, {name: w, emptyDir: {}, secret: {secretName: s}}]`},
			[]string{`InvalidVolume spec.volumes[1].secret: volume "w" has emptyDir and secret, and a volume has one source; remove one`},
		},
		{
			"a request above its limit",
			pods{`containers: []`, `containers: [{name: a, resources: {requests: {memory: 1Gi, cpu: 100m}, limits: {memory: 512Mi, cpu: 0.1}}}]`},
			[]string{`InvalidResources spec.containers[0].resources.requests.memory: container "a" requests 1Gi of memory, and its limit is ` +
				`512Mi; lower the request or raise the limit`},
		},
		{"what is no quantity", pods{`containers: []`, `containers: [{name: a, resources: {requests: {memory: lots}, limits: {cpu: ` +
			`"-1"}}}]`}, []string{
			`InvalidResources spec.containers[0].resources.requests.memory: container "a" has the string "lots" for memory in its requests, ` +
				`which is not a quantity; write one, such as 100m or 64Mi`,
			`InvalidResources spec.containers[0].resources.limits.cpu: container "a" has -1 for cpu in its limits, which is below zero; raise it`,
		}},
	} {
		t.Run(test.claim, func(t *testing.T) {
			before, after := test.templates(t)
			same(t, test.want, APIRules(before, after, Workload{Claims: []string{"claim"}}))
		})
	}
}

func TestAnInjectionKeepsTheSecurityLevel(t *testing.T) {
	const (
		restricted = `{name: a, securityContext: {runAsNonRoot: true, allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}, ` +
			`seccompProfile: {type: RuntimeDefault}}}`
		baseline   = `{name: b}`
		privileged = `{name: c, securityContext: {privileged: true}}`
	)
	for _, test := range []struct {
		claim string
		pods
		sidecar      v1alpha1.PodSecurityLevel
		major, minor int
		want         []string
	}{
		{
			"restricted stays restricted",
			pods{`containers: [` + restricted + `]`, `containers: [` + restricted + `, ` + restricted + `]`},
			"restricted", 0, 0, nil,
		},
		{
			"restricted falls to baseline",
			pods{`containers: [` + restricted + `]`, `containers: [` + restricted + `, ` + baseline + `]`},
			"restricted", 0, 0,
			[]string{`PodSecurity spec: the sidecar lowers the pod security level of the pod from restricted to baseline: ` +
				`allowPrivilegeEscalation != false (container "b" must set securityContext.allowPrivilegeEscalation=false), ` +
				`unrestricted capabilities (container "b" must set securityContext.capabilities.drop=["ALL"]), ` +
				`runAsNonRoot != true (pod or container "b" must set securityContext.runAsNonRoot=true), ` +
				`seccompProfile (pod or container "b" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"); ` +
				`correct the injector's payload, or lower spec.checks.podSecurity`},
		},
		{"baseline is all that is sidecar for", pods{`containers: [` + restricted + `]`, `containers: [` + restricted + `, ` + baseline +
			`]`}, "baseline", 0, 0, nil},
		{"what never was restricted stays " +
			"baseline", pods{`containers: [` + baseline + `]`, `containers: [` + baseline + `, ` + baseline + `]`}, "restricted", 0, 0, nil},
		{
			"baseline falls to privileged",
			pods{`containers: [` + baseline + `]`, `containers: [` + baseline + `, ` + privileged + `]`},
			"restricted", 0, 0,
			[]string{`PodSecurity spec: the sidecar lowers the pod security level of the pod from baseline to privileged: ` +
				`privileged (container "c" must not set securityContext.privileged=true); correct the injector's payload, or lower ` +
				`spec.checks.podSecurity`},
		},
		{"a privileged pod has nothing to lose", pods{`containers: [` + privileged + `]`, `containers: [` + privileged + `, ` + privileged +
			`]`}, "restricted", 0, 0, nil},
		{
			"a field of the wrong type does not hide the others",
			pods{`{hostNetwork: sure, containers: [` + baseline + `]}`, `{hostNetwork: sure, containers: [` + baseline + `, {name: c, image: ` +
				`1, resources: {limits: {cpu: lots}}, securityContext: {privileged: true}}]}`},
			"baseline", 0, 0,
			[]string{`PodSecurity spec: the sidecar lowers the pod security level of the pod from baseline to privileged: ` +
				`privileged (container "c" must not set securityContext.privileged=true); correct the injector's payload, or lower ` +
				`spec.checks.podSecurity`},
		},
		{
			"an old cluster has its own standards: capabilities were free before 1.22",
			pods{`{securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}, containers: []}`, `{securityContext: ` +
				`{runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}, containers: [{name: d, securityContext: ` +
				`{allowPrivilegeEscalation: false}}]}`},
			"restricted", 1, 21, nil,
		},
		{
			"a pod that shares the host's namespaces, in another spelling",
			pods{`hostPID: yes, containers: [{name: app}]`, `hostPID: yes, hostNetwork: true, containers: [{name: app}]`},
			v1alpha1.PodSecurityBaseline, 0, 0, nil,
		},
	} {
		t.Run(test.claim, func(t *testing.T) {
			before, after := test.templates(t)
			same(t, test.want, PodSecurity(before, after, test.sidecar, test.major, test.minor))
		})
	}
}

func TestRequirementsAreOnlyAskedOfInjectedContainers(t *testing.T) {
	digest := "envoy@sha256:" + strings.Repeat("0", 64)
	_, after := pods{`{}`, `{containers: [{name: app, image: a},
		{name: bare, image: "envoy:1"},
		{name: half, image: "` + digest + `", resources: {requests: {cpu: 1}, limits: {memory: 1Gi}}},
		{name: unbound, image: "` + digest + `", resources: {requests: {cpu: 1, memory: 1Gi}}}]}`}.templates(t)
	injected := func(name string) bool { return name != "app" }
	same(t, nil, Required(after, injected, &v1alpha1.SidecarInjectorSpec{
		Checks: v1alpha1.Checks{RequireResources: v1alpha1.CheckOff, RequireDigest: v1alpha1.CheckOff},
	}))
	said := Required(after, injected, &v1alpha1.SidecarInjectorSpec{
		Checks: v1alpha1.Checks{RequireResources: v1alpha1.CheckError, RequireDigest: v1alpha1.CheckWarn},
	})
	same(t, []string{
		`NoResources spec.containers[1].resources: container "bare" has no cpu request, no memory request, no memory limit; add that to ` +
			`its resources (spec.checks.requireResources)`,
		`NoDigest spec.containers[1].image: the image envoy:1 of container "bare" has no digest; write it as envoy:1@sha256:... ` +
			`(spec.checks.requireDigest)`,
		`NoResources spec.containers[3].resources: container "unbound" has no memory limit; add that to its resources ` +
			`(spec.checks.requireResources)`,
	}, said)
	if said[0].Severity != finding.Error || said[1].Severity != finding.Warning {
		t.Errorf("severities %v and %v, want error and warning", said[0].Severity, said[1].Severity)
	}
}

func TestADigestIsSixtyFourHexDigits(t *testing.T) {
	hex := strings.Repeat("af09", 16)
	for image, want := range map[string]string{
		"envoy:1@sha256:" + hex:                "",
		"envoy:1@sha256:" + hex + "0":          "has no digest in",
		"envoy@sha256:" + strings.ToUpper(hex): "has no digest in",
		"envoy@sha256:":                        `has no digest in "sha256:"; write sha256: and 64 of the digits 0 to 9 and a to f`,
		"envoy@sha256:latest":                  "has no digest in",
		"envoy@sha512:" + hex:                  "has no digest in",
		"envoy":                                "has no digest; write it as envoy@sha256:...",
	} {
		_, after := pods{`{}`, `{containers: [{name: a, image: "` + image + `"}]}`}.templates(t)
		said := Required(after, func(string) bool { return true }, &v1alpha1.SidecarInjectorSpec{Checks: v1alpha1.Checks{
			RequireResources: v1alpha1.CheckOff,
			RequireDigest:    v1alpha1.CheckError,
		}})
		if (len(said) == 0) != (want == "") || len(said) > 0 && !strings.Contains(said[0].Message, want) {
			t.Errorf("%s: got %v, want %q", image, said, want)
		}
	}
}

func TestADigestPinsTheNameOfAnImage(t *testing.T) {
	sum := "@sha256:" + strings.Repeat("af09", 16)
	for image, pinned := range map[string]bool{
		"envoy" + sum:                                true,
		"envoyproxy/envoy:v1.31-latest" + sum:        true,
		"Registry.example.com:5000/a/b__c-d.e" + sum: true,
		"localhost/a:T_1" + sum:                      true,
		"[fd00::1]:5000/a" + sum:                     true,
		sum:                                          false,
		"evil " + sum:                                false,
		" envoy" + sum:                               false,
		"envoy\nevil" + sum:                          false,
		"envoy" + sum + "\n":                         false,
		"envoy\x1b" + sum:                            false,
		"envoy\u00a0" + sum:                          false,
		"envoy:" + sum:                               false,
		"envoy:a:b" + sum:                            false,
		"a//b" + sum:                                 false,
		"a/B" + sum:                                  false,
		"envoy" + sum + sum:                          false,
	} {
		if name, wrong := notPinned(image); (wrong == "") != pinned {
			t.Errorf("%q: the name is %s, and wrong is %q", image, name, wrong)
		}
	}
}

func TestAWebhookIsNotAskedForTheSameSidecarAgain(t *testing.T) {
	for _, test := range []struct {
		claim, metadata, name, image string
		namespace                    map[string]string
		want                         []string
	}{
		{
			"Istio, by label", `labels: {sidecar.istio.io/inject: "true"}`, "proxy", "istio/proxyv2:1.27", nil,
			[]string{`WebhookMarker metadata.labels: the pod has the marker sidecar.istio.io/inject: "true", so Istio's webhook injects a ` +
				`sidecar, too, and container "proxy" is one already; remove the marker, or keep this pod out`},
		},
		{
			"Dapr", `annotations: {dapr.io/enabled: "true"}`, "daprd", "x", nil,
			[]string{`WebhookMarker metadata.annotations: the pod has the marker dapr.io/enabled: "true", so Dapr's webhook injects a ` +
				`sidecar, too, and container "daprd" is one already; remove the marker, or keep this pod out`},
		},
		{
			"Vault", `annotations: {vault.hashicorp.com/agent-inject: "true"}`, "agent", "hashicorp/vault:1.20", nil,
			[]string{`WebhookMarker metadata.annotations: the pod has the marker vault.hashicorp.com/agent-inject: "true", so Vault's webhook ` +
				`injects a sidecar, too, and container "agent" is one already; remove the marker, or keep this pod out`},
		},
		{
			"Linkerd, by namespace", `{}`, "linkerd-proxy", "x",
			map[string]string{"linkerd.io/inject": "enabled"},
			[]string{`WebhookMarker metadata: the pod's namespace has the marker linkerd.io/inject: "enabled", so Linkerd's webhook injects a ` +
				`sidecar, too, and container "linkerd-proxy" is one already; remove the marker, or keep this pod out`},
		},
		{"a pod that opts out of its namespace", `annotations: {linkerd.io/inject: ` +
			`disabled}`, "linkerd-proxy", "x", map[string]string{"linkerd.io/inject": "enabled"}, nil},
		{"another sidecar", `labels: {sidecar.istio.io/inject: "true"}`, "logs", "fluent-bit", nil, nil},
		{"a marker that says no", `labels: {sidecar.istio.io/inject: "false"}`, "envoy", "envoy", nil, nil},
	} {
		t.Run(test.claim, func(t *testing.T) {
			template := pod.Template{Node: parse(t, `metadata: {`+strings.Trim(test.metadata, "{}")+closing(test.metadata))}
			var said []finding.Finding
			for _, sidecar := range FindWebhookSidecars(test.name, test.image) {
				said = append(said, sidecar.CheckMarkers(template, test.namespace)...)
			}
			same(t, test.want, said)
		})
	}
}

// closing ends the braces that Trim took from the end of a flow mapping, and its own.
func closing(metadata string) string {
	if strings.HasSuffix(metadata, "}") && metadata != "{}" {
		return "}}"
	}
	return "}"
}

func (p pods) templates(t *testing.T) (before, after pod.Template) {
	t.Helper()
	return pod.Template{Node: parse(t, "spec: "+braces(p.before))}, pod.Template{Node: parse(t, "spec: "+braces(p.after))}
}

func braces(mapping string) string {
	if strings.HasPrefix(mapping, "{") {
		return mapping
	}
	return "{" + mapping + "}"
}

func parse(t *testing.T, text string) *node.Node {
	t.Helper()
	var document node.Node
	if err := yamlread.Into([]byte(text), &document); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	return document.Content[0]
}

func same(t *testing.T, want []string, said []finding.Finding) {
	t.Helper()
	var got []string
	for _, f := range said {
		got = append(got, string(f.Code)+" "+f.Field.Path+": "+f.Message)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestResourcesOfThePodAreReadInAnySpelling(t *testing.T) {
	const app = `containers: [{name: app, resources: {requests: {cpu: 4}}}]`
	for _, requests := range []string{"010", "0x8", "8"} { // all of them are 8
		of := pods{`{resources: {requests: {cpu: ` + requests + `}}, ` + app + `}`, ""}
		of.after = strings.Replace(of.before, `cpu: 4}}}`, `cpu: 4}}}, {name: s, resources: {requests: {cpu: 5}}}`, 1)
		before, after := of.templates(t)
		if found := APIRules(before, after, Workload{}); len(found) != 1 {
			t.Errorf("cpu: %s: got %v", requests, found)
		}
	}
}

package injector

import (
	"slices"
	"testing"

	"pillion.dev/pillion/api/v1alpha1"
)

const classicEnvoy = `
config: |
  containers:
  - name: envoy
    image: lyft/envoy:845747db88f102c0fd262ab234308e9e22f693a1
    command: ["/usr/local/bin/envoy"]
    ports: [{containerPort: 80, protocol: TCP}]
    resources: {limits: {cpu: 1000m, memory: 512Mi}, requests: {cpu: 100m, memory: 64Mi}}
    volumeMounts: [{name: envoy-conf, mountPath: /etc/envoy}]
  volumes:
  - {name: envoy-conf, configMap: {name: envoy}}
`

func TestClassicConfigMapIsAnInjector(t *testing.T) {
	in := one(t, classicMap(classicEnvoy))
	if in.Name != "envoy" {
		t.Errorf("the name is %q, want the ConfigMap's without -initializer", in.Name)
	}
	if len(in.Containers) != 1 || in.Containers[0].Name != "envoy" || len(in.Volumes) != 1 || in.Volumes[0].Name != "envoy-conf" {
		t.Errorf("the payload is %+v, %+v", in.Containers, in.Volumes)
	}
	if in.Spec.Marker != v1alpha1.DefaultMarker || in.Containers[0].Mode != v1alpha1.ModeAuto {
		t.Error("the defaults are not filled in")
	}
}

func TestClassicDataKeysAreSpecFields(t *testing.T) {
	in := one(t, classicMap(classicEnvoy+`
kubernetesVersion: "1.30"
policy: "Disabled\n"
selector: |
  matchLabels: {tier: web}
names: "[web, db]"
expect: "min: 2"
imagePullSecrets: "[{name: registry}]"
`))
	if in.Spec.KubernetesVersion != "1.30" || in.Spec.Policy != v1alpha1.PolicyDisabled {
		t.Errorf("version %q, policy %q", in.Spec.KubernetesVersion, in.Spec.Policy)
	}
	if in.Spec.Selector.MatchLabels["tier"] != "web" || !slices.Equal(in.Spec.Names, []string{"web", "db"}) || *in.Spec.Expect.Min != 2 {
		t.Errorf("spec %+v", in.Spec)
	}
	if len(in.ImagePullSecrets) != 1 || in.ImagePullSecrets[0].Name != "registry" {
		t.Errorf("imagePullSecrets %+v", in.ImagePullSecrets)
	}
}

func TestClassicConfigMapMayCarryWhatToolsAdd(t *testing.T) {
	one(t, `
apiVersion: v1
kind: ConfigMap
metadata:
  name: envoy
  namespace: tools
  creationTimestamp: null
  annotations: {config.kubernetes.io/function: "exec: {path: pillion}", internal.config.kubernetes.io/index: "0"}
immutable: true
data:
  config: "volumes: [{name: a}]"
`)
}

func TestBadClassicConfigMapsAreRefused(t *testing.T) {
	for _, test := range []bad{
		{
			"no payload", classicMap("policy: Enabled"),
			[]string{"data.config: containers: there is nothing to inject; write at least one of containers, initContainers, volumes, " +
				"imagePullSecrets, appContainers, patchPodMetadata, podSpec"},
		},
		{
			"an unknown key is told the nearest", classicMap(classicEnvoy + "selctor: '{}'"),
			[]string{`data.selctor: there is no data key "selctor"; did you mean selector?`},
		},
		{
			"an unknown key with nothing near is told what there is", classicMap(classicEnvoy + "zebra: '{}'"),
			[]string{`data.zebra: there is no data key "zebra"; it must be config, which holds containers and volumes, or the name of a ` +
				`SidecarInjector's spec field`},
		},
		{
			"a config that is not YAML", classicMap(`config: "containers: ["`),
			[]string{"data.config: line 1, column 13 of this text is not one YAML document: the bracket [ that begins here is not closed; add ]"},
		},
		{
			"a config of two documents", classicMap(`config: "volumes: [{name: a}]\n---\nvolumes: []"`),
			[]string{"data.config: line 2, column 1 of this text is not one YAML document: a second YAML document begins here; expected only one"},
		},
		{
			"a config with other keys", classicMap(`config: "volumes: [{name: a}]\nhostAliases: []"`),
			[]string{`data.config: hostAliases: there is no field "hostAliases" here; known are containers, initContainers, volumes, ` +
				`imagePullSecrets`},
		},
		{
			"a config that is a list", classicMap(`config: "[a]"`),
			[]string{`data.config: expected a mapping, found a list; its fields are containers, initContainers, volumes, imagePullSecrets`},
		},
		{
			"a config that is no text", classicMap("config: {volumes: []}"),
			[]string{`data.config: expected a string, found a mapping; write "|" after the key, which makes the lines below a text`},
		},
		{
			"a config without end", classicMap(`config: "volumes: &a [*a]"`),
			[]string{`data.config: line 1: the alias *a is inside of the node that it refers to; replace it by the intended value`},
		},
		{
			"a problem inside a text has its path", classicMap(`config: "containers: [{name: a, image: b, tyy: true}]"` + "\nnames: \"['(']\""),
			[]string{
				`data.config: containers[0].tyy: there is no field "tyy" here; did you mean tty?`,
				"data.names: [0]: \"(\"" + noGlob + "one entry for each name or glob",
			},
		},
		{
			"a field given in two places", classicMap(`config: "volumes: [{name: a}]"` + "\nvolumes: \"[{name: b}]\""),
			[]string{"data.volumes: data.config: volumes has this already; keep one of the two"},
		},
		{
			"binary data", classicMap(classicEnvoy) + "binaryData: {a: YQ==}\n",
			[]string{"binaryData: a config is text; move what is here to data"},
		},
		{
			"an unknown field of the ConfigMap", classicMap(classicEnvoy) + "spec: {}\n",
			[]string{`spec: there is no field "spec" here; known are apiVersion, kind, metadata, data, binaryData, immutable`},
		},
	} {
		test.run(t)
	}
}

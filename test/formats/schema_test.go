package formats

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/api/v1alpha1"
)

// smallest is a config with nothing but what is required; tests add to its spec.
const smallest = `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: envoy}
spec:
  containers:
  - name: envoy
    image: envoy
`

// goodConfigs are taken by editors and by clusters.
var goodConfigs = map[string]string{
	"the smallest config": smallest,
	"the settings of a container": smallest + `
    mode: Native
    podInjectPolicy: BeforeAppContainer
    after: app
`,
	"a gRPC probe without a service": smallest + `
    livenessProbe: {grpc: {port: 80}}
`,
	"variables in quantities": smallest + `
    resources: {limits: {memory: "${pod.annotations['example.com/memory']}"}}
`,
	"labels of a volume that is made for each pod": smallest + `
  volumes:
  - name: a
    ephemeral:
      volumeClaimTemplate:
        metadata: {labels: {a: b}, annotations: {c: d}}
        spec: {resources: {requests: {storage: 1Gi}}, dataSource: {kind: PersistentVolumeClaim, name: a}}
  - name: b
    projected: {defaultMode: 420}
`,
	"numbers where Kubernetes takes number or string": smallest + `
    resources: {limits: {cpu: 1, memory: 512Mi}}
    readinessProbe: {httpGet: {port: 80}}
    livenessProbe: {httpGet: {port: http}}
`,
	"what goes into the pod besides sidecars": smallest + `
  appContainers:
  - containers: ["*"]
    includeInit: true
    env: [{name: A, value: a}]
    envFrom: [{configMapRef: {name: a}}]
    volumeMounts: [{name: a, mountPath: /a}]
    envPosition: Append
  patchPodMetadata: [{labels: {a: b}, annotations: {c: d}, patchPolicy: MergePatchJson}]
  podSpec: {hostAliases: [{ip: 10.0.0.1, hostnames: [a]}], tolerations: [{key: a}]}
`,
	"everything about selection": smallest + `
  kubernetesVersion: "1.33"
  selector: {matchLabels: {tier: web}, matchExpressions: [{key: a, operator: Exists}]}
  selectorScope: Workload
  neverInjectSelector: [{matchLabels: {a: b}}]
  namespaces: {include: [shop], exclude: []}
  namespaceSelector: {}
  namespaceLabels: {shop: {team: a}}
  rules: [{apiGroups: [apps], apiVersions: ["*"], resources: [deployments]}]
  names: [web-*]
  marker: example.com/inject
  policy: Disabled
  workloads: [{group: flink.apache.org, kind: FlinkDeployment, podTemplates: [spec.podTemplate]}]
  onConflict: {container: Merge, volume: Keep, env: Replace, mountPath: Error, port: Keep}
  jobs: Skip
  hostNetwork: Error
  helmHooks: Skip
  report: Info
  expect: {min: 1, max: 3}
`,
}

func TestSchemaAcceptsGoodConfigs(t *testing.T) {
	configs := maps.Clone(goodConfigs)
	configs["a fraction for a quantity"] = smallest + "    resources: {requests: {cpu: 0.5}}\n"
	configs["a list whose items leave out apiVersion and kind"] = `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjectorList
items:
- metadata: {name: envoy}
  spec:
    volumes: [{name: conf, configMap: {name: envoy}}]
    imagePullSecrets: [{name: registry}]
    initContainers: [{name: init, image: init, restartPolicy: Always}]
`
	for claim, config := range configs {
		t.Run(claim, func(t *testing.T) {
			if err := compile(t, v1alpha1.Schema()).Validate(parse(t, config)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestSchemaRefusesBadConfigs(t *testing.T) {
	for claim, config := range map[string]string{
		"an unknown field of ours":          smallest + "  selectr: {}\n",
		"an unknown field of a container":   smallest + "    imagepullpolicy: Always\n",
		"a value that is not in the enum":   smallest + "  policy: enabled\n",
		"a value that is no Kubernetes one": smallest + "    imagePullPolicy: always\n",
		"a number for a string":             smallest + "  kubernetesVersion: 1.33\n",
		"a pod field that stands elsewhere": smallest + "  podSpec: {volumes: []}\n",
		"an unknown restart policy":         smallest + "    restartPolicy: Sometimes\n",
		"a container without an image":      strings.Replace(smallest, "    image: envoy\n", "", 1),
		"another version":                   strings.Replace(smallest, "v1alpha1", "v1", 1),
		"another kind":                      strings.Replace(smallest, "kind: SidecarInjector", "kind: SidecarInjecter", 1),
		"no name":                           strings.Replace(smallest, "name: envoy}", "}", 1),
	} {
		t.Run(claim, func(t *testing.T) {
			if compile(t, v1alpha1.Schema()).Validate(parse(t, config)) == nil {
				t.Error("the schema lets it pass")
			}
		})
	}
}

func TestProjectSchemaTakesWhatTheReaderTakes(t *testing.T) {
	const header = "apiVersion: pillion.dev/v1alpha1\nkind: Project\n"
	for text, isRight := range map[string]bool{
		header: true,
		header + "configs: [a]\nfiles: [b]\nkustomizations: [c]\nexclude: ['d/**']\ndefaultNamespace: e\n" +
			"rollouts: [{injector: f, to: [{namespaces: [g], selector: {matchLabels: {h: i}}, files: [j], kustomizations: [k]}]}]\n": true,
		header + "config: [a]\n":                                   false,
		header + "files: a\n":                                      false,
		header + "rollouts: [{to: []}]\n":                          false,
		header + "rollouts: [{injector: a}]\n":                     false,
		header + "rollouts: [{injector: a, to: [{namespace: b}]}]": false,
		"kind: Project\n":                                          false,
		strings.Replace(header, "Project", "SidecarInjector", 1):   false,
	} {
		if err := compile(t, v1alpha1.ProjectSchema()).Validate(parse(t, text)); (err == nil) != isRight {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// compile returns the schema that a text has, with the formats of strings checked.
func compile(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// parse returns YAML as the validator takes it.
func parse(t *testing.T, text string) any {
	t.Helper()
	asJSON, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		t.Fatal(err)
	}
	return document
}

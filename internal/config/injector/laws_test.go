package injector

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// full is a spec with many kinds of fields. The laws change one of them at a time.
const full = `containers:
- name: envoy
  image: envoy:v1
  imagePullPolicy: Always
  workingDir: /w
  args: [run, fast]
  tty: true
  env: [{name: A, value: a}, {name: B, valueFrom: {secretKeyRef: {name: s, key: k}}}]
  ports: [{containerPort: 80, name: http, protocol: TCP}]
  resources: {requests: {cpu: 100m, memory: 1Gi}}
  livenessProbe: {httpGet: {path: /, port: http}, periodSeconds: 5}
  volumeMounts: [{name: conf, mountPath: /etc}]
  securityContext: {runAsUser: 1, capabilities: {drop: [ALL]}}
  mode: Container
  after: web
  allowOverride: [image]
  transferEnv: [{sourceContainerName: web, envNames: [A]}]
  shareVolumePolicy: {type: Enabled}
initContainers:
- {name: first, image: f, command: [x], podInjectPolicy: BeforeAppContainer}
volumes: [{name: conf, configMap: {name: c, items: [{key: k, path: p}]}}]
imagePullSecrets: [{name: s}]
appContainers:
- {containers: [web], env: [{name: E, value: x, join: ':', joinOrder: Before}], envFrom: [{configMapRef: {name: c}}]}
- {includeInit: true, volumeMounts: [{name: conf, mountPath: /conf}]}
patchPodMetadata: [{labels: {a.b/c: d}, annotations: {e: f}, patchPolicy: Overwrite}]
podSpec:
  {dnsPolicy: Default, nodeSelector: {zone: a}, tolerations: [{key: k, operator: Exists}], hostAliases: [{ip: 1.1.1.1, hostnames: [h]}]}
selector: {matchLabels: {app: web}, matchExpressions: [{key: a, operator: In, values: [b]}]}
selectorScope: Workload
neverInjectSelector: [{matchLabels: {no: thanks}}]
namespaces: {include: [team-*], exclude: [team-x]}
namespaceSelector: {matchLabels: {team: a}}
rules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments]}]
names: [web-*]
excludeNames: [web-x]
marker: example.com/inject
jobs: Skip
hostNetwork: Error
onConflict: {container: Keep, volume: Replace, env: Replace, mountPath: Keep, port: Keep}
checks: {podSecurity: baseline, requireResources: Warn}
expect: {min: 1, max: 2}
`

// visitConfig calls a function for all values in a config, with their paths as findings have them.
func visitConfig(at string, n *node.Node, see func(at string, n *node.Node)) {
	see(at, n)
	for i, child := range n.Content {
		switch {
		case n.Kind == node.SequenceNode:
			visitConfig(at+"["+strconv.Itoa(i)+"]", child, see)
		case i%2 == 1 && strings.ContainsAny(n.Content[i-1].Value, "./"):
			visitConfig(at+"["+strconv.Quote(n.Content[i-1].Value)+"]", child, see)
		case i%2 == 1:
			visitConfig(node.Join(at, n.Content[i-1].Value), child, see)
		}
	}
}

// eachChange reads the config once for each value in its spec, which a function has changed. It may leave it as it is.
func eachChange(t *testing.T, change func(n *node.Node) bool, check func(at string, injectors []*Injector, findings []finding.Finding)) {
	t.Helper()
	var paths []string
	visitConfig("", parse(t, envoy(full)).Content[0], func(at string, _ *node.Node) { paths = append(paths, at) })
	for _, path := range paths {
		document := parse(t, envoy(full))
		isChanged := false
		visitConfig("", document.Content[0], func(at string, n *node.Node) {
			isChanged = isChanged || at == path && strings.HasPrefix(at, "spec.") && change(n)
		})
		if isChanged {
			injectors, findings := Read(document)
			check(path, injectors, findings)
		}
	}
}

// TestValuesOfAnotherKindAreRefusedWhereTheyAre puts a mapping in the place of each scalar, and a scalar in that of all
// others.
func TestValuesOfAnotherKindAreRefusedWhereTheyAre(t *testing.T) {
	one(t, envoy(full))
	change := func(n *node.Node) bool {
		if n.Kind == node.ScalarNode {
			*n = *node.Mapping(node.String("nothing"), node.String("here"))
		} else {
			*n = *node.String("nothing")
		}
		return true
	}
	eachChange(t, change, func(at string, injectors []*Injector, findings []finding.Finding) {
		isThere := func(f finding.Finding) bool {
			return f.Severity == finding.Error && f.Field.Path == at && strings.HasPrefix(f.Message, at+": ") &&
				strings.Contains(f.Message, "found ")
		}
		if len(injectors) > 0 || !slices.ContainsFunc(findings, isThere) {
			t.Errorf("%s: %d injectors, and %s", at, len(injectors), said(findings))
		}
	})
}

// TestUnknownFieldsAreRefusedWhereTheyAre adds a key to each mapping. Those without fixed fields take it.
func TestUnknownFieldsAreRefusedWhereTheyAre(t *testing.T) {
	free := []string{"matchLabels", "labels", "annotations", "nodeSelector"}
	change := func(n *node.Node) bool {
		if n.Kind != node.MappingNode || node.Get(n, "cpu") != nil { // resources have rules of their own
			return false
		}
		node.Set(n, "zzz", node.String("1"))
		return true
	}
	eachChange(t, change, func(at string, injectors []*Injector, findings []finding.Finding) {
		isFree := slices.Contains(free, at[strings.LastIndexByte(at, '.')+1:])
		isThere := func(f finding.Finding) bool { return f.Severity == finding.Error && f.Field.Path == at+".zzz" }
		if isFree != (len(injectors) == 1) || !isFree && !slices.ContainsFunc(findings, isThere) {
			t.Errorf("%s: %d injectors, and %s", at, len(injectors), said(findings))
		}
	})
}

// TestVariablesAreWhatTheyStandFor puts a variable in the place of each text. It is refused, or the payload is the same in
// a pod with that value, and a fault in the value is found in both.
func TestVariablesAreWhatTheyStandFor(t *testing.T) {
	want := payloadOf(one(t, envoy(full)))
	text := ""
	change := func(n *node.Node) bool {
		text = n.Value
		if !node.IsString(n) {
			return false
		}
		*n = *node.String("${pod.annotations['x']}")
		return true
	}
	taken := 0
	eachChange(t, change, func(at string, injectors []*Injector, _ []finding.Finding) {
		if len(injectors) == 0 {
			return
		}
		taken++
		in := injectors[0]
		if got := in.Variables(); !slices.Equal(got, []string{at}) {
			field := strings.TrimPrefix(at, "spec.")
			isPayload := slices.Contains(schema.PayloadFields, field[:strings.IndexAny(field+".", ".[")])
			isOption := strings.Contains(at, ".transferEnv") || strings.HasSuffix(at, ".join")
			if len(got) > 0 || isPayload && !isOption {
				t.Errorf("%s: the variables are at %q", at, got)
			}
			return
		}
		made, met := forPod(in, of(t, "annotations: {x: "+strconv.Quote(text)+"}"))
		if finding.HasError(met) {
			t.Errorf("%s with %q: %s", at, text, said(met))
		} else if diff := cmp.Diff(want, payloadOf(made)); diff != "" {
			t.Errorf("%s with %q: %s", at, text, diff)
		}
		if _, met := forPod(in, of(t, "{}")); len(met) != 1 || !strings.Contains(met[0].Message, "annotation") {
			t.Errorf("%s without a value: %s", at, said(met))
		}
	})
	if taken < 20 {
		t.Errorf("only %d fields take variables", taken)
	}
}

// payloadOf returns what an injector puts in, as text.
func payloadOf(in *Injector) []string {
	var all []string
	add := func(what string, body *node.Node) {
		all = append(all, what+" "+string(node.AppendCanonical(nil, body)))
	}
	for _, c := range in.Containers {
		add("container "+c.Name, c.Body)
	}
	for _, c := range in.InitContainers {
		add("init container "+c.Name, c.Body)
	}
	for _, entry := range slices.Concat(in.Volumes, in.ImagePullSecrets) {
		add(entry.Name, entry.Body)
	}
	return all
}

// TestOverridesAreWhatTheySet has that an annotation does to a sidecar what its value in the config does, and that each
// field that an annotation can set is found in the config.
func TestOverridesAreWhatTheySet(t *testing.T) {
	for field, value := range map[string]string{
		"image": "other", "imagePullPolicy": "Never", "workingDir": "/x", "tty": "false", "stdin": "true",
		"resources.requests.cpu": "200m", "resources.limits.memory": "2Gi", "livenessProbe.httpGet.path": "/live",
		"livenessProbe.httpGet.port": "8080", "livenessProbe.periodSeconds": "7", "securityContext.runAsUser": "5",
		"terminationMessagePath": "/dev/null",
	} {
		const config = "containers: [{name: envoy, image: envoy:v1, tty: true, livenessProbe: {httpGet: {port: 1}}%s}]"
		in := one(t, envoy(fmt.Sprintf(config, ", allowOverride: ["+field+"]")))
		made, met := forPod(in, of(t, "annotations: {pillion.dev/envoy."+field+": '"+value+"'}"))
		if len(met) > 0 {
			t.Errorf("%s: %s", field, said(met))
			continue
		}
		document := parse(t, envoy(fmt.Sprintf(config, "")))
		at := node.Get(document.Content[0], "spec", "containers").Content[0]
		steps := strings.Split(field, ".")
		for _, step := range steps[:len(steps)-1] {
			at = node.OwnMapping(at, step)
		}
		node.Set(at, steps[len(steps)-1], parse(t, value).Content[0])
		written, findings := Read(document)
		if len(findings) > 0 {
			t.Fatal(said(findings))
		}
		if diff := cmp.Diff(payloadOf(written[0]), payloadOf(made)); diff != "" {
			t.Errorf("%s: %s", field, diff)
		}
		annotation := "annotations: {pillion.dev/envoy." + field + ": {}}"
		if _, met := forPod(in, of(t, annotation)); len(met) != 1 || met[0].Code != finding.OverrideInvalid {
			t.Errorf("%s that is a mapping: %s", field, said(met))
		}
		other := one(t, envoy(fmt.Sprintf(config, "")))
		if _, met := forPod(other, of(t, annotation)); len(met) != 1 || met[0].Severity != finding.Warning {
			t.Errorf("%s that is not allowed: %s", field, said(met))
		}
	}
}

// TestFieldsThatNobodyCanOverride has that the finding about one has it as it is, and the nearest one.
func TestFieldsThatNobodyCanOverride(t *testing.T) {
	for field, want := range map[string]string{
		"imag": "image", "resources.requests.cpus": "resources.requests.cpu", "resources": "", "args": "", "image.tag": "", "name": "",
	} {
		_, findings := Read(parse(t, sidecar("allowOverride: ["+field+"]")))
		if len(findings) != 1 || findings[0].Field.Current != field || findings[0].Field.Proposed != want {
			t.Errorf("%s: %+v", field, findings)
		}
	}
}

// TestConfigsThatContradictEachOther has which config the other one is, as far as that is known.
func TestConfigsThatContradictEachOther(t *testing.T) {
	injectors := []*Injector{one(t, with("")), one(t, with(""))}
	for file, want := range map[*finding.File]string{nil: "another config", {Path: "a.yaml"}: "the config in a.yaml"} {
		found := CheckTogether(injectors, []*finding.File{file, {Path: "b.yaml"}})
		if len(found) != 1 || !strings.Contains(found[0].Message, want) {
			t.Errorf("%v: %s", file, said(found))
		}
	}
}

// TestEscapesAreLiterals has that Unescaped writes what the escapes stand for, and nothing else.
func TestEscapesAreLiterals(t *testing.T) {
	for text, want := range map[string]string{
		"plain": "plain", "$${a}": "${a}", "a $${b} $${c}": "a ${b} ${c}", "$$": "$$", "$(A)": "$(A)",
	} {
		in := one(t, envoy("containers: [{name: e, image: i, args: ['"+text+"']}]"))
		made, findings := in.Unescaped()
		if got := made.Containers[0].Body; len(findings) > 0 || node.Text(node.List(got, "args")[0]) != want {
			t.Errorf("%q becomes %s: %s", text, node.Brief(got), said(findings))
		}
	}
}

// TestFaultsInConfigMapsHaveTheirLines breaks each line of a text in a ConfigMap.
func TestFaultsInConfigMapsHaveTheirLines(t *testing.T) {
	lines := []string{"containers:", "- name: a", "  image: b", "  args:", "  - c"}
	for i := range lines {
		broken := slices.Clone(lines)
		broken[i] = strings.Repeat(" ", i%2) + "{{ broken"
		config := classicMap("config: |\n" + indent(strings.Join(broken, "\n")))
		injectors, findings := Read(parse(t, config))
		at := fmt.Sprintf("data.config: line %d, column ", i+1)
		if len(injectors) > 0 || len(findings) != 1 || !strings.HasPrefix(findings[0].Message, at) {
			t.Errorf("line %d is broken: %s", i+1, said(findings))
		}
	}
}

// TestWordsTellOperationsApart has the last line of the plan of a spec.
func TestWordsTellOperationsApart(t *testing.T) {
	for spec, want := range map[string]string{
		"volumes: [{name: data, emptyDir: {}}]": "add volume data; if the app has another one, the pod is refused",
		"appContainers: [{env: [{name: E, value: x}]}]": "in each container of the app: add env variable E, " +
			"before the app's own; if the app has another one, that stays",
		"appContainers: [{envPosition: Append, env: [{name: E, value: x}]}]": "in each container of the app: add env variable E, after the " +
			"app's own; if the app has another one, that stays",
		"appContainers: [{containers: [web, db], includeInit: true, env: [{name: E, value: x, join: ':'}]}]": "in the container web or db, " +
			`also among the init containers: join a value to env variable E, after the app's own, with ":" between them`,
		"volumes: [{name: v, emptyDir: {}}]\nappContainers: [{volumeMounts: [{name: v, mountPath: /v}]}]": "in each container of the app: add " +
			"mount /v; if the app has another one, the pod is refused",
		"patchPodMetadata: [{labels: {a: b}, patchPolicy: Overwrite}]": "set label a, also if the pod has another value",
		"podSpec: {tolerations: [{key: k}]}":                           "add to tolerations of the pod what it lacks",
		"podSpec: {hostname: h}":                                       "set hostname, unless the pod has it",
	} {
		lines := one(t, envoy(spec)).Plan().Words()
		if got := lines[len(lines)-1]; !strings.HasSuffix(got, ". "+want) {
			t.Errorf("%s: %s, want %s", spec, got, want)
		}
	}
}

package learn_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/learn"
	"pillion.dev/pillion/internal/text/manifest"
)

// What an injector may want, one thing each. The laws hold for each of them and each fleet, so that a failure is as
// small as it can be.
var wishes = []string{
	"containers: [{name: logs, image: 'l:1'}]",
	"containers: [{name: logs, image: 'l:1', podInjectPolicy: AfterAppContainer}]",
	"containers: [{name: logs, image: 'l:1', mode: Container}]",
	"containers: [{name: logs, image: 'l:1', mode: Container, podInjectPolicy: BeforeAppContainer}]",
	"containers: [{name: logs, image: 'l:1', mode: Container, after: web}]",
	"containers: [{name: logs, image: 'l:1', args: [a, '$${b}', '${workload.name}.${workload.namespace}']}]",
	"initContainers: [{name: first, image: f}]",
	"volumes: [{name: new, emptyDir: {}}]",
	"imagePullSecrets: [{name: s}]",
	"patchPodMetadata: [{labels: {l: a}}]",
	"patchPodMetadata: [{labels: {team: b}, patchPolicy: Overwrite}]",
	"patchPodMetadata: [{annotations: {j: '{\"a\":1}'}}]",
	"podSpec: {nodeSelector: {zone: a}, tolerations: [{key: k, operator: Exists}], priorityClassName: high}",
	"appContainers: [{env: [{name: E, value: x}]}]",
	"appContainers: [{env: [{name: E, value: x}], envPosition: Append}]",
	"appContainers: [{env: [{name: E, value: x}], containers: [web]}]",
	"appContainers: [{env: [{name: E, value: x}], includeInit: true}]",
	"appContainers: [{env: [{name: OPTS, value: x, join: ':'}]}]",
	"appContainers: [{env: [{name: OPTS, value: x, join: ' ', joinOrder: Before}]}]",
	"appContainers: [{envFrom: [{configMapRef: {name: c}}]}]",
	"volumes: [{name: v, emptyDir: {}}], appContainers: [{volumeMounts: [{name: v, mountPath: /v}]}]",
}

// The app's containers, of which each pod of a fleet has one list.
var fleets = [][]string{
	{"containers: [{name: web, image: w, env: [{name: OPTS, value: a}]}]"},
	{
		"containers: [{name: web, image: w, env: [{name: A, value: a}]}, {name: other, image: o}]",
		"containers: [{name: web, image: w}, {name: other, image: o, env: [{name: OPTS, value: b}]}]",
		"initContainers: [{name: init, image: i}], containers: [{name: web, image: w}, {name: other, image: o}], " +
			"volumes: [{name: own, emptyDir: {}}]",
	},
}

// fleetOf returns a Deployment for each list of containers, in two namespaces.
func fleetOf(specs []string) (items []string) {
	const item = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: w%d, namespace: n%d}, " +
		"spec: {template: {metadata: {labels: {team: a, app: w%[1]d}}, spec: {%[3]s}}}}"
	for i, spec := range specs {
		items = append(items, fmt.Sprintf(item, i, i%2, spec))
	}
	return items
}

// TestLearnedConfigsDoTheSame learns from what a config makes of a fleet. What was learned makes the same of it without
// a finding; what is learned from that is the same text; and the order of the pods makes no difference for what it does.
func TestLearnedConfigsDoTheSame(t *testing.T) {
	const config = "{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, metadata: {name: original}, spec: {%s}}"
	for _, specs := range fleets {
		for _, wish := range wishes {
			items := fleetOf(specs)
			before, after, _ := injected(t, mustConfig(t, fmt.Sprintf(config, wish)), items...)
			learned, err := learnFrom(before, after)
			if differences := differing(learned, err); differences != "" || len(learned.Findings) > 0 {
				t.Fatalf("%s\n%q\n%s%v\n%s", wish, specs, differences, learned.Findings, learned.Text)
			}
			_, same, _ := injected(t, mustConfig(t, string(learned.Text)), items...)
			if again, _ := learnFrom(before, same); !bytes.Equal(again.Text, learned.Text) {
				t.Fatalf("%s\n%q\nlearned:\n%s\nlearned from that:\n%s", wish, specs, learned.Text, again.Text)
			}
			slices.Reverse(items)
			before, after, _ = injected(t, mustConfig(t, string(learned.Text)), items...)
			if reversed, err := learnFrom(before, after); differing(reversed, err) != "" {
				t.Fatalf("%s\n%q\nin reverse order: %s", wish, specs, differing(reversed, err))
			}
		}
	}
}

// TestPodsThatMeanTheSame compares pods, of which some are written in another way. Nothing is learned from these, and
// of all others there is a difference at a path, or it is learned.
func TestPodsThatMeanTheSame(t *testing.T) {
	const container = "{name: web, image: 'w:1', %s}"
	inContainer := func(fields string) string { return "containers: [" + fmt.Sprintf(container, fields) + "]" }
	for _, test := range []struct{ name, before, after, path string }{
		{"the policy of an image", inContainer(""), inContainer("imagePullPolicy: IfNotPresent"), ""},
		{"another policy of an image", inContainer(""), inContainer("imagePullPolicy: Always"), "containers[web].imagePullPolicy"},
		{
			"the policy of an image without a tag", "containers: [{name: web, image: w}]",
			"containers: [{name: web, image: w, imagePullPolicy: Always}]", "",
		},
		{
			"requests that are limits", inContainer("resources: {limits: {cpu: 1}}"),
			inContainer("resources: {limits: {cpu: 1}, requests: {cpu: 1}}"), "",
		},
		{
			"requests that are not limits", inContainer("resources: {limits: {cpu: 1}}"),
			inContainer("resources: {limits: {cpu: 1}, requests: {cpu: 1, memory: 1Gi}}"),
			"containers[web].resources.requests.memory",
		},
		{"quantities", inContainer("resources: {limits: {cpu: 1000m}}"), inContainer("resources: {limits: {cpu: '1'}}"), ""},
		{
			"other quantities", inContainer("resources: {limits: {cpu: 1001m}}"), inContainer("resources: {limits: {cpu: '1'}}"),
			"containers[web].resources.limits.cpu",
		},
		{"defaults", inContainer("ports: [{containerPort: 1}]"), inContainer("ports: [{containerPort: 1, protocol: TCP}]"), ""},
		{"zero values", inContainer(""), inContainer("stdin: false, env: [], workingDir: ''"), ""},
		{
			"a pointer to a zero value", inContainer(""), inContainer("securityContext: {runAsUser: 0}"),
			"containers[web].securityContext.runAsUser",
		},
		{"spellings of a boolean", inContainer("tty: yes"), inContainer("tty: true"), ""},
		{"null", inContainer("lifecycle: null"), inContainer(""), ""},
		{
			"the order of variables", inContainer("env: [{name: A, value: a}, {name: B, value: b}]"),
			inContainer("env: [{name: B, value: b}, {name: A, value: a}]"), "",
		},
		{
			"the order of variables that refer to each other", inContainer("env: [{name: A, value: a}, {name: B, value: $(A)}]"),
			inContainer("env: [{name: B, value: $(A)}, {name: A, value: a}]"), "containers[web].env",
		},
		{"the order of arguments", inContainer("args: [a, b]"), inContainer("args: [b, a]"), "containers[web].args"},
		{
			"the order of containers", "containers: [{name: a, image: a}, {name: b, image: b}]",
			"containers: [{name: b, image: b}, {name: a, image: a}]", "containers",
		},
		{"a volume without a source", inContainer("") + ", volumes: [{name: v}]", inContainer("") + ", volumes: [{name: v, emptyDir: {}}]", ""},
		{"the account", inContainer("") + ", serviceAccountName: s", inContainer("") + ", serviceAccountName: s, serviceAccount: s", ""},
		{
			"ports of the host", inContainer("ports: [{containerPort: 1}]") + ", hostNetwork: true",
			inContainer("ports: [{containerPort: 1, hostPort: 1}]") + ", hostNetwork: true", "",
		},
		{
			"ports of the host without its network", inContainer("ports: [{containerPort: 1}]"),
			inContainer("ports: [{containerPort: 1, hostPort: 1}]"), "containers[web].ports[1/TCP].hostPort",
		},
		{
			"tolerations that all pods get", inContainer(""),
			inContainer("") + ", tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists, tolerationSeconds: 300}]", "",
		},
		{
			"tolerations that nobody gets", inContainer(""),
			inContainer("") + ", tolerations: [{key: node.kubernetes.io/not-ready, operator: Exists, tolerationSeconds: 3}]", "learned",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			learned, err := learnFrom([]byte(fleetOf([]string{test.before})[0]), []byte(fleetOf([]string{test.after})[0]))
			found := ""
			if len(learned.Findings) > 0 {
				found = strings.TrimPrefix(learned.Findings[0].Field.Path, "spec.")
			} else if err == nil {
				found = "learned"
			}
			if found != test.path {
				t.Errorf("%q, want %q: %v %v", found, test.path, err, learned.Findings)
			}
		})
	}
}

// TestPairs finds the objects from after among those from before.
func TestPairs(t *testing.T) {
	const (
		spec   = "{template: {spec: {containers: [{name: web, image: w}]}}}"
		bare   = "{containers: [{name: web, image: w}]}"
		shop   = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: " + spec + "}"
		office = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: office}, spec: " + spec + "}"
		free   = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: " + spec + "}"
		set    = "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web, namespace: shop}, spec: " + spec + "}"
		broken = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: bad, namespace: shop}, spec: {template: {spec: 1}}}"
		owned  = "{apiVersion: v1, kind: Pod, metadata: {name: web-1-a, namespace: shop, labels: {pod-template-hash: '1'}, " +
			"ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-1, controller: true}]}, spec: " + bare + "}"
		mirror = "{apiVersion: v1, kind: Pod, metadata: {name: m, namespace: shop, annotations: {kubernetes.io/config.mirror: x}}, " +
			"spec: " + bare + "}"
		pod   = "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}, spec: " + bare + "}"
		other = "{apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: shop}}"
	)
	for _, test := range []struct {
		name          string
		before, after []string
		want          string
	}{
		{"the same", []string{shop}, []string{shop}, "deployment/web (shop); 0 not after, 0 not before"},
		{
			"each in its namespace",
			[]string{shop, office},
			[]string{office, shop},
			"deployment/web (office) deployment/web (shop); 0 not after, 0 not before",
		},
		{
			"without a namespace",
			[]string{free},
			[]string{office, shop},
			"deployment/web (office) deployment/web (shop); 0 not after, 0 not before",
		},
		{"another namespace", []string{shop, set}, []string{office, set}, "statefulset/web (shop); 1 not after, 1 not before"},
		{"only one on each side", []string{shop}, []string{office}, "deployment/web (shop); 0 not after, 0 not before"},
		{"another kind", []string{shop, office}, []string{set, office}, "deployment/web (office); 1 not after, 1 not before"},
		{"a pod of a workload", []string{shop, set}, []string{owned}, "deployment/web (shop); 1 not after, 0 not before"},
		{"a pod in the place of its workload", []string{shop, set}, []string{owned, shop}, "deployment/web (shop); 1 not after, 0 not before"},
		{"two pods that are the same", []string{shop, set}, []string{owned, owned}, "deployment/web (shop); 1 not after, 0 not before"},
		{"a pod of a node", []string{pod, shop}, []string{pod, mirror}, "pod/web (shop); 1 not after, 0 not before"},
		{"what has no pods", []string{shop, other}, []string{shop, other}, "deployment/web (shop); 0 not after, 0 not before"},
		{"what is broken", []string{shop, broken}, []string{shop}, "deployment/web (shop); 0 not after, 0 not before; 1 broken"},
		{"nothing", []string{other}, []string{shop}, "there is no pod and no workload of a known kind in what is named as before"},
		{"none of them", []string{shop, set}, []string{office}, "none of the 2 workloads from before is among those from after"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var sides [2][]*manifest.Item
			for i, texts := range [][]string{test.before, test.after} {
				stream, err := manifest.Read([]byte(strings.Join(texts, "\n---\n")))
				if err != nil {
					t.Fatal(err)
				}
				sides[i] = stream.Items
			}
			matched, err := learn.Match(sides[0], sides[1], false)
			var names []string
			for _, p := range matched.Pairs {
				names = append(names, p.Object.String())
			}
			got := fmt.Sprintf("%s; %d not after, %d not before", strings.Join(names, " "), matched.NotAfter, matched.NotBefore)
			if len(matched.Broken) > 0 {
				got += fmt.Sprintf("; %d broken", len(matched.Broken))
			}
			if err != nil {
				got = err.Error()
			}
			if !strings.HasPrefix(got, test.want) {
				t.Errorf("%s\nwant %s", got, test.want)
			}
		})
	}
}

package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/export/policy"
	"pillion.dev/pillion/test/resourcelist"
)

// TestPoliciesInjectAsPillionDoes compares the pod that Pillion injected, as the API server stores it without policies,
// with the plain pod as it stores it with the policies. Both have the API server's own defaults.
func TestPoliciesInjectAsPillionDoes(t *testing.T) {
	c := Start(t)
	c.Namespace(t, "shop", map[string]string{"team": "shop"})
	for _, name := range []string{
		"plain", "positions", "modes", "several", "env-prepend", "env-append", "metadata", "secrets",
		"variables", "variables-typed", "variables-of-containers", "conflicts-error", "env-join", "env-replace",
		"default-container",
	} {
		t.Run(name, func(t *testing.T) {
			config, err := os.ReadFile("../admission/testdata/configs/" + name + ".yaml")
			if err != nil {
				t.Fatal(err)
			}
			injectors := readConfig(t, string(config))
			pods := podsToCompare()
			want := map[string]string{}
			for title, manifest := range pods {
				if git, isInjected := inject(t, injectors, manifest); isInjected {
					want[title] = c.stored(t, withoutStamps(t, git))
				} else {
					delete(pods, title) // which the validating policy denies
				}
			}
			if len(pods) < 5 {
				t.Errorf("only %d pods are compared, because Pillion refuses the others", len(pods))
			}
			policies := documents(t, injectors, policy.Options{Mutate: true})
			c.applyUntilActive(t, policies)
			defer c.deleteUntilGone(t, policies)
			for title, manifest := range pods {
				if diff := cmp.Diff(lines(want[title]), lines(c.stored(t, manifest))); diff != "" {
					t.Errorf("%s (-Pillion +policy):\n%s", title, diff)
				}
				git := injected(t, injectors, manifest)
				if diff := cmp.Diff(lines(want[title]), lines(c.stored(t, git))); diff != "" {
					t.Errorf("%s, injected in Git, is changed by the policy:\n%s", title, diff)
				}
			}
		})
	}
}

// podsToCompare returns pods with the lists that policies must find or create.
func podsToCompare() map[string]string {
	pod := func(metadata, spec string) string {
		return "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop" + metadata + "}, spec: {" + spec + "}}"
	}
	return map[string]string{
		"plain": pod("", "containers: [{name: web, image: 'web:1'}]"),
		"full": pod(", labels: {app: web}, annotations: {note: old}", `containers: [{name: web, image: 'web:1',
  env: [{name: OWN, value: x}, {name: A, value: mine}], volumeMounts: [{name: data, mountPath: /data}]}, {name: helper, image: helper}],
  initContainers: [{name: init, image: init}], volumes: [{name: data, emptyDir: {}}], imagePullSecrets: [{name: mine}]`),
		"values": pod(`, labels: {app: web, tier: back, version: "2", conf: log}, annotations: {odd: "\"a\" \\ $(A) $${B}", main: web,
  cpu: 500m, probe: http, pull: Never, config: other, kubectl.kubernetes.io/default-container: app, pillion.dev/log.image: "log:3",
  pillion.dev/log.tty: "true", pillion.dev/log.resources.limits.cpu: "2", pillion.dev/log.securityContext.runAsUser: "1000",
  pillion.dev/log.securityContext.seccompProfile.type: RuntimeDefault, pillion.dev/log.livenessProbe.httpGet.port: "81"}`,
			`containers: [{name: web, image: 'web:1', env: [{name: A, value: a}, {name: B, value: "/lib:/agent"}, {name: C, value: "z"},
  {name: TWO, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}], resources: {limits: {cpu: 1}}},
  {name: app, image: app, ports: [{containerPort: 8080, name: http}, {containerPort: 9000}]}]`),
		"conflicts": pod("", `containers: [{name: web, image: 'web:1', ports: [{containerPort: 8443}],
  env: [{name: A, value: "$(OWN)"}, {name: OWN, value: x}, {name: TWO, value: "2"}, {name: B, value: b}],
  volumeMounts: [{name: data, mountPath: /data}, {name: conf-of-web, mountPath: /conf}]},
  {name: helper, image: 'helper:1', env: [{name: HELP, value: "1"}], resources: {requests: {cpu: 1}}, tty: true}],
  initContainers: [{name: init, image: init, env: [{name: I, value: i}]}, {name: migrate, image: m}],
  volumes: [{name: data, emptyDir: {medium: Memory}}, {name: conf-of-web, configMap: {name: web}}]`),
		"lists": pod(", labels: {app: web}", `hostAliases: [{ip: 10.0.0.1, hostnames: [own.local]}], schedulingGates: [{name: example.com/own}],
  topologySpreadConstraints: [{maxSkew: 5, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}],
  readinessGates: [{conditionType: example.com/synced}], dnsConfig: {searches: [local, own], options: [{name: ndots, value: "5"}]},
  securityContext: {supplementalGroups: [3000, 1]}, affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [
  {weight: 1, preference: {matchExpressions: [{key: arch, operator: In, values: [arm64, amd64]}]}}]}},
  containers: [{name: web, image: 'web:1'}]`),
		"job":      pod("", "restartPolicy: Never, containers: [{name: web, image: 'web:1'}]"),
		"no token": pod("", "automountServiceAccountToken: false, containers: [{name: web, image: 'web:1'}]"),
		"opts out": pod(`, annotations: {pillion.dev/inject: "false"}`, "containers: [{name: web, image: 'web:1'}]"),
	}
}

// TestTwoPoliciesGiveOneSidecar checks that reinvocation adds nothing a second time. To a policy, a container that
// another policy adds is one of the app's, so that it gets the variable as well: only injectors in one list know of
// each other.
func TestTwoPoliciesGiveOneSidecar(t *testing.T) {
	c := Start(t)
	c.Namespace(t, "shop", nil)
	for _, name := range []string{"one", "two"} {
		injectors := readConfig(t, `{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, metadata: {name: `+name+`},
  spec: {containers: [{name: `+name+`, mode: Container, image: "`+name+`:1"}],
    appContainers: [{env: [{name: OPTS, value: -`+name+`, join: " "}]}]}}`)
		c.applyUntilActive(t, documents(t, injectors, policy.Options{Mutate: true}))
	}
	got := c.stored(t, pod)
	for _, text := range []string{"name: one\n", "name: two\n"} {
		if strings.Count(got, text) != 1 {
			t.Errorf("%q is %d times in\n%s", text, strings.Count(got, text), got)
		}
	}
	if strings.Count(got, "value: -one -two\n")+strings.Count(got, "value: -two -one\n") != 1 {
		t.Errorf("the values are not joined once each in\n%s", got)
	}
}

// TestValidatingPolicyWarnsAndDenies checks both actions on a pod that lacks the sidecar.
func TestValidatingPolicyWarnsAndDenies(t *testing.T) {
	c := Start(t)
	c.Namespace(t, "shop", nil)
	injectors := readConfig(t, `{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, metadata: {name: log},
  spec: {containers: [{name: log, image: "log:1"}]}}`)
	good := injected(t, injectors, pod)
	for _, document := range documents(t, injectors, policy.Options{Validate: true, Actions: []string{"Warn"}}) {
		c.Apply(t, document)
	}
	warned := c.WaitFor(t, []byte(pod), func(a Answer) bool { return len(a.Warnings) > 0 })
	if !warned.Accepted() {
		t.Errorf("%d %s", warned.Code, warned.Body)
	}
	for _, document := range documents(t, injectors, policy.Options{Validate: true, Actions: []string{"Deny"}}) {
		c.Apply(t, document)
	}
	c.WaitFor(t, []byte(pod), func(a Answer) bool { return a.Code == 422 })
	if answer, err := c.DryRun([]byte(good)); err != nil || !answer.Accepted() {
		t.Errorf("the pod that Pillion injected is denied: %v %s", err, answer.Body)
	}
}

func readConfig(t *testing.T, text string) engine.Config {
	t.Helper()
	config, findings := engine.ReadConfig(finding.Source{Text: []byte(text)})
	if finding.HasError(findings) {
		t.Fatal(findings)
	}
	return config
}

// injected returns a manifest as Pillion writes it.
func injected(t *testing.T, config engine.Config, manifest string) string {
	t.Helper()
	result, isInjected := inject(t, config, manifest)
	if !isInjected {
		t.Fatalf("Pillion refuses %s", manifest)
	}
	return result
}

// inject returns a manifest as Pillion writes it, and whether Pillion does not refuse it.
func inject(t *testing.T, config engine.Config, manifest string) (string, bool) {
	t.Helper()
	result, err := engine.Apply(context.Background(), config, finding.Source{Text: []byte(manifest)})
	switch {
	case err != nil:
		t.Fatal(err)
	case result.Run.IsRefused():
		return "", false
	case result.Texts[0] == nil:
		return manifest, true
	}
	return string(result.Texts[0]), true
}

func withoutStamps(t *testing.T, manifest string) string {
	t.Helper()
	var object map[string]any
	if err := yaml.Unmarshal([]byte(manifest), &object); err != nil {
		t.Fatal(err)
	}
	metadata, _ := object["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	for key := range annotations {
		if strings.HasPrefix(key, stamp.Key("")) {
			delete(annotations, key)
		}
	}
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// documents returns the policies of a config, each with its binding.
func documents(t *testing.T, config engine.Config, options policy.Options) [][]byte {
	t.Helper()
	options.Minor, options.FailurePolicy, options.Digest = 36, "Fail", "0123456789abcdef"
	if options.Actions == nil {
		options.Actions = []string{"Deny"}
	}
	policies, findings := policy.New(config.Injectors(), options)
	if finding.HasError(findings) {
		t.Fatal(findings)
	}
	var all [][]byte
	for _, document := range resourcelist.Documents(string(policies.YAML())) {
		all = append(all, []byte(document))
	}
	return all
}

// probe is a pod that the policies of the tests change as soon as they are active.
const probe = `{apiVersion: v1, kind: Pod, metadata: {name: probe, namespace: shop, labels: {app: web}},
  spec: {containers: [{name: web, image: web}]}}`

// applyUntilActive waits until the policies change the probe.
func (c *Cluster) applyUntilActive(t *testing.T, policies [][]byte) {
	t.Helper()
	before := c.stored(t, probe)
	for _, policy := range policies {
		c.Apply(t, policy)
	}
	c.WaitFor(t, []byte(probe), func(a Answer) bool { return a.Accepted() && cleaned(t, a.Body) != before })
}

func (c *Cluster) deleteUntilGone(t *testing.T, policies [][]byte) {
	t.Helper()
	active := c.stored(t, probe)
	for _, policy := range policies {
		c.Delete(t, policy)
	}
	c.WaitFor(t, []byte(probe), func(a Answer) bool { return a.Accepted() && cleaned(t, a.Body) != active })
}

// stored returns a pod as the API server would store it, without what differs each time.
func (c *Cluster) stored(t *testing.T, manifest string) string {
	t.Helper()
	answer, err := c.DryRun([]byte(manifest))
	if err != nil || !answer.Accepted() {
		t.Fatalf("%v %s", err, answer.Body)
	}
	return cleaned(t, answer.Body)
}

var (
	tokenName  = regexp.MustCompile(`kube-api-access-[a-z0-9]+`)
	transition = regexp.MustCompile(`lastTransitionTime: .*`)
)

// sortEnv sorts the variables of containers. A policy puts those that use others behind all that do not; test/admission
// shows that their values are the same.
func sortEnv(value any) {
	switch value := value.(type) {
	case []any:
		for _, entry := range value {
			sortEnv(entry)
		}
	case map[string]any:
		for key, inside := range value {
			sortEnv(inside)
			if env, isList := inside.([]any); isList && key == "env" {
				slices.SortFunc(env, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
			}
		}
	}
}

func cleaned(t *testing.T, body []byte) string {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal(body, &object); err != nil {
		t.Fatal(err)
	}
	sortEnv(object)
	metadata, isMap := object["metadata"].(map[string]any)
	if !isMap {
		t.Fatalf("no metadata in %s", body)
	}
	for _, field := range []string{"uid", "creationTimestamp", "managedFields"} {
		delete(metadata, field)
	}
	annotations, _ := metadata["annotations"].(map[string]any)
	for key := range annotations {
		if strings.HasPrefix(key, stamp.Key("")) {
			delete(annotations, key)
		}
	}
	if len(annotations) == 0 {
		delete(metadata, "annotations")
	}
	spec, _ := object["spec"].(map[string]any)
	tokensLast(spec["volumes"])
	for _, list := range []string{"containers", "initContainers"} {
		containers, _ := spec[list].([]any)
		for _, container := range containers {
			tokensLast(container.(map[string]any)["volumeMounts"])
		}
	}
	text, err := yaml.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	text = transition.ReplaceAll(bytes.TrimSpace(text), []byte("lastTransitionTime: x"))
	return string(tokenName.ReplaceAll(text, []byte("kube-api-access-x")))
}

// tokensLast moves the token, which the API server adds before policies run, behind the other volumes or mounts.
func tokensLast(list any) {
	entries, _ := list.([]any)
	isToken := func(entry any) int {
		name, _ := entry.(map[string]any)["name"].(string)
		if tokenName.MatchString(name) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(entries, func(a, b any) int { return isToken(a) - isToken(b) })
}

func lines(text string) []string { return strings.Split(text, "\n") }

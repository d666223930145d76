package admission

import (
	"errors"
	"flag"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/admission/apiserver"
)

var (
	injectorSeeds = flag.Int64("injectors", 0, "the number of random configs in TestRandomInjectors; 0 takes a few")
	firstSeed     = flag.Int64("first", 0, "the first seed of TestRandomInjectors")
)

// podsForEachInjector is the number of random pods that a random config meets.
const podsForEachInjector = 8

// TestRandomInjectors compares Pillion and the policies of random configs on random pods. Many configs are not valid,
// or not exportable;
// -v counts the reasons.
func TestRandomInjectors(t *testing.T) {
	seeds := *injectorSeeds
	if seeds == 0 {
		seeds = 200
	}
	if testing.Short() && *injectorSeeds == 0 {
		seeds = 60
	}
	counts := tally{}
	const mostProblems = 20
	problems := 0
	for seed := *firstSeed; seed < *firstSeed+seeds && problems < mostProblems; seed++ {
		config := randomConfig(seed)
		subject, err := Compile(config, nil)
		var notExportable *NotExportableError
		switch {
		case errors.As(err, &notExportable):
			counts["configs: not exportable"]++
			for _, f := range notExportable.Findings {
				counts["reasons: "+reason(f.Message)]++
			}
			continue
		case err != nil && strings.HasPrefix(err.Error(), "config: "):
			counts["configs: not valid"]++
			counts["invalid: "+reason(err.Error())]++
			continue
		case err != nil:
			t.Errorf("config %d: %v\n%s", seed, err, config)
			problems++
			continue
		}
		counts["configs: compared"]++
		if found := compareRandomPods(t, subject, seed, config, counts); found != "" {
			problems++
			t.Errorf("config %d: %s\n%s", seed, found, config)
		}
	}
	counts.print(t)
}

// compareRandomPods returns the differences of the first pod that has any.
func compareRandomPods(t *testing.T, subject *Subject, seed int64, config string, counts tally) string {
	t.Helper()
	for i := range int64(podsForEachInjector) {
		manifest, namespace := randomPod(seed*podsForEachInjector + i)
		r := maker{rand.New(rand.NewSource(seed + i))}
		r.meet(manifest)
		if r.Intn(2) == 0 {
			namespace = apiserver.Namespace{Name: "shop", Labels: map[string]string{"team": "shop"}}
			manifest["metadata"].(object)["namespace"] = "shop"
		}
		if hasUnclearDefault(config, manifest) {
			counts["pods: left out"]++
			continue
		}
		comparison, err := subject.Compare(manifest, namespace)
		if err != nil {
			t.Fatal(err)
		}
		counts["pods: "+comparison.Outcome]++
		if len(comparison.Problems) > 0 {
			text, err := yaml.Marshal(manifest)
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprintf("pod %d: %s\n%s", i, strings.Join(comparison.Problems, "\n"), text)
		}
	}
	return ""
}

// reason returns a message without the names in it.
func reason(message string) string {
	message, _, _ = strings.Cut(message, "\n")
	parts := strings.Split(message, `"`)
	for i := 1; i < len(parts); i += 2 {
		parts[i] = "X"
	}
	message = strings.Join(parts, `"`)
	return message[:min(len(message), 160)]
}

// hasUnclearDefault reports whether variables refer to the app's default container, and a container of the pod has the
// name of one that an injector of a list declares. Policies do not count it as the app's, as documented.
func hasUnclearDefault(config string, manifest map[string]any) bool {
	specs := specsOf(config)
	if len(specs) < 2 || !strings.Contains(config, "${container.") {
		return false
	}
	pod, _ := manifest["spec"].(map[string]any)
	for _, spec := range specs {
		for _, declared := range slices.Concat(containersOf(spec, "containers"), containersOf(spec, "initContainers")) {
			isDeclared := func(own map[string]any) bool { return own["name"] == declared["name"] }
			if slices.ContainsFunc(containersOf(pod, "containers"), isDeclared) {
				return true
			}
		}
	}
	return false
}

// specsOf returns the specs of the injectors of a config.
func specsOf(config string) (specs []map[string]any) {
	var list struct {
		Items []struct {
			Spec map[string]any `json:"spec"`
		} `json:"items"`
	}
	if err := yaml.Unmarshal([]byte(config), &list); err != nil {
		panic(err)
	}
	for _, item := range list.Items {
		specs = append(specs, item.Spec)
	}
	return specs
}

func containersOf(spec map[string]any, field string) (containers []map[string]any) {
	list, _ := spec[field].([]any)
	for _, entry := range list {
		if container, isMap := entry.(map[string]any); isMap {
			containers = append(containers, container)
		}
	}
	return containers
}

type object = map[string]any

// meet adds to a random pod what random configs declare.
func (r maker) meet(manifest map[string]any) {
	metadata, spec := manifest["metadata"].(object), manifest["spec"].(object)
	if r.Intn(3) > 0 { // most pods have no marker
		if annotations, has := metadata["annotations"].(object); has {
			delete(annotations, "pillion.dev/inject")
			delete(annotations, "example.com/inject")
		}
	}
	r.addSome(metadata, "annotations", map[string][]any{
		"example.com/json": {`{"a":1}`, "x"},
	})
	if spec["hostNetwork"] == false {
		delete(spec, "hostNetwork") // set for Pillion, and not for the API server
	}
	if r.Intn(3) > 0 {
		metadata["labels"] = object{"app": pick(r, "web", "api"), "team": "shop", "tier": pick(r, "front", "middle"), "version": "2"}
	}
	containers := spec["containers"].([]any)
	if r.Intn(5) == 0 {
		name := pick(r, "log", "proxy", "agent")
		own := object{"name": name, "image": pick(r, "log:1", "proxy:1", "other")}
		r.optional(own, "env", r.env())
		r.optional(own, "ports", r.ports())
		at := r.Intn(len(containers) + 1)
		spec["containers"] = slices.Insert(slices.Clone(containers), at, any(own))
	}
	if r.Intn(8) == 0 {
		init, _ := spec["initContainers"].([]any)
		own := object{"name": pick(r, "setup", "log", "agent"), "image": pick(r, "setup:1", "log:1")}
		if !hasName(spec["containers"].([]any), own["name"]) {
			r.set(own, "restartPolicy", "Always")
			spec["initContainers"] = append(slices.Clone(init), any(own))
		}
	}
}

func hasName(list []any, name any) bool {
	return slices.ContainsFunc(list, func(e any) bool { return e.(object)["name"] == name })
}

// randomConfig returns a list of one to three injectors.
func randomConfig(seed int64) string {
	r := maker{rand.New(rand.NewSource(seed))}
	names := []string{"log", "env", "podspec", "mesh"}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	var items []any
	for i, name := range names[:pick(r, 1, 1, 2, 3)] {
		spec := r.injectorSpec()
		if i > 0 { // injectors do not share the names of containers
			for _, c := range slices.Concat(containersOf(spec, "containers"), containersOf(spec, "initContainers")) {
				c["name"] = fmt.Sprintf("%s-%d", c["name"], i)
			}
		}
		items = append(items, object{"metadata": object{"name": name}, "spec": spec})
	}
	text, err := yaml.Marshal(object{"apiVersion": "pillion.dev/v1alpha1", "kind": "SidecarInjectorList", "items": items})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// chance reports true one time in n.
func (r maker) chance(n int) bool { return r.Intn(n) == 0 }

func (r maker) injectorSpec() object {
	spec := object{}
	r.who(spec)
	names := []string{"log", "proxy", "helper", "agent", "setup"}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	if r.Intn(4) > 0 {
		var containers []any
		for _, name := range names[:1+r.Intn(2)] {
			containers = append(containers, r.sidecar(name))
		}
		spec["containers"] = containers
	}
	if r.chance(4) {
		init := r.sidecar(names[3])
		delete(init, "mode")
		if r.chance(2) {
			init["restartPolicy"] = "Always"
		} else {
			delete(init, "lifecycle")
		}
		spec["initContainers"] = []any{init}
	}
	if r.Intn(8) > 0 {
		volumes := []any{object{"name": "agent", "emptyDir": object{}}}
		if r.chance(3) {
			volumes = append(volumes, object{"name": "shared", "emptyDir": object{"medium": pick(r, "Memory", "")}})
		}
		if r.chance(3) {
			volumes = append(volumes, object{"name": "conf-of-web", "configMap": object{
				"name": pick(r, "web", "${pod.labels['app']:-web}", "${workload.namespace}-conf"), "optional": true,
			}})
		}
		spec["volumes"] = volumes
	}
	if r.chance(4) {
		spec["imagePullSecrets"] = pick(r, []any{object{"name": "registry"}}, []any{object{"name": "more"}, object{"name": "mine"}})
	}
	if r.chance(2) {
		spec["appContainers"] = r.appContainers()
	}
	if r.chance(4) {
		spec["podSpec"] = r.podSpec()
	}
	if r.chance(4) {
		spec["patchPodMetadata"] = r.patchMetadata()
	}
	if len(spec) == 0 || spec["containers"] == nil && spec["appContainers"] == nil && spec["podSpec"] == nil {
		spec["containers"] = []any{r.sidecar("log")}
	}
	r.conflicts(spec)
	return spec
}

func (r maker) who(spec object) {
	if r.chance(4) {
		spec["selector"] = pick(r,
			object{"matchLabels": object{"app": "web"}},
			object{"matchExpressions": []any{object{"key": "app", "operator": "In", "values": []any{"web", "api"}}}},
			object{"matchExpressions": []any{object{"key": "tier", "operator": "NotIn", "values": []any{"back", ""}}}},
			object{"matchExpressions": []any{object{"key": "team", "operator": "Exists"}}},
			object{"matchExpressions": []any{object{"key": "team", "operator": "DoesNotExist"}}, "matchLabels": object{"app": "api"}},
			object{})
	}
	if r.chance(6) {
		spec["neverInjectSelector"] = pick(r,
			[]any{object{"matchLabels": object{"app": "db"}}},
			[]any{object{"matchLabels": object{"app": "db", "tier": "back"}}, object{"matchExpressions": []any{
				object{"key": "team", "operator": "In", "values": []any{"other"}},
			}}})
	}
	if r.chance(6) {
		spec["namespaces"] = pick(r,
			object{"include": []any{"shop", "team-?"}}, object{"include": []any{"*"}, "exclude": []any{"team-b", "def*"}},
			object{"exclude": []any{"*-a"}}, object{"include": []any{"*", "kube-system"}}, object{"include": []any{"*o*", "t*m-a"}})
	}
	if r.chance(8) {
		spec["namespaceSelector"] = pick(r, object{"matchLabels": object{"team": "shop"}},
			object{"matchExpressions": []any{object{"key": "team", "operator": "NotIn", "values": []any{"other"}}}},
			object{"matchExpressions": []any{object{"key": "kubernetes.io/metadata.name", "operator": "In", "values": []any{"shop", "default"}}}})
	}
	if r.chance(6) {
		spec["marker"] = pick(r, "example.com/inject", "example.com/inject", "team")
	}
	if r.chance(10) {
		spec["policy"] = "Disabled"
	}
	if r.chance(5) {
		spec["jobs"] = pick(r, "Native", "Skip")
	}
	if r.chance(5) {
		spec["hostNetwork"] = pick(r, "Inject", "Skip")
	}
}

func (r maker) conflicts(spec object) {
	conflicts := object{}
	for _, field := range []string{"env", "mountPath"} {
		if r.Intn(3) > 0 {
			conflicts[field] = pick(r, "Error", "Keep", "Replace", "Replace")
		}
	}
	if len(conflicts) > 0 {
		spec["onConflict"] = conflicts
	}
}

// text returns a value, in a third of the cases one with variables.
func (r maker) text(plain ...string) string {
	if r.Intn(3) > 0 {
		return pick(r, plain...)
	}
	return pick(r, plain...) + pick(r, "${pod.labels['app']:-none}", "${workload.namespace}", "${pod.annotations['odd']:-}",
		"-${container.name}", "-${container.image}", ":${container.port:-80}", "${pod.annotations['note']:-x}", "$${HOME}",
		"${pod.labels['team']:-}",
		"${workload.namespace}.${pod.labels['tier']:-front}", "${container.port}")
}

func (r maker) sidecar(name string) object {
	c := object{"name": name, "image": r.image(name)}
	r.set(c, "mode", "Auto", "Native", "Container", "Container", "Container")
	r.set(c, "podInjectPolicy", "BeforeAppContainer", "AfterAppContainer")
	if c["mode"] == "Container" && r.chance(3) {
		others := slices.DeleteFunc([]string{"web", "helper", "init", "log", "missing"}, func(s string) bool { return s == name })
		c[pick(r, "before", "after")] = pick(r, others...)
	}
	if r.chance(3) {
		c["args"] = []any{r.text("serve"), r.text("--x")}
	}
	if r.chance(3) {
		c["env"] = r.payloadEnv(false)
	}
	if r.chance(4) {
		ports := []any{object{"containerPort": pick(r, 8080, 9000, 15001)}}
		r.set(ports[0].(object), "name", "http", "metrics")
		r.set(ports[0].(object), "protocol", "UDP", "TCP")
		if r.chance(3) {
			ports = append(ports, object{"containerPort": 9001, "name": "admin"})
		}
		c["ports"] = ports
	}
	if r.chance(3) {
		volume := pick(r, "agent", "agent", "agent", "agent", "agent", "data")
		c["volumeMounts"] = []any{object{"name": volume, "mountPath": pick(r, "/agent", "/x/"), "readOnly": r.chance(2)}}
	}
	if r.chance(6) {
		c["envFrom"] = []any{object{"configMapRef": object{"name": pick(r, "settings", "${pod.annotations['config']:-conf}"), "optional": true}}}
	}
	r.set(c, "resources", object{"limits": object{"cpu": "${pod.annotations['cpu']:-1}", "memory": "1Gi"}},
		object{"limits": object{"cpu": 1}, "requests": object{"cpu": "0.5"}}, object{"requests": object{"memory": "64Mi"}})
	r.set(c, "securityContext", object{"runAsUser": 0}, object{"privileged": false, "capabilities": object{"drop": []any{"ALL"}}},
		object{"seccompProfile": object{"type": "RuntimeDefault"}})
	r.set(c, "tty", true, false)
	r.set(c, "imagePullPolicy", "Always", "${pod.annotations['pull']:-IfNotPresent}")
	r.set(c, "workingDir", "/work", "/${workload.namespace}")
	r.set(c, "lifecycle", object{"preStop": object{"exec": object{"command": []any{r.text("stop")}}}})
	return c
}

func (r maker) image(name string) string {
	if r.chance(4) {
		return name + ":" + pick(r, "${pod.labels['version']:-1}", "1-${workload.namespace}", "${pod.annotations['note']:-1}")
	}
	return pick(r, name+":1", "log:1", name)
}

// payloadEnv returns variables, joined ones among them if they are for the app.
func (r maker) payloadEnv(isForApp bool) []any {
	names := []string{"A", "B", "C", "TWO", "OWN", "NEW"}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	var env []any
	for _, name := range names[:1+r.Intn(3)] {
		variable := object{"name": name}
		switch {
		case r.chance(6):
			variable["valueFrom"] = pick(r,
				object{"fieldRef": object{"fieldPath": "metadata.name"}},
				object{"fieldRef": object{"fieldPath": "metadata.labels['app']", "apiVersion": "v1"}},
				object{"secretKeyRef": object{"name": "s", "key": "k", "optional": true}},
				object{"resourceFieldRef": object{"resource": "limits.cpu", "divisor": pick[any](r, "1m", 1)}})
		case isForApp && r.chance(3):
			variable["join"] = map[string]any{"A": " ", "B": ",", "C": ":", "TWO": " ", "OWN": ",", "NEW": ":"}[name]
			variable["value"] = pick(r, "-agent", "x", "/agent", "y", "a b", "/agent/auto", "$(NEW)", "x$(A)")
			r.set(variable, "joinOrder", "Before", "After")
			if r.chance(3) {
				env = append(env, variable)
				variable = object{"name": name, "join": variable["join"], "value": pick(r, "second", "b", "/agent", "$(C)")}
			}
		default:
			variable["value"] = r.text("a", "x", "", "$(OWN)", "$(A)/$(B)", "replaced", "$$(A)", "2", "two words", "$(NEW)")
		}
		env = append(env, variable)
	}
	return env
}

func (r maker) appContainers() []any {
	var result []any
	for range 1 + r.Intn(2) {
		entry := object{}
		if r.chance(3) {
			entry["containers"] = pick(r, []any{"web"}, []any{"helper", "init"}, []any{"*"}, []any{"missing", "app"})
		}
		r.set(entry, "includeInit", true, true, false)
		r.set(entry, "envPosition", "Append", "Prepend")
		if r.Intn(3) > 0 {
			entry["env"] = r.payloadEnv(true)
		}
		if r.chance(4) {
			entry["envFrom"] = pick(r, []any{object{"configMapRef": object{"name": "settings"}}},
				[]any{object{"prefix": "P_", "secretRef": object{"name": "settings", "optional": true}}, object{"configMapRef": object{"name": "two"}}})
		}
		if r.chance(3) || entry["env"] == nil && entry["envFrom"] == nil {
			mount := object{"name": "agent", "mountPath": pick(r, "/agent", "/data/", "/conf", "/more")}
			r.set(mount, "readOnly", true) // false is no difference to the API server, as documented
			r.set(mount, "subPath", "data", "${pod.labels['app']:-x}", "${container.name}")
			r.set(mount, "subPathExpr", "$(OWN)")
			entry["volumeMounts"] = []any{mount}
		}
		result = append(result, entry)
	}
	return result
}

func (r maker) podSpec() object {
	spec := object{}
	r.set(spec, "hostname", "payload", "h-${workload.namespace}", "${pod.annotations['note']:-h}")
	r.set(spec, "nodeSelector", object{"disk": "ssd"}, object{"disk": "${pod.labels['tier']:-hdd}", "zone": "a"},
		object{"example.com/a.b": "c"})
	r.set(spec, "securityContext", object{"fsGroup": 2000}, object{"runAsNonRoot": true, "fsGroupChangePolicy": "OnRootMismatch"},
		object{"supplementalGroups": []any{3000, 1}}, object{"seccompProfile": object{"type": "RuntimeDefault"}, "runAsUser": 1},
		object{"sysctls": []any{object{"name": "kernel.shm_rmid_forced", "value": "1"}}})
	r.set(spec, "shareProcessNamespace", true, false)
	r.set(spec, "hostPID", true)
	r.set(spec, "runtimeClassName", "gvisor")
	r.set(spec, "activeDeadlineSeconds", 60)
	r.set(spec, "subdomain", "sub", "${pod.labels['app']:-none}")
	r.set(spec, "setHostnameAsFQDN", true, false)
	r.set(spec, "schedulingGates", []any{object{"name": "example.com/gate"}, object{"name": "example.com/two"}})
	r.set(spec, "topologySpreadConstraints",
		[]any{object{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway"}},
		[]any{object{
			"maxSkew": 1, "topologyKey": "host", "whenUnsatisfiable": "DoNotSchedule",
			"labelSelector": object{"matchLabels": object{"app": "web"}},
		}})
	r.set(spec, "dnsConfig", object{"options": []any{object{"name": "ndots", "value": "2"}, object{"name": "rotate"}}},
		object{"searches": []any{"local", "more"}, "nameservers": []any{"10.0.0.11", "10.0.0.12"}})
	r.set(spec, "resourceClaims", []any{object{"name": "gpu", "resourceClaimTemplateName": "gpu"}})
	r.set(spec, "affinity", r.affinityPayload())
	r.set(spec, "overhead", object{"cpu": "1m"})
	r.set(spec, "os", object{"name": "linux"})
	r.set(spec, "hostNetwork", true, false)
	if len(spec) == 0 {
		spec["hostname"] = "only"
	}
	return spec
}

func (r maker) affinityPayload() object {
	return pick(r, object{},
		object{"nodeAffinity": object{"requiredDuringSchedulingIgnoredDuringExecution": object{"nodeSelectorTerms": []any{
			object{"matchExpressions": []any{object{"key": "arch", "operator": "In", "values": []any{"amd64"}}}},
		}}}})
}

func (r maker) patchMetadata() []any {
	var result []any
	labels := object{}
	r.set(labels, "injected", "yes", "${workload.namespace}")
	r.set(labels, "version", "1", "3")
	r.set(labels, "example.com/a", "b")
	annotations := object{}
	r.set(annotations, "note", "new", "${pod.labels['app']:-none} ${container.name}", "two\nlines")
	r.set(annotations, "example.com/x_y", "z", "")
	r.set(annotations, "example.com/inject", "true")
	r.set(annotations, "kubectl.kubernetes.io/default-container", "web", "log")
	if len(labels) > 0 {
		entry := object{"labels": labels}
		r.set(entry, "patchPolicy", "Overwrite", "Retain")
		result = append(result, entry)
	}
	if len(annotations) == 0 && len(labels) == 0 {
		annotations["example.com/only"] = "x"
	}
	if len(annotations) > 0 {
		entry := object{"annotations": annotations}
		r.set(entry, "patchPolicy", "Overwrite", "Retain")
		result = append(result, entry)
	}
	return result
}

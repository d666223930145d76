package admission

import (
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/admission/apiserver"
	"pillion.dev/pillion/test/source"
)

// podsForEachConfig returns the number of random pods that each config is compared on, each as it is and with what
// plugins add.
func podsForEachConfig() int64 {
	if testing.Short() {
		return 40
	}
	return 100
}

// TestRandomPods compares Pillion and the policies of the configs in testdata/configs on random pods.
func TestRandomPods(t *testing.T) {
	counts := tally{}
	for _, s := range loaded(t, source.Configs) {
		name := s.Name
		t.Run(name, func(t *testing.T) {
			subject, err := Compile(s.Config, nil)
			var notExportable *NotExportableError
			if errors.As(err, &notExportable) {
				counts["configs: not exportable: "+name+": "+strings.Join(notExportable.Fields(), ", ")]++
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			counts["configs: compared"]++
			checkRandomPods(t, subject, counts)
		})
	}
	counts.print(t)
}

// checkRandomPods reports a few of the differences: many pods have the same one.
func checkRandomPods(t *testing.T, subject *Subject, counts tally) {
	t.Helper()
	const mostProblems = 3
	problems, injected := 0, int64(0)
	defer func() {
		if !t.Failed() && injected < podsForEachConfig()/40 {
			t.Errorf("only %d pods of %d are injected, which proves little", injected, podsForEachConfig())
		}
	}()
	for seed := range podsForEachConfig() {
		manifest, namespace := randomPod(seed)
		comparison, err := subject.Compare(manifest, namespace)
		if err != nil {
			t.Fatal(err)
		}
		counts["pods: compared"]++
		counts["pods: "+comparison.Outcome]++
		if comparison.Outcome == "injected" {
			injected++
		}
		if len(comparison.Problems) == 0 {
			continue
		}
		counts["pods: with differences"]++
		problems++
		if problems <= mostProblems {
			text, err := yaml.Marshal(manifest)
			if err != nil {
				t.Fatal(err)
			}
			t.Errorf("pod %d: %s\n%s", seed, strings.Join(comparison.Problems, "\n"), text)
		}
	}
}

// randomPod returns a pod whose names and values meet those of the configs, with absent and empty lists and mappings.
func randomPod(seed int64) (map[string]any, apiserver.Namespace) {
	r := maker{rand.New(rand.NewSource(seed))}
	namespace := r.namespace()
	metadata := map[string]any{"name": "web", "namespace": namespace.Name}
	r.optional(metadata, "labels", r.texts(map[string][]any{
		"app": {"web", "api", "db"}, "tier": {"back", "front"}, "team": {"shop", "other"},
	}))
	r.optional(metadata, "annotations", r.texts(map[string][]any{
		"note": {"old", "two\nlines", ""}, "example.com/inject": {"true", "false", "log"},
		"pillion.dev/inject": {"true", "false", "log,env", "podspec"}, "main": {"web", "init", "helper", "nobody"},
	}))
	spec := map[string]any{"containers": r.containers("web", "helper", "app")}
	r.optional(spec, "initContainers", r.containers("init", "migrate")[r.Intn(2):])
	r.moveToInit(spec)
	r.optional(spec, "volumes", r.volumes(spec))
	r.optional(spec, "imagePullSecrets", r.some(map[string]any{"name": "registry"}, map[string]any{"name": "mine"}))
	r.optional(spec, "nodeSelector", r.texts(map[string][]any{"disk": {"hdd", "ssd"}, "arch": {"arm"}}))
	r.optional(spec, "securityContext", r.values(map[string][]any{"fsGroup": {0, 2000}, "runAsNonRoot": {true, false}, "runAsUser": {1}}))
	r.set(spec, "restartPolicy", "Always", "OnFailure", "Never", "")
	r.set(spec, "hostNetwork", true, false)
	r.set(spec, "shareProcessNamespace", false, true)
	r.set(spec, "hostname", "mine")
	r.set(spec, "automountServiceAccountToken", false, true)
	r.set(spec, "serviceAccountName", "web")
	r.podSpecLists(spec)
	r.addValues(metadata)
	return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}, namespace
}

// maker makes parts of random pods. The same seed makes the same ones.
type maker struct{ *rand.Rand }

func (r maker) namespace() apiserver.Namespace {
	name := pick(r, "shop", "shop", "team-a", "team-b", "default", "kube-system")
	namespace := apiserver.Namespace{Name: name}
	if r.Intn(2) == 0 {
		namespace.Labels = map[string]string{"team": pick(r, "shop", "other")}
	}
	return namespace
}

func pick[T any](r maker, choices ...T) T { return choices[r.Intn(len(choices))] }

// optional sets a field to a value, to an empty one, or not.
func (r maker) optional(object map[string]any, field string, value any) {
	switch r.Intn(4) {
	case 0:
	case 1:
		if _, isList := value.([]any); isList {
			object[field] = []any{}
		} else {
			object[field] = map[string]any{}
		}
	default:
		object[field] = value
	}
}

// set sets a field to one of the values, one time in four.
func (r maker) set(object map[string]any, field string, values ...any) {
	if r.Intn(4) == 0 {
		object[field] = pick(r, values...)
	}
}

// texts and values return a mapping with some of the keys, each with one of its values.
func (r maker) texts(choices map[string][]any) map[string]any { return r.values(choices) }

func (r maker) values(choices map[string][]any) map[string]any {
	result := map[string]any{}
	for _, key := range sortedKeys(choices) {
		if r.Intn(2) == 0 {
			result[key] = pick(r, choices[key]...)
		}
	}
	return result
}

func (r maker) some(entries ...any) []any {
	var result []any
	for _, entry := range entries {
		if r.Intn(2) == 0 {
			result = append(result, entry)
		}
	}
	return result
}

// containers returns at least one container with one of the names.
func (r maker) containers(names ...string) []any {
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	var containers []any
	for _, name := range names[:1+r.Intn(len(names))] {
		if r.Intn(6) == 0 {
			containers = append(containers, r.declared(name))
			continue
		}
		container := map[string]any{"name": name, "image": pick(r, "web:1", "web", "log:1")}
		r.optional(container, "env", r.env())
		r.optional(container, "envFrom", r.some(map[string]any{"configMapRef": map[string]any{"name": "settings"}},
			map[string]any{"prefix": "P_", "secretRef": map[string]any{"name": "settings"}}))
		r.optional(container, "ports", r.ports())
		r.optional(container, "volumeMounts", r.mounts())
		r.optional(container, "resources", map[string]any{"limits": map[string]any{"cpu": pick[any](r, 1, "0.5", "100m"), "memory": "1024Mi"}})
		if strings.HasPrefix(name, "init") {
			r.set(container, "restartPolicy", "Always")
		}
		r.optional(container, "securityContext", r.values(map[string][]any{"runAsUser": {0, 5}, "privileged": {false}}))
		containers = append(containers, container)
	}
	return containers
}

// declared returns a container that is declared in configs, or has a little more.
func (r maker) declared(name string) map[string]any {
	container := map[string]any{"name": name, "image": "log:1"}
	r.set(container, "ports", []any{map[string]any{"containerPort": 8080}, map[string]any{"containerPort": 9000, "name": "http"}})
	r.set(container, "env", []any{map[string]any{"name": "B", "value": "mine"}}, []any{map[string]any{"name": "A", "value": "a"}})
	r.set(container, "tty", true)
	r.set(container, "imagePullPolicy", "Always")
	return container
}

// moveToInit makes an init container of the last of several containers, in a few pods.
func (r maker) moveToInit(spec map[string]any) {
	containers := spec["containers"].([]any)
	if last := len(containers) - 1; last > 0 && r.Intn(6) == 0 {
		init, _ := spec["initContainers"].([]any)
		spec["initContainers"], spec["containers"] = append(init, containers[last]), containers[:last]
	}
}

func (r maker) env() []any {
	names := []string{"A", "B", "C", "TWO", "OWN"}
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	var env []any
	for _, name := range names[:r.Intn(len(names)+1)] {
		variable := map[string]any{"name": name}
		switch r.Intn(7) {
		case 0:
			variable["valueFrom"] = map[string]any{"fieldRef": map[string]any{"fieldPath": "metadata.name"}}
		case 1:
			variable["valueFrom"] = map[string]any{"secretKeyRef": map[string]any{"name": "s", "key": "k", "optional": false}}
		case 2: // no value
		case 3:
			ref := map[string]any{"resource": "limits.cpu"}
			r.set(ref, "containerName", "web")
			r.set(ref, "divisor", "1m", 1)
			variable["valueFrom"] = map[string]any{"resourceFieldRef": ref}
		default:
			variable["value"] = pick(r, "", "a", "x", "x,y", "-agent", "a -agent b", "/agent", "/lib:/agent", "$(OWN)", "$(A)/b",
				"$$(A)", "2", "replaced", "b -agent", "a", "z,x", "/agent/auto:/lib", "b c")
		}
		env = append(env, variable)
	}
	if len(env) > 0 && r.Intn(6) == 0 { // Kubernetes accepts two variables of a name, and uses the last
		env = append(env, map[string]any{"name": pick(r, names[:len(env)]...), "value": pick(r, "a", "replaced", "$(B)")})
	}
	return env
}

func (r maker) mounts() []any {
	data := map[string]any{"name": "data", "mountPath": pick(r, "/agent", "/data", "/agent/", "/agent/")}
	r.set(data, "readOnly", true)
	r.set(data, "subPath", "data")
	return r.some(data, map[string]any{"name": "conf-of-web", "mountPath": "/conf", "readOnly": true},
		map[string]any{"name": "data", "mountPath": tokenPath}, map[string]any{"name": "agent", "mountPath": "/more"})
}

func (r maker) ports() []any {
	var ports []any
	for i := range r.Intn(3) {
		port := map[string]any{"containerPort": pick(r, 8080, 8081, 9000, 9001) + 10*i}
		r.set(port, "protocol", "TCP", "UDP")
		r.set(port, "name", fmt.Sprintf("http%d", i), "http", "metrics")
		ports = append(ports, port)
	}
	return ports
}

// volumes returns the volumes that containers may mount, with some of other names.
func (r maker) volumes(map[string]any) []any {
	return append([]any{
		map[string]any{"name": "data", "emptyDir": map[string]any{}},
		map[string]any{"name": "conf-of-web", "configMap": map[string]any{"name": pick(r, "web", "log")}},
	}, r.some(map[string]any{"name": "agent", "emptyDir": map[string]any{}},
		map[string]any{"name": "shared", "emptyDir": map[string]any{"medium": "Memory"}})...)
}

func sortedKeys(m map[string][]any) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

package learn_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/edge/command"
)

var randomFleets = flag.Int("random-fleets", 40, "the number of fleets in TestRandomFleets")

// secretOf is what the credentials of random fleets contain.
const secretOf = "hunter2"

// webhook is how a random webhook changes pods. It knows nothing about injectors.
type webhook struct {
	maker
	isHard  bool // some values follow no rule
	changes []func(r webhook, pod object, name, namespace string)
}

func newWebhook(r maker) webhook {
	w := webhook{maker: r, isHard: r.is(50)}
	all := []func(r webhook, pod object, name, namespace string){
		webhook.addProxy, webhook.addInit, webhook.addMetadata, webhook.addAppVariables, webhook.addVolumes,
		webhook.addSecrets, webhook.addByRole,
	}
	for _, change := range all {
		if r.is(60) {
			w.changes = append(w.changes, change)
		}
	}
	w.changes = append(w.changes, webhook.addProxy)
	return w
}

// value returns one of the texts in which webhooks put what they know about a pod.
func (w webhook) values(pod object, name, namespace string) []string {
	labels := pod["metadata"].(object)["labels"].(object)
	var ports []string
	for _, c := range pod["spec"].(object)["containers"].([]any) {
		declared, _ := c.(object)["ports"].([]any)
		for _, port := range declared {
			ports = append(ports, fmt.Sprint(port.(object)["containerPort"]))
		}
	}
	values := []string{
		"constant", name, namespace, name + "." + namespace + ".svc", "team/" + fmt.Sprint(labels["team"]),
		fmt.Sprintf(`{"imagePullSecrets":null,"app":%q}`, name), "echo ${HOME} $(X)",
	}
	if w.isHard {
		values = append(values, strings.Join(ports, ","), base64.StdEncoding.EncodeToString([]byte(name)))
	}
	return values
}

func (w webhook) addProxy(pod object, name, namespace string) {
	spec := pod["spec"].(object)
	var env []any
	for i, value := range w.values(pod, name, namespace) {
		env = append(env, object{"name": fmt.Sprintf("V%d", i), "value": value})
	}
	containers := spec["containers"].([]any)
	first := containers[0].(object)["name"]
	if !slices.ContainsFunc(containers, func(c any) bool { return c.(object)["name"] == "proxy" }) {
		spec["containers"] = append(slices.Clone(containers), object{
			"name": "proxy", "image": "proxy:1", "env": env, "args": []any{"--for", first, "--level=info"},
			"ports": []any{object{"containerPort": 15020, "name": "status-port"}},
		})
	}
}

func (w webhook) addInit(pod object, name, _ string) {
	add(pod["spec"].(object), "initContainers", object{"name": "setup", "image": "setup:1", "args": []any{"-p", "15001", "-n", name}})
}

func (w webhook) addMetadata(pod object, name, namespace string) {
	metadata := pod["metadata"].(object)
	first := pod["spec"].(object)["containers"].([]any)[0].(object)["name"]
	metadata["labels"].(object)["mesh.example.com/name"] = name
	metadata["annotations"].(object)["mesh.example.com/status"] = fmt.Sprintf(`{"ns":%q,"imagePullSecrets":null}`, namespace)
	if w.isHard {
		metadata["annotations"].(object)["kubectl.kubernetes.io/default-container"] = first
	}
}

func (w webhook) addAppVariables(pod object, name, _ string) {
	for i, c := range pod["spec"].(object)["containers"].([]any) {
		if c.(object)["name"] != "proxy" {
			add(c.(object), "env", object{"name": "MESH", "value": "on"}, object{"name": "MESH_NAME", "value": name})
			if w.isHard {
				add(c.(object), "env", object{"name": "MESH_INDEX", "value": fmt.Sprint(i)})
			}
		}
	}
}

func (w webhook) addVolumes(pod object, name, _ string) {
	own := name + "-own"
	if w.isHard {
		own = hex.EncodeToString([]byte(name))
	}
	add(pod["spec"].(object), "volumes", object{"name": "run", "emptyDir": object{}},
		object{"name": "conf", "configMap": object{"name": name + "-mesh"}},
		object{"name": "own", "secret": object{"secretName": own}})
	for _, c := range pod["spec"].(object)["containers"].([]any) {
		if c.(object)["name"] == "proxy" {
			add(c.(object), "volumeMounts", object{"name": "run", "mountPath": "/run"}, object{"name": "own", "mountPath": "/own"})
		}
	}
}

func (w webhook) addSecrets(pod object, name, _ string) {
	for _, c := range pod["spec"].(object)["containers"].([]any) {
		if c.(object)["name"] == "proxy" {
			add(c.(object), "env", object{"name": "DB_PASS", "value": secretOf}, object{"name": "OWN_TOKEN", "value": secretOf + name},
				object{"name": "CONF", "value": fmt.Sprintf(`{"password":%q,"level":"info"}`, secretOf)})
			add(c.(object), "args", "--password="+secretOf)
		}
	}
}

// addByRole adds what depends on an annotation of the pod, as Vault's agent does.
func (w webhook) addByRole(pod object, _, _ string) {
	role := fmt.Sprint(pod["metadata"].(object)["annotations"].(object)["example.com/owner"])
	env := []any{object{"name": "ROLE", "value": role}}
	if w.isHard {
		env = append(env, object{"name": "CONFIG", "value": base64.StdEncoding.EncodeToString([]byte(`{"role":"` + role + `"}`))})
	}
	add(pod["spec"].(object), "initContainers", object{"name": "agent", "image": "agent:1", "env": env})
}

// odd changes what a webhook has made of a pod in a way that no other pod has.
func (w webhook) odd(pod object) {
	spec, metadata := pod["spec"].(object), pod["metadata"].(object)
	containers := spec["containers"].([]any)
	last := containers[len(containers)-1].(object)
	switch w.Intn(11) {
	case 10:
		add(containers[0].(object), "env", object{"name": "APP_PASSWORD", "value": secretOf + "new"})
	case 0:
		last["image"] = "proxy:2"
	case 1:
		last["args"] = []any{"--other"}
	case 2:
		delete(last, "env")
	case 3:
		last["ports"] = []any{object{"containerPort": 15021, "name": "statusPort"}}
	case 4:
		metadata["labels"].(object)["odd"] = "yes"
	case 5:
		spec["containers"] = slices.Insert(slices.Clone(containers), 0, any(object{"name": "extra", "image": "extra:1"}))
	case 6:
		delete(spec, "volumes")
	case 7:
		containers[0].(object)["image"] = "changed:1"
	case 8:
		add(last, "env", object{"name": "ODD_SECRET", "value": secretOf + "odd"})
	default:
		spec["containers"] = containers[:max(1, len(containers)-1)]
	}
}

func cloned(value object) (copied object) {
	if err := json.Unmarshal([]byte(textOf(value)), &copied); err != nil {
		panic(err)
	}
	return copied
}

// randomFleet returns workloads before and after a random webhook changed their pods, most of them in the same way.
func randomFleet(seed int64) (before, after []string) {
	r := maker{rand.New(rand.NewSource(seed))}
	pods := r.fleet(1 + r.Intn(30))
	w := newWebhook(r)
	odd, isSelective := r.Intn(len(pods)), r.is(30)
	for i, p := range pods {
		changed := cloned(p)
		before = append(before, textOf(p))
		meta := p["metadata"].(object)
		isSelected := !isSelective || metadata(p, "labels")["team"] == "red"
		for _, change := range w.changes {
			if isSelected {
				change(w, template(changed), meta["name"].(string), meta["namespace"].(string))
			}
		}
		if i == odd && r.is(70) {
			w.odd(template(changed))
		}
		after = append(after, textOf(changed))
	}
	return before, after
}

// TestRandomFleets learns from random fleets that random webhooks changed. Whatever is written is valid, and injected
// into the pods from before it gives those from after, or each difference is listed with its pod. Learn --check exits
// with 0 only if there is none, and shows no credential unless it may.
func TestRandomFleets(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long")
	}
	equal, written := 0, 0
	for seed := range int64(*randomFleets) {
		before, after := randomFleet(seed)
		for _, keepsSecrets := range []bool{false, true} {
			differing, isWritten := checkFleet(t, seed, before, after, keepsSecrets)
			if isWritten {
				written++
			}
			if isWritten && differing == 0 {
				equal++
			}
		}
	}
	t.Logf("%d configs were written from %d fleets, and %d of them give all pods", written, 2**randomFleets, equal)
	if written < *randomFleets || equal == 0 {
		t.Error("too little was learned to prove something")
	}
}

// checkFleet returns how many pods differ, and whether something was learned.
func checkFleet(t *testing.T, seed int64, before, after []string, keepsSecrets bool) (differing int, isWritten bool) {
	t.Helper()
	code, out, said := runLearn(t, before, after, keepsSecrets)
	if text := out + said; !keepsSecrets && strings.Contains(text, secretOf) {
		t.Errorf("seed %d: a credential is shown:\n%s", seed, text)
	}
	if out == "" {
		if code == 0 {
			t.Errorf("seed %d: the exit code is 0, and nothing was written: %s", seed, said)
		}
		return 0, false
	}
	config, findings := engine.ReadConfig(finding.Source{Text: []byte(out)})
	if finding.HasError(findings) {
		t.Errorf("seed %d: what was written is not valid: %v\n%s", seed, findings, out)
		return 0, true
	}
	listed, isHidden := listedDifferences(t, before, after, keepsSecrets)
	got := injectedEach(t, config, before)
	for i := range before {
		wanted := sorted(after[i])
		isEqual := got[i] != "" && reflect.DeepEqual(wanted, asWanted(sorted(got[i]), wanted))
		if !isEqual {
			differing++
		}
		if isListed := listed[i]; isEqual && isListed || !isEqual && !isListed && !isHidden {
			t.Errorf("seed %d: pod %d comes out equal: %t, and is listed: %t\n%s\n%s", seed, i, isEqual, isListed, out, said)
		}
	}
	if (code == 0) != (differing == 0) {
		t.Errorf("seed %d: the exit code is %d, and %d pods differ\n%s", seed, code, differing, said)
	}
	return differing, true
}

// injectedEach returns manifests after an injection, or nothing for those that are refused.
func injectedEach(t *testing.T, config engine.Config, items []string) []string {
	t.Helper()
	sources := make([]finding.Source, len(items))
	for i, item := range items {
		sources[i].Text = []byte(item)
	}
	result, err := engine.Apply(context.Background(), config.KeepingGoing(), sources...)
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Clone(items)
	for i, text := range result.Texts {
		if text != nil {
			all[i] = string(text)
		}
	}
	for _, w := range result.Run.Workloads {
		if finding.HasError(w.Findings()) {
			all[w.Index] = ""
		}
	}
	return all
}

// comparable removes from an object what Pillion adds for kubectl if it is not wanted, and what is empty.
func asWanted(got, wanted object) object {
	const forKubectl = "kubectl.kubernetes.io/default-container"
	annotations, _ := template(got)["metadata"].(object)["annotations"].(object)
	if wants, _ := template(wanted)["metadata"].(object)["annotations"].(object); wants[forKubectl] == nil {
		delete(annotations, forKubectl)
	}
	return got
}

// listedDifferences returns for each pod whether it is said to differ, and whether a credential is hidden. Each path of
// it is in a finding.
func listedDifferences(t *testing.T, before, after []string, keepsSecrets bool) (listed []bool, isHidden bool) {
	t.Helper()
	learned := mustLearn(t, strings.Join(before, "\n---\n"), strings.Join(after, "\n---\n"), keepsSecrets)
	byPath := map[string]finding.Finding{}
	for _, f := range learned.Findings {
		if f.Code == finding.NotLearned {
			byPath[f.Field.Path] = f
		}
	}
	isHidden = slices.ContainsFunc(learned.Findings, func(f finding.Finding) bool { return f.Code == finding.CredentialHidden })
	listed = make([]bool, len(learned.Checks))
	for i, c := range learned.Checks {
		listed[i] = !c.IsEqual()
		for _, d := range c.Differences {
			f, isKnown := byPath[d.Path()]
			names := f.Message
			if f.Object != nil {
				names += " " + f.Object.String()
			}
			isNamed := strings.Contains(names, c.Pair.Object.String()) || strings.Contains(names, "...")
			if !isKnown || !isNamed {
				t.Errorf("%s: %s has no finding", c.Pair.Object, d.Path())
			}
		}
	}
	return listed, isHidden
}

// runLearn runs the command with --check.
func runLearn(t *testing.T, before, after []string, keepsSecrets bool) (code int, out, said string) {
	t.Helper()
	arguments := []string{"learn", "--check"}
	if keepsSecrets {
		arguments = append(arguments, "--keep-secrets")
	}
	for i, side := range [][]string{before, after} {
		path := filepath.Join(t.TempDir(), fmt.Sprintf("%d.yaml", i))
		if err := os.WriteFile(path, []byte(strings.Join(side, "\n---\n")), 0o600); err != nil {
			t.Fatal(err)
		}
		arguments = append(arguments, path)
	}
	var stdout, stderr bytes.Buffer
	code = command.Run(arguments, strings.NewReader(""), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

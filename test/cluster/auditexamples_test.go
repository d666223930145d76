package cluster

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/audit"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/test/resourcelist"
	"pillion.dev/pillion/test/source"
)

// TestEveryInjectedPodIsCurrent injects the configs of the repository into their manifests, and audits the pods that
// the API server returns for them: with its defaults, and with what its plugins add.
func TestEveryInjectedPodIsCurrent(t *testing.T) {
	c := Start(t, "--disable-admission-plugins", lookups, "--allow-privileged")
	known := map[string]bool{"default": true} // namespaces
	for _, set := range []struct {
		name    string
		sources []source.Source
		current int // at least so many pods are
	}{
		{"examples", load(t, source.Examples), 25},
		{"presets", load(t, source.Presets), 20},
		{"cases", load(t, source.Cases), 200},
	} {
		t.Run(set.name, func(t *testing.T) {
			a := exampleAudit{store: func(pod []byte) ([]byte, bool) {
				if namespace := parsed(t, string(pod)).namespace(); !known[namespace] {
					c.Namespace(t, namespace, nil)
					known[namespace] = true
				}
				answer, err := c.DryRun(pod)
				if err != nil {
					t.Fatal(err)
				}
				return answer.Body, answer.Accepted()
			}}
			for _, s := range set.sources {
				a.check(t, s)
			}
			t.Logf("%d pods are current, and %d are refused by the API server", a.current, a.refused)
			if a.current < set.current {
				t.Errorf("%d pods are current, want at least %d", a.current, set.current)
			}
		})
	}
}

// TestEveryInjectedPodIsCurrentAsWritten audits the pods without an API server, so that it runs everywhere.
func TestEveryInjectedPodIsCurrentAsWritten(t *testing.T) {
	a := exampleAudit{store: func(pod []byte) ([]byte, bool) { return pod, true }}
	for _, s := range slices.Concat(load(t, source.Examples), load(t, source.Presets), load(t, source.Cases)) {
		a.check(t, s)
	}
	if a.current < 350 {
		t.Errorf("%d pods are current, want at least 350", a.current)
	}
}

// notAudited are beginnings of the names of sources whose pods are not current, and why.
var notAudited = []string{
	"generate-name",          // a running Job has another name than its manifest, see docs/how-to/audit.md
	"repeated-key-namespace", // a cluster prints no such Namespace
	"variables",              // some have no namespace in their file, which each pod has
	"renamed-object",         // the object of another name is a file
	"alias-user",             // has a pod that is not in a pod template
	"marker-null",            // the API server turns the marker into an empty one
	"kinds-other-pods",       // has pods at places that their kinds do not have
	"no-containers",          // these four have no container except the sidecar
	"resources-no-app",
	"undo-leaves-spec",
	"container-variables-default",
	"kept-in-merge", // null is a value in files, and nothing in pods
}

// exampleAudit counts the pods of sources that are current.
type exampleAudit struct {
	store            func(pod []byte) (body []byte, isAccepted bool)
	current, refused int
}

// check injects a config into its manifests, and audits the pods of the workloads that it changes.
func (a *exampleAudit) check(t *testing.T, s source.Source) {
	t.Helper()
	config, findings := engine.ReadConfig(finding.Source{Text: []byte(s.Config)})
	if finding.HasError(findings) || slices.ContainsFunc(notAudited, func(name string) bool { return strings.HasPrefix(s.Name, name) }) {
		return
	}
	texts := make([]finding.Source, len(s.Items))
	for i, item := range s.Items {
		texts[i].Text = []byte(item)
		stream, err := manifest.Read(texts[i].Text)
		if err != nil || len(stream.Items) != 1 || yaml.Unmarshal(texts[i].Text, &stored{}) != nil {
			return // a mistake, or a list, whose items have indexes of their own
		}
	}
	result, err := engine.Apply(context.Background(), config.KeepingGoing(), texts...)
	if err != nil {
		t.Fatal(err)
	}
	if finding.HasError(result.Run.General) {
		return
	}
	for i := range result.Run.Workloads {
		w := result.Run.Workloads[i]
		text := string(result.Texts[w.Index])
		if text == "" {
			text = s.Items[w.Index]
		}
		if documents := resourcelist.Documents(text); len(documents) == 1 && !w.Failed() {
			a.audit(t, s, w, config, documents[0])
		}
	}
}

// audit audits the pods of a workload, and reports those that should be current and are not.
func (a *exampleAudit) audit(t *testing.T, s source.Source, w *outcome.Workload, config engine.Config, document string) {
	t.Helper()
	want := map[string]bool{} // the injectors that the pods are current under
	for _, o := range w.Outcomes {
		if o.HasSidecar && slices.Contains([]decision.Decision{decision.Injected, decision.Updated, decision.Unchanged}, o.Decision) {
			want[o.Injector] = true
		}
	}
	workload := parsed(t, document)
	if workload.at("metadata")["namespace"] == nil {
		workload.at("metadata")["namespace"] = defaultNamespace(config)
	}
	pods := a.podsOf(t, workload)
	if len(want) == 0 || len(pods) == 0 {
		return
	}
	text := strings.Join(append(pods, othersOf(t, s, workload)...), "\n---\n")
	stream, err := manifest.Read([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", s.Name, err)
	}
	found, err := audit.Run(t.Context(), config, stream.Items)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range found.Rows {
		if !isPodOf(workload, row.Pod) || !want[row.Injector] {
			continue
		}
		if row.State != audit.Current {
			t.Errorf("%s: %s %s under %s is %s %s: %s %+v",
				s.Name, w.Object.Kind, w.Object.Name, row.Injector, row.State, row.Reason, row.Message, row.Fields)
			continue
		}
		a.current++
	}
}

// othersOf returns the namespaces of a source, and the workload unless it is a pod.
func othersOf(t *testing.T, s source.Source, workload stored) []string {
	t.Helper()
	others := slices.DeleteFunc(slices.Clone(s.Items), func(item string) bool { return parsed(t, item).kind() != "Namespace" })
	if workload.kind() != "Pod" {
		others = append(others, string(workload.json(t)))
	}
	return others
}

// defaultNamespace returns the namespace of manifests without one.
func defaultNamespace(config engine.Config) string {
	for _, in := range config.Injectors() {
		if in.Spec.DefaultNamespace != "" {
			return in.Spec.DefaultNamespace
		}
	}
	return "default"
}

// podSuffix ends the names that controllers give pods.
const podSuffix = "-x2x4z"

func isPodOf(workload stored, pod string) bool {
	return strings.HasSuffix(pod, podSuffix) || workload.kind() == "Pod" && pod == workload.name()
}

// podsOf returns the pods of a workload as the API server stores them, with the owners that controllers give them.
func (a *exampleAudit) podsOf(t *testing.T, workload stored) []string {
	t.Helper()
	var pods []string
	for _, p := range source.Pods(workload) {
		pod := stored(p.Manifest)
		if workload.kind() != "Pod" {
			workload.control(pod)
		}
		body, isAccepted := a.store(pod.json(t))
		if !isAccepted {
			a.refused++
			continue
		}
		pods = append(pods, string(bytes.TrimSpace(body)))
	}
	return pods
}

// control gives a pod what the controller of a workload gives it: a name, an owner, and the volumes of claims.
func (o stored) control(pod stored) {
	owner := map[string]any{"apiVersion": o["apiVersion"], "kind": o["kind"], "name": o.name(), "uid": "1", "controller": true}
	switch o.kind() {
	case "Deployment":
		pod.at("metadata", "labels")["pod-template-hash"] = hash
		owner["kind"], owner["name"] = "ReplicaSet", o.name()+"-"+hash
	case "CronJob":
		owner["kind"], owner["name"] = "Job", fmt.Sprintf("%s-%d", o.name(), time.Now().Unix()/60)
	}
	metadata := pod.at("metadata")
	metadata["name"], metadata["namespace"] = fmt.Sprint(owner["name"], podSuffix), o.namespace()
	metadata["ownerReferences"] = []any{owner}
	for _, claim := range o.list("spec", "volumeClaimTemplates") {
		name := stored(claim.(map[string]any)).name()
		pod.without("volumes", name)
		volume := map[string]any{"name": name, "persistentVolumeClaim": map[string]any{"claimName": name + "-" + o.name() + "-0"}}
		pod.at("spec")["volumes"] = append(pod.list("spec", "volumes"), volume)
	}
}

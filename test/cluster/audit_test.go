package cluster

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/test/resourcelist"
	"pillion.dev/pillion/test/tools"
)

// TestAudit audits pods in all states by a pipe from kubectl, and by pillion-audit with the rights that pipelines/audit
// gives it. Each part runs alone, too: -run TestAudit/pipe.
func TestAudit(t *testing.T) {
	w := newWorld(t)
	w.pillion, w.watcher = buildPillion(t), buildWatcher(t)
	w.applyRights(t)
	t.Run("pipe", w.testPipe)
	t.Run("for people", w.testOutputForPeople)
	t.Run("watcher", w.testWatcher)
	t.Run("changes", w.testChanges)
	t.Run("lost watches", w.testLostWatches)
	t.Run("restarts", w.testRestarts)
	t.Run("rights", w.testRights)
	t.Run("hostile pods", w.testHostilePods)
}

// kubectl returns what kubectl prints, with the rights of the administrator.
func (w *world) kubectl(t *testing.T, args ...string) []byte {
	t.Helper()
	command := exec.Command(tools.Installed(t, "kubectl"), append([]string{"--kubeconfig", w.Kubeconfig(t, "", token)}, args...)...)
	command.Env = append(command.Environ(), "HOME="+t.TempDir()) // for its cache
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("kubectl %s: %v\n%s", strings.Join(args, " "), err, stderr.Bytes())
	}
	return out
}

// audit returns what pillion audit prints about its input, and its exit code.
func (w *world) audit(t *testing.T, input []byte, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	command := exec.Command(w.pillion, append([]string{"audit", "-c", w.config, "-f", "-"}, args...)...)
	var out, messages bytes.Buffer
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(input), &out, &messages
	err := command.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return out.String(), messages.String(), command.ProcessState.ExitCode()
}

// everything is what kubectl get prints for an audit with explanations.
const everything = "deploy,rs,sts,ds,job,cronjob,ns,pods"

func (w *world) testPipe(t *testing.T) {
	for _, format := range []string{"json", "yaml"} {
		report, messages, code := w.audit(t, w.kubectl(t, "get", everything, "-A", "-o", format), "-o", "json")
		if code != 1 {
			t.Errorf("%s: the exit code is %d: %s", format, code, messages)
		}
		if diff := cmp.Diff(w.want, states(t, report)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", format, diff)
		}
	}
	report, messages, _ := w.audit(t, w.kubectl(t, "get", everything, "-A", "-o", "json"))
	for _, text := range []string{"web", "proxy:2.0", "rolling out", "forgotten", "stripped"} {
		if !strings.Contains(report, text) {
			t.Errorf("the table has no %q:\n%s%s", text, report, messages)
		}
	}
	alone := w.kubectl(t, "get", "pod", "-n", "shop", "alone", "-o", "json")
	if report, messages, code := w.audit(t, alone, "-o", "json"); code < 2 || states(t, report)["proxy shop/alone"] != "skipped" ||
		!strings.Contains(messages, "kubectl get namespaces,pods") {
		t.Errorf("a pod without its namespace gives %d %s%s", code, report, messages)
	}
}

// testOutputForPeople gives the audit what kubectl prints without -o json or -o yaml.
func (w *world) testOutputForPeople(t *testing.T) {
	for _, args := range [][]string{nil, {"-o", "wide"}, {"-o", "name"}} {
		input := w.kubectl(t, append([]string{"get", "pods", "-A"}, args...)...)
		if out, messages, code := w.audit(t, input); code < 2 || out != "" || !strings.Contains(messages, "-o json") {
			t.Errorf("kubectl get pods -A %s gives %d %q %q", strings.Join(args, " "), code, out, messages)
		}
	}
}

// applyRights applies what pipelines/audit gives the watcher.
func (w *world) applyRights(t *testing.T) {
	t.Helper()
	w.Namespace(t, "pillion-audit", nil)
	for _, document := range rights(t) {
		w.Apply(t, []byte(document))
	}
}

// rights returns the ServiceAccount, the ClusterRole and its binding.
func rights(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(tools.Root(), "pipelines", "audit", "rights.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return resourcelist.Documents(string(text))
}

func (w *world) testWatcher(t *testing.T) {
	p := w.startWatcher(t)
	got := p.mustGet(t, "/audit.json")
	if diff := cmp.Diff(w.want, states(t, got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	w.comparePipe(t, got)
	if err := p.counts(w); err != nil {
		t.Error(err)
	}
	if page := p.mustGet(t, "/"); !strings.Contains(page, "forgotten") {
		t.Errorf("the page is %s", page)
	}
}

// comparePipe compares the report of the watcher with that of the pipe, entry by entry.
func (w *world) comparePipe(t *testing.T, watched string) {
	t.Helper()
	piped, _, _ := w.audit(t, w.kubectl(t, "get", everything, "-A", "-o", "json"), "-o", "json")
	if diff := cmp.Diff(entries(t, piped), entries(t, watched)); diff != "" {
		t.Errorf("the watcher differs from the pipe (-pipe +watcher):\n%s", diff)
	}
}

// entries returns those of a report in JSON by injector and pod.
func entries(t *testing.T, report string) map[string]any {
	t.Helper()
	all := map[string]any{}
	for _, entry := range parsed(t, report).list("pods") {
		e := stored(entry.(map[string]any))
		all[fmt.Sprintf("%s %s/%s", e["injector"], e["namespace"], e["name"])] = e
	}
	return all
}

func (w *world) testChanges(t *testing.T) {
	p := w.startWatcher(t)
	w.changePods(t, "changes", func(what string) {
		t.Helper()
		p.waitUntil(t, what, func() error { return p.counts(w) })
	})
}

// changePods creates, changes and deletes pods of a Deployment of a name, and calls a function after each step.
func (w *world) changePods(t *testing.T, name string, check func(what string)) {
	t.Helper()
	set := w.replicaSet(t, w.inject(t, deployment("shop", name, "")), hash)
	first := w.pod(t, set.pod(t, "aaaaa"), "current")
	second := w.pod(t, set.pod(t, "bbbbb"), "current")
	check("two pods more")
	w.patch(t, first, "", `{"spec": {"containers": [{"name": "proxy", "image": "proxy:1.9"}]}}`)
	w.want["proxy shop/"+first.name()] = "stale"
	check("an old image")
	w.patch(t, first, "", `{"spec": {"containers": [{"name": "proxy", "image": "proxy:2.1"}]}}`)
	w.want["proxy shop/"+first.name()] = "current"
	check("the declared image")
	w.patch(t, first, "", `{"metadata": {"labels": {"proxy": "never"}}}`)
	w.want["proxy shop/"+first.name()] = "unexpected"
	check("no longer selected")
	w.patch(t, second, "/status", `{"status": {"phase": "Failed"}}`)
	w.want["proxy shop/"+second.name()] = "skipped"
	check("finished")
	w.deletePod(t, first)
	w.deletePod(t, second)
	check("no pods")
}

// testLostWatches changes pods while the watcher is cut off, once so that its watches can go on, and once so that they
// cannot.
func (w *world) testLostWatches(t *testing.T) {
	p := w.startWatcher(t)
	set := w.replicaSet(t, w.inject(t, deployment("shop", "lost", "")), hash)
	first := w.pod(t, set.pod(t, "aaaaa"), "current")
	p.waitUntil(t, "a pod more", func() error { return p.counts(w) })

	p.connection.Cut()
	second := w.pod(t, set.pod(t, "bbbbb"), "current")
	w.deletePod(t, first)
	p.waitUntil(t, "it is not ready", isNot(p.isReady))
	p.connection.Restore()
	p.waitUntil(t, "it knows of what happened meanwhile", func() error { return p.counts(w) })
	p.waitUntil(t, "it is ready", p.isReady)

	p.connection.Cut()
	version := second.at("metadata")["resourceVersion"]
	third := w.pod(t, set.pod(t, "ccccc"), "current")
	w.patch(t, third, "", `{"spec": {"containers": [{"name": "proxy", "image": "proxy:1.9"}]}}`)
	w.want["proxy shop/"+third.name()] = "stale"
	w.deletePod(t, second)
	w.Compact(t)
	w.RestartAPIServer(t, func() {})
	w.mustBeGone(t, version)
	p.connection.Restore()
	p.waitUntil(t, "it has listed all again", func() error { return p.counts(w) })
	p.waitUntil(t, "it is ready", p.isReady)
	w.deletePod(t, third)
	p.waitUntil(t, "it watches again", func() error { return p.counts(w) })
}

func isNot(condition func() error) func() error {
	return func() error {
		if condition() == nil {
			return errors.New("it still is")
		}
		return nil
	}
}

// mustBeGone checks that the API server refuses a watch from a version, so that clients have to list again.
func (w *world) mustBeGone(t *testing.T, version any) {
	t.Helper()
	path := fmt.Sprintf("/api/v1/namespaces/shop/pods?watch=true&timeoutSeconds=1&resourceVersion=%v", version)
	answer, err := w.do(http.MethodGet, path, "", nil)
	if err != nil || !bytes.Contains(answer.Body, []byte(`"code":410`)) {
		t.Errorf("a watch from version %v gives %v %d %s", version, err, answer.Code, answer.Body)
	}
}

// testRestarts kills the API server and etcd.
func (w *world) testRestarts(t *testing.T) {
	p := w.startWatcher(t)
	var before float64
	while := func(what string) func() {
		return func() {
			p.waitUntil(t, "it is not ready without "+what, isNot(p.isReady))
			before = p.lastSync(t)
		}
	}
	w.RestartAPIServer(t, while("the API server"))
	w.changePods(t, "restarted", func(what string) {
		t.Helper()
		p.waitUntil(t, what, func() error { return p.counts(w) })
	})
	p.waitUntil(t, "it is ready", p.isReady)
	p.waitUntil(t, "the last sync is later", func() error {
		if after := p.lastSync(t); after <= before {
			return fmt.Errorf("it was at %f, and now at %f", before, after)
		}
		return nil
	})
	w.RestartEtcd(t, func() { time.Sleep(2 * time.Second) })
	w.changePods(t, "stored", func(what string) {
		t.Helper()
		p.waitUntil(t, what, func() error { return p.counts(w) })
	})
	p.waitUntil(t, "it is ready", p.isReady)
	w.comparePipe(t, p.mustGet(t, "/audit.json"))
}

// testRights takes the watcher's rights away, and gives them back.
func (w *world) testRights(t *testing.T) {
	p := w.startWatcher(t)
	binding := rights(t)[2]
	w.Delete(t, []byte(binding))
	p.waitUntil(t, "it says so", func() error {
		code, body, err := p.get("/readyz")
		if err != nil || code != http.StatusServiceUnavailable || !strings.Contains(body, "no right to") {
			return fmt.Errorf("%w %d %s", err, code, body)
		}
		return nil
	})
	if !strings.Contains(p.log.text(), "no right to") {
		t.Errorf("the log has nothing about it:\n%s", p.log.text())
	}
	p.waitUntil(t, "the time of the last sync stands still", func() error {
		before := p.lastSync(t)
		time.Sleep(2 * time.Second)
		if after := p.lastSync(t); after != before {
			return fmt.Errorf("the last sync was at %f, and now at %f", before, after)
		}
		return nil
	})
	if code, _, err := p.get("/healthz"); err != nil || code != http.StatusOK {
		t.Errorf("/healthz: %v %d, and a restart would not help", err, code)
	}
	w.Apply(t, []byte(binding))
	p.waitUntil(t, "it is ready", p.isReady)
	w.changePods(t, "allowed", func(what string) {
		t.Helper()
		p.waitUntil(t, what, func() error { return p.counts(w) })
	})
}

// testHostilePods creates pods that the API server accepts.
func (w *world) testHostilePods(t *testing.T) {
	const evil = "\x1b]0;pwned\x07\x1b[31m<script>alert(1)</script>\"}\n# pillion_pods{x=\"1\"} 7\r\u202e\u2028`'&amp;"
	longest := strings.Repeat("a", 63)
	set := w.replicaSet(t, w.inject(t, deployment("shop", "hostile", "")), hash)
	huge := set.pod(t, "aaaaa")
	huge.at("metadata", "annotations")["example.com/huge"] = strings.Repeat(evil, 200<<10/len(evil))
	huge.at("metadata", "labels")[strings.Repeat("b", 63)] = longest
	w.pod(t, huge, "current")
	odd := set.pod(t, "bbbbb")
	odd.container("proxy")["image"] = "x" + evil + "x"
	odd.container("proxy")["args"] = []any{evil, "${workload.name}", strings.Repeat(evil, 100)}
	odd.at("metadata", "annotations")["pillion.dev/injected-"+longest[:50]] = evil
	w.pod(t, odd, "stale")
	forged := set.pod(t, "ccccc")
	forged.at("metadata", "annotations")["pillion.dev/injected-proxy"] = "1 c/app:AAAAAA v/" + evil + ":AAAAAA zzzzzz"
	w.pod(t, forged, "current")
	named := set.pod(t, "ddddd")
	named.at("metadata")["name"] = strings.Repeat("n", 253)
	w.pod(t, named, "current")

	input := w.kubectl(t, "get", everything, "-A", "-o", "json")
	for _, format := range []string{"table", "wide", "json", "html"} {
		report, messages, code := w.audit(t, input, "-o", format)
		if code != 1 {
			t.Errorf("%s: the exit code is %d: %s", format, code, messages)
		}
		checkHarmless(t, format, report)
		checkHarmless(t, "stderr", messages)
	}
	report, _, _ := w.audit(t, input, "-o", "json")
	if diff := cmp.Diff(w.want, states(t, report)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	p := w.startWatcher(t)
	p.waitUntil(t, "all pods", func() error { return p.counts(w) })
	for path, format := range map[string]string{"/": "html", "/metrics": "prometheus", "/audit.json": "json", "/readyz": "text"} {
		checkHarmless(t, format, p.mustGet(t, path))
	}
	checkHarmless(t, "log", p.log.text())
	w.comparePipe(t, p.mustGet(t, "/audit.json"))
}

// checkHarmless checks that a text neither controls a terminal, nor runs a script, nor has metrics that a pod has brought.
func checkHarmless(t *testing.T, format, text string) {
	t.Helper()
	for _, bad := range []string{"\x1b", "\x07", "\r", "\u202e", "<script>alert"} {
		if bad == "<script>alert" && format != "html" {
			continue
		}
		if at := strings.Index(text, bad); at >= 0 {
			t.Errorf("%s has %q in %q", format, bad, text[max(0, at-100):min(len(text), at+100)])
		}
	}
	if format == "prometheus" {
		samples, err := metrics(text)
		if err != nil {
			t.Error(err)
		}
		for key, value := range samples {
			if strings.Contains(key, "x=") || value == 7 && strings.HasPrefix(key, "pillion_pods 1") {
				t.Errorf("there is a sample %s", key)
			}
		}
	}
}

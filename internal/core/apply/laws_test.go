package apply_test

import (
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/apply"
	"pillion.dev/pillion/internal/core/ledger"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// What an injector may want, one thing each. The laws hold for each of them in each app, so that a failure is as small as
// it can be.
var wishes = []string{
	"containers: [{name: logs, image: l, mode: Container}]",
	"containers: [{name: logs, image: l, mode: Native}]",
	"containers: [{name: logs, image: l, mode: Container, podInjectPolicy: BeforeAppContainer}]",
	"containers: [{name: logs, image: l, mode: Container, after: web}, {name: tail, image: t, mode: Container, before: web}]",
	"containers: [{name: db, image: d, mode: Container}], onConflict: {container: Keep}",
	"containers: [{name: db, image: other, mode: Container}], onConflict: {container: Replace}",
	"containers: [{name: db, image: d, mode: Container, tty: true, env: [{name: D, value: d}]}], onConflict: {container: Merge}",
	"containers: [{name: logs, image: l, mode: Container, ports: [{containerPort: 80}, {containerPort: 81}]}], onConflict: {port: Keep}",
	"containers: [{name: logs, image: l, mode: Container, shareVolumePolicy: {type: Enabled}}]",
	"containers: [{name: logs, image: l, mode: Container, transferEnv: [{sourceContainerName: web}]}]",
	"containers: [{name: big, image: b, mode: Container, resources: {requests: {cpu: 100m, memory: 1Mi}}}]",
	"initContainers: [{name: first, image: f, podInjectPolicy: BeforeAppContainer}, {name: last, image: l}]",
	"volumes: [{name: new, emptyDir: {}}, {name: v, emptyDir: {}}]",
	"volumes: [{name: v, hostPath: {path: /}}], onConflict: {volume: Replace}",
	"volumes: [{name: v, hostPath: {path: /}}], onConflict: {volume: Keep}",
	"imagePullSecrets: [{name: s}, {name: own}]",
	"patchPodMetadata: [{labels: {l: a, m: b}}]",
	"patchPodMetadata: [{labels: {l: b}, annotations: {n: o}, patchPolicy: Overwrite}]",
	"patchPodMetadata: [{annotations: {j: '{\"a\":1}'}, patchPolicy: MergePatchJson}]",
	"podSpec: {nodeSelector: {zone: a, disk: ssd}, tolerations: [{key: k}], hostname: h, securityContext: {runAsUser: 1}}",
	"appContainers: [{env: [{name: E, value: x}]}], onConflict: {env: Keep}",
	"appContainers: [{env: [{name: E, value: x}, {name: F, value: $(E)}]}], onConflict: {env: Replace}",
	"appContainers: [{envPosition: Append, env: [{name: G, value: g}]}]",
	"appContainers: [{containers: [db], env: [{name: E, value: x}]}]",
	"appContainers: [{includeInit: true, envFrom: [{configMapRef: {name: c}}]}]",
	"appContainers: [{env: [{name: E, value: x, join: ':'}]}]",
	"appContainers: [{env: [{name: E, value: x, join: ' ', joinOrder: Before}]}]",
	"volumes: [{name: v, emptyDir: {}}], appContainers: [{volumeMounts: [{name: v, mountPath: /v}]}], " +
		"onConflict: {volume: Keep, mountPath: Replace}",
}

var apps = []string{
	"{spec: {containers: [{name: web, image: w}]}}",
	"{metadata: {labels: {l: a}, annotations: {}}, spec: {containers: [{name: web, image: w, env: [{name: E, value: a}], " +
		"volumeMounts: [{name: v, mountPath: /v}]}, {name: db, image: d}], volumes: [{name: v, emptyDir: {}}], nodeSelector: {zone: b}}}",
	"{metadata: {labels: {l: c}, annotations: {j: '{\"b\":2}'}}, spec: {resources: {requests: {cpu: 1}}, initContainers: [{name: init}], " +
		"containers: [{name: db, image: d, ports: [{containerPort: 80}]}, {name: web, image: w, env: [{name: E, value: 'x:a'}, {name: F}], " +
		"volumeMounts: [{name: own, mountPath: /v}]}], volumes: [{name: own, emptyDir: {}}], imagePullSecrets: [{name: own}], tolerations: }}",
}

// forWishes runs an injector for each wish on each app, unless it is refused, and holds a law against what it gives.
func forWishes(t *testing.T, check func(t *testing.T, app *node.Node, wish string, made *scene, pod *apply.Pod)) {
	t.Helper()
	refused := 0
	for _, text := range apps {
		for _, wish := range wishes {
			s := newScene(t, text, "")
			pod, findings := s.inject(t, wish, nil)
			if finding.HasError(findings) {
				refused++
				if got := shown(s.app); got != flow(template(t, text)) && !strings.Contains(text, got) {
					t.Errorf("it is refused and becomes %s", got)
				}
			} else {
				check(t, template(t, text), wish, s, pod)
			}
			if t.Failed() {
				t.Fatalf("app: %s\nwish: %s", text, wish)
			}
		}
	}
	if refused > 5 {
		t.Errorf("%d wishes are refused", refused)
	}
}

// TestWhatIsWantedIsWhatChanges has that an injector changes all that it says it wants, and nothing else.
func TestWhatIsWantedIsWhatChanges(t *testing.T) {
	forWishes(t, func(t *testing.T, app *node.Node, _ string, s *scene, pod *apply.Pod) {
		isWanted := func(at stamp.Address) bool {
			isIn := func(outer, inner string) bool { return inner == outer || strings.HasPrefix(inner, outer+"/") }
			return slices.ContainsFunc(pod.Entries, func(e ledger.Entry) bool {
				return !e.IsApps() && (isIn(e.Inside(), at.Inside()) || isIn(at.Inside(), e.Inside()))
			})
		}
		for _, d := range version.Difference(node.Fresh(app), node.Fresh(s.version)) {
			if !isWanted(d.Address) {
				t.Errorf("%v changes", d.Address)
			}
		}
		for _, e := range pod.Entries {
			was := stamp.At(app, e.Path, e.Key)
			is := stamp.At(s.version, e.Path, e.Key)
			switch {
			case e.IsApps() && !node.Equal(was, is):
				t.Errorf("%v is the app's and changes", e.Address)
			case e.Verb == ledger.Find && !node.Equal(was, e.Value):
				t.Errorf("%v is not what the app has", e.Address)
			case !e.IsApps() && was != nil && node.Equal(was, is):
				t.Errorf("%v does not change", e.Address)
			case e.Verb == ledger.Put && !node.Equal(is, e.Value):
				t.Errorf("%v becomes %s, and not %s", e.Address, node.Brief(is), node.Brief(e.Value))
			}
		}
	})
}

// TestTheSameAgainChangesNothing has that an injector puts nothing into what it has made, as if that were the app.
func TestTheSameAgainChangesNothing(t *testing.T) {
	forWishes(t, func(t *testing.T, _ *node.Node, wish string, s *scene, _ *apply.Pod) {
		text, err := manifest.JSON(s.version)
		if err != nil {
			t.Fatal(err)
		}
		made := string(text)
		again := newScene(t, made, "")
		pod, findings := again.inject(t, wish, nil)
		if finding.HasError(findings) {
			t.Fatalf("%s\n%v", made, findings)
		}
		if got, want := flow(again.version), flow(template(t, made)); got != want {
			t.Errorf("it becomes\n%s\nfrom\n%s", got, want)
		}
		for _, e := range pod.Entries {
			if e.Verb == ledger.Put {
				t.Errorf("it puts in %v again", e.Address)
			}
		}
	})
}

// TestTheAppKeepsItsOrder has that what the app has in a list stays in its order, except for variables that come before
// others that use them.
func TestTheAppKeepsItsOrder(t *testing.T) {
	forWishes(t, func(t *testing.T, app *node.Node, _ string, s *scene, pod *apply.Pod) {
		for _, e := range pod.Entries {
			keys := func(n *node.Node, others *node.Node) (all []string) {
				for _, entry := range stamp.NewView(n).List(e.Path) {
					if key := stamp.KeyOf(e.Path, entry); stamp.At(others, e.Path, key) != nil {
						all = append(all, key)
					}
				}
				return all
			}
			if got, want := keys(s.version, app), keys(app, s.version); !slices.Equal(got, want) {
				t.Errorf("%s: %q become %q", e.Path, want, got)
			}
		}
	})
}

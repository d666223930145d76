package version_test

import (
	"strings"
	"testing"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

const app = `
metadata:
  labels: {app: web}
spec:
  containers:
  - {name: app, image: "app:1", env: [{name: LEVEL, value: debug}]}
`

// classic is the app with the sidecar of the first Initializer, and its volume.
const classic = `
metadata:
  labels: {app: web}
spec:
  containers:
  - {name: app, image: "app:1", env: [{name: LEVEL, value: debug}]}
  - name: envoy
    image: lyft/envoy:845747db88f102c0fd262ab234308e9e22f693a1
    command: ["/usr/local/bin/envoy"]
    args: ["--concurrency 4", "--config-path /etc/envoy/envoy.json", "--mode serve"]
    ports: [{containerPort: 80, protocol: TCP}]
    resources: {limits: {cpu: 1000m, memory: 512Mi}, requests: {cpu: 100m, memory: 64Mi}}
    volumeMounts: [{name: envoy-conf, mountPath: /etc/envoy}]
  volumes:
  - {name: envoy-conf, configMap: {name: envoy}}
`

func template(t *testing.T, text string) *node.Node {
	t.Helper()
	var document node.Node
	if err := read.Into([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	return document.Content[0]
}

// record records a change between two texts: what only the second has is new.
func record(t *testing.T, before, after string) *stamp.Stamp {
	t.Helper()
	b, a := template(t, before), node.Fresh(template(t, after))
	layout := node.Brief
	s := version.Difference(b, a).Stamp(stamp.Hashes{}, stamp.NewView(b), layout)
	return s
}

func owner(s *stamp.Stamp) []stamp.Owner { return []stamp.Owner{{Key: stamp.Key("envoy"), Stamp: s}} }

func TestStampOfAPlainSidecarIsSmall(t *testing.T) {
	s := record(t, app, classic)
	if text := s.String(); len(text) > 80 || !strings.HasPrefix(text, "1 c(envoy:") || !strings.Contains(text, " v(envoy-conf:") {
		t.Errorf("it has %d bytes: %s", len(text), text)
	}
	for path, key := range map[string]string{"spec/containers": "envoy", "spec/volumes": "envoy-conf"} {
		if !s.Adds(path, key) {
			t.Errorf("it does not name %q in %s: %s", key, path, s)
		}
	}
	if s.Adds("spec/containers", "app") {
		t.Errorf("it names the app's container: %s", s)
	}
}

func TestUndoOfRecordGivesBackTheTemplate(t *testing.T) {
	for claim, after := range map[string]string{
		"a sidecar and its volume": classic,
		"a variable in front":      strings.Replace(app, "env: [", "env: [{name: PORT, value: \"1\"}, ", 1),
		"a variable behind":        strings.Replace(app, "debug}]", "debug}, {name: PORT, value: \"1\"}]", 1),
		"a label":                  strings.Replace(app, "app: web}", "app: web, mesh: x}", 1),
		"a label overwritten":      strings.Replace(app, "app: web}", "app: mesh}", 1),
		"annotations":              strings.Replace(app, "metadata:\n", "metadata:\n  annotations: {a/b: c~d}\n", 1),
		"a pod field":              app + "  dnsConfig: {options: [{name: ndots}]}\n",
	} {
		t.Run(claim, func(t *testing.T) {
			parsed, err := stamp.Parse(record(t, app, after).String())
			if err != nil {
				t.Fatal(err)
			}
			undone := template(t, after)
			if drifts := version.Undo(undone, owner(parsed), nil, nil).Drifts; len(drifts) > 0 {
				t.Errorf("nobody changed anything: %v", drifts)
			}
			if !node.Equal(undone, template(t, app)) {
				t.Errorf("got %s from %s", node.Brief(undone), parsed)
			}
		})
	}
}

func TestUndoReportsChangesByHand(t *testing.T) {
	s := record(t, app, classic)
	for claim, test := range map[string]struct{ old, new, key string }{
		"a field":        {"--concurrency 4", "--concurrency 8", "envoy"},
		"a new field":    {"  - name: envoy\n", "  - name: envoy\n    tty: true\n", "envoy"},
		"a field is out": {"    command: [\"/usr/local/bin/envoy\"]\n", "", "envoy"},
		"a volume":       {"configMap: {name: envoy}", "emptyDir: {}", "envoy-conf"},
	} {
		t.Run(claim, func(t *testing.T) {
			drifts := version.Undo(template(t, strings.Replace(classic, test.old, test.new, 1)), owner(s), nil, nil).Drifts
			if len(drifts) != 1 || drifts[0].Key != test.key || drifts[0].Present == nil {
				t.Errorf("got %v", drifts)
			}
		})
	}
	if drifts := version.Undo(template(t, app), owner(s), nil, nil).Drifts; len(drifts) != 2 || drifts[0].Present != nil {
		t.Errorf("of what was removed, it reports %v", drifts)
	}
}

func TestUndoLeavesWhatOthersOwnToo(t *testing.T) {
	s := record(t, app, classic)
	other := record(t, app, app+"  volumes:\n  - {name: envoy-conf, configMap: {name: envoy}}\n")
	others := []stamp.Owner{{Key: stamp.Key("other"), Stamp: other}}
	undone := template(t, classic)
	version.Undo(undone, owner(s), others, nil)
	if stamp.At(undone, "spec/volumes", "envoy-conf") == nil || stamp.At(undone, "spec/containers", "envoy") != nil {
		t.Errorf("got %s", node.Brief(undone))
	}
}

func TestRebasePutsEntriesBehindTheApps(t *testing.T) {
	text := "spec:\n  containers:\n  - {name: app, image: a}\n  - {name: envoy, image: e1} # mine\n  - {name: logs, image: l}\n"
	present, wanted := template(t, text), template(t, text)
	bare := "spec:\n  containers:\n  - {name: app, image: a}\n"
	old := record(t, bare, "spec:\n  containers:\n  - {name: app, image: a}\n  - {name: envoy, image: e1}\n")
	now := record(t, bare, "spec:\n  containers:\n  - {name: app, image: a}\n  - {name: envoy, image: e2}\n")
	containers := node.Get(wanted, "spec", "containers")
	fresh := node.Fresh(template(t, "{name: envoy, image: e2}"))
	containers.Content = []*node.Node{containers.Content[0], containers.Content[2], fresh} // as if it were put in last

	rebased := version.Rebase(present, wanted, owner(old), owner(now), nil)
	var names []string
	for _, container := range node.List(rebased, "spec", "containers") {
		names = append(names, node.Text(container, "name")+"="+node.Text(container, "image"))
	}
	if got := strings.Join(names, " "); got != "app=a logs=l envoy=e2" {
		t.Errorf("got %s", got)
	}
	if same := version.Rebase(present, template(t, text), owner(old), owner(old), nil); same != present {
		t.Error("what is the same is made anew")
	}
}

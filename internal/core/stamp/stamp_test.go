package stamp_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/internal/core/stamp"
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
	s := stamp.Hashes{}.Record(b, a, layout)
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
			if drifts := stamp.Undo(undone, owner(parsed), nil, nil).Drifts; len(drifts) > 0 {
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
			drifts := stamp.Undo(template(t, strings.Replace(classic, test.old, test.new, 1)), owner(s), nil, nil).Drifts
			if len(drifts) != 1 || drifts[0].Key != test.key || drifts[0].Present == nil {
				t.Errorf("got %v", drifts)
			}
		})
	}
	if drifts := stamp.Undo(template(t, app), owner(s), nil, nil).Drifts; len(drifts) != 2 || drifts[0].Present != nil {
		t.Errorf("of what was removed, it reports %v", drifts)
	}
}

func TestUndoLeavesWhatOthersOwnToo(t *testing.T) {
	s := record(t, app, classic)
	other := record(t, app, app+"  volumes:\n  - {name: envoy-conf, configMap: {name: envoy}}\n")
	others := []stamp.Owner{{Key: stamp.Key("other"), Stamp: other}}
	undone := template(t, classic)
	stamp.Undo(undone, owner(s), others, nil)
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

	rebased := stamp.Rebase(present, wanted, owner(old), owner(now), nil)
	var names []string
	for _, container := range node.List(rebased, "spec", "containers") {
		names = append(names, node.Text(container, "name")+"="+node.Text(container, "image"))
	}
	if got := strings.Join(names, " "); got != "app=a logs=l envoy=e2" {
		t.Errorf("got %s", got)
	}
	if same := stamp.Rebase(present, template(t, text), owner(old), owner(old), nil); same != present {
		t.Error("what is the same is made anew")
	}
}

func TestKeysAreValidAnnotations(t *testing.T) {
	seen := map[string]string{}
	for _, name := range []string{
		"envoy", strings.Repeat("a", 54), strings.Repeat("a", 55), strings.Repeat("a", 63), strings.Repeat("a", 62) + "b",
		strings.Repeat("a", 44) + "-.-" + strings.Repeat("b", 16), strings.Repeat("a.b-", 15) + "c",
	} {
		key := stamp.Key(name)
		if errs := validation.IsQualifiedName(key); len(errs) > 0 {
			t.Errorf("%q is no key: %v", key, errs)
		}
		if other, taken := seen[key]; taken {
			t.Errorf("%q and %q have one key, %q", name, other, key)
		}
		seen[key] = name
		if !stamp.IsKey(key) {
			t.Errorf("%q is not the key of a stamp", key)
		}
	}
	if key := stamp.Key("envoy"); key != "pillion.dev/injected-envoy" || stamp.NameOf(key) != "envoy" {
		t.Errorf("got %q", key)
	}
}

// oddKeys have the characters that mean something in a stamp, in a path or in JSON.
var oddKeys = []string{
	"", " ", "a b", "/", "/run/x/", "a/b", "~", "~1", "a:b", "::1", "a=b", "a[0]", "[", "]=", `"`, `a"b`, `\`, `a\`, "<", ">", "a>b", "#",
	"1", "c", "c/x", "\n", "a\tb", "\x00", "\u007f", "\u0085", "\u2028", "ä", "\U0001f600", "'", "configMapRef common P_", "&<>",
}

func TestTextsOfStampsAreReadAsTheyWereWritten(t *testing.T) {
	for _, key := range oddKeys {
		for _, other := range oddKeys {
			checkRoundTrip(t, key, other)
		}
	}
}

// FuzzRoundTrip checks that a stamp with any keys and texts is read as it was written.
func FuzzRoundTrip(f *testing.F) {
	for i, key := range oddKeys {
		f.Add(key, oddKeys[len(oddKeys)-1-i])
	}
	f.Fuzz(func(t *testing.T, key, other string) {
		if utf8.ValidString(key) && utf8.ValidString(other) && !strings.Contains(key+other, "injected") {
			checkRoundTrip(t, key, other)
		}
	})
}

// checkRoundTrip writes and reads a stamp that has two texts wherever a stamp may have any.
func checkRoundTrip(t *testing.T, key, other string) {
	t.Helper()
	quoted := strconv.QuoteToASCII(other)
	env := "spec/containers/" + escape(key) + "/env"
	s := empty()
	add(s, "spec/"+escape(other), "x"+key, hash)
	add(s, env, "A", hash)
	add(s, "metadata/annotations", "x"+key, hash)
	add(s, "spec/containers", "x"+key, hash)
	add(s, "spec/containers/"+escape(key)+"/volumeMounts", other, hash)
	replace(s, "metadata/annotations", other, quoted)
	text := s.String()
	parsed, err := stamp.Parse(text)
	if err != nil {
		t.Fatalf("%q and %q are written as %s: %v", key, other, text, err)
	}
	if diff := cmp.Diff(s, parsed, cmpopts.IgnoreUnexported(stamp.Stamp{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s is parsed as something else (-written +parsed):\n%s", text, diff)
	}
	if len(text) > 4<<10 {
		return // each cut takes as long as the text
	}
	for cut := range text {
		if _, err := stamp.Parse(text[:cut]); err == nil {
			t.Errorf("%s is parsed although it was cut short", text[:cut])
		}
	}
}

func TestParseNamesTheFormatOfANewerVersion(t *testing.T) {
	newer := (*stamp.NewerError)(nil)
	if _, err := stamp.Parse("12 anything"); !errors.As(err, &newer) || newer.Format != "12" {
		t.Errorf("got %v", err)
	}
}

func added(path, key string, p stamp.Fingerprint) string {
	s := empty()
	add(s, path, key, p)
	return s.String()
}

func replaced(path, key, text string) string {
	s := empty()
	replace(s, path, key, text)
	return s.String()
}

func TestParseRefusesWhatWasWrittenByHand(t *testing.T) {
	text := record(t, app, classic).String()
	unsealed := text[:strings.LastIndexByte(text, ' ')]
	for claim, broken := range map[string]string{
		"another name":    strings.Replace(text, "envoy-conf", "data", 1),
		"a blank":         strings.Replace(text, ":", ": ", 1),
		"something more":  text + "x",
		"no sum":          text[:strings.LastIndexByte(text, ' ')],
		"no last entry":   text[:strings.LastIndexByte(text, 'v')-1],
		"no format":       stamp.Seal(strings.TrimPrefix(unsealed, "1 ")),
		"format 0":        stamp.Seal("0" + unsealed[1:]),
		"another order":   stamp.Seal("1 v(a:AAAAAA) c(a:AAAAAA)"),
		"an entry twice":  stamp.Seal("1 v(a:AAAAAA a:AAAAAA)"),
		"two blanks":      stamp.Seal("1  v(a:AAAAAA)"),
		"needless quotes": stamp.Seal(`1 v("a":AAAAAA)`),
		"a long path":     stamp.Seal("1 spec/volumes(a:AAAAAA)"),
		"an open quote":   stamp.Seal(`1 v("a b`),
		"an open escape":  stamp.Seal(`1 v("a b\`),
		"an open bracket": stamp.Seal("1 v(a:AAAAAA) c/app/env[0"),
		"no number":       stamp.Seal(`1 c/app/env(A:AAAAAA) c/app/env[x]="{name: A}"`),
		"zero lines":      stamp.Seal(`1 c/app/env(A:AAAAAA) c/app/env[0+0]="{name: A}"`),
		"an open group":   stamp.Seal("1 v(a:AAAAAA"),
		"an empty group":  stamp.Seal("1 v() c(a:AAAAAA)"),
		"no length":       stamp.Seal("1 c/app/env(A&,>:8EseUE)"),
		"an old stamp":    stamp.Seal("1 v/a:AAAAAA"),
		"only a path":     stamp.Seal("1 v"),
		"nothing":         "",
		"only a format":   stamp.Seal("1"),
		"far too much":    strings.Repeat(" ", 300<<10),
		"JSON":            "{}",
		"an anchor in it": replaced("spec", "a", "&a b"),
		"the spec":        added("", "spec", hash),
		"all containers":  added("spec", "containers", hash),
		"no fingerprint":  added("spec/containers", "app", stamp.Fingerprint{}),
		"a stamp":         added("metadata/annotations", stamp.Key("other"), hash),
		"nothing at all":  empty().String(),
		"another by name": replaced("spec/containers", "envoy", "name: app"),
		"another spec":    replaced("", "spec", "{a: b}"),
		"two documents":   replaced("spec", "a", "b\n---\nc"),
		"no YAML in it":   replaced("spec", "a", "[b"),
	} {
		t.Run(claim, func(t *testing.T) {
			if s, err := stamp.Parse(broken); err == nil {
				t.Errorf("it is read as %s", s)
			}
		})
	}
}

package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
)

// keptIn returns the warnings about values of the app that stay although the payload has others, without their
// positions.
func keptIn(says string) []string {
	var kept []string
	for line := range strings.Lines(says) {
		if _, warning, ok := strings.Cut(line, "warning"); ok && strings.Contains(warning, "so the sidecar may not work") {
			kept = append(kept, strings.TrimSuffix(warning, "\n"))
		}
	}
	return kept
}

func listOfInjectors(injectors ...string) string {
	list := "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems:\n"
	for _, in := range injectors {
		list += "- " + strings.TrimPrefix(indent(in, "  "), "  ")
	}
	return list
}

// TestKeptOfTwoInjectors claims that only what the app has is reported as kept, in any order, in a list and in steps,
// at the first run and the next ones.
func TestKeptOfTwoInjectors(t *testing.T) {
	tests := map[string]struct {
		app  string
		a, b string
		want []string // parts of the warnings, each with the injector at its end; nil if there are none
		// refused means that the two want different things.
		refused bool
	}{
		"both add the same": {
			app: "", a: "appContainers: [{env: [{name: A, value: x}]}]\n", b: "appContainers: [{env: [{name: A, value: x}]}]\n",
		},
		"they want different variables": {
			app: "", a: "appContainers: [{env: [{name: A, value: x}]}]\n", b: "appContainers: [{env: [{name: A, value: y}]}]\n", refused: true,
		},
		"they want different fields": {
			app: "", a: "podSpec: {priorityClassName: x}\n", b: "podSpec: {priorityClassName: y}\n", refused: true,
		},
		"they want different volumes": {
			app: "", a: "onConflict: {volume: Keep}\nvolumes: [{name: v, emptyDir: {}}]\n",
			b: "onConflict: {volume: Keep}\nvolumes: [{name: v, hostPath: {path: /x}}]\n", refused: true,
		},
		"they want different containers": {
			app: "", a: "onConflict: {container: Keep}\ncontainers: [{name: c, image: x}]\n",
			b: "onConflict: {container: Keep}\ncontainers: [{name: c, image: y}]\n", refused: true,
		},
		"they want a container in different lists": {
			app: "", a: "onConflict: {container: Keep}\ncontainers: [{name: c, image: x, mode: Container}]\n",
			b: "containers: [{name: c, image: x}]\n", refused: true,
		},
		"they want different labels": {
			app: "", a: "patchPodMetadata: [{labels: {l: x}}]\n", b: "patchPodMetadata: [{labels: {l: y}}]\n", refused: true,
		},
		"both want the same label and one of them is refused": {
			app: "", a: "patchPodMetadata: [{labels: {l: x}}]\ncontainers: [{name: app, image: x}]\n",
			b: "patchPodMetadata: [{labels: {l: x}}]\n", refused: true,
		},
		"the app has another than both": {
			app: "env: [{name: A, value: own}]", a: "appContainers: [{env: [{name: A, value: x}]}]\n",
			b:    "appContainers: [{env: [{name: A, value: y}]}]\n",
			want: []string{`is "own" and stays so; the injector wants "x" [a]`, `is "own" and stays so; the injector wants "y" [b]`},
		},
		"one has what the other replaces by the same": {
			app: "env: [{name: A, value: own}]", a: "onConflict: {env: Replace}\nappContainers: [{env: [{name: A, value: x}]}]\n",
			b: "appContainers: [{env: [{name: A, value: x}]}]\n",
		},
		"one keeps what the other replaces": {
			app: "env: [{name: A, value: own}]", a: "onConflict: {env: Replace}\nappContainers: [{env: [{name: A, value: x}]}]\n",
			b: "appContainers: [{env: [{name: A, value: y}]}]\n", want: []string{`is "x" and stays so; the injector wants "y" [b]`},
		},
		"one keeps and the other does something else": {
			app: "env: [{name: A, value: own}]", a: "containers: [{name: c, image: c, podInjectPolicy: BeforeAppContainer}]\n",
			b:    "appContainers: [{env: [{name: B, value: y}, {name: A, value: y}]}]\n",
			want: []string{`is "own" and stays so; the injector wants "y" [b]`},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			items := "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n  - name: app\n    image: app:1\n"
			if test.app != "" {
				items += "    " + test.app + "\n"
			}
			a, b := injectorOf("a", test.a), injectorOf("b", test.b)
			for order, configs := range map[string][]string{
				"a list": {listOfInjectors(a, b)}, "a list the other way": {listOfInjectors(b, a)}, "steps": {a, b}, "steps the other way": {b, a},
			} {
				now := items
				for turn := range 3 {
					var kept []string
					failed := false
					for _, config := range configs {
						after, said, hasFailed := step(t, config, now)
						now, failed = after, failed || hasFailed
						kept = append(kept, keptIn(said)...)
					}
					if failed != test.refused {
						t.Errorf("%s, run %d: refused is %v", order, turn, failed)
					}
					// The first of two steps sees the app as the other has not changed it yet.
					if isFirst := turn == 0 && len(configs) == 2; !isFirst || order == "steps" {
						checkKept(t, fmt.Sprintf("%s, run %d", order, turn), kept, test.want)
					}
				}
			}
		})
	}
}

// checkKept makes sure that there is one warning for each of the wanted ones, and no other. A wanted one ends in its
// injector.
func checkKept(t *testing.T, when string, kept, wanted []string) {
	t.Helper()
	if len(kept) != len(wanted) {
		t.Errorf("%s: there are %d warnings, want %d:\n%s", when, len(kept), len(wanted), strings.Join(kept, "\n"))
	}
	for _, want := range wanted {
		part, by, _ := strings.Cut(want, " [")
		found := false
		for _, line := range kept {
			found = found || strings.Contains(line, part) && strings.HasSuffix(line, " ["+by)
		}
		if !found {
			t.Errorf("%s: there is no warning %q in\n%s", when, want, strings.Join(kept, "\n"))
		}
	}
}

func TestKeptIsFoundInTheFile(t *testing.T) {
	const text = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template:
    metadata:
      labels:
        team: own # label
    spec:
      priorityClassName: own # field
      containers:
      - name: first
        image: first
      - name: app
        image: app
        ports: [{containerPort: 80}] # port
        env:
        - {name: X, value: own}
        - {name: A, value: own} # variable
        volumeMounts:
        - {name: x, mountPath: /x}
        - {name: x, mountPath: /y} # mount
      - name: merged
        image: own # merged
      volumes:
      - {name: x, emptyDir: {}}
      - {name: v, emptyDir: {}} # volume
`
	config := readConfig(t, injectorOf("logs", `onConflict: {container: Merge, volume: Keep, mountPath: Keep, port: Keep}
containers:
- {name: new, image: new, mode: Container, podInjectPolicy: BeforeAppContainer, ports: [{containerPort: 80}]}
- {name: native, image: new, mode: Native}
- {name: merged, image: other, mode: Container}
volumes: [{name: first, emptyDir: {}}, {name: v, hostPath: {path: /v}}]
patchPodMetadata: [{labels: {team: other}}]
podSpec: {priorityClassName: other}
appContainers:
- containers: [app]
  env: [{name: NEW, value: new}, {name: A, value: other}]
  volumeMounts: [{name: v, mountPath: /y}]
`))
	now := []byte(text)
	for turn := range 3 {
		result := apply(config, finding.Source{File: "web.yaml", Text: now})
		if result.Texts[0] != nil {
			if turn > 0 {
				t.Fatal("it is changed again")
			}
		}
		lines := strings.Split(string(now), "\n")
		var got []string
		for _, f := range result.Run.Findings() {
			if f.Severity == finding.Warning {
				_, comment, _ := strings.Cut(lines[f.File.Line-1], "# ")
				got = append(got, comment)
				if f.Field.Current == "" || f.Field.Proposed == "" {
					t.Errorf("%s lacks a value: %+v", f, f.Field)
				}
			}
		}
		if diff := cmp.Diff([]string{"volume", "field", "label", "variable", "mount", "port", "merged"}, got); diff != "" {
			t.Errorf("run %d points to (-want +got):\n%s\n%s", turn, diff, now)
		}
		if result.Texts[0] != nil {
			now = result.Texts[0]
		}
	}
}

// TestNothingOfThePayloadIsLostSilently claims that whatever of a payload is not in the pod after an injection is in a
// warning, and that there is no warning if all of it is there.
func TestNothingOfThePayloadIsLostSilently(t *testing.T) {
	eachSeed(t, func(h *history, s source) {
		items := s.podWithValues()
		payload := map[string]string{
			"labels":  s.some("%s", "first: %s", "second: %s"),
			"env":     s.some("%s", "{name: A, value: %s}", "{name: B, value: %s}"),
			"podSpec": s.podFields(), "container": s.mergedContainer(), "volumes": s.some("%s", "{name: v, hostPath: {path: /%s}}"),
		}
		config := injectorOf("logs", "onConflict: {container: "+s.of("Keep", "Merge")+", volume: Keep, mountPath: Keep, port: Keep}\n"+
			"patchPodMetadata: [{labels: {z: z, "+payload["labels"]+"}}]\nappContainers: [{containers: [app], env: ["+payload["env"]+"], "+
			"envFrom: [{configMapRef: {name: c}}]}]\n"+
			"podSpec:\n"+indent("hostname: web\n"+payload["podSpec"], "  ")+"containers: [{mode: Container, "+payload["container"]+"}]\n"+
			"volumes: ["+payload["volumes"]+"]\n")
		after, said, failed := step(h.T, config, items)
		if failed {
			h.fail("it is refused:\n%s\n%s\n%s", said, config, items)
			return
		}
		pod := parseNode(h.T, after)
		containers := node.List(pod, "spec", "containers")
		lost := lostFields(node.Get(pod, "metadata", "labels"), parseNode(h.T, "{"+payload["labels"]+"}"), "label %q")
		lost = append(lost, lostFields(node.Get(pod, "spec"), parseNode(h.T, payload["podSpec"]), "%s")...)
		lost = append(lost, lostEntries(node.Get(containers[0], "env"), parseNode(h.T, "["+payload["env"]+"]"), "env variable %q")...)
		lost = append(lost, lostEntries(node.Get(pod, "spec", "volumes"), parseNode(h.T, "["+payload["volumes"]+"]"), "volume %q")...)
		if !contains(containers[1], parseNode(h.T, "{"+payload["container"]+"}")) {
			lost = append(lost, `container "c"`)
		}
		kept := strings.Join(keptIn(said), "\n")
		for _, thing := range lost {
			if !strings.Contains(kept, thing) {
				h.fail("%s is not there, and no warning has it:\n%s\n%s\n%s", thing, said, config, after)
			}
		}
		if len(lost) == 0 && kept != "" {
			h.fail("nothing is lost, and there is a warning:\n%s\n%s\n%s", said, config, after)
		}
		if _, again, _ := step(h.T, config, after); strings.Join(keptIn(again), "\n") != kept {
			h.fail("a second run reports something else:\n%s\n%s", said, again)
		}
	})
}

// TestKeptDoesNotDependOnTheOrder claims that two injectors report the same values as kept in any order, at the first
// run and the next.
func TestKeptDoesNotDependOnTheOrder(t *testing.T) {
	eachSeed(t, func(h *history, s source) {
		items := s.podWithValues()
		spec := func() string {
			return "onConflict: {container: " + s.of("Keep", "Merge", "Replace") + ", volume: " + s.of("Keep", "Replace") + ", env: " +
				s.of("Keep", "Replace") + "}\n" + s.some("patchPodMetadata: [{labels: {%s}}]\n", "first: %s", "second: %s") +
				s.some("appContainers: [{containers: [app], env: [%s]}]\n", "{name: A, value: %s}", "{name: B, value: %s}") +
				s.some("volumes: [%s]\n", "{name: v, hostPath: {path: /%s}}") + s.of("", "containers: [{mode: Container, "+s.mergedContainer()+"}]\n") +
				"podSpec:\n" + indent("hostname: web\n"+s.podFields(), "  ")
		}
		a, b := injectorOf("a", spec()), injectorOf("b", spec())
		kept := func(config, items string) (after, said, lines string, failed bool) {
			after, said, failed = step(h.T, config, items)
			all := keptIn(said)
			slices.Sort(all)
			return after, said, strings.Join(all, "\n"), failed
		}
		after, said, want, failed := kept(listOfInjectors(a, b), items)
		_, otherwise, got, alsoFailed := kept(listOfInjectors(b, a), items)
		if failed || alsoFailed { // the two want different things
			return
		}
		if want != got {
			h.fail("the order matters:\n%s\n%s\n%s\n%s\n%s", said, otherwise, a, b, items)
		}
		if _, again, got, _ := kept(listOfInjectors(a, b), after); want != got {
			h.fail("a second run reports something else:\n%s\n%s\n%s\n%s\n%s", said, again, a, b, items)
		}
	})
}

// podWithValues is a pod that has some values wherever the payloads of these tests have some.
func (s source) podWithValues() string {
	return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n" + s.some("  labels: {%s}\n", "first: %s", "second: %s") +
		"spec:\n  containers:\n  - {name: app, image: app, " + s.some("env: [%s]", "{name: A, value: %s}", "{name: B, value: %s}") + "}\n" +
		"  - {" + s.mergedContainer() + "}\n" + indent(s.podFields(), "  ") + s.some("  volumes: [%s]\n", "{name: v, hostPath: {path: /%s}}")
}

// some returns some of the parts with random values, in a format, or nothing if there are none.
func (s source) some(format string, parts ...string) string {
	var chosen []string
	for _, part := range parts {
		if s.chance(60) {
			chosen = append(chosen, strings.NewReplacer("%s", s.of("one", "two"), "%d", s.of("1", "2")).Replace(part))
		}
	}
	if len(chosen) == 0 {
		return ""
	}
	return strings.ReplaceAll(format, "%s", strings.Join(chosen, ", "))
}

func (s source) podFields() string {
	return s.some("%s\n", "priorityClassName: %s") + s.some("nodeSelector: {%s}\n", "a: %s", "b.c/d: %s") +
		s.some("tolerations: [%s]\n", "{key: %s}") + s.some("hostAliases: [%s]\n", "{ip: 1.1.1.1, hostnames: [%s]}") +
		s.some("securityContext: {%s}\n", "seccompProfile: {type: Localhost, localhostProfile: %s}", "seLinuxOptions: {level: %s}") +
		s.some("dnsConfig: {options: [%s]}\n", "{name: o, value: %s}")
}

func (s source) mergedContainer() string {
	return "image: " + s.of("one", "two") + ", " + s.some("%s, ", "args: [%s]", "livenessProbe: {exec: {command: [%s]}}",
		"resources: {limits: {x.y/z: %d}}") + "name: c"
}

func parseNode(t *testing.T, text string) *node.Node {
	t.Helper()
	var document node.Node
	if err := yamlread.Into([]byte(text), &document); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if len(document.Content) == 0 {
		return node.Mapping()
	}
	return document.Content[0]
}

// contains reports whether everything of a value is in another: all fields of mappings, and all entries of lists.
func contains(in, wanted *node.Node) bool {
	switch {
	case in == nil || in.Kind != wanted.Kind:
		return false
	case wanted.Kind == node.MappingNode:
		for key, value := range node.Fields(wanted) {
			if !contains(node.Get(in, key), value) {
				return false
			}
		}
		return true
	case wanted.Kind == node.SequenceNode:
		for _, entry := range wanted.Content {
			if !slices.ContainsFunc(in.Content, func(present *node.Node) bool { return contains(present, entry) }) {
				return false
			}
		}
		return true
	}
	return in.Value == wanted.Value
}

func lostFields(in, wanted *node.Node, noun string) (lost []string) {
	for key, value := range node.Fields(wanted) {
		if !contains(node.Get(in, key), value) {
			lost = append(lost, fmt.Sprintf(noun, key))
		}
	}
	return lost
}

func lostEntries(in, wanted *node.Node, noun string) (lost []string) {
	for _, entry := range wanted.Content {
		if !contains(in, node.Sequence(entry)) {
			lost = append(lost, fmt.Sprintf(noun, node.Text(entry, "name")))
		}
	}
	return lost
}

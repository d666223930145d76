package apply_test

import (
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/apply"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// TestBesideOthers has what Put does with what an injector wants where others have put something in.
func TestBesideOthers(t *testing.T) {
	const web = "containers: [{name: web}]"
	checkAll(t, []rule{
		{
			claim:  "an entry goes behind those of others",
			app:    web + ", volumes: [{name: a, emptyDir: {}}]",
			others: web + ", volumes: [{name: a, emptyDir: {}}, {name: o, emptyDir: {}}]",
			config: "volumes: [{name: n, emptyDir: {}}]",
			pod:    web + ", volumes: [{name: a, emptyDir: {}}, {name: o, emptyDir: {}}, {name: n, emptyDir: {}}]",
		},
		{
			claim:  "an entry that others have put in stays as theirs",
			app:    web,
			others: web + ", volumes: [{emptyDir: {}, name: v}]",
			config: "volumes: [{name: v, emptyDir: {}}]",
			wants:  []string{"puts spec/volumes v"},
		},
		{
			claim:  "an entry of the app is replaced beside those of others",
			app:    web + ", volumes: [{name: v, emptyDir: {}}]",
			others: web + ", volumes: [{name: o, emptyDir: {}}, {name: v, emptyDir: {}}, {name: p, emptyDir: {}}]",
			config: "volumes: [{name: v, hostPath: {path: /}}], onConflict: {volume: Replace}",
			pod: web + ", volumes: [{name: o, emptyDir: {}}, {name: v, hostPath: {path: /}}, {name: p, " +
				"emptyDir: {}}]",
		},
		{
			claim:   "a container of the app is replaced beside those of others",
			app:     "containers: [{name: web}, {name: logs}]",
			earlier: "containers: [{name: o, image: i, mode: Container, after: web}]",
			config:  "containers: [{name: logs, image: l, mode: Container}], onConflict: {container: Replace}",
			pod:     "containers: [{name: web}, {name: o, image: i}, {name: logs, image: l}]",
		},
		{
			claim:  "a field is set",
			app:    web,
			others: web + ", volumes: [{name: o, emptyDir: {}}]",
			config: "podSpec: {hostname: x}",
			pod:    web + ", volumes: [{name: o, emptyDir: {}}], hostname: x",
		},
		{
			claim:  "a field that others have set stays theirs",
			app:    web,
			others: web + ", hostname: y",
			config: "podSpec: {hostname: x}",
		},
		{
			claim:  "a field that is null is set",
			app:    "hostname: , " + web,
			others: "hostname: , " + web + ", volumes: []",
			config: "podSpec: {hostname: x}",
			pod:    "hostname: x, " + web + ", volumes: []",
		},
		{
			claim:  "a mapping of others gets the fields that it does not have, and keeps its own",
			app:    web,
			others: web + ", securityContext: {runAsUser: 1, seLinuxOptions: {role: r}}",
			config: "podSpec: {securityContext: {runAsUser: 2, seLinuxOptions: {user: u}}}",
			pod:    web + ", securityContext: {runAsUser: 1, seLinuxOptions: {role: r, user: u}}",
		},
		{
			claim:  "a mapping of others that means something as a whole stays theirs",
			app:    web,
			others: web + ", securityContext: {seccompProfile: {type: RuntimeDefault}}",
			config: "podSpec: {securityContext: {seccompProfile: {type: Localhost, localhostProfile: p}}}",
		},
		{
			claim:  "a list of others gets the entries that it does not have",
			app:    web,
			others: web + ", dnsConfig: {options: [{name: o}, {name: ndots, value: 1}]}",
			config: "podSpec: {dnsConfig: {options: [{name: ndots, value: '2'}, {name: n}]}}",
			pod:    web + ", dnsConfig: {options: [{name: o}, {name: ndots, value: 1}, {name: n}]}",
		},
		{
			claim:  "a list of the app gets them as well",
			app:    web + ", dnsConfig: {options: [{name: a}]}",
			others: web + ", dnsConfig: {options: [{name: a}, {name: o}]}",
			config: "podSpec: {dnsConfig: {options: [{name: a}, {name: o}, {name: n}]}}",
			pod:    web + ", dnsConfig: {options: [{name: a}, {name: o}, {name: n}]}",
		},
		{
			claim:  "entries without a key are found by what they are",
			app:    web,
			others: web + ", tolerations: [{key: x, operator: Exists}, {key: o}]",
			config: "podSpec: {tolerations: [{operator: Exists, key: x}, {key: m}]}",
			pod:    web + ", tolerations: [{key: x, operator: Exists}, {key: o}, {key: m}]",
		},
		{
			claim:  "a label is set in metadata that is not there, which comes first",
			app:    web,
			others: web + ", volumes: []",
			config: "patchPodMetadata: [{labels: {a: b}}]",
			pod:    "{metadata: {labels: {a: b}}, spec: {" + web + ", volumes: []}}",
		},
		{
			claim:  "a label is set beside those of others",
			app:    "{metadata: {labels: {x: y}}, spec: {" + web + "}}",
			others: "{metadata: {labels: {x: y, o: p}}, spec: {" + web + "}}",
			config: "patchPodMetadata: [{labels: {a: b, x: z}, patchPolicy: Overwrite}]",
			pod:    "{metadata: {labels: {x: z, o: p, a: b}}, spec: {" + web + "}}",
		},
		{
			claim:  "a container of the app is merged beside what others have added to it",
			app:    "containers: [{name: web, image: w}]",
			others: "containers: [{name: o}, {name: web, image: w, env: [{name: O, value: o}]}]",
			config: "containers: [{name: web, image: w, mode: Container, tty: true, env: [{name: N, value: n}]}], " +
				"onConflict: {container: Merge}",
			pod: "containers: [{name: o}, {name: web, image: w, env: [{name: O, value: o}, {name: N, value: n}], " +
				"tty: true}]",
		},
		{
			claim:  "variables go in front of the app's in their order, behind those of others",
			app:    "containers: [{name: web, env: [{name: A, value: a}]}]",
			others: "containers: [{name: web, env: [{name: O, value: o}, {name: A, value: a}]}]",
			config: "appContainers: [{env: [{name: N, value: n}, {name: M, value: $(N)}, {name: K, value: k}]}]",
			pod: "containers: [{name: web, env: [{name: O, value: o}, {name: N, value: n}, {name: M, value: $(N)}, " +
				"{name: K, value: k}, {name: A, value: a}]}]",
		},
		{
			claim:  "behind those of the app that they use, before its next",
			app:    "containers: [{name: web, env: [{name: A, value: a}, {name: B, value: b}]}]",
			others: "containers: [{name: web, env: [{name: A, value: a}, {name: O, value: o}, {name: B, value: b}]}]",
			config: "appContainers: [{env: [{name: N, value: $(A)}, {name: M, value: m}]}]",
			pod: "containers: [{name: web, env: [{name: M, value: m}, {name: A, value: a}, {name: O, value: o}, " +
				"{name: N, value: $(A)}, " +
				"{name: B, value: b}]}]",
		},
		{
			claim:  "or behind all of them",
			app:    "containers: [{name: web, env: [{name: A, value: a}]}]",
			others: "containers: [{name: web, env: [{name: A, value: a}, {name: O, value: o}]}]",
			config: "appContainers: [{envPosition: Append, env: [{name: N, value: n}]}]",
			pod:    "containers: [{name: web, env: [{name: A, value: a}, {name: O, value: o}, {name: N, value: n}]}]",
		},
		{
			claim:  "what goes into a container that is gone is an error",
			app:    "containers: [{name: web}, {name: db}]",
			others: "containers: [{name: web}, {name: o}]",
			config: "appContainers: [{env: [{name: N, value: n}]}]",
			finds: []string{
				"error ContainerMissing spec: container \"db\" of the app, which gets something, is not in the pod; " +
					"restore it",
			},
		},
	})
}

// TestTheFileStaysAsItIs has that neither a plan nor Put changes the nodes that were read, which others share.
func TestTheFileStaysAsItIs(t *testing.T) {
	const (
		app    = "containers: [{name: web, image: w, env: [{name: J, value: a}]}], resources: {requests: {cpu: 1}}"
		others = "containers: [{name: web, image: w, env: [{name: J, value: a}]}, {name: o}], " +
			"resources: {requests: {cpu: 1}}"
	)
	s := newScene(t, app, others)
	file := s.version
	_, findings := s.inject(t, "appContainers: [{env: [{name: J, value: b, join: ' '}, {name: N, value: n}]}], "+
		"podSpec: {hostname: h}, "+
		"containers: [{name: logs, image: l, resources: {requests: {cpu: 1}}}], "+
		"patchPodMetadata: [{labels: {a: b}}]", nil)
	if finding.HasError(findings) || s.version == file {
		t.Fatal(findings)
	}
	compare(t, "app", []string{shown(s.app)}, []string{app})
	compare(t, "file", []string{shown(file)}, []string{others})
}

// TestTransformers has what functions of other programs may do.
func TestTransformers(t *testing.T) {
	const app = "{metadata: {labels: {app: web}}, spec: {containers: [{name: web}]}}"
	set := func(value string, path ...string) apply.Transformer {
		return func(pod *apply.Pod) []finding.Finding { return pod.SetNode(node.String(value), path...) }
	}
	containers := func(names ...string) apply.Transformer {
		return func(pod *apply.Pod) []finding.Finding {
			list := node.Sequence()
			for _, name := range names {
				list.Content = append(list.Content, node.Mapping())
				node.Set(list.Content[len(list.Content)-1], "name", node.String(name))
			}
			node.Set(pod.Spec(), "containers", list)
			return nil
		}
	}
	failure := finding.Finding{
		Severity: finding.Error,
		Code:     finding.InvalidItem,
		Message:  "it failed",
		Field:    &finding.Field{Path: "x"},
	}
	fails := func(*apply.Pod) []finding.Finding { return []finding.Finding{failure} }
	for _, test := range []struct {
		claim         string
		before, after []apply.Transformer
		pod           string
		finds         []string
		has           string
	}{
		{
			claim:  "one before runs before the plan, one after it behind it",
			before: []apply.Transformer{set("early", "spec", "hostname")},
			after:  []apply.Transformer{set("late", "spec", "subdomain")},
			pod: "{metadata: {labels: {app: web}}, spec: {containers: [{name: web}, {name: logs, image: l}], " +
				"hostname: early, " +
				"subdomain: late}}",
			has: "logs",
		},
		{
			claim: "a container that one adds counts as the injector's",
			after: []apply.Transformer{containers("web", "logs", "new")},
			pod:   "{metadata: {labels: {app: web}}, spec: {containers: [{name: web}, {name: logs}, {name: new}]}}",
			has:   "new",
		},
		{
			claim: "one must not remove a container",
			after: []apply.Transformer{containers("logs")},
			finds: []string{"error ContainerMissing spec: a transformer removes container \"web\""},
		},
		{
			claim:  "the first that fails ends it",
			before: []apply.Transformer{fails, set("early", "spec", "hostname")},
			after:  []apply.Transformer{fails},
			finds:  []string{"error InvalidItem x: it failed"},
		},
		{
			claim: "one must not change a label of the selector",
			after: []apply.Transformer{set("x", "metadata", "labels", "app")},
			finds: []string{"error SelectorLabel metadata.labels.app: a transformer changes the label app"},
		},
		{
			claim: "an annotation of that name is another thing",
			after: []apply.Transformer{set("x", "metadata", "annotations", "app")},
			pod: "{metadata: {labels: {app: web}, annotations: {app: x}}, " +
				"spec: {containers: [{name: web}, {name: logs, image: l}]}}",
			has: "logs",
		},
		{
			claim: "one must not change what Pillion decides by",
			after: []apply.Transformer{
				set("x", "metadata", "annotations", "pillion.dev/x"),
				set("x", "metadata", "labels", "marker"),
			},
			finds: []string{
				"error InvalidItem metadata.annotations.pillion.dev/x: a transformer changes pillion.dev/x in the " +
					"annotations",
				"error InvalidItem metadata.labels.marker: a transformer changes marker in the labels",
			},
		},
	} {
		t.Run(test.claim, func(t *testing.T) {
			in := inject(t, "marker: marker, containers: [{name: logs, image: l, mode: Container}]")
			file := template(t, app)
			pod := alone(file)
			pod.SelectorLabels = []string{"app"}
			findings := apply.Apply(pod, in.Plan(), test.before, test.after)
			checkFindings(t, findings, test.finds)
			if !finding.HasError(findings) {
				compare(t, "pod", []string{shown(pod.Alone())}, []string{test.pod})
			}
			if test.has != "" && !pod.Has(test.has) {
				t.Errorf("%q does not count as the injector's", test.has)
			}
		})
	}
}

// TestWhatTransformersDoIsPutBesideOthers has a transformer that changes more than the injector wants.
func TestWhatTransformersDoIsPutBesideOthers(t *testing.T) {
	const resources = "resources: {requests: {cpu: 1}}"
	s := newScene(t, "containers: [{name: web, env: [{name: J, value: app}]}], "+resources, "")
	s.inject(t, "appContainers: [{env: [{name: J, value: one, join: ' '}]}]", nil)
	s.after = []apply.Transformer{func(pod *apply.Pod) []finding.Finding {
		return pod.SetNode(node.String("x"), "spec", "hostname")
	}}
	_, findings := s.inject(t, "appContainers: [{env: [{name: J, value: two, join: ' '}]}], "+
		"containers: [{name: logs, image: l, mode: Container, "+resources+"}]", nil)
	checkFindings(t, findings, nil)
	want := "containers: [{name: web, env: [{name: J, value: app one two}]}, " +
		"{name: logs, image: l, " + resources + "}], " +
		resources + ", hostname: x"
	compare(t, "pod", []string{shown(s.version)}, []string{want})
}

package engine_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/core/version"
	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
)

// These are the claims behind "Stamps are untrusted" in docs/explanation/ownership.md; the tests have their numbers.
// Number 16 is tested in internal/core/stamp/steps_test.go, that there is one way to write a stamp in stamp_test.go
// there, and number 17 in untrustedlayout_test.go.
//
// A stamp that records what no injection does is StampBroken, and nothing is written:
//
//  1. A stamp names labels, annotations and the pod spec, and nothing else. It never names another stamp or a part of one.
//  2. A fingerprint has six characters. That of a joined value is the one of its text, only < may follow it, and a stamp joins at most
//     100 values to a variable. There is one way to write a stamp: each word once, in order, without needless quotes.
//  3. A list of the pod spec, such as all containers, is never named as a whole, nor is the key of an entry, such as a container's name.
//  4. PATH="TEXT" holds text only where an injection replaces something: labels, annotations, containers, volumes, the variables, mounts
//     and devices of a container, and values that something was joined to. Of such a value, only the layout is restored, and only if the
//     value is the same. Anywhere else, it only records that something existed and was empty: a list where a pod has a list, a mapping
//     where it has a mapping. So no stamp can add hostNetwork. A label or an annotation is never a list or a mapping, and has no parts.
//  5. A container, volume, variable, mount or device in PATH="TEXT" has the key in its path, and the stamp names what was added in its
//     place.
//  6. The texts are YAML without anchors, aliases, directives and further documents. Each key is a string and occurs once in its mapping.
//  7. A stamp has at most 256 KiB, and so have all stamps of a pod template together. No path is deeper than 64 levels, no text is nested
//     deeper, and no stamp is empty.
//
// If an injection could have done what a stamp records, the stamp is undone, and this is reported:
//
//  8. Updated and Removed name each thing that is removed and each that is restored.
//  9. A container whose fingerprint does not match stays if it has nothing in common with the config's container, or if the config has
//     none and the pod would have no container left. That, and anything else whose fingerprint does not match, is Drifted.
//  10. checks.podSecurity compares the result with the original file. If the pod loses the file's level because of what a stamp removes
//     or restores, that is an error. If the injector is being removed, it is a warning, because such a pod may have any level.
//  11. If what a stamp restores causes another problem that was not in the file, such as a variable that is set twice, it is a warning.
//  12. A stamp names no place in a list. The app's entries keep their order.
//  14. The stamp of an injector that is not part of the run removes nothing and restores nothing. It does keep the
//     run's injectors from treating the containers that it names as the app's. That is ForeignStamp: a warning if a
//     fingerprint does not match, and an info otherwise, which every run shows.
//  15. The time to read and undo stamps grows at most in proportion to the length of the stamps and of the manifest.
//  16. The layout that a stamp records, such as a line at the left margin, changes no value, and loses no comment without a warning.

type (
	prints = map[string]map[string]stamp.Fingerprint
	texts  = map[string]map[string]string
)

// forgery is a stamp that anyone may have written: fingerprints and texts by paths and keys.
type forgery struct {
	Added prints
	Was   texts
}

func (f *forgery) String() string { return f.stamp().String() }

func (f *forgery) stamp() *stamp.Stamp {
	s := &stamp.Stamp{Changes: map[stamp.Address]stamp.Change{}}
	for path, fingerprints := range f.Added {
		for key, p := range fingerprints {
			s.Changes[stamp.Address{Path: path, Key: key}] = stamp.Change{Fingerprint: p}
		}
	}
	for path, texts := range f.Was {
		for key, text := range texts {
			at := stamp.Address{Path: path, Key: key}
			s.Changes[at] = stamp.Change{Fingerprint: s.Changes[at].Fingerprint, Before: &text}
		}
	}
	return s
}

const (
	restricted  = "{allowPrivilegeEscalation: false, runAsNonRoot: true, capabilities: {drop: [ALL]}, seccompProfile: {type: RuntimeDefault}}"
	appSpec     = "containers:\n- name: app\n  image: app:1\n  securityContext: " + restricted + "\n  env: [{name: LOG, value: text}]\n"
	privileged  = "{name: fluent-bit, image: evil, securityContext: {privileged: true}}"
	goodFields  = "name: fluent-bit, image: fluent/bit, securityContext: " + restricted
	goodSidecar = "{" + goodFields + "}"
	payload     = "containers: [{" + goodFields + ", mode: Container}]\n"
)

var trusting = injectorOf("logs", payload)

// forgedPod is a pod with stamps that anyone may have written, each with the right checksum.
func forgedPod(spec string, stamps map[string]*forgery) string {
	var annotations strings.Builder
	for _, name := range slices.Sorted(maps.Keys(stamps)) {
		fmt.Fprintf(&annotations, "    %s: '%s'\n", stamp.Key(name), strings.ReplaceAll(stamps[name].String(), "'", "''"))
	}
	return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  labels: {app: web}\n  annotations:\n    team: shop\n" +
		annotations.String() + "spec:\n" + indent(spec, "  ")
}

// whole is a fingerprint that matches nothing.
var whole = stamp.Fingerprint{Hash: "AAAAAA"}

// printOf is the fingerprint of a container as it is written.
func printOf(t *testing.T, container string) stamp.Fingerprint {
	t.Helper()
	read := func(text string) *node.Node {
		var document node.Node
		if err := yamlread.Into([]byte(text), &document); err != nil {
			t.Fatal(err)
		}
		return node.Fresh(document.Content[0])
	}
	before := read("spec: {containers: []}")
	after := read("spec: {containers: [" + container + "]}")
	s := version.Difference(before, after).Stamp(stamp.Hashes{}, stamp.NewView(before), nil)
	for _, at := range s.Addresses() {
		return s.Changes[at].Fingerprint
	}
	t.Fatal("no fingerprint")
	return stamp.Fingerprint{}
}

func TestStampsAreUntrustedWhatNoInjectionDoesIsRefused(t *testing.T) {
	onSidecar := prints{"spec/containers": {"fluent-bit": whole}}
	onVariable := prints{"spec/containers/app/env": {"LOG": whole}}
	long := texts{"metadata/annotations": {"team": strings.Repeat("a", 140<<10)}}
	nested := strings.Repeat("[", 65) + strings.Repeat("]", 65)
	for claim, forged := range map[string]map[string]*forgery{
		"1 another field of the metadata": {"logs": {Added: prints{"metadata": {"name": whole}}}},
		"1 another field of the object":   {"logs": {Added: prints{"status": {"phase": whole}}}},
		"1 another stamp":                 {"logs": {Added: prints{"metadata/annotations": {stamp.Key("other"): whole}}}},
		"1 another stamp comes back":      {"logs": {Added: onSidecar, Was: texts{"metadata/annotations": {stamp.Key("other"): "{}"}}}},
		"1 inside of another stamp":       {"logs": {Added: prints{"metadata/annotations/pillion.dev~1injected-other/add": {"x": whole}}}},
		"1 a part of an annotation":       {"logs": {Added: prints{"metadata/annotations/team": {"a": whole}}}},
		"1 two paths to one thing":        {"logs": {Added: prints{"spec/a~2": {"x": whole}}}},
		"2 an empty fingerprint":          {"logs": {Added: prints{"spec": {"hostname": {}}}}},
		"2 a short fingerprint":           {"logs": {Added: prints{"spec/containers": {"app": {Hash: "AAAAA"}}}}},
		"2 other characters":              {"logs": {Added: prints{"spec/containers": {"app": {Hash: "AAA=AA"}}}}},
		"3 all containers":                {"logs": {Added: prints{"spec": {"containers": whole}}}},
		"3 the name of a container":       {"logs": {Added: prints{"spec/containers/app": {"name": whole}}}},
		"3 the name of a variable":        {"logs": {Added: prints{"spec/containers/app/env/LOG": {"name": whole}}}},
		"2 a joined value that is empty":  {"logs": {Added: prints{"spec/containers/app/env/LOG/value/,": {"": whole}}}},
		"4 a value that nothing was joined to": {"logs": {
			Added: onVariable, Was: texts{"spec/containers/app/env/LOG": {"value": "evil"}},
		}},
		"4 a value that was joined to a list": {"logs": {
			Added: prints{"spec/containers/app/env/LOG/value/,": {"text": printOf(t, "text")}},
			Was:   texts{"spec/containers/app/env/LOG": {"value": "[a]"}},
		}},
		"4 a value that was null and that nothing was joined to": {"logs": {
			Added: onVariable, Was: texts{"spec/containers/app/env/LOG": {"value": "~"}},
		}},
		"4 hostNetwork": {"logs": {
			Added: prints{"spec": {"hostNetwork": whole}},
			Was:   texts{"spec": {"hostNetwork": "true"}},
		}},
		"4 a command": {"logs": {
			Added: prints{"spec/containers/app": {"command": whole}},
			Was:   texts{"spec/containers/app": {"command": "[evil]"}},
		}},
		"4 a security context": {"logs": {
			Added: prints{"spec/containers/app/securityContext": {"privileged": whole}},
			Was:   texts{"spec/containers/app/securityContext": {"privileged": "true"}},
		}},
		"4 a pull secret": {"logs": {
			Added: prints{"spec/imagePullSecrets": {"a": whole}},
			Was:   texts{"spec/imagePullSecrets": {"a": "{name: a}"}},
		}},
		"4 a label that is a list": {"logs": {
			Added: prints{"metadata/labels": {"q": whole}},
			Was:   texts{"metadata/labels": {"q": "[a]"}},
		}},
		"4 a part of an annotation": {"logs": {
			Added: prints{"metadata/annotations": {"q": whole}},
			Was:   texts{"metadata/annotations/q": {"a": "1"}},
		}},
		"4 an annotation that is empty": {"logs": {
			Added: prints{"metadata/annotations": {"q": whole}},
			Was:   texts{"metadata/annotations": {"q": "{}"}},
		}},
		"4 containers that are a mapping": {"logs": {Added: onSidecar, Was: texts{"spec": {"containers": "{}"}}}},
		"4 variables that are a mapping":  {"logs": {Added: onVariable, Was: texts{"spec/containers/app": {"env": "{}"}}}},
		"4 metadata that is a list":       {"logs": {Added: onSidecar, Was: texts{"": {"metadata": "[]"}}}},
		"4 labels that are a list":        {"logs": {Added: onSidecar, Was: texts{"metadata": {"labels": "[]"}}}},
		"5 a container for nothing":       {"logs": {Added: onVariable, Was: texts{"spec/containers": {"fluent-bit": privileged}}}},
		"5 another container": {"logs": {
			Added: onSidecar,
			Was:   texts{"spec/containers": {"fluent-bit": "{name: app, image: evil}"}},
		}},
		"5 a container that is a text": {"logs": {Added: onSidecar, Was: texts{"spec/containers": {"fluent-bit": "evil"}}}},
		"6 an anchor": {"logs": {
			Added: prints{"metadata/labels": {"a": whole}},
			Was:   texts{"metadata/labels": {"a": "&a b"}},
		}},
		"6 directives": {"logs": {
			Added: prints{"metadata/labels": {"a": whole}},
			Was:   texts{"metadata/labels": {"a": "# x\n%TAG !a! b\n---\nc"}},
		}},
		"6 directives behind odd line ends": {"logs": {
			Added: prints{"metadata/labels": {"a": whole}},
			Was:   texts{"metadata/labels": {"a": "# x\r%TAG !a! b\r---\rc"}},
		}},
		"6 half of a surrogate pair": {"logs": {
			Added: prints{"metadata/annotations": {"a": whole}},
			Was:   texts{"metadata/annotations": {"a": `"\ud83d"`}},
		}},
		"6 two documents": {"logs": {
			Added: prints{"metadata/labels": {"a": whole}},
			Was:   texts{"metadata/labels": {"a": "a\n...\nb"}},
		}},
		"6 a list as a key": {"logs": {
			Added: onSidecar,
			Was:   texts{"spec/containers": {"fluent-bit": "{name: fluent-bit, [a]: b}"}},
		}},
		"6 a key of another name": {"logs": {
			Added: onSidecar,
			Was:   texts{"spec/containers": {"fluent-bit": "{name: fluent-bit, yes: b}"}},
		}},
		"6 a key twice": {"logs": {
			Added: onVariable,
			Was:   texts{"spec/containers/app/env": {"LOG": "{name: LOG, value: a, value: b}"}},
		}},
		"7 a text that is too deep": {"logs": {Added: onSidecar, Was: texts{"spec/containers": {"fluent-bit": "{name: fluent-bit, a: " +
			nested + "}"}}}},
		"7 a label that is too deep": {"logs": {
			Added: prints{"metadata/labels": {"q": whole}},
			Was:   texts{"metadata/labels": {"q": nested}},
		}},
		"7 too deep": {"logs": {Added: prints{"spec" + strings.Repeat("/a", 64): {"x": whole}}}},
		"7 too long": {"logs": {Added: onVariable, Was: texts{"metadata/annotations": {"team": strings.Repeat("a",
			257<<10)}}}},
		"7 too long together": {
			"a": {Added: onVariable, Was: long}, "logs": {Added: onVariable, Was: long},
			"z": {Added: onVariable, Was: long},
		},
		"7 empty": {"logs": {}},
	} {
		for _, config := range []string{trusting, removalOf("logs")} {
			t.Run(claim, func(t *testing.T) {
				pod := forgedPod(appSpec, forged)
				after, said, failed := step(t, config, pod)
				if !failed || !strings.Contains(said, "StampBroken") {
					t.Errorf("it is not refused:\n%s\n%s", said, after)
				}
				if failed && after != pod {
					t.Errorf("it is refused, and yet:\n%s", after)
				}
			})
		}
	}
}

func TestStampsAreUntrustedWhatIsDoneIsReported(t *testing.T) {
	app := "- {name: app, image: app:1}\n"
	for claim, test := range map[string]struct {
		spec   string
		forged *forgery
		config string
		says   []string
	}{
		"8 a container goes": {
			"containers:\n" + app + "- {name: api, image: api:1}\n",
			&forgery{Added: prints{"spec/containers": {"app": printOf(t, "{name: app, image: app:1}")}}},
			removalOf("logs"),
			[]string{`removes container app`},
		},
		"8 a container comes back": {
			"containers:\n" + app + "- " + goodSidecar + "\n",
			&forgery{
				Added: prints{"spec/containers": {"fluent-bit": printOf(t, goodSidecar)}},
				Was:   texts{"spec/containers": {"fluent-bit": privileged}},
			},
			removalOf("logs"),
			[]string{`restores container fluent-bit`},
		},
		"8 a container comes from nowhere": {
			"containers:\n" + app,
			&forgery{
				Added: prints{"spec/containers": {"fluent-bit": printOf(t, goodSidecar)}},
				Was:   texts{"spec/containers": {"fluent-bit": privileged}},
			},
			removalOf("logs"),
			[]string{`restores container fluent-bit`, "Drifted"},
		},
		"8 a variable comes back with an update": {
			appSpec, &forgery{Added: prints{"spec/containers/app/env": {"LOG": whole}}, Was: texts{
				"spec/containers/app/env": {"LOG": "{name: LOG, value: evil}"},
			}},
			trusting,
			[]string{`restores env variable LOG of container app`, `adds container fluent-bit`},
		},
		"8 a field of the pod goes": {
			"hostname: a\ncontainers:\n" + app, &forgery{Added: prints{"spec": {"hostname": whole}}},
			trusting,
			[]string{`removes hostname`, "Drifted"},
		},
		"8 an annotation comes back": {
			appSpec, &forgery{Added: prints{"metadata/annotations": {"team": whole}}, Was: texts{"metadata/annotations": {"team": "evil"}}},
			trusting,
			[]string{`restores annotation team`},
		},
		"9 a pod's only container stays": {
			appSpec, &forgery{Added: prints{"spec/containers": {"app": whole}}},
			removalOf("logs"),
			[]string{`warning: Drifted: pod/web: container "app" does not look like what was injected by that name`},
		},
		"9 containers stay if none would be left": {
			appSpec + "- " + goodSidecar + "\n", &forgery{Added: prints{"spec/containers": {"app": whole, "fluent-bit": whole}}},
			removalOf("logs"),
			[]string{`container "app" does not look like`, `container "fluent-bit" does not look like`},
		},
		"9 a container with nothing of the config's stays": {
			appSpec + "- {name: fluent-bit, image: other, tty: true}\n", &forgery{Added: prints{"spec/containers": {"fluent-bit": whole}}},
			injectorOf("logs", "action: Remove\n"+payload),
			[]string{`container "fluent-bit" does not look like`, `removes annotation`},
		},
		"9 another container goes": {
			appSpec + "- {name: fluent-bit, image: other, tty: true}\n", &forgery{Added: prints{"spec/containers": {"fluent-bit": whole}}},
			removalOf("logs"),
			[]string{`warning: Drifted: pod/web: container "fluent-bit" was changed by hand`, `removes container fluent-bit`},
		},
		"10 a container comes back in a restricted pod, as the injector goes out": {
			appSpec + "- " + goodSidecar + "\n",
			&forgery{
				Added: prints{"spec/containers": {"fluent-bit": printOf(t, goodSidecar)}},
				Was:   texts{"spec/containers": {"fluent-bit": privileged}},
			},
			injectorOf("logs", "action: Remove\nchecks: {podSecurity: restricted}\n"),
			[]string{"warning: PodSecurity", "privileged"},
		},
	} {
		t.Run(claim, func(t *testing.T) {
			after, said, failed := step(t, test.config, forgedPod(test.spec, map[string]*forgery{"logs": test.forged}))
			if failed {
				t.Fatalf("it is refused:\n%s", said)
			}
			for _, words := range test.says {
				if !strings.Contains(said, words) {
					t.Errorf("it does not say %q:\n%s\n%s", words, said, after)
				}
			}
		})
	}
}

func TestStampsAreUntrustedPodSecurityLooksAtTheFile(t *testing.T) {
	const other = "{name: other, image: o, securityContext: " + restricted + "}"
	config := injectorOf("logs", payload+"checks: {podSecurity: restricted}\n")
	for claim, forged := range map[string]*forgery{
		"10 a container comes back": {
			Added: prints{"spec/containers": {"other": printOf(t, other)}},
			Was:   texts{"spec/containers": {"other": "{name: other, image: evil, securityContext: {privileged: true}}"}},
		},
		"10 a security context goes": {Added: prints{"spec/containers/app/securityContext": {"runAsNonRoot": whole}}},
	} {
		t.Run(claim, func(t *testing.T) {
			_, said, failed := step(t, config, forgedPod(appSpec+"- "+other+"\n", map[string]*forgery{"logs": forged}))
			if !failed || !strings.Contains(said, "error: PodSecurity") || !strings.Contains(said, "pod security level of the pod from restricted") {
				t.Errorf("it is not refused:\n%s", said)
			}
		})
	}
	t.Run("11 a sidecar that lowers the level is found on a second run, too", func(t *testing.T) {
		injected := mustRun(t, forgedPod(appSpec, nil), injectorOf("logs", "containers: [{mode: Container, "+privileged[1:]+"]\n"))
		_, said, failed := step(t, injectorOf("logs", "containers: [{mode: Container, "+privileged[1:]+"]\n"+
			"checks: {podSecurity: restricted}\n"), injected)
		if !failed || !strings.Contains(said, "error: PodSecurity") {
			t.Errorf("it is not refused:\n%s", said)
		}
	})
}

func TestStampsAreUntrustedTheAppsEntriesKeepTheirOrder(t *testing.T) { // 13
	spec := "containers:\n- {name: a, image: i}\n- " + goodSidecar + "\n- {name: b, image: i}\n- {name: c, image: i}\n"
	forged := &forgery{Added: prints{"spec/containers": {"fluent-bit": printOf(t, goodSidecar)}}}
	after := mustRun(t, forgedPod(spec, map[string]*forgery{"logs": forged}), trusting)
	a, b, c := strings.Index(after, "name: a,"), strings.Index(after, "name: b,"), strings.Index(after, "name: c,")
	if a < 0 || a > b || b > c || strings.Count(after, "name: fluent-bit") != 1 {
		t.Errorf("got\n%s", after)
	}
}

func TestStampsAreUntrustedThoseOfOthersDoNothing(t *testing.T) { // 14
	pod := forgedPod(appSpec, map[string]*forgery{"other": {
		Added: prints{"spec/containers": {"app": printOf(t, "{name: app, image: app:1}")}, "spec/containers/app/env": {"LOG": whole}},
		Was:   texts{"spec/containers": {"app": "{name: app, image: evil}"}},
	}})
	after, said, failed := step(t, trusting, pod)
	if failed || strings.Count(after, "image: evil") != 1 || !strings.Contains(after, "value: text") || strings.Contains(said, "restores") {
		t.Errorf("got\n%s\n%s", said, after)
	}
	if back := mustRun(t, after, removalOf("logs")); back != pod {
		t.Errorf("removed again, it is\n%s", back)
	}
}

func TestStampsAreUntrustedThoseOfOthersHideNothingSilently(t *testing.T) { // 14
	config := injectorOf("logs", `
  appContainers: [{env: [{name: LOG, value: json}]}]
`)
	for fingerprint, want := range map[stamp.Fingerprint]string{
		printOf(t, "{name: app, image: app:1}"): `info: ForeignStamp: pod/web: container "app"`,
		whole:                                   `warning: ForeignStamp: pod/web: container "app"`,
	} {
		pod := forgedPod("  containers:\n  - {name: app, image: app:1}\n", map[string]*forgery{
			"other": {Added: prints{"spec/containers": {"app": fingerprint}}},
		})
		after, said, failed := step(t, config, pod)
		if failed || after != pod || !strings.Contains(said, want) {
			t.Errorf("got\n%s\n%s", said, after)
		}
	}
}

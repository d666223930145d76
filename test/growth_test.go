package test

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/variable"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/learn"
	"pillion.dev/pillion/internal/text/joined"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/test/growth"
)

// TestTimeGrowsWithTheInput gives texts of many shapes to all that read text. Quadratic work takes 256 times as long for
// 16 times the text.
func TestTimeGrowsWithTheInput(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	for _, spec := range []string{takeOver, keep, join, selecting} {
		if _, findings := engine.ReadConfig(finding.Source{Text: []byte(strings.ReplaceAll(spec, "NAME", "logs"))}); len(findings) > 0 {
			t.Fatal(findings)
		}
	}
	for _, piece := range pieces {
		quoted := strings.NewReplacer(`"`, `\"`, "\n", "\n  ").Replace(piece)
		block := strings.ReplaceAll(piece, "\n", "\n  ")
		for name, read := range readers {
			grows(t, name, shape{"", piece, ""}, read)
		}
		for _, s := range []shape{{"POD", piece, ""}, {`PODx: "`, quoted, "\"\n"}, {"PODx: |\n  ", block, "\n"}, {"PODx: [", piece, "]\n"}} {
			grows(t, "a manifest", s, readManifest)
		}
	}
	for _, s := range []shape{{"PODx:\n", "INDENTa:\n", ""}, {"PODx:\n", "INDENT-\n", ""}} {
		grows(t, "a manifest", s, readManifest)
	}
	for _, s := range slices.Concat(yamlShapes, podShapes) {
		grows(t, "an injection", s, inTurn(takeOver, "logs", "-logs"))
	}
	for _, s := range podShapes {
		grows(t, "an injection that keeps", s, inTurn(keep, "logs"))
		grows(t, "two injections that join", s, inTurn(join, "logs", "mesh"))
	}
	for _, s := range podShapes {
		grows(t, "learning from a pod that is new", s, func(text string) { learnFrom(pod, text) })
		grows(t, "learning from a pod", s, func(text string) {
			learnFrom(text, strings.Replace(text, "name: web", "name: web\n  labels: {new: x}", 1))
		})
	}
	grows(t, "learning from pods", shape{"", manyPods, ""}, func(text string) {
		learnFrom(text, strings.ReplaceAll(text, "image: b}", "image: b}, {name: new, image: c}"))
	})
	for _, s := range learnShapes {
		grows(t, "learning from many", s, func(text string) {
			before, after, _ := strings.Cut(text, "AFTER\n")
			learnFrom(before, after)
		})
	}
	for _, s := range objectShapes {
		grows(t, "a selection", append(s, manyPods, ""), inTurn(selecting, "logs"))
	}
	for _, s := range containerShapes {
		grows(t, "an injection into many containers", s, inTurn(takeOver, "logs"))
	}
	for _, s := range injectorShapes {
		grows(t, "injectors of one pod", s, injectorsOfOnePod)
	}
	grows(t, "a config with ports", configWithPorts, readers["a config"])
	grows(t, "a config with variables", configWithVariables, readers["a config"])
	grows(t, "a stamp that restores labels", shape{"", "lN ", ""}, func(text string) {
		forged := &stamp.Stamp{Changes: map[stamp.Address]stamp.Change{}}
		before := "b"
		for label := range strings.FieldsSeq(text) {
			at := stamp.Address{Path: "metadata/labels", Key: label}
			forged.Changes[at] = stamp.Change{Fingerprint: stamp.Fingerprint{Hash: "AAAAAA"}, Before: &before}
		}
		inTurn(takeOver, "-logs")(strings.Replace(pod, "a: b", stamp.Key("logs")+": '"+forged.String()+"'", 1))
	})
	grows(t, "joined parts", shape{"", "a ", ""}, func(text string) {
		parts := make([]joined.Part, len(text)/2)
		for i := range parts {
			parts[i].Text = "b" + strconv.Itoa(i) + " a"
		}
		joined.Remove(text, " ", parts)
	})
}

// grows compares the times for n and 16n pieces. Short times say nothing: n doubles until they take 1.5 milliseconds or
// have 5 kB. Then 16n containers are not yet too many for a pod.
func grows(t *testing.T, name string, s shape, work func(text string)) {
	t.Helper()
	takes := func(text string) func() time.Duration {
		return func() time.Duration { return growth.Of(t, func() { work(text) }) }
	}
	n, short, little := 25, "", time.Duration(0)
	for little < 1500*time.Microsecond && len(short) < 5000 {
		n *= 2
		short = s.text(n)
		little = min(takes(short)(), takes(short)())
	}
	long := s.text(16 * n)
	times := float64(len(long)) / float64(len(short))
	growth.Linear(t, fmt.Sprintf("%s of %d bytes of %q", name, len(short), s), times, takes(short), takes(long))
}

// TestLearningGrowsWithTheInput is like the test above with more of everything.
func TestLearningGrowsWithTheInput(t *testing.T) {
	takes := func(text string) func() time.Duration {
		before, after, _ := strings.Cut(text, "AFTER\n")
		return func() time.Duration { return growth.Of(t, func() { learnFrom(before, after) }) }
	}
	for _, s := range learnShapes[:3] {
		growth.Linear(t, fmt.Sprintf("learning from %q", s), 16, takes(s.text(250)), takes(s.text(4000)))
	}
}

// shape is fixed texts and repeated ones in turn. A repeated text has its number in the place of N, and as many spaces
// for INDENT.
type shape []string

func (s shape) text(n int) string {
	var b strings.Builder
	for i, part := range s {
		part = strings.Replace(part, "POD", pod, 1)
		if i%2 == 0 {
			b.WriteString(part)
			continue
		}
		if !strings.Contains(part, "N") {
			b.WriteString(strings.Repeat(part, n))
			continue
		}
		for number := range n {
			text := strings.Replace(part, "INDENT", strings.Repeat(" ", number), 1)
			b.WriteString(strings.ReplaceAll(text, "N", strconv.Itoa(number)))
		}
	}
	return b.String()
}

var readers = map[string]func(text string){
	"a manifest": readManifest,
	"a file":     func(text string) { files.Manifests("a.yaml", []byte(text)) },
	"a config":   func(text string) { engine.ReadConfig(finding.Source{Text: []byte(text)}) },
	"a variable": func(text string) { variable.Parse(text) },
	"a stamp":    func(text string) { _, _ = stamp.Parse(text) },
	"an annotation": func(text string) {
		quoted := strings.NewReplacer("'", "''", "\n", " ", "\x00", "", "\r", "", "\xff", "").Replace(text)
		inTurn(takeOver, "-logs")(strings.Replace(pod, "a: b", "pillion.dev/injected-logs: '"+quoted+"'", 1))
	},
}

func readManifest(text string) {
	if stream, err := manifest.Read([]byte(text)); err == nil {
		for _, item := range stream.Items {
			_, _, _ = item.Parse()
		}
	}
}

func learnFrom(before, after string) {
	old, errOld := manifest.Read([]byte(before))
	current, errCurrent := manifest.Read([]byte(after))
	if errOld != nil || errCurrent != nil {
		return
	}
	if matched, err := learn.Match(old.Items, current.Items, false); err == nil {
		_, _ = learn.From(context.Background(), matched.Pairs, "")
	}
}

// addedN returns many pods with one more container.
func addedN(container string) string {
	return strings.ReplaceAll(manyPods, "image: b}", "image: b}, "+container)
}

// inTurn returns a function that injects by an injector of each name, or removes what it injected if there is a minus
// before the name.
func inTurn(spec string, names ...string) func(text string) {
	return func(text string) {
		for _, name := range names {
			name, removes := strings.CutPrefix(name, "-")
			config, _ := engine.ReadConfig(finding.Source{Text: []byte(strings.ReplaceAll(spec, "NAME", name))})
			if removes {
				config = config.Removing()
			}
			result, _ := engine.Apply(context.Background(), config, finding.Source{Text: []byte(text)})
			if len(result.Texts) > 0 && result.Texts[0] != nil {
				text = string(result.Texts[0])
			}
		}
	}
}

// injectorsOfOnePod injects by all injectors of a config, again, and by one of another run, and then removes what they
// injected.
func injectorsOfOnePod(configs string) {
	all, _ := engine.ReadConfig(finding.Source{Text: []byte(configs)})
	other, _ := engine.ReadConfig(finding.Source{Text: []byte(strings.ReplaceAll(takeOver, "NAME", "logs"))})
	text := []byte(pod)
	for _, config := range []engine.Config{all, all, other, all.Removing()} {
		result, _ := engine.Apply(context.Background(), config, finding.Source{Text: text})
		if len(result.Texts) > 0 && result.Texts[0] != nil {
			text = result.Texts[0]
		}
	}
}

const (
	pod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  annotations:\n    a: b\nspec:\n  containers:\n  - name: a\n    image: b\n"

	namespace = "---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: shop\n"
	manyPods  = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: pN, namespace: shop}\nspec: {containers: [{name: a, image: b}]}\n"
	injector  = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: NAME}\nspec:\n"

	injectorList = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems:\n"

	selecting = injector + "  namespaceSelector: {matchExpressions: [{key: env, operator: NotIn, values: [test]}]}\n" +
		"  containers: [{name: NAME, image: i}]\n"
	takeOver = injector + `
  onConflict: {env: Replace, mountPath: Replace}
  checks: {podSecurity: baseline, requireDigest: Warn, requireResources: Warn}
  containers:
  - name: NAME
    image: i
    shareVolumePolicy: {type: Enabled, includeInjected: true}
    transferEnv: [{sourceContainerName: a}]
    resourcesPolicy: {resourcesExpr: {requests: {cpu: "max(cpu*10%, 50m)"}, limits: {memory: memory/4}}}
  appContainers:
  - env: [{name: LOG, value: NAME}]
    volumeMounts: [{name: NAME, mountPath: /NAME}]
  volumes: [{name: NAME, emptyDir: {}}]
`
)

var (
	keep = strings.ReplaceAll(takeOver, "Replace", "Keep") +
		"  podSpec: {hostAliases: [{ip: 1.1.1.1, hostnames: [x]}], nodeSelector: {app: x}, serviceAccountName: x}\n" +
		"  patchPodMetadata: [{labels: {app: x}}]\n"
	join = strings.Replace(takeOver, "value: NAME}", "value: NAME, join: ' '}", 1)

	foreign = (&stamp.Stamp{Changes: map[stamp.Address]stamp.Change{
		{Path: "spec/containers", Key: "other"}: {Fingerprint: stamp.Fingerprint{Hash: "AAAAAA"}},
	}}).String()

	pieces = []string{
		"a", "a ", "a\n", " ", "\n", "\t", "\r", "\r\n", "a: b\n", "a:\n", "- ", "- a\n", "- - a\n", "? a\n", ": ", ":", "[", "[]", "{", "{a: ",
		"{}", "]", "}", ",", "a,", "{a: b},", `"`, `""`, `"\"`, `\`, `\"`, `"\""`, `\u0041`, `\ud83d\ude00`, "'", "''", `"a": `, "#", "# c\n",
		" # c\n", "%", "%TAG !a! b\n", "%YAML 1.1\n", "&a ", "*a ", "!t ", "!", "&", "*", "<<: *a\n", "|\n", ">\n", "---\n", "--- ", "...\n",
		"é", "\u2028", "\u0085", "\ufeff", "\x00", "\xff", "{{", "{{ x }}", "{{ x }}\n", "$", "$$", "${", "${a", "${workload.name}", "}$", "(",
		")", "1", "-", "/", "~", `{"a":`, `"a":{},`, "kind: Pod\n", "items:\n", "apiVersion: v1\nkind: Pod\n---\n", "null\n",
	}
	yamlShapes = []shape{
		{"PODx: ", "[", "", "]", "\n"},
		{"PODx: ", "{a: ", "", "}", "\n"},
		{`{"kind":"Pod","a":`, `{"a":`, "1", "}", "}"},
		{"PODx:\n", "- ", "a\n"},
		{"POD", "kN: v\n", ""},
		{"{kind: Pod, ", "kN: v, ", "}"},
		{`{"kind":"Pod"`, `,"kN":"\/"`, "}"},
		{"PODk: ", "a\n  ", "\n"},
		{"POD? ", "a\n  ", "\n: b\n"},
		{"POD", "k", ": v\n"},
		{"POD", "k: v\n", ""},
		{"PODx:\n", "  !tN k: v\n", ""},
		{"POD", "kN: !t v\n", ""},
		{"POD", "kN: {{ .x }}\n", ""},
		{"POD", "kN: &aN v\n", ""},
		{"POD", "kN: &aN v\nlN: *aN\n", ""},
		{"PODa: &a {b: c}\n", "kN: *a\n", ""},
		{"PODa: &a {b: c}\n", "kN: {<<: *a}\n", ""},
		{"PODa: &a b\n", "kN: &bN [*a]\n", ""},
		{"POD", "# c\nkN: v # d\n", ""},
		{"POD", "  # c\n", "k: v\n"},
		{"PODx: [\n", "  a, # c\n  # d\n", "]\n"},
		{"POD", "\n\nkN: v\n", ""},
		{"POD", "kN: 'it''s'\n", ""},
		{"POD", "kN: |\n  a\n\n  b\n", ""},
		{"POD", "kN: >-\n  a\n\n  b\n", ""},
		{"", "%TAG !aN! b\n", "---\nPOD"},
		{"", "---\n# c\n", "POD"},
		{"kind: List\nitems:\n", "- {kind: Pod}\n", ""},
		{"{kind: List, items: [", "{kind: Pod}, ", "]}"},
		{"{kind: List, items: [", "{kind: Pod, x: \"\u2028\"}, ", "]}"},
		{"kind: List\nitems:\n", "- kind: \"P\\x6fd\"\n", ""},
		{"", "{kind: List, items: [", "", "]}", ""},
		{`{"kind":"Pod","metadata":{"name":"é"},"spec":{"containers":[{"name":"a","env":[{"name":"E"}`, `,{"name":"EN"}`, "]}]}}\n"},
		{`{"kind":"Pod","metadata":{"name":"web"},"spec":{"containers":[{"name":"a","image":"b"}`, `,{"name":"cN","image":"b"}`, "]}}\n"},
	}
	podShapes = []shape{ // with many of one thing that injectors and checks look at
		{"apiVersion: v1\nkind: Pod\nmetadata:\n  annotations:\n", "    aN: b\n", "  name: web\nspec:\n  containers: [{name: a, image: b}]\n"},
		{"POD", "  - name: cN\n    image: b\n", ""},
		{"POD    env:\n", "    - name: EN\n      value: $(E)\n", ""},
		{"POD    env:\n", "    - {name: LOG, value: v}\n", ""},
		{"POD    env: [{name: LOG, value: \"", "vN ", "\"}]\n"},
		{"POD    env: [{name: E, value: \"", "$(EN)", "\"}]\n    envFrom:\n", "    - configMapRef: {name: cN}\n", ""},
		{
			"POD", "  - name: cN\n    env: [{name: EN, value: v}, {name: LOG, value: vN}]\n    volumeMounts: [{name: v, mountPath: /N}]\n",
			"  volumes: [{name: v, emptyDir: {}}]\n",
		},
		{"POD    volumeMounts:\n", "    - {name: vN, mountPath: /N}\n", "  volumes:\n", "  - name: vN\n", ""},
		{
			"POD    env:\n", "    - {name: EN, value: v}\n", "    volumeMounts:\n", "    - {name: v, mountPath: /N, subPathExpr: $(EN)}\n",
			"  volumes: [{name: v, emptyDir: {}}]\n",
		},
		{"POD    ports:\n", "    - containerPort: N\n", ""},
		{"POD    ports:\n", "    - {name: pN, containerPort: N, hostPort: N}\n", ""},
		{"POD", "  - {name: cN, image: b, ports: [{containerPort: N}]}\n", ""},
		{"POD  volumes:\n  - name: v\n", "    sN: {}\n", ""},
		{"POD", "    fN: v\n", ""},
		{"POD    resources: {limits: {<<: {", "example.com/rN: 1, ", "}}}\n"},
		{"POD    resources:\n      limits:\n", "        example.com/rN: 1\n", "      requests:\n", "        example.com/rN: 1\n", ""},
		{"POD  resources: {}\n  initContainers:\n", "  - {name: iN, restartPolicy: Always, resources: {limits: {x.com/N: 1}}}\n", ""},
	}
	containerShapes = []shape{ // with many containers, and fewer than are too many
		{"POD", "  - {image: without-a-name:N}\n", ""},
		{
			"kind: Pod\napiVersion: v1\nmetadata:\n  annotations:\n", "    pillion.dev/injected-oN: " + foreign + "\n",
			"spec:\n  containers:\n", "  - {name: cN, image: a-long-name-of-an-image}\n", "",
		},
	}
	configWithPorts = shape{
		injector + "  containers:\n",
		"  - {name: cN, image: an-image, ports: [{containerPort: 1N}, {containerPort: 2N}, {name: pN, containerPort: 3N, hostPort: 3N}]}\n", "",
	}
	configWithVariables = shape{
		injectorList,
		"- {metadata: {name: iN}, spec: {containers: [{name: cN, image: '${workload.name}'}, {name: dN, image: '${workload.name}:1'}]}}\n", "",
	}
	injectorShapes = []shape{ // with things of their own, and with one that they share
		{
			injectorList,
			"- metadata: {name: iN}\n  spec: {volumes: [{name: vN, emptyDir: {}}], " +
				"containers: [{name: cN, image: i}], appContainers: [{env: [{name: EN, value: x}]}]}\n",
			"",
		},
		{
			injectorList,
			"- metadata: {name: iN}\n  spec: {volumes: [{name: certs, emptyDir: {}}], containers: [{name: cN, " +
				"image: i, mode: Container, volumeMounts: [{name: certs, mountPath: /certs}]}]}\n",
			"",
		},
	}
	learnShapes = []shape{ // pods before and after, with many of what can be added to them
		{"POD", "", "AFTER\nPOD", "  - {name: cN, image: 'b:N'}\n", ""},
		{
			"POD", "", "AFTER\napiVersion: v1\nkind: Pod\nmetadata:\n  labels:\n", "    lN: v\n",
			"  name: web\nspec: {containers: [{name: a, image: b}]}\n",
		},
		{"", manyPods, "AFTER\n", addedN("{name: sN, image: s}"), ""},
		{"", manyPods, "AFTER\n", addedN("{name: s, image: 's:N', args: [--x=N, --name=pN]}"), ""},
		{"", manyPods, "AFTER\n", addedN("{name: s, image: s}") + strings.ReplaceAll(manyPods, "pN", "pNx"), ""},
		{"POD", "  - {name: cN, image: b}\n", "AFTER\nPOD", "  - {name: cN, image: b, env: [{name: A, value: 'N'}]}\n", ""},
		{"", manyPods, "AFTER\n", strings.ReplaceAll(manyPods, "namespace: shop", "namespace: shop, labels: {lN: v}"), ""},
		{"", manyPods, "AFTER\n", addedN("{name: s, image: s, env: [{name: token, value: 'N N'}, {name: A, value: '{\"key\": \"N\"}'}]}"), ""},
		{"", manyPods, "AFTER\n", strings.ReplaceAll(manyPods, "image: b", "image: b, env: [{name: A, value: 'vN'}]"), ""},
		{"POD", "", "AFTER\nPOD    env: [{name: A, value: '", "key: N, a=b ", "'}]\n"},
		{"POD", "", "AFTER\nPOD    env: [{name: A, value: '[", "{\"a\": \"N\"}, ", "1]'}]\n"},
	}
	objectShapes = []shape{ // that decide about many pods
		{namespace + "  labels:\n", "    lN: v\n", ""},
		{namespace + "  labels:\n    env: test\n", "    lN: v\n", ""},
		{"", namespace + "  labels: {env: prod}\n", namespace + "  labels: {env: test}\n"},
	}
)

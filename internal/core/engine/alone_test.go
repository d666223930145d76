package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
)

// TestAnObjectAloneInItsFileIsLikeOthers compares the two ways through the engine: the only object of a text is processed
// while its nodes are there, and an object with a document behind it once it is split off. It does so for the items of
// all cases, and for what becomes of them.
func TestAnObjectAloneInItsFileIsLikeOthers(t *testing.T) {
	const another = "---\n# the end\n" // a document without an object
	eachArchive(t, "testdata/*.txtar", func(t *testing.T, _ string, archive *txtar.Archive) {
		c := parseCase(t, archive)
		config, findings := engine.ReadConfig(finding.Source{Text: []byte(c.config)})
		if len(config.Injectors()) == 0 {
			t.Skip(findings)
		}
		for _, items := range []string{c.items, c.want} {
			var alone, beside []finding.Source
			for i, document := range strings.Split(items, "---\n") {
				file := fmt.Sprintf("%d.yaml", i)
				document = "---\n" + strings.TrimSuffix(document, "\n") + "\n" // so that it does not begin on line 1
				alone = append(alone, finding.Source{File: file, Text: []byte(document)})
				beside = append(beside, finding.Source{File: file, Text: []byte(document + another)})
			}
			want, got := apply(config, beside...), apply(config, alone...)
			if diff := cmp.Diff(said(want), said(got)); diff != "" {
				t.Errorf("-with another document +alone:\n%s", diff)
			}
			for i := range alone {
				if text := bytes.TrimSuffix(want.Texts[i], []byte(another)); !bytes.Equal(text, got.Texts[i]) {
					t.Errorf("document %d becomes %q, and with another document %q", i, got.Texts[i], text)
				}
			}
		}
	})
}

// said returns what a run says about each workload, and in general.
func said(result engine.Result) []string {
	var all []string
	for _, w := range result.Run.Workloads {
		all = append(all, fmt.Sprint(w.Index, w.Object, *w.File, w.Decision(), w.Edits))
		for _, o := range w.Outcomes {
			all = append(all, fmt.Sprint(o.Injector, o.Decision, o.Reason, o.Matched, o.HasSidecar, o.Changes, o.Location))
		}
	}
	for _, f := range result.Run.Findings() {
		line, _, _ := strings.Cut(f.String(), "\n") // the diff below it has the lines around a change
		all = append(all, line)
	}
	return all
}

const aloneConfig = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: logs}
spec:
  selector: {}
  volumes: [{name: conf, configMap: {name: logs}}]
  containers: [{name: logs, image: logs, volumeMounts: [{name: conf, mountPath: /conf}]}]
`

const aloneConfigMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: logs}\n"

func alonePod(name, more string) string {
	return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + more + "}\nspec: {containers: [{name: app, image: app}]}\n"
}

// Only that is forgotten which nothing can ask for any more: text to change, findings to locate, objects that payloads
// name, and those that decide about others stay.
func TestOnlyWhatIsAsDeclaredIsForgotten(t *testing.T) {
	config, findings := engine.ReadConfig(finding.Source{Text: []byte(aloneConfig)})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	injected := string(apply(config, finding.Source{Text: []byte(alonePod("web", ""))}).Texts[0])
	for name, test := range map[string]struct {
		text        string
		isForgotten bool
	}{
		"a workload as declared":      {injected, true},
		"a workload that changes":     {alonePod("web", ""), false},
		"a workload that is skipped":  {alonePod("web", `, annotations: {pillion.dev/inject: "false"}`), false},
		"an object beside":            {"apiVersion: v1\nkind: Service\nmetadata: {name: web}\n", true},
		"an object that is named":     {aloneConfigMap, false},
		"an object that decides":      {"apiVersion: v1\nkind: Namespace\nmetadata: {name: web}\n", false},
		"a workload with others":      {injected + "---\n" + alonePod("two", ""), false},
		"an object with a finding":    {"apiVersion: v1\nkind: Service\nmetadata: {name: web}\nmetadata: {name: web}\n", false},
		"a workload and no more text": {injected + "---\n", true},
	} {
		sources := []finding.Source{
			{File: "a.yaml", Text: []byte(test.text)},
			{File: "b.yaml", Text: []byte(aloneConfigMap)},
		}
		run := apply(config.Forgetting(), sources...).Run
		if isForgotten := sources[0].Text == nil; isForgotten != test.isForgotten {
			t.Errorf("%s: forgotten: %t", name, isForgotten)
		}
		for _, f := range run.Findings() {
			if f.Code == "ReferenceMissing" {
				t.Errorf("%s: %v", name, f)
			}
		}
		kept := []finding.Source{{File: "a.yaml", Text: []byte(test.text)}, {File: "b.yaml", Text: []byte(aloneConfigMap)}}
		if diff := cmp.Diff(apply(config, kept...).Run.Findings(), run.Findings()); diff != "" {
			t.Errorf("%s: -kept +forgotten:\n%s", name, diff)
		}
	}
}

// A Namespace decides about workloads in files that are processed while they are read, however its kind is written.
func TestANamespaceIsKnownBeforeAnyWorkload(t *testing.T) {
	config, findings := engine.ReadConfig(finding.Source{Text: []byte(strings.Replace(aloneConfig,
		"selector: {}", "selector: {}\n  namespaceSelector: {matchLabels: {mesh: \"on\"}}", 1))})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	const rest = "metadata: {name: shop, labels: {mesh: \"on\"}}\n"
	for name, namespace := range map[string]string{
		"plain":              "apiVersion: v1\nkind: Namespace\n" + rest,
		"an escape":          "apiVersion: v1\nkind: \"Names\\x70ace\"\n" + rest,
		"an escaped line":    "apiVersion: v1\nkind: \"Name\\\n  space\"\n" + rest,
		"a tag":              "apiVersion: v1\nkind: !!binary TmFtZXNwYWNl\n" + rest,
		"an alias":           "x: &kind Namespace\napiVersion: v1\nkind: *kind\n" + rest,
		"JSON":               `{"apiVersion": "v1", "kind": "Names\u0070ace", "metadata": {"name": "shop", "labels": {"mesh": "on"}}}`,
		"a member of a list": "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Namespace\n  " + rest,
		"of a typed list":    "apiVersion: v1\nkind: NamespaceList\nitems:\n- " + rest,
		"behind a document":  "a: 1\n---\napiVersion: v1\nkind: Namespace\n" + rest,
	} {
		workload := finding.Source{File: "a.yaml", Text: []byte(alonePod("web", ", namespace: shop"))}
		alone := apply(config, workload, finding.Source{File: "b.yaml", Text: []byte(namespace)})
		together := apply(config, finding.Source{File: "a.yaml", Text: []byte(string(workload.Text) + "---\n" + namespace)})
		if diff := cmp.Diff(together.Run.Counts(), alone.Run.Counts()); diff != "" {
			t.Errorf("%s: -in one file +in two:\n%s%v", name, diff, alone.Run.Findings())
		}
		isRefused := name == "a tag" || name == "behind a document" // what is encoded, and what is no object
		if !isRefused && alone.Texts[0] == nil {
			t.Errorf("%s: the workload is left alone: %v", name, alone.Run.Findings())
		}
	}
}

func TestAProcessedObjectCannotMakeUpForAnEndedContext(t *testing.T) {
	config, _ := engine.ReadConfig(finding.Source{Text: []byte(aloneConfig)})
	ctx, end := context.WithCancel(t.Context())
	end()
	if _, err := engine.Apply(ctx, config, finding.Source{Text: []byte(alonePod("web", ""))}); err == nil {
		t.Error("there is a result")
	}
}

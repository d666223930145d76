package engine_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
)

// The warning about an unknown kind has the lines that declare it. With them in the config, its pods get the sidecar.
func TestTheLinesThatDeclareAnUnknownKindCanBePasted(t *testing.T) {
	const config = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata:\n  name: envoy\nspec:\n" +
		"  containers:\n  - name: envoy\n    image: envoy:1\n"
	const pod = "{spec: {containers: [{name: app, image: app:1}]}}"
	for _, items := range []string{
		"apiVersion: example.com/v1\nkind: Fleet\nmetadata:\n  name: a\nspec:\n  head: " + pod + "\n  groups:\n  - template: " + pod + "\n",
		"apiVersion: v1\nkind: Template\nmetadata:\n  name: a\nobjects:\n- spec:\n    template: " + pod + "\n",
	} {
		unchanged, says := run(t, config, items)
		if unchanged != items {
			t.Errorf("it is changed:\n%s", unchanged)
		}
		lines := ""
		for line := range strings.Lines(says) {
			if line, isPasted := strings.CutPrefix(line, "    "); isPasted && line != "spec:\n" {
				lines += line
			}
		}
		injected, says := run(t, config+lines, items)
		if strings.Count(injected, "envoy:1") != strings.Count(items, "app:1") || strings.Contains(says, "warning") {
			t.Errorf("with the lines\n%s\nit becomes\n%s\n%s", lines, injected, says)
		}
	}
}

func TestTheNamespaceOfTheRunIsThatOfUnknownKindsToo(t *testing.T) {
	config, findings := engine.ReadConfig(finding.Source{Text: []byte(injectorOf("envoy",
		"namespaces: {include: [shop]}\ncontainers: [{name: envoy, image: 'envoy:1'}]\n"))})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	const item = "apiVersion: example.com/v1\nkind: Fleet\nmetadata: {name: a}\n" +
		"spec: {head: {spec: {containers: [{name: app, image: 'app:1'}]}}}\n"
	for namespace, gets := range map[string]bool{"shop": true, "bank": false} {
		w := apply(config.InNamespace(namespace), finding.Source{Text: []byte(item)}).Run.Workloads[0]
		if w.Object.Namespace != namespace || strings.Contains(w.General[0].Message, "it gets no sidecar") != gets {
			t.Errorf("%s: %s: %s", namespace, w.Object, w.General[0])
		}
	}
}

// The lines that declare a kind do not grow with the number of its objects, because each of its objects has them.
func TestTheLinesThatDeclareAnUnknownKindAreFew(t *testing.T) {
	var items strings.Builder
	for i := range 50 {
		fmt.Fprintf(&items, "apiVersion: example.com/v1\nkind: Fleet\nmetadata: {name: a%[1]d}\n"+
			"spec: {a%[1]d: {spec: {containers: [{name: app}]}}}\n---\n", i)
	}
	_, says := run(t, injectorOf("envoy", "containers: [{name: envoy, image: 'envoy:1'}]\n"), strings.TrimSuffix(items.String(), "---\n"))
	if paths := strings.Count(says, "- spec.a"); paths != 10 {
		t.Errorf("%d paths:\n%s", paths, says)
	}
}

// What this program refuses to read is read by kubectl, unless the object is of a kind without pods.
func TestAnUnknownKindThatMayHoldPodsAndCannotBeReadFailsAVerification(t *testing.T) {
	config, findings := engine.ReadConfig(finding.Source{Text: []byte(injectorOf("envoy",
		"action: Verify\ncontainers: [{name: envoy, image: 'envoy:1'}]\n"))})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	const pod = "spec: {template: {spec: {containers: [{image: 'app:1'}]}}}\n"
	deep := "deep: " + strings.Repeat("[", 250) + strings.Repeat("]", 250) + "\n"
	many := "many: [" + strings.Repeat("1,", 1_000_001) + "]\n"
	aliases := "a: &a [" + strings.Repeat("1,", 1000) + "]\nb: [" + strings.Repeat("*a,", 200) + "]\n"
	encoded := "spec: {template: {spec: {!!binary Y29udGFpbmVycw==: [{image: 'app:1'}]}}}\n"
	for text, code := range map[string]finding.Code{
		"apiVersion: example.com/v1\nkind: Fleet\n" + pod + deep:        finding.LeftOut,
		"apiVersion: example.com/v1\nkind: Fleet\n" + pod + many:        finding.LeftOut,
		"apiVersion: example.com/v1\nkind: Fleet\n" + pod + aliases:     finding.LeftOut,
		"apiVersion: example.com/v1\nkind: Fleet\n" + encoded:           finding.UnsupportedKind,
		"apiVersion: example.com/v1\nkind: Fleet\n" + encoded + deep:    finding.LeftOut,
		"apiVersion: kyverno.io/v1\nkind: ClusterPolicy\n" + pod + deep: "",
		"apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n" + deep: "",
	} {
		var got finding.Code
		for _, f := range apply(config, finding.Source{Text: []byte(text)}).Run.Findings() {
			if f.Severity == finding.Error {
				got = f.Code
			}
		}
		if got != code {
			t.Errorf("%.80s: got error %q, want %q", text, got, code)
		}
	}
}

// Each pod in an object may be selected by the labels of the object, which would otherwise take hours.
func TestManyPodsInAnUnknownKindWithManyLabelsAreTooMuchWork(t *testing.T) {
	config, findings := engine.ReadConfig(finding.Source{Text: []byte(injectorOf("envoy",
		"selector: {matchLabels: {app: shop}}\ncontainers: [{name: envoy, image: 'envoy:1'}]\n"))})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	var labels strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&labels, "l%d: a, ", i)
	}
	items := "apiVersion: example.com/v1\nkind: Fleet\nmetadata: {name: a, labels: {" + labels.String() + "}}\n" +
		"spec: {pods: [" + strings.Repeat("{containers: [{name: a}]},", 20_000) + "]}\n"
	all := apply(config, finding.Source{Text: []byte(items)}).Run.Findings()
	isLimit := func(f finding.Finding) bool { return f.Code == finding.LimitExceeded }
	if !slices.ContainsFunc(all, isLimit) {
		t.Errorf("%d findings, and none is %s", len(all), finding.LimitExceeded)
	}
}

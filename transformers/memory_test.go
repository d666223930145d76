package transformers_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"pillion.dev/pillion/fn"
	"pillion.dev/pillion/transformers"
)

const unstampedList = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  apiVersion: pillion.dev/v1alpha1
  kind: SidecarInjector
  metadata: {name: logs}
  spec:
    report: Info
    podSpec: {priorityClassName: low, hostname: other}
    containers:
    - {name: logs, image: fluent-bit}
items:
- apiVersion: v1
  kind: Pod
  metadata:
    name: web
    namespace: shop
    annotations: {config.kubernetes.io/path: web.yaml}
  spec:
    hostname: web
    containers:
    - {name: web, image: nginx}
`

// The engine shares the memory of its input. A program that uses its buffers again must not change results by that.
func TestCallersMayChangeTheirTextsAfterwards(t *testing.T) {
	overwrite := func(text []byte) { copy(text, bytes.Repeat([]byte{'X'}, len(text))) }
	list, manifest, written := []byte(unstampedList), []byte(deployment), []byte(written)

	var reply bytes.Buffer
	report, err := fn.Run(context.Background(), list, &reply)
	if err != nil {
		t.Fatal(err)
	}
	before := shown(report) + reply.String()
	overwrite(list)
	if after := shown(report) + reply.String(); after != before {
		t.Errorf("the report of Run changed with its input:\n%s\n%s", before, after)
	}

	config, findings := transformers.Read(transformers.Source{Text: written})
	before = fmt.Sprint(findings)
	overwrite(written)
	result, err := config.Apply(context.Background(), transformers.Source{File: "web.yaml", Text: manifest})
	if err != nil || result.Texts[0] == nil || bytes.Contains(result.Texts[0], []byte("XX")) || fmt.Sprint(findings) != before {
		t.Fatalf("the config changed with its text: %v\n%s", err, result.Texts)
	}
	before = shown(result.Report) + string(result.Texts[0])
	overwrite(manifest)
	if after := shown(result.Report) + string(result.Texts[0]); after != before {
		t.Errorf("the result of Apply changed with its input:\n%s\n%s", before, after)
	}
}

// shown returns everything that a report says.
func shown(report transformers.Report) string {
	var text bytes.Buffer
	fmt.Fprintln(&text, report.Summary, report.Findings, report.Counts)
	for _, o := range report.Outcomes {
		fmt.Fprintf(&text, "%+v %+v %+v\n", o, o.Object, o.File)
	}
	return text.String()
}

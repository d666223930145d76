package fn_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/fn"
)

const list = `apiVersion: config.kubernetes.io/v1
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
	text := []byte(list)
	var reply bytes.Buffer
	report, err := fn.Run(context.Background(), text, &reply)
	if err != nil {
		t.Fatal(err)
	}
	before := shown(report) + reply.String()
	copy(text, bytes.Repeat([]byte{'X'}, len(text)))
	if after := shown(report) + reply.String(); after != before {
		t.Errorf("the report changed with its input:\n%s\n%s", before, after)
	}
}

// shown returns everything that a report says.
func shown(report fn.Report) string {
	var text bytes.Buffer
	fmt.Fprintln(&text, report.Summary, report.Findings, report.Counts)
	for _, o := range report.Outcomes {
		fmt.Fprintf(&text, "%+v %+v %+v\n", o, o.Object, o.File)
	}
	return text.String()
}

func TestWhatIsNoResourceListIsAFinding(t *testing.T) {
	flags := regexp.MustCompile(`(?:^|[\s("])--?[a-zA-Z]`)
	pod := "{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: web, image: web}]}}"
	for _, text := range []string{"", "# nothing", pod, "{", "- a\n- b\n"} {
		_, err := fn.Run(context.Background(), []byte(text), io.Discard)
		var found finding.Finding
		if !errors.As(err, &found) || found.Severity != finding.Error || found.Code != finding.InvalidItem {
			t.Errorf("%q: %v", text, err)
		}
		if flags.MatchString(err.Error()) {
			t.Errorf("%q: %v names a flag", text, err)
		}
	}
}

func TestAContextThatHasEndedIsNoFinding(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := fn.Run(ctx, []byte(list), io.Discard)
	if !errors.Is(err, context.Canceled) || errors.As(err, new(finding.Finding)) {
		t.Error(err)
	}
}

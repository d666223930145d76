package transformers_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"pillion.dev/pillion/transformers"
)

// The engine shares the memory of its input. A program that uses its buffers again must not change results by that.
func TestCallersMayChangeTheirTextsAfterwards(t *testing.T) {
	overwrite := func(text []byte) { copy(text, bytes.Repeat([]byte{'X'}, len(text))) }
	manifest, written := []byte(deployment), []byte(written)
	config, findings := transformers.Read(transformers.Source{Text: written})
	before := fmt.Sprint(findings)
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

package report_test

import (
	"testing"

	"pillion.dev/pillion/internal/output/report"
)

func TestADiffOnATerminalHasNoControlCharacters(t *testing.T) {
	for text, want := range map[string]string{
		" a: b\n+\tc: d\n":         " a: b\n+\tc: d\n",
		" a: b # \x1b[31md\n":      " a: b # \\x1b[31md\n",
		" windows\r\n over\rwrite": " windows\r\n over\\rwrite",
		"-ä\t\u202e\u009b\xff\n":   "-ä\t\\u202e\\u009b\\xff\n",
	} {
		if got := string(report.EscapeDiff([]byte(text))); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

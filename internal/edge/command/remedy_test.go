package command

import (
	"os/exec"
	"testing"
)

// TestShellQuotedWordsStayWords gives words to a real shell, which prints them.
func TestShellQuotedWordsStayWords(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("needs sh: not on PATH")
	}
	for _, word := range []string{
		"k8s/web.yaml", "", "a b", "it's", "*.yaml", "$(touch run)", "`touch run`", `back\slash`, "a\nb", "~", "#", "é", `"`, "a;b", "-",
	} {
		out, err := exec.Command(shell, "-c", "printf %s "+shellQuoted(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q becomes %q, %v", word, out, err)
		}
	}
}

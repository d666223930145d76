package edit_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/text/edit"
)

// edited is a text of lines that look alike, and edits of it that touch parts of lines as well as whole ones.
func edited(r *rand.Rand) ([]byte, []edit.Edit) {
	end := []string{"\n", "\r\n"}[r.IntN(2)]
	var b strings.Builder
	for range r.IntN(40) {
		b.WriteString([]string{"a", "b", "  - name: app", "", "---"}[r.IntN(5)] + end)
	}
	text := b.String()
	if r.IntN(3) == 0 {
		text = strings.TrimSuffix(text, end)
	}
	var edits []edit.Edit
	for at := r.IntN(10); at <= len(text) && len(edits) < 6; at += r.IntN(60) {
		stop := min(len(text), at+r.IntN(2)*r.IntN(20))
		put := strings.Repeat([]string{"a" + end, "new" + end, "x", ""}[r.IntN(4)], r.IntN(3))
		edits = append(edits, edit.Edit{Start: at, End: stop, Text: []byte(put)})
		at = stop
	}
	return []byte(text), edits
}

// TestUnifiedIsAPatch claims that a diff, applied to the text, gives what the edits give, for both of the
// programs that people use.
func TestUnifiedIsAPatch(t *testing.T) {
	dir := t.TempDir()
	for _, tool := range []string{"patch", "git"} {
		t.Run(tool, func(t *testing.T) {
			if _, err := exec.LookPath(tool); err != nil {
				t.Skip(err)
			}
			for seed := range uint64(60) {
				text, edits := edited(rand.New(rand.NewPCG(seed, 1)))
				after := edit.Apply(text, edits)
				if len(text) == 0 || len(after) == 0 || bytes.Equal(text, after) {
					continue
				}
				diff := append([]byte("--- a/t\n+++ b/t\n"), edit.Unified(text, edits, 1, edit.Context)...)
				file := filepath.Join(dir, "t")
				if err := os.WriteFile(file, text, 0o600); err != nil {
					t.Fatal(err)
				}
				command := exec.Command("patch", "--binary", "--fuzz=0", "-p1")
				if tool == "git" {
					command = exec.Command("git", "apply", "--whitespace=nowarn", "-p1")
				}
				command.Dir, command.Stdin = dir, bytes.NewReader(diff)
				command.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
				if out, err := command.CombinedOutput(); err != nil {
					t.Fatalf("seed %d: %v: %s\n%q %v\n%s", seed, err, out, text, edits, diff)
				}
				if got, _ := os.ReadFile(file); !bytes.Equal(got, after) {
					t.Fatalf("seed %d: the patch gives %q instead of %q\n%s", seed, got, after, diff)
				}
			}
		})
	}
}

// TestUnifiedIsSmall claims that a diff has only lines that the edits touch, and none that stays the same
// where it is, and that its numbers and counts are right.
func TestUnifiedIsSmall(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 2))
		text, edits := edited(r)
		number, context := 1+r.IntN(100), r.IntN(4)
		diff := string(edit.Unified(text, edits, number, context))
		if err := check(text, edit.Apply(text, edits), diff, number); err != nil {
			t.Fatalf("seed %d: %v\n%q %v\n%s", seed, err, text, edits, diff)
		}
		if touched := touches(text, edits); strings.Count("\n"+diff, "\n-") > touched {
			t.Fatalf("seed %d: the diff takes out more than the %d lines that are touched\n%q %v\n%s", seed, touched, text, edits, diff)
		}
	}
}

// touches is how many lines of a text the edits reach into.
func touches(text []byte, edits []edit.Edit) int {
	touched := map[int]bool{}
	for _, e := range edits {
		for at := e.Start; at <= e.End; at++ {
			touched[bytes.Count(text[:at], []byte("\n"))] = true
		}
	}
	return len(touched)
}

// check follows a diff line by line.
func check(text, after []byte, diff string, number int) error {
	olds, news := strings.SplitAfter(string(text), "\n"), strings.SplitAfter(string(after), "\n")
	var old, now, oldLeft, newLeft int
	var gone []string // the lines that were taken out last, and nothing since
	lines := strings.SplitAfter(diff, "\n")
	for i, line := range lines {
		if line == "" || line[0] == '\\' {
			continue
		}
		content := line[1:]
		if i+1 < len(lines) && strings.HasPrefix(lines[i+1], "\\") {
			content = strings.TrimSuffix(content, "\n")
		}
		switch line[0] {
		case '@':
			if oldLeft != 0 || newLeft != 0 {
				return fmt.Errorf("a hunk has %d and %d lines less than it says", oldLeft, newLeft)
			}
			before := now - old
			if _, err := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &old, &oldLeft, &now, &newLeft); err != nil {
				return err
			}
			old, now = old-number, now-number
			if oldLeft == 0 {
				old++
			}
			if newLeft == 0 {
				now++
			}
			if now-old != before {
				return fmt.Errorf("the numbers of %q do not follow from the hunks before", line)
			}
			gone = nil
			continue
		case '-':
			if i > 0 && lines[i-1][0] != '-' {
				gone = nil
			}
			gone = append(gone, content)
		case '+':
			if at := slices.Index(gone, content); at == 0 || len(gone) == 1 && at >= 0 {
				return fmt.Errorf("the line %q is taken out and put in", content)
			}
		default:
			gone = nil
		}
		if line[0] != '+' {
			if olds[old] != content {
				return fmt.Errorf("line %d is %q, and the diff has %q", old, olds[old], content)
			}
			old, oldLeft = old+1, oldLeft-1
		}
		if line[0] != '-' {
			if news[now] != content {
				return fmt.Errorf("line %d will be %q, and the diff has %q", now, news[now], content)
			}
			now, newLeft = now+1, newLeft-1
		}
	}
	return nil
}

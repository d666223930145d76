package admission

import (
	"fmt"
	"strings"
	"testing"

	valid "k8s.io/apimachinery/pkg/util/validation"
)

func TestAPIVersionsAreThoseOfTheCluster(t *testing.T) {
	for _, test := range []struct {
		kind  string
		minor int
		want  string
	}{
		{"Mutating", 34, "v1beta1"},
		{"Mutating", 35, "v1beta1"},
		{"Mutating", 36, "v1"},
		{"Mutating", 37, "v1"},
		{"Validating", 30, "v1"},
		{"Validating", 36, "v1"},
	} {
		got := Policies{options: Options{Minor: test.minor}}.apiVersion(test.kind)
		if want := "admissionregistration.k8s.io/" + test.want; got != want {
			t.Errorf("%s policies of 1.%d: %s, want %s", test.kind, test.minor, got, want)
		}
	}
}

func TestNamesAndLabelsAreValid(t *testing.T) {
	var names []string
	for i := range 40 {
		names = append(names, fmt.Sprintf("injector-%d", i))
	}
	for _, injectors := range [][]string{{"log"}, names} {
		name := Policies{injectors: injectors}.name()
		if problems := valid.IsDNS1123Subdomain(name); len(problems) > 0 {
			t.Errorf("%s: %s", name, problems)
		}
	}
	for _, text := range []string{"v1.2.3", "(devel)", "v0.1.0-1-gabc-dirty", "v1.0.0+meta/x", strings.Repeat("x", 62) + "-y", "", "-._"} {
		if problems := valid.IsValidLabelValue(labelValue(text)); len(problems) > 0 {
			t.Errorf("%q becomes %q: %s", text, labelValue(text), problems)
		}
	}
}

// TestCommentsAreOneLine checks that no text can end a comment: what follows would be a part of the policy.
func TestCommentsAreOneLine(t *testing.T) {
	for _, space := range []string{"\n", "\r", "\u2028", "\u0085", "\x00"} {
		w := &writer{}
		w.comment("a" + space + "b: c")
		if got, want := w.String(), "  # a b: c\n"; got != want {
			t.Errorf("%q gives %q, want %q", space, got, want)
		}
	}
}

// TestLongChainsAreNested checks that no chain of additions has more parts than CEL accepts.
func TestLongChainsAreNested(t *testing.T) {
	for _, n := range []int{1, maxChain, maxChain + 1, maxChain*maxChain + 1} {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = "x"
		}
		lines, counts := strings.Split(chain(parts), "\n"), []int{0}
		total := 0
		for _, line := range lines {
			switch {
			case line == "(":
				counts = append(counts, 0)
			case strings.HasPrefix(line, ")"):
				counts = counts[:len(counts)-1]
				counts[len(counts)-1]++
			default:
				total++
				counts[len(counts)-1]++
			}
			if last := counts[len(counts)-1]; last > maxChain {
				t.Fatalf("%d parts: a chain has %d", n, last)
			}
		}
		if total != n {
			t.Errorf("%d parts become %d", n, total)
		}
	}
}

package testcase_test

import (
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/testcase"
)

const config = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: logs}
spec: {containers: [{name: logs, image: "logs:1"}]}
`

// caseOf returns a test of two pods, the second of which has a name and a namespace.
func caseOf(name, namespace, list string) *testcase.Case {
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: %q, namespace: %q}\n" +
		"spec: {containers: [{name: app, image: app}]}\n"
	text := fmt.Sprintf(pod+"---\n"+pod, "web", "shop", name, namespace)
	return &testcase.Case{
		Dir:       "t",
		Configs:   []finding.Source{{File: "t/injector.yaml", Text: []byte(config)}},
		Manifests: []finding.Source{{File: "t/pods.yaml", Text: []byte(text)}},
		List:      &finding.Source{File: "t/expected.yaml", Text: []byte(list)},
	}
}

func run(t *testing.T, c *testcase.Case) *testcase.Result {
	t.Helper()
	r, err := c.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// FuzzUpdatedTestsPass claims of any list of expectations and any names of workloads that a test which is not broken
// passes after its updates, and has none then.
func FuzzUpdatedTestsPass(f *testing.F) {
	f.Add("api", "shop", "pod/web: injected\n")
	f.Add("web", "shop", "# both\npod/web: skipped\nshop/pod/web: injected Injected")
	f.Add("web", "kube-system", "pod/web: injected\r\n\r\npod/old: removed # gone")
	f.Add("a\nb: injected # \x1b[2J", "c\u00a0d", "")
	f.Add("web", "kube-system", "shop/pod/web: injected\npod/web: refused\npod/web: injected")
	f.Add("web", "kube-system", "shop/pod/web: skipped\npod/web: refused\nkube-system/pod/web: skipped")
	f.Add("", "", "pod: refused InvalidItem\n---\n")
	f.Add("api", "shop", "\ufeffpod/web: skipped\n")
	f.Fuzz(func(t *testing.T, name, namespace, list string) {
		c := caseOf(name, namespace, list)
		first := run(t, c)
		if first.Verdict() == testcase.Broken {
			return
		}
		for _, u := range first.Updates() {
			c.List.Text = u.After
		}
		if again := run(t, c); again.Verdict() != testcase.Passed || len(again.Updates()) > 0 {
			t.Errorf("updated to %q: %s %v", c.List.Text, again.Verdict(), again.Findings)
		}
	})
}

func TestResultsAreTheSameInEachRun(t *testing.T) {
	want := fmt.Sprint(run(t, caseOf("web", "kube-system", "pod/web: injected\n")).Findings)
	for range 20 {
		if got := fmt.Sprint(run(t, caseOf("web", "kube-system", "pod/web: injected\n")).Findings); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
}

// twins returns a test of pods of the same name without a namespace, of which the odd ones opt out.
func twins(count int, list string) *testcase.Case {
	c := caseOf("", "", list)
	c.Manifests[0].Text = nil
	for i := range count {
		c.Manifests[0].Text = fmt.Appendf(c.Manifests[0].Text, "---\napiVersion: v1\nkind: Pod\nmetadata: "+
			"{name: web, annotations: {pillion.dev/inject: %q}}\nspec: {containers: [{name: app, image: app}]}\n",
			fmt.Sprint(i%2 == 0))
	}
	return c
}

func TestLinesOfTheSameNameAreAboutOneWorkloadEach(t *testing.T) {
	const want = "pod/web: injected\npod/web: skipped OptedOut\n"
	for _, list := range []string{
		"", "pod/web: injected\n", "pod/web: skipped\npod/web: injected\n", want + "pod/web: injected\n",
	} {
		c := twins(2, list)
		first := run(t, c)
		if first.Verdict() != testcase.Failed {
			t.Errorf("%q: %s", list, first.Verdict())
		}
		c.List.Text = first.Updates()[0].After
		if got := string(c.List.Text); got != want {
			t.Errorf("%q is updated to %q, want %q", list, got, want)
		}
		if again := run(t, c); again.Verdict() != testcase.Passed {
			t.Errorf("%q: %v", want, again.Findings)
		}
	}
}

func TestListMayBeginWithByteOrderMark(t *testing.T) {
	for _, list := range []string{
		"\ufeffpod/web: injected\npod/db: injected\n", "\ufeff# both\npod/web: injected\npod/db: injected\n",
	} {
		if r := run(t, caseOf("db", "shop", list)); r.Verdict() != testcase.Passed {
			t.Errorf("%q: %v", list, r.Findings)
		}
	}
}

func TestRepeatedNamesAreLinear(t *testing.T) {
	const count = 1000
	r := run(t, twins(count, strings.Repeat("pod/web: unchanged\n", count)))
	if len(r.Findings) != count {
		t.Errorf("%d findings about %d lines", len(r.Findings), count)
	}
}

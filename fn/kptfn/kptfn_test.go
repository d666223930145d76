package kptfn_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/kptdev/krm-functions-sdk/go/fn"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/fn"
	"pillion.dev/pillion/fn/kptfn"
	"pillion.dev/pillion/test/golden"
	"pillion.dev/pillion/transformers"
)

func readList(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/list.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var program string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(runTests(m))
}

func runTests(m *testing.M) int {
	dir, err := os.MkdirTemp("", "kptfn")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program = filepath.Join(dir, "chain")
	if out, err := exec.Command("go", "build", "-o", program, "./testdata/chain").CombinedOutput(); err != nil {
		panic(string(out))
	}
	return m.Run()
}

// runChain runs a program that is written with the SDK on a ResourceList.
func runChain(t *testing.T, list string) (stdout string, ok bool) {
	t.Helper()
	command := exec.Command(program)
	command.Stdin = strings.NewReader(list)
	out, err := command.Output()
	return string(out), err == nil
}

func TestAProgramThatChainsPillion(t *testing.T) {
	out, ok := runChain(t, readList(t))
	if !ok {
		t.Fatal(out)
	}
	golden.Check(t, filepath.Join("testdata", "chain.golden"), out)
	again, ok := runChain(t, out)
	if items, _, _ := strings.Cut(out, "results:\n"); !ok || !strings.HasPrefix(again, items) {
		t.Errorf("a second run changes something:\n%s", cmp.Diff(out, again))
	}
}

func TestAProgramThatFails(t *testing.T) {
	list := readList(t)
	for _, test := range []struct{ claim, list, message string }{
		{"a wrong functionConfig", strings.Replace(list, "selector:", "selektor:", 1), "selektor"},
		{"no functionConfig", "kind: ResourceList\napiVersion: config.kubernetes.io/v1\nitems: []\n", "no functionConfig"},
		{"a conflict", strings.Replace(list, "- name: web\n", "- name: logs\n", 1), "ContainerConflict"},
	} {
		t.Run(test.claim, func(t *testing.T) {
			out, ok := runChain(t, test.list)
			if ok || !strings.Contains(out, "severity: error") || !strings.Contains(out, test.message) {
				t.Errorf("exit code 0 is %t:\n%s", ok, out)
			}
			if strings.Contains(out, v1alpha1.Group+"/injected-") {
				t.Errorf("something was injected all the same:\n%s", out)
			}
		})
	}
}

// TestProcessorInjectsWhatRunInjects compares with Run on the same ResourceList, after the SDK has read and written
// both.
func TestProcessorInjectsWhatRunInjects(t *testing.T) {
	list := readList(t)
	processed, err := sdk.Run(kptfn.Processor{}, []byte(list))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if report, err := fn.Run(context.Background(), []byte(list), &out); err != nil || report.Failed() {
		t.Fatal(err)
	}
	nothing := sdk.ResourceListProcessorFunc(func(*sdk.ResourceList) (bool, error) { return true, nil })
	want, err := sdk.Run(nothing, out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(processed)); diff != "" {
		t.Errorf("(-Run +Processor):\n%s", diff)
	}
}

func TestAFixedConfigIgnoresTheFunctionConfig(t *testing.T) {
	config, findings := transformers.Read(transformers.Source{Text: []byte(
		"{apiVersion: pillion.dev/v1alpha1, kind: SidecarInjector, metadata: {name: fixed}, " +
			"spec: {containers: [{name: fixed, image: f}]}}")})
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	list, err := sdk.ParseResourceList([]byte(readList(t)))
	if err != nil {
		t.Fatal(err)
	}
	items := append(sdk.KubeObjects{}, list.Items...)
	ok, err := kptfn.New(config).Process(list)
	changed := items[1].String()
	if err != nil || !ok || !strings.Contains(changed, "pillion.dev/injected-fixed") || strings.Contains(changed, "fluent-bit") {
		t.Errorf("%t %v %s", ok, err, items[1])
	}
	for i := range items {
		if list.Items[i] != items[i] {
			t.Errorf("item %d is another object", i)
		}
	}
}

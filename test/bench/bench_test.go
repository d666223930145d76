package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	// The tests run the program and do not call it. This import makes go test's cache depend on it.
	_ "pillion.dev/pillion/internal/edge/command"
)

var tiny = plan{
	started: 2, injected: 3, rerun: 3, sizes: tinySizes(), scaled: []int{1000, 1001}, bases: 2, overlaid: 3, filed: 8,
	audited: []int{200, 201}, watched: 100,
}

// tinySizes returns sizes with the limits of the full plan.
func tinySizes() []size {
	sizes := slices.Clone(fullPlan.sizes)
	for i := range sizes {
		sizes[i].workloads = i + 2
	}
	return sizes
}

// built is the workshop of all tests, and root the directory of the module.
var (
	built *workshop
	root  string
)

func TestMain(m *testing.M) {
	os.Exit(runInWorkshop(m))
}

func runInWorkshop(m *testing.M) int {
	dir, err := os.MkdirTemp("", "pillion-bench-test")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a directory left in the temporary space harms nobody
	if err := buildIn(dir); err != nil {
		return fail(err)
	}
	defer built.close()
	return m.Run()
}

// buildIn builds in the root of the module, as the benchmark does, and returns to the directory of the tests.
func buildIn(dir string) error {
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	root = filepath.Join(here, "..", "..")
	if err := os.Chdir(root); err != nil {
		return err
	}
	pillion := filepath.Join(dir, "pillion")
	if err := build(pillion, "."); err != nil {
		return err
	}
	if built, err = openWorkshop(pillion); err != nil {
		return err
	}
	return os.Chdir(here)
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}

func TestEverySectionPassesItsChecksAndIsDocumented(t *testing.T) {
	docs := readDocs(t)
	for _, s := range sections {
		t.Run(s.name, func(t *testing.T) {
			measured, goals, err := s.measure(inOwnDirectory(t))
			if err != nil {
				t.Fatal(err)
			}
			if len(measured.rows) < 3 {
				t.Errorf("got: %s", measured)
			}
			if !docs.has(s.name) {
				t.Error("not in the table of sections")
			}
			for _, g := range goals {
				notMeasured := g.measured <= 0 && !strings.Contains(g.name, "less that") // few resources may take no memory of their own
				if notMeasured || !docs.has(g.name, limitCell(g.limits.floor), limitCell(g.limits.goal)) {
					t.Errorf("not measured, or not in the table of goals: %+v", g)
				}
			}
		})
	}
}

// TestEverySectionNoticesWrongWork replaces programs by ones that succeed without doing the work.
func TestEverySectionNoticesWrongWork(t *testing.T) {
	const all = "startup,injectors,rerun,compare,scaling,audit"
	tests := map[string]struct {
		sections string
		replace  func(*workshop)
	}{
		"pillion that only copies":      {all, func(w *workshop) { w.pillion = w.copy }},
		"pillion that does nothing":     {all, func(w *workshop) { w.pillion = w.empty }},
		"kyaml that only copies":        {"compare", func(w *workshop) { w.kyaml = w.copy }},
		"libyaml that only copies":      {"compare", func(w *workshop) { w.tokens, w.noTokens = w.copy, "" }},
		"copying that writes no output": {"compare,audit", func(w *workshop) { w.copy = w.empty }},
	}
	for name, test := range tests {
		for _, s := range sections {
			if !slices.Contains(strings.Split(test.sections, ","), s.name) {
				continue
			}
			t.Run(name+"/"+s.name, func(t *testing.T) {
				shop := inOwnDirectory(t)
				test.replace(shop)
				if _, _, err := s.measure(shop); err == nil {
					t.Error("no error")
				}
			})
		}
	}
}

func inOwnDirectory(t *testing.T) *workshop {
	t.Helper()
	t.Chdir(root) // here, because go test's cache does not see it in TestMain
	shop := *built
	shop.dir, shop.plan, shop.rounds = t.TempDir(), tiny, 1
	return &shop
}

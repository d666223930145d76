package test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pillion.dev/pillion/test/example"
	"pillion.dev/pillion/test/golden"
	"pillion.dev/pillion/test/resourcelist"
)

const (
	walked    = "upgrade-and-remove"
	ownerLine = "        example.com/owner: team-orders\n"
	optOut    = "        pillion.dev/inject: \"false\"\n"
)

// walk is the sequence of examples/upgrade-and-remove: the edits of worker.yaml, and the config that is run after each.
var walk = []struct {
	name, config string
	edit         *strings.Replacer
}{
	{"1-inject", "1-inject.yaml", strings.NewReplacer()},
	{"2-upgrade", "2-upgrade.yaml", strings.NewReplacer()},
	{"3-opt-out", "2-upgrade.yaml", strings.NewReplacer(ownerLine, ownerLine+optOut)},
	{"4-remove", "4-remove.yaml", strings.NewReplacer(optOut, "")},
}

// TestUpgradeAndRemove checks that each step of the example makes the changes of its diff, directly and with kpt, that
// running a step twice changes nothing more, and that the last step restores the first bytes.
func TestUpgradeAndRemove(t *testing.T) {
	dir := filepath.Join(root, "examples", walked)
	for _, way := range []struct {
		name string
		run  func(t *testing.T, pkg, config string)
	}{
		{"function", runInPlace},
		{"kpt", func(t *testing.T, pkg, config string) {
			mustRun(t, pkg, "", tool(t, "kpt"), "fn", "eval", "--exec", "pillion", "--fn-config", config)
		}},
	} {
		t.Run(way.name, func(t *testing.T) {
			pkg := copyPackage(t, dir)
			gitRepository(t, pkg)
			first := strings.TrimSpace(mustRun(t, pkg, "", "git", "rev-parse", "HEAD").stdout)
			for _, step := range walk {
				worker := filepath.Join(pkg, "worker.yaml")
				writeFile(t, worker, step.edit.Replace(readFile(t, worker)))
				way.run(t, pkg, step.config)
				once := gitDiff(t, pkg)
				golden.Check(t, filepath.Join(dir, example.ExpectedDir, step.name+".diff"), once)
				way.run(t, pkg, step.config)
				if twice := gitDiff(t, pkg); twice != once {
					t.Errorf("%s: the second run differs from the first:\n%s", step.name, twice)
				}
				mustRun(t, pkg, "", "git", "commit", "--quiet", "--all", "--message", step.name)
			}
			if left := mustRun(t, pkg, "", "git", "diff", first, "HEAD").stdout; left != "" {
				t.Errorf("the package is not back at its first bytes:\n%s", left)
			}
		})
	}
}

// runInPlace runs the function on the files of a package, which have one workload each.
func runInPlace(t *testing.T, pkg, config string) {
	t.Helper()
	files := []string{"web.yaml", "worker.yaml"}
	var items []string
	for _, file := range files {
		items = append(items, readFile(t, filepath.Join(pkg, file)))
	}
	injector := readFile(t, filepath.Join(pkg, config))
	for i, item := range itemsOf(t, mustRun(t, "", resourcelist.Wrap(items, injector), "pillion").stdout) {
		writeFile(t, filepath.Join(pkg, files[i]), item)
	}
}

// TestUpgradeNeedsNoHistory checks that the result depends on the last config only.
func TestUpgradeNeedsNoHistory(t *testing.T) {
	dir := filepath.Join(root, "examples", walked)
	stepwise, atOnce := copyPackage(t, dir), copyPackage(t, dir)
	runInPlace(t, stepwise, "1-inject.yaml")
	runInPlace(t, stepwise, "2-upgrade.yaml")
	runInPlace(t, atOnce, "2-upgrade.yaml")
	for _, file := range []string{"web.yaml", "worker.yaml"} {
		if diff := cmp.Diff(readFile(t, filepath.Join(atOnce, file)), readFile(t, filepath.Join(stepwise, file))); diff != "" {
			t.Errorf("%s (-at once +step by step):\n%s", file, diff)
		}
	}
}

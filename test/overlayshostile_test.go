//go:build unix

package test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pillion.dev/pillion/test/growth"
	"pillion.dev/pillion/test/tools"
)

// hostileTree is a tree that makes a naive program take for ever, or all memory.
type hostileTree struct {
	claim string
	// files writes the tree, by a function that writes one file.
	files    func(write func(name, text string))
	args     []string // of verify
	exitCode int
	says     string // on standard error
	isSlow   bool   // even if all is well
}

const (
	hostileInjector = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: logs}\n" +
		"spec:\n  expect: {min: 0}\n  containers: [{name: agent, image: \"agent:1\"}]\n"
	injectedPod = `apiVersion: v1
kind: Pod
metadata:
  name: web
  annotations:
    pillion.dev/injected-logs: 1 i(agent:rCbm6-) cnWkkp
spec:
  initContainers:
  - {name: agent, image: agent:1, restartPolicy: Always}
  containers:
  - {name: web, image: web:1}
`
	removesTheSidecar = "- {op: remove, path: /spec/initContainers/0}\n"
)

func writeBase(write func(name, text string)) {
	write("base/kustomization.yaml", "resources: [pod.yaml]\n")
	write("base/pod.yaml", injectedPod)
}

var hostileTrees = []hostileTree{
	{
		claim: "200 overlays are verified",
		files: overlaysOf(200), args: []string{"-k", ".", "-R"}, exitCode: 0, says: "200 workloads: 200 unchanged\n",
	},
	{
		claim: "10,000 overlays are verified",
		files: overlaysOf(10_000), args: []string{"-k", ".", "-R"}, exitCode: 0, says: "10000 workloads: 10000 unchanged\n", isSlow: true,
	},
	{
		claim: "10,000 overlays are verified beside the files",
		files: overlaysOf(10_000), args: []string{"-f", ".", "-R"}, exitCode: 0, says: "1 workload: 1 unchanged\n", isSlow: true,
	},
	{
		claim:  "a patch of a megabyte, the last of whose operations is wrong, is named",
		isSlow: true,
		files: func(write func(name, text string)) {
			writeBase(write)
			write("overlay/kustomization.yaml", "resources: [../base]\npatches: [{path: patch.yaml, target: {kind: Pod}}]\n")
			write("overlay/patch.yaml", strings.Repeat("- {op: add, path: /metadata/annotations/key, value: value}\n", 17_000)+removesTheSidecar)
		},
		args: []string{"-k", ".", "-R"}, exitCode: 1, says: "overlay/patch.yaml:17001",
	},
	{
		claim:  "many patches, each of which selects all by a regular expression, are tried by halves",
		isSlow: true,
		files: func(write func(name, text string)) {
			writeBase(write)
			text := "resources: [../base]\npatches:\n"
			for i := range 300 {
				text += fmt.Sprintf("- {target: {name: '((w|e|b)+)+'}, "+
					"patch: '[{\"op\": \"add\", \"path\": \"/metadata/annotations/a%d\", \"value\": \"b\"}]'}\n", i)
			}
			write("overlay/kustomization.yaml", text+"- {path: patch.yaml, target: {name: '((w|e|b)+)+'}}\n")
			write("overlay/patch.yaml", removesTheSidecar)
		},
		args: []string{"-k", ".", "-R"}, exitCode: 1, says: "overlay/patch.yaml:1",
	},
	{
		claim: "bases that double with each overlay are too much",
		files: func(write func(name, text string)) {
			writeBase(write)
			before := "base"
			for i := range 40 {
				for _, half := range []string{"a", "b"} {
					write(fmt.Sprintf("%s%d/kustomization.yaml", half, i), fmt.Sprintf("namePrefix: %s-\nresources: [../%s]\n", half, before))
				}
				before = fmt.Sprintf("both%d", i)
				write(before+"/kustomization.yaml", fmt.Sprintf("resources: [../a%d, ../b%d]\n", i, i))
			}
		},
		args: []string{"-k", ".", "-R"}, exitCode: 2, says: "BuildFailed",
	},
	{
		claim: "bases that are nested deeply are built, or are an error of their root",
		files: nestedOverlays(400),
		args:  []string{"-k", ".", "-R"}, exitCode: 0, says: "1 workload: 1 unchanged\n",
	},
	{
		claim: "a kustomization with many bases that are the same is read once for each",
		files: overlaysInOne(500),
		args:  []string{"-k", ".", "-R"}, exitCode: 1, says: "all/patch.yaml:1",
	},
	{
		claim: "what directories and messages contain is not sent to the terminal",
		files: func(write func(name, text string)) {
			writeBase(write)
			write("over\x1b[31mlay\n::error::x/kustomization.yaml",
				"resources: [../base]\npatches: [{path: \"patch\\e[31m.yaml\", target: {kind: Pod}}]\n")
			write("over\x1b[31mlay\n::error::x/patch\x1b[31m.yaml", removesTheSidecar)
		},
		args: []string{"-k", ".", "-R"}, exitCode: 1, says: "PatchedAway",
	},
}

// overlaysOf returns overlays of one base.
func overlaysOf(count int) func(write func(name, text string)) {
	return func(write func(name, text string)) {
		writeBase(write)
		for i := range count {
			write(fmt.Sprintf("o%d/%d/kustomization.yaml", i/100, i), "resources: [../../base]\nnamePrefix: a-\n")
		}
	}
}

// nestedOverlays returns overlays, each of the one before.
func nestedOverlays(count int) func(write func(name, text string)) {
	return func(write func(name, text string)) {
		writeBase(write)
		before := "base"
		for i := range count {
			name := fmt.Sprintf("over%d", i)
			write(name+"/kustomization.yaml", "resources: [../"+before+"]\n")
			before = name
		}
	}
}

// overlaysInOne returns a kustomization of many overlays of one base, whose last one is patched.
func overlaysInOne(count int) func(write func(name, text string)) {
	return func(write func(name, text string)) {
		writeBase(write)
		text := "resources:\n"
		for i := range count {
			name := fmt.Sprintf("over%d", i)
			write(name+"/kustomization.yaml", fmt.Sprintf("resources: [../base]\nnamePrefix: p%d-\n", i))
			text += "- ../" + name + "\n"
		}
		write("all/kustomization.yaml", fmt.Sprintf("%spatches: [{target: {name: p%d-web}, path: patch.yaml}]\n", text, count-1))
		write("all/patch.yaml", removesTheSidecar)
	}
}

// TestHostileOverlaysEnd checks that verify ends with an answer, and takes less than 2 GB.
func TestHostileOverlaysEnd(t *testing.T) {
	for _, test := range hostileTrees {
		t.Run(test.claim, func(t *testing.T) {
			if test.isSlow && !tools.E2E() {
				t.Skip("it takes half a minute, and make e2e does it")
			}
			state, said := verifyTree(t, writeHostileTree(t, test.files), test.args)
			if code := state.ExitCode(); code != test.exitCode || !strings.Contains(said, test.says) {
				t.Errorf("exit code %d, want %d and %q\n%.2000s", code, test.exitCode, test.says, said)
			}
			if strings.ContainsAny(said, "\x1b") || strings.Contains(said, "\n::error::x") {
				t.Errorf("it writes what is in the names: %q", said)
			}
			usage, _ := state.SysUsage().(*syscall.Rusage)
			if usage.Maxrss>>20 >= 2 {
				t.Errorf("it takes %d MB", usage.Maxrss>>10)
			}
		})
	}
}

// TestOverlaysTakeTimeInProportion compares the processor times of verify for trees of two sizes.
func TestOverlaysTakeTimeInProportion(t *testing.T) {
	for claim, files := range map[string]func(count int) func(write func(name, text string)){
		"overlays of one base": overlaysOf,
		"nested overlays":      nestedOverlays,
		"overlays in one":      overlaysInOne,
	} {
		takes := func(count int) func() time.Duration {
			dir := writeHostileTree(t, files(count))
			return func() time.Duration {
				state, said := verifyTree(t, dir, []string{"-k", ".", "-R"})
				if state.ExitCode() > 1 {
					t.Fatalf("exit code %d\n%.2000s", state.ExitCode(), said)
				}
				return state.UserTime() + state.SystemTime()
			}
		}
		growth.Linear(t, claim, 16, takes(25), takes(400))
	}
}

// writeHostileTree writes a tree and the config beside it, and returns the tree's directory.
func writeHostileTree(t *testing.T, files func(write func(name, text string))) string {
	t.Helper()
	dir := t.TempDir()
	files(func(name, text string) {
		path := filepath.Join(dir, "tree", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, path, text)
	})
	writeFile(t, filepath.Join(dir, "injector.yaml"), hostileInjector)
	return filepath.Join(dir, "tree")
}

// verifyTree runs verify in a directory, and returns how it has ended and what it has said.
func verifyTree(t *testing.T, dir string, args []string) (state *os.ProcessState, said string) {
	t.Helper()
	var stderr, stdout strings.Builder
	args = append([]string{"verify", "-c", "../injector.yaml"}, args...)
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour) // it ends what hangs
	defer cancel()
	command := exec.CommandContext(ctx, "pillion", args...)
	command.Dir, command.Stdout, command.Stderr = dir, &stdout, &stderr
	err := command.Run()
	if failed := new(exec.ExitError); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return command.ProcessState, stdout.String() + stderr.String()
}

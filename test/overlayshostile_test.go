//go:build unix

package test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

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
		files: func(write func(name, text string)) {
			writeBase(write)
			before := "base"
			for i := range 400 {
				name := fmt.Sprintf("over%d", i)
				write(name+"/kustomization.yaml", "resources: [../"+before+"]\n")
				before = name
			}
		},
		args: []string{"-k", ".", "-R"}, exitCode: 0, says: "1 workload: 1 unchanged\n",
	},
	{
		claim: "a kustomization with many bases that are the same is read once for each",
		files: func(write func(name, text string)) {
			writeBase(write)
			text := "resources:\n"
			for i := range 500 {
				name := fmt.Sprintf("over%d", i)
				write(name+"/kustomization.yaml", fmt.Sprintf("resources: [../base]\nnamePrefix: p%d-\n", i))
				text += "- ../" + name + "\n"
			}
			write("all/kustomization.yaml", text+"patches: [{target: {name: p499-web}, path: patch.yaml}]\n")
			write("all/patch.yaml", removesTheSidecar)
		},
		args: []string{"-k", ".", "-R"}, exitCode: 1, says: "all/patch.yaml:1",
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

// TestHostileOverlaysEnd checks that verify ends with an answer, within a minute of processor time and 2 GB.
func TestHostileOverlaysEnd(t *testing.T) {
	for _, test := range hostileTrees {
		t.Run(test.claim, func(t *testing.T) {
			if test.isSlow && !tools.E2E() {
				t.Skip("it takes half a minute, and make e2e does it")
			}
			dir := t.TempDir()
			test.files(func(name, text string) {
				path := filepath.Join(dir, "tree", name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				writeFile(t, path, text)
			})
			writeFile(t, filepath.Join(dir, "injector.yaml"), hostileInjector)
			var stderr, stdout strings.Builder
			args := append([]string{"verify", "-c", "../injector.yaml", "--timeout", "15m"}, test.args...)
			command := exec.CommandContext(t.Context(), "pillion", args...)
			command.Dir, command.Stdout, command.Stderr = filepath.Join(dir, "tree"), &stdout, &stderr
			err := command.Run()
			if failed := new(exec.ExitError); err != nil && !errors.As(err, &failed) {
				t.Fatal(err)
			}
			said := stdout.String() + stderr.String()
			if code := command.ProcessState.ExitCode(); code != test.exitCode || !strings.Contains(said, test.says) {
				t.Errorf("exit code %d, want %d and %q\n%.2000s", code, test.exitCode, test.says, said)
			}
			if strings.ContainsAny(said, "\x1b") || strings.Contains(said, "\n::error::x") {
				t.Errorf("it writes what is in the names: %q", said)
			}
			took := command.ProcessState.UserTime() + command.ProcessState.SystemTime()
			usage, _ := command.ProcessState.SysUsage().(*syscall.Rusage)
			t.Logf("%s of processor time, %d MB", took.Round(time.Millisecond), usage.Maxrss>>10)
			if took > time.Minute && !test.isSlow || usage.Maxrss>>20 >= 2 {
				t.Error("it takes too much")
			}
		})
	}
}

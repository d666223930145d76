package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain is the program if the test binary has the name of a tool.
func TestMain(m *testing.M) {
	if _, isTool := toolNamed(os.Args[0]); isTool {
		main()
	}
	os.Exit(m.Run())
}

// fakeTool is a script that prints a workload, and reports its arguments like a warning. Its exit code is that of the
// test.
const fakeTool = `#!/bin/sh
echo "$0 got $*" >&2
cat web.yaml
exit ${CODE:-0}
`

// standInFor runs the program under a name in a directory with the files, and a script as the real tool.
func standInFor(t *testing.T, name, script string, files map[string]string, args ...string) *exec.Cmd {
	t.Helper()
	root := realTempDir(t)
	for file, text := range files {
		makeFile(t, filepath.Join(root, "app", file), text, false)
	}
	makeFile(t, filepath.Join(root, "pillion"), "", true)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(root, "pillion", name)); err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools {
		path := filepath.Join(root, "real", tool.name)
		makeFile(t, path, script, false)
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(filepath.Join(root, "pillion", name), args...)
	command.Dir = filepath.Join(root, "app")
	command.Env = []string{"PATH=" + strings.Join([]string{filepath.Join(root, "pillion"), filepath.Join(root, "real"), os.Getenv("PATH")},
		string(os.PathListSeparator))}
	return command
}

func TestStandIn(t *testing.T) {
	inShop := logs + "  namespaces: {include: [shop]}\n"
	for _, test := range []struct {
		name, as, args string
		config         string
		env            []string
		code           int
		injects        bool
		says           string
	}{
		{name: "kustomize", as: "kustomize-pillion", args: "build . --enable-helm", config: logs, injects: true, says: "got build . --enable"},
		{name: "helm template", as: "helm", args: "template . --include-crds", config: logs, injects: true, says: "got template . --include"},
		{name: "no config", as: "kustomize", args: "build ."},
		{name: "another command", as: "kustomize", args: "edit set image nginx:1.29", config: logs, says: "got edit set image nginx:1.29"},
		{name: "another command of helm", as: "helm", args: "show values .", config: logs, says: "got show values ."},
		{name: "no command", as: "helm", config: logs},
		{name: "within another tool", as: "helm", args: "template .", config: logs, env: []string{"PILLION_RUNNING=kustomize"}},
		{name: "the tool fails", as: "helm", args: "template .", config: logs, env: []string{"CODE=7"}, code: 7, says: "got template ."},
		{name: "the tool fails without a config", as: "helm", args: "template .", env: []string{"CODE=7"}, code: 7, says: "got template ."},
		{
			name: "the platform's config is missing", as: "helm", args: "template .", env: []string{"PILLION_CONFIG=/missing"},
			code: 1, says: "PILLION_CONFIG",
		},
		{name: "the real tool is missing", as: "helm", args: "version", env: []string{"PATH="}, code: 1, says: "there is no helm"},
		{
			name: "Pillion refuses", as: "kustomize", args: "build .", config: strings.Replace(logs, "- name: logs", "- name: web", 1),
			code: 1, says: "ContainerConflict",
		},
		{name: "the config is broken", as: "kustomize", args: "build .", config: logs + "  a: b\n", code: 1, says: "injector.yaml"},
		{
			name: "kustomize in the application's namespace", as: "kustomize", args: "build .", config: inShop,
			env: []string{"ARGOCD_APP_NAMESPACE=shop"}, injects: true,
		},
		{name: "helm in the namespace of its flag", as: "helm", args: "template . --namespace shop", config: inShop, injects: true},
		{
			name: "helm in another namespace", as: "helm", args: "template . --namespace bank", config: inShop,
			env: []string{"ARGOCD_APP_NAMESPACE=shop"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string]string{"web.yaml": web}
			if test.config != "" {
				files[configName] = test.config
			}
			command := standInFor(t, test.as, fakeTool, files, strings.Fields(test.args)...)
			command.Env = append(command.Env, test.env...)
			var out, stderr bytes.Buffer
			command.Stdout, command.Stderr = &out, &stderr
			_ = command.Run()
			if code := command.ProcessState.ExitCode(); code != test.code || !strings.Contains(stderr.String(), test.says) {
				t.Errorf("exit code %d, want %d with %q\n%s", code, test.code, test.says, &stderr)
			}
			if got := strings.Contains(out.String(), "name: logs"); got != test.injects {
				t.Errorf("injects: %t, want %t", got, test.injects)
			}
			if test.code == 0 && !test.injects && out.String() != web {
				t.Errorf("printed\n%s", &out)
			}
		})
	}
}

// TestTheRealToolEndsWithTheStandIn checks that no tool is left behind when Argo CD ends the stand-in.
func TestTheRealToolEndsWithTheStandIn(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(signal.String(), func(t *testing.T) {
			if signal == syscall.SIGKILL && runtime.GOOS != "linux" {
				t.Skip("only Linux ends a program with its parent")
			}
			// The tool holds the pipe until it ends. It has no trap for SIGKILL, and reports SIGTERM.
			command := standInFor(t, "helm", "#!/bin/sh\ntrap 'echo ended >&2; exit 9' TERM\necho started >&2\nwhile :; do sleep 0.05; done\n",
				map[string]string{configName: logs}, "template", ".")
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			command.Stderr = write
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			write.Close() //nolint:errcheck,gosec // the child has its own
			if err := read.SetReadDeadline(time.Now().Add(5 * time.Minute)); err != nil {
				t.Fatal(err)
			}
			said := make([]byte, len("started\n"))
			if _, err := read.Read(said); err != nil {
				t.Fatal(err)
			}
			if err := command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			var rest bytes.Buffer
			if _, err := rest.ReadFrom(read); err != nil {
				t.Fatal("the tool has not ended: ", err)
			}
			var exit *exec.ExitError
			if err := command.Wait(); !errors.As(err, &exit) || signal == syscall.SIGTERM && (exit.ExitCode() != 9 || rest.String() != "ended\n") {
				t.Errorf("%v, and the tool said %q", err, &rest)
			}
		})
	}
}

func TestInstall(t *testing.T) {
	dir := realTempDir(t)
	for range 2 { // an init container may run again
		if err := install(dir); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"kustomize", "helm"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || !isProgram(info) {
			t.Errorf("%s is no program: %v", name, err)
		}
	}
	other := realTempDir(t)
	makeFile(t, filepath.Join(other, "helm"), "the real one", false)
	if err := install(other); err == nil || !strings.Contains(err.Error(), "a directory of its own") {
		t.Errorf("with a helm in the directory, it says %v", err)
	}
	if text, err := os.ReadFile(filepath.Join(other, "helm")); err != nil || string(text) != "the real one" {
		t.Errorf("helm was changed: %q, %v", text, err)
	}
}

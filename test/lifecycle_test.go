package test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

const lifecycleKptfile = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: positions
  annotations:
    config.kubernetes.io/local-config: "true"
pipeline:
`

const logsInjector = `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata:
  name: logs
spec:
  containers:
  - name: logs
    image: fluent-bit:3
    volumeMounts: [{name: envoy-conf, mountPath: /etc/logs}]
  volumes:
  - name: envoy-conf
    emptyDir: {}
  appContainers:
  - env: [{name: LOGS, value: "on"}]
`

// lifecycle is a package in a git repository whose injectors change.
type lifecycle struct {
	*testing.T
	kpt, dir string
}

func newLifecycle(t *testing.T) lifecycle {
	t.Helper()
	l := lifecycle{t, tool(t, "kpt"), copyPackage(t, filepath.Join("testdata", "kpt", "positions"))}
	l.write("injector.yaml", fmt.Sprintf(positionInjector, ""))
	l.write("web.yaml", renderedByKptAlone(t, l.kpt, l.dir))
	gitRepository(t, l.dir)
	return l
}

func (l lifecycle) write(file, text string) {
	l.Helper()
	writeFile(l.T, filepath.Join(l.dir, file), text)
}

func (l lifecycle) web() string {
	l.Helper()
	return readFile(l.T, filepath.Join(l.dir, "web.yaml"))
}

// edit replaces a text in web.yaml.
func (l lifecycle) edit(old, changed string) {
	l.Helper()
	web := l.web()
	if !strings.Contains(web, old) {
		l.Fatalf("%q is not in\n%s", old, web)
	}
	l.write("web.yaml", strings.Replace(web, old, changed, 1))
}

// render renders and commits the package, and checks which texts it contains.
func (l lifecycle) render(has, hasNot []string) {
	l.Helper()
	mustRun(l.T, l.dir, "", l.kpt, "fn", "render", "--allow-exec")
	web := l.web()
	for _, want := range has {
		if !strings.Contains(web, want) {
			l.Errorf("%q is not in\n%s", want, web)
		}
	}
	for _, not := range hasNot {
		if strings.Contains(web, not) {
			l.Errorf("%q is in\n%s", not, web)
		}
	}
	mustRun(l.T, l.dir, "", "git", "add", "--all")
	mustRun(l.T, l.dir, "", "git", "commit", "--quiet", "--allow-empty", "--message", "rendered")
}

// pipeline writes the package's Kptfile, with a function for each config.
func (l lifecycle) pipeline(mutators, validators []string) {
	l.Helper()
	var b strings.Builder
	b.WriteString(lifecycleKptfile)
	functions := func(key string, configs []string) {
		if len(configs) > 0 {
			b.WriteString("  " + key + ":\n")
		}
		for _, config := range configs {
			b.WriteString("    - exec: pillion\n      configPath: " + config + "\n")
		}
	}
	functions("mutators", mutators)
	functions("validators", validators)
	l.write("Kptfile", b.String())
}

func withAction(config, action string) string {
	return strings.Replace(config, "spec:\n", "spec:\n  action: "+action+"\n", 1)
}

// TestKptLifecycle takes a package through injection, upgrade, opting out and in, and another injector, and checks that
// removing everything restores the first commit, including comments and setters.
func TestKptLifecycle(t *testing.T) {
	for _, knobs := range []string{"    podInjectPolicy: BeforeAppContainer\n", "    mode: Native\n    after: migrate\n"} {
		t.Run(strings.TrimSpace(knobs), func(t *testing.T) {
			l := newLifecycle(t)
			first := strings.TrimSpace(mustRun(t, l.dir, "", "git", "rev-parse", "HEAD").stdout)
			envoy := fmt.Sprintf(positionInjector, knobs)
			l.write("injector.yaml", envoy)
			l.render([]string{"name: envoy\n", "v1.33.0"}, nil)

			envoy = strings.NewReplacer(
				"v1.33.0", "v1.34.0", "    args: [\"--mode\", \"serve\"]\n", "", "emptyDir: {}", "emptyDir: {medium: Memory}",
			).Replace(envoy)
			l.write("injector.yaml", envoy)
			l.render([]string{"v1.34.0", "medium: Memory"}, []string{"v1.33.0", "--mode"})

			const in, out = "labels: {app: web}\n    spec", "labels: {app: web, pillion.dev/inject: \"false\"}\n    spec"
			l.edit("labels: {app: web", `labels: {app: web, pillion.dev/inject: "false"`)
			l.render([]string{out}, []string{"envoy"})
			l.edit(out, in)
			l.render([]string{"v1.34.0"}, nil)

			envoy = strings.Replace(envoy, "emptyDir: {medium: Memory}", "emptyDir: {}", 1)
			l.write("injector.yaml", envoy)
			l.write("logs.yaml", logsInjector)
			l.pipeline([]string{"injector.yaml", "logs.yaml"}, nil)
			l.render([]string{"v1.34.0", "fluent-bit:3", "name: LOGS"}, []string{"medium"})
			both := l.web()
			l.render(nil, nil)
			if again := l.web(); again != both {
				t.Errorf("a second render gives\n%s\nafter\n%s", again, both)
			}

			l.write("injector.yaml", withAction(envoy, "Remove"))
			l.render([]string{"fluent-bit:3", "name: envoy-conf"}, []string{"v1.34.0"})
			l.write("logs.yaml", withAction(logsInjector, "Remove"))
			l.render(nil, nil)
			if diff := mustRun(t, l.dir, "", "git", "diff", "--no-color", first, "--", "web.yaml").stdout; diff != "" {
				t.Errorf("after removing, git diff shows\n%s", diff)
			}
		})
	}
}

// TestKptVerifies checks that Verify as a validator accepts rendered files, and fails with a diff after somebody edited
// them.
func TestKptVerifies(t *testing.T) {
	l := newLifecycle(t)
	l.write("verify.yaml", withAction(fmt.Sprintf(positionInjector, ""), "Verify"))
	l.pipeline([]string{"injector.yaml"}, []string{"verify.yaml"})
	l.render([]string{"v1.33.0"}, nil)

	l.pipeline(nil, []string{"verify.yaml"})
	l.render([]string{"v1.33.0"}, nil)
	l.edit("v1.33.0", "v1.32.0")
	edited := l.web()
	r := run(t, l.dir, "", l.kpt, "fn", "render", "--allow-exec", "--truncate-output=false")
	if r.exitCode == 0 {
		t.Error("what was edited by hand passes")
	}
	for _, want := range []string{"Outdated", "-          image: envoyproxy/envoy:v1.32.0", "+          image: envoyproxy/envoy:v1.33.0"} {
		if !strings.Contains(r.stdout+r.stderr, want) {
			t.Errorf("%q is not in\n%s%s", want, r.stdout, r.stderr)
		}
	}
	if l.web() != edited {
		t.Errorf("Verify changes the file:\n%s", l.web())
	}
}

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/golden"
	"pillion.dev/pillion/test/tools"
)

// helm is one of the real programs with its own home directory.
type helm struct {
	program string
	env     []string
	// pillion and nothing are the flags for post-renderers: Pillion, and one that returns its input unchanged
	pillion, nothing []string
}

func helm3(t *testing.T) helm {
	t.Helper()
	return helm{
		program: tools.Helm3.Path(t),
		env:     helmHome(t),
		pillion: []string{
			"--post-renderer", "pillion", "--post-renderer-args", "inject", "--post-renderer-args", "--allow-empty", "--post-renderer-args",
		},
		nothing: []string{"--post-renderer", "cat"},
	}
}

func helm4(t *testing.T) helm {
	t.Helper()
	h := helm{
		program: tools.Helm4.Path(t),
		env:     helmHome(t),
		pillion: []string{"--post-renderer", "pillion", "--post-renderer-args"},
		nothing: []string{"--post-renderer", "nothing"},
	}
	nothing := filepath.Join(t.TempDir(), "nothing")
	copyTree(t, filepath.Join(root, "pipelines", "helm", "pillion"), nothing)
	plugin := filepath.Join(nothing, "plugin.yaml")
	text, _, _ := strings.Cut(readFile(t, plugin), "    args:\n")
	unchanging := strings.NewReplacer("name: pillion", "name: nothing", "command: pillion", "command: cat")
	writeFile(t, plugin, unchanging.Replace(text)+"    args: []\n")
	for _, dir := range []string{nothing, filepath.Join(root, "pipelines", "helm", "pillion")} {
		mustRun(t, h.command("plugin", "install", dir))
	}
	return h
}

var helms = []struct {
	name  string
	start func(*testing.T) helm
	hooks bool // whether a post-renderer gets them
	says  bool // whether Helm shows why a post-renderer has failed
}{
	{"helm 3", helm3, false, true},
	{"helm 4", helm4, true, false},
}

func helmHome(t *testing.T) []string {
	t.Helper()
	home := t.TempDir()
	return append(os.Environ(), "HOME="+home, "HELM_CACHE_HOME="+home+"/cache", "HELM_CONFIG_HOME="+home+"/config",
		"HELM_DATA_HOME="+home+"/data", "KUBECONFIG="+os.DevNull)
}

func (h helm) command(args ...string) *exec.Cmd {
	command := exec.Command(h.program, args...)
	command.Env = h.env
	return command
}

func (h helm) template(flags ...string) *exec.Cmd {
	return h.command(append([]string{"template", "shop", filepath.Join("testdata", "chart")}, flags...)...)
}

func helmInjector(t *testing.T, more ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "injector.yaml")
	text := readFile(t, filepath.Join("testdata", "argocd", "apps", "plain", "injector.yaml"))
	writeFile(t, file, strings.NewReplacer(more...).Replace(text))
	return "--config=" + file
}

// TestHelm checks that every pod of a release gets the sidecar, except those of hooks in Helm 3, which does not send
// them, and that the output of Helm is otherwise unchanged.
func TestHelm(t *testing.T) {
	for _, test := range helms {
		t.Run(test.name, func(t *testing.T) {
			h := test.start(t)
			before := mustRun(t, h.template(h.nothing...))
			after := mustRun(t, h.template(append(h.pillion, helmInjector(t))...))
			golden.Check(t, filepath.Join("testdata", "helm", strings.ReplaceAll(test.name, " ", "")+".yaml"), after)
			onlyTheSidecarAdded(t, before, after)

			want := map[string]string{
				"Deployment/shop-web": "logs web", "StatefulSet/shop-db": "logs db", "Job/shop-seed": "logs seed",
				"Job/shop-migrate": "migrate", "Pod/shop-smoke": "smoke",
			}
			if test.hooks {
				want["Job/shop-migrate"], want["Pod/shop-smoke"] = "logs migrate", "logs smoke"
			}
			got := workloadsOf(t, after)
			for name, containers := range want {
				if !slices.Contains(got, name+": "+containers) {
					t.Errorf("%s does not have the containers %q: %q", name, containers, got)
				}
			}
		})
	}
}

// TestHelmInstalls checks the same for what Helm 4 would install. Helm 3 needs a cluster even for a dry run; its
// template command runs the same code.
func TestHelmInstalls(t *testing.T) {
	h := helm4(t)
	args := []string{"install", "shop", filepath.Join("testdata", "chart"), "--dry-run=client"}
	out := mustRun(t, h.command(slices.Concat(args, h.pillion, []string{helmInjector(t)})...))
	hooks, manifest, found := strings.Cut(out, "\nMANIFEST:\n")
	if !found || strings.Count(manifest, "name: logs\n") != 3 {
		t.Errorf("want three sidecars in the manifest:\n%s", out)
	}
	if strings.Count(hooks, "name: logs\n") != 2 {
		t.Errorf("want two sidecars in the hooks:\n%s", hooks)
	}
}

// TestHelmNamespace checks what the page says about namespaces: the plugin for Helm 4 passes HELM_NAMESPACE, no version
// of Helm passes its -n, and an argument takes precedence over both. The injector is for namespaces of teams only.
func TestHelmNamespace(t *testing.T) {
	for _, test := range helms {
		for _, c := range []struct {
			claim, variable string
			args            []string
			injects         bool
		}{
			{"nothing", "", nil, false},
			{"only -n", "", []string{"-n", "team-shop"}, false},
			{"the variable", "team-shop", nil, test.name == "helm 4"},
			{"the variable of another namespace", "bank", nil, false},
			{"an argument", "bank", []string{"--post-renderer-args=--default-namespace=team-shop"}, true},
		} {
			t.Run(test.name+" with "+c.claim, func(t *testing.T) {
				h := test.start(t)
				h.env = append(h.env, "HELM_NAMESPACE="+c.variable)
				config := helmInjector(t, "\nspec:\n", "\nspec:\n  namespaces: {include: [team-*]}\n")
				out := mustRun(t, h.template(slices.Concat(h.pillion, []string{config}, c.args)...))
				if strings.Contains(out, "name: logs\n") != c.injects {
					t.Errorf("want sidecars: %t\n%s", c.injects, out)
				}
			})
		}
	}
}

// TestHelmRendersNothing checks that a release without manifests for the post-renderer is rendered as without Pillion:
// one whose templates are all disabled, and one with hooks only, which Helm 3 does not send.
func TestHelmRendersNothing(t *testing.T) {
	const hook = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: hook\n  annotations: {helm.sh/hook: pre-install}\n" +
		"spec:\n  containers:\n  - {name: hook, image: \"busybox:1.37\"}\n"
	for claim, template := range map[string]string{"all turned off": "{{ if .Values.on }}\n" + hook + "{{ end }}\n", "hooks alone": hook} {
		chart := t.TempDir()
		writeFile(t, filepath.Join(chart, "Chart.yaml"), "apiVersion: v2\nname: shop\nversion: 0.1.0\n")
		if err := os.Mkdir(filepath.Join(chart, "templates"), 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(chart, "templates", "web.yaml"), template)
		for _, test := range helms {
			t.Run(test.name+", "+claim, func(t *testing.T) {
				h := test.start(t)
				got := mustRun(t, h.command(append([]string{"template", "shop", chart}, append(h.pillion, helmInjector(t))...)...))
				if strings.Contains(got, "name: hook") != (template == hook) {
					t.Errorf("rendered\n%s", got)
				}
			})
		}
	}
}

// TestHelmStopsAtRefusals checks that a refusal ends Helm. Helm 3 prints the reason; Helm 4 does not, and the command
// in docs/get-started/helm.md prints it.
func TestHelmStopsAtRefusals(t *testing.T) {
	for _, test := range helms {
		t.Run(test.name, func(t *testing.T) {
			h := test.start(t)
			config := helmInjector(t, "- name: logs", "- name: web")
			r := run(t, h.template(append(h.pillion, config)...))
			if r.exitCode == 0 || r.stdout != "" {
				t.Errorf("it rendered:\n%s", r.stdout)
			}
			if got := strings.Contains(r.stderr, "ContainerConflict"); got != test.says {
				t.Errorf("the reason is shown: %v, want %v (then change the page):\n%s", got, test.says, r.stderr)
			}
			explain := exec.Command("pillion", "explain", config, "-f", "-")
			explain.Stdin = strings.NewReader(mustRun(t, h.template()))
			if r := run(t, explain); !strings.Contains(r.stdout+r.stderr, "ContainerConflict") {
				t.Errorf("pillion explain does not show it, either:\n%s%s", r.stdout, r.stderr)
			}
		})
	}
}

// TestHelmHooksCanBeLeftOut checks the effect of spec.helmHooks in Helm 4.
func TestHelmHooksCanBeLeftOut(t *testing.T) {
	h := helm4(t)
	after := mustRun(t, h.template(append(h.pillion, helmInjector(t, "spec:\n", "spec:\n  helmHooks: Skip\n"))...))
	got := workloadsOf(t, after)
	for _, want := range []string{"Job/shop-migrate: migrate", "Pod/shop-smoke: smoke", "Job/shop-seed: logs seed"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not among %q", want, got)
		}
	}
}

// onlyTheSidecarAdded checks that after without the lines of the sidecar is before.
func onlyTheSidecarAdded(t *testing.T, before, after string) {
	t.Helper()
	left := strings.SplitAfter(before, "\n")
	for line := range strings.Lines(after) {
		switch text := strings.TrimSpace(line); {
		case len(left) > 0 && line == left[0]:
			left = left[1:]
		case text == "initContainers:", text == "- name: logs", text == "image: fluent/fluent-bit:3.2.4", text == "restartPolicy: Always",
			strings.HasPrefix(text, "kubectl.kubernetes.io/default-container"), strings.HasPrefix(text, "pillion.dev/injected-logs: "),
			text == "annotations:", text == "metadata:":
		default:
			t.Errorf("%q was not there before, and is not the sidecar:\n%s", line, after)
			return
		}
	}
	if rest := strings.Join(left, ""); strings.TrimSpace(rest) != "" {
		t.Errorf("lost, or not in its place: %q in\n%s", left[0], after)
	}
}

// workloadsOf returns the workloads of a stream of documents.
func workloadsOf(t *testing.T, stream string) []string {
	t.Helper()
	var a answer
	for document := range strings.SplitSeq(stream, "\n---\n") {
		var one struct{ answer }
		entry := "Manifests:\n- " + strings.ReplaceAll(strings.TrimPrefix(document, "---\n"), "\n", "\n  ")
		if err := yaml.Unmarshal([]byte(entry), &one); err != nil {
			t.Fatalf("%v in\n%s", err, document)
		}
		a.Manifests = append(a.Manifests, one.Manifests...)
	}
	return a.workloads()
}

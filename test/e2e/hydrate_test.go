package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pillion.dev/pillion/test/tools"
)

const (
	hydrateAnnotation = "argocd.argoproj.io/hydrate"
	pathsAnnotation   = "argocd.argoproj.io/manifest-generate-paths"
)

// hydration is an Application with a source hydrator, and the repository that it reads and writes. The hydrator, the
// repo server and the commit server are Argo CD's own code, and the repo server runs the stand-ins.
type hydration struct {
	dir      string // with the repository and its checkout
	platform string // the directory with the platform's injectors
	server   repoServer
	app      map[string]any
}

func newHydration(t *testing.T, path string) *hydration {
	t.Helper()
	dir := t.TempDir()
	h := &hydration{dir: dir, platform: filepath.Join(dir, "platform"), server: standInServer(t)}
	copyTree(t, filepath.Join("testdata", "argocd", "platform"), h.platform)
	bin := filepath.Join(dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	// Argo CD's image has this script in its PATH, which only runs git.
	script := filepath.Join(bin, "git-verify-wrapper.sh")
	writeFile(t, script, readFile(t, filepath.Join(argoCDSources(t), "hack", "git-verify-wrapper.sh")))
	if err := os.Chmod(script, 0o755); err != nil {
		t.Fatal(err)
	}
	h.server.env = append(h.server.env, "PILLION_CONFIG="+h.platform)
	for i, variable := range h.server.env {
		if strings.HasPrefix(variable, "PATH=") {
			h.server.env[i] = variable + string(os.PathListSeparator) + bin
		}
	}
	copyTree(t, filepath.Join("testdata", "argocd"), h.checkout())
	copyTree(t, filepath.Join("testdata", "chart"), filepath.Join(h.checkout(), "apps", "chart"))
	h.git(t, "init", "--quiet", "--initial-branch=main")
	h.commit(t, "Add the applications")
	mustRun(t, exec.Command("git", "clone", "--quiet", "--bare", h.checkout(), h.repository()))
	h.git(t, "remote", "add", "origin", h.repository())
	h.app = map[string]any{
		"apiVersion": "argoproj.io/v1alpha1",
		"kind":       "Application",
		"metadata":   map[string]any{"name": "shop", "namespace": "argocd"},
		"spec": map[string]any{
			"project":     "default",
			"destination": map[string]any{"server": "https://kubernetes.default.svc", "namespace": "shop"},
			"sourceHydrator": map[string]any{
				"drySource":  map[string]any{"repoURL": "file://" + h.repository(), "targetRevision": "main", "path": path},
				"syncSource": map[string]any{"targetBranch": "environments/dev", "path": "shop"},
			},
		},
	}
	return h
}

func (h *hydration) checkout() string   { return filepath.Join(h.dir, "checkout") }
func (h *hydration) repository() string { return filepath.Join(h.dir, "repository.git") }

func (h *hydration) git(t *testing.T, args ...string) string {
	t.Helper()
	command := exec.Command(tools.Installed(t, "git"), append([]string{"-c", "user.name=dev", "-c", "user.email=dev@example.com"}, args...)...)
	command.Dir = h.checkout()
	return mustRun(t, command)
}

// commit commits all changes to the dry source, or an empty commit.
func (h *hydration) commit(t *testing.T, message string) {
	t.Helper()
	h.git(t, "add", "--all")
	h.git(t, "commit", "--quiet", "--allow-empty", "--message", message)
}

// push commits and pushes.
func (h *hydration) push(t *testing.T, message string) {
	t.Helper()
	h.commit(t, message)
	h.git(t, "push", "--quiet", "origin", "main")
}

// annotate sets the annotations of the Application.
func (h *hydration) annotate(annotations map[string]any) {
	h.app["metadata"].(map[string]any)["annotations"] = annotations
}

// hydrate lets Argo CD see the Application. It fails the test if Argo CD reports an error.
func (h *hydration) hydrate(t *testing.T) {
	t.Helper()
	if message := h.tryToHydrate(t); message != "" {
		t.Fatal(message)
	}
}

// tryToHydrate returns what Argo CD reports.
func (h *hydration) tryToHydrate(t *testing.T) (message string) {
	t.Helper()
	tools.Uses(t, tools.ArgoCDRender.Name, tools.ArgoCDRender.Version)
	app, err := json.Marshal(h.app)
	if err != nil {
		t.Fatal(err)
	}
	file, settings := filepath.Join(h.dir, "application.json"), filepath.Join(h.dir, "argocd-cm.yaml")
	writeFile(t, file, string(app))
	writeFile(t, settings, hydratorSettings(t))
	command := exec.Command(h.server.program, "hydrate", file, settings)
	command.Env = append(os.Environ(), h.server.env...)
	h.app = map[string]any{}
	if err := json.Unmarshal([]byte(mustRun(t, command)), &h.app); err != nil {
		t.Fatal(err)
	}
	status := struct {
		Status struct {
			SourceHydrator struct {
				CurrentOperation struct{ Phase, Message string }
			}
		}
	}{}
	answer, err := json.Marshal(h.app)
	if err == nil {
		err = json.Unmarshal(answer, &status)
	}
	if err != nil {
		t.Fatal(err)
	}
	return status.Status.SourceHydrator.CurrentOperation.Message
}

// hydratorSettings returns the ConfigMap argocd-cm with the template on the page.
func hydratorSettings(t *testing.T) string {
	t.Helper()
	settings := blocksOf(t, "argocd.md", regexp.MustCompile("(?s)\n```yaml\n(apiVersion: v1\nkind: ConfigMap\n.*?)```\n"))
	if len(settings) != 1 {
		t.Fatalf("the page has %d ConfigMaps argocd-cm, want one", len(settings))
	}
	return settings[0]
}

// hydrated returns a file of the branch that Argo CD writes.
func (h *hydration) hydrated(t *testing.T, file string) string {
	t.Helper()
	return h.shown(t, "environments/dev", file)
}

func (h *hydration) shown(t *testing.T, branch, file string) string {
	t.Helper()
	return mustRun(t, exec.Command("git", "-C", h.repository(), "show", branch+":"+file))
}

// commits returns the number of commits that Argo CD wrote.
func (h *hydration) commits(t *testing.T) int {
	t.Helper()
	return strings.Count(mustRun(t, exec.Command("git", "-C", h.repository(), "log", "--oneline", "environments/dev")), "\n")
}

// TestArgoCDHydrates checks what Argo CD's source hydrator writes, and that Argo CD then applies it as it is.
func TestArgoCDHydrates(t *testing.T) {
	for _, test := range []struct{ path, command, want string }{
		{"apps/kustomized", "kustomize build ./apps/kustomized", "Deployment/shop-web: envoy logs web"},
		{
			"apps/chart", "helm template . ",
			"Deployment/shop-web: envoy logs web, StatefulSet/shop-db: envoy logs db, Job/shop-seed: envoy logs seed, " +
				"Pod/shop-smoke: envoy logs smoke, Job/shop-migrate: envoy logs migrate",
		},
	} {
		t.Run(test.path, func(t *testing.T) {
			h := newHydration(t, test.path)
			h.hydrate(t)
			if manifests := h.hydrated(t, "shop/manifest.yaml"); !strings.Contains(manifests, "pillion.dev/injected-envoy") {
				t.Errorf("there is no stamp in\n%s", manifests)
			}
			readme := h.hydrated(t, "shop/README.md")
			for _, text := range []string{"\n    " + test.command, "Pillion then added"} {
				if !strings.Contains(readme, text) {
					t.Errorf("%q is not in the README\n%s", text, readme)
				}
			}
			written := t.TempDir()
			mustRun(t, exec.Command("git", "clone", "--quiet", "--branch=environments/dev", h.repository(), written))
			answer, said, ok := h.server.renderIn(t, written, application("path: shop"))
			if got := strings.Join(answer.workloads(), ", "); !ok || answer.SourceType != "Directory" || got != test.want {
				t.Errorf("the branch is rendered as %s: %s\nwant %s\n%s", answer.SourceType, got, test.want, said)
			}
		})
	}
}

// TestArgoCDHydratesToAnotherBranch checks what GitOps Promoter reads: the branch that it promotes has the sidecars, and
// names the commit that it was rendered from.
func TestArgoCDHydratesToAnotherBranch(t *testing.T) {
	h := newHydration(t, "apps/kustomized")
	spec := h.app["spec"].(map[string]any)["sourceHydrator"].(map[string]any)
	spec["hydrateTo"] = map[string]any{"targetBranch": "environments/dev-next"}
	h.hydrate(t)
	if manifests := h.shown(t, "environments/dev-next", "shop/manifest.yaml"); !strings.Contains(manifests, "name: envoy\n") {
		t.Errorf("there is no sidecar in\n%s", manifests)
	}
	commit := strings.TrimSpace(h.git(t, "rev-parse", "HEAD"))
	if metadata := h.shown(t, "environments/dev-next", "hydrator.metadata"); !strings.Contains(metadata, `"drySha": "`+commit+`"`) {
		t.Errorf("the metadata is\n%s\nwant the commit %s", metadata, commit)
	}
	if files := mustRun(t, exec.Command("git", "-C", h.repository(), "ls-tree", "environments/dev")); files != "" {
		t.Errorf("the branch that is applied has\n%s", files)
	}
}

// TestArgoCDReportsARefusalOfTheHydrator checks that nothing is written, and that the Application says why.
func TestArgoCDReportsARefusalOfTheHydrator(t *testing.T) {
	h := newHydration(t, "apps/kustomized")
	writeFile(t, filepath.Join(h.platform, "envoy.yaml"),
		strings.Replace(readFile(t, filepath.Join(h.platform, "envoy.yaml")), "- name: envoy", "- name: web", 1))
	if message := h.tryToHydrate(t); !strings.Contains(message, "ContainerConflict") {
		t.Errorf("Argo CD reports %q", message)
	}
	if branches := h.git(t, "ls-remote", "origin"); strings.Contains(branches, "environments/dev") {
		t.Errorf("it was written: %s", branches)
	}
}

// TestArgoCDHydratesAgain checks what the page says about a change of the platform's injectors: Argo CD writes only once
// for each commit of the dry source, even if it is asked to.
func TestArgoCDHydratesAgain(t *testing.T) {
	h := newHydration(t, "apps/kustomized")
	h.hydrate(t)
	changePlatform := func(image string) {
		file := filepath.Join(h.platform, "envoy.yaml")
		writeFile(t, file, regexp.MustCompile(`envoy:v\S+`).ReplaceAllString(readFile(t, file), image))
	}
	wantImage := func(image, after string) {
		t.Helper()
		if manifests := h.hydrated(t, "shop/manifest.yaml"); !strings.Contains(manifests, image+"\n") {
			t.Errorf("after %s, there is no %s in\n%s", after, image, manifests)
		}
	}
	changePlatform("envoy:v1.34.0")
	h.annotate(map[string]any{hydrateAnnotation: "hard"})
	h.hydrate(t)
	wantImage("envoy:v1.33.0", "hydrate: hard without a commit")
	h.push(t, "Render again")
	h.hydrate(t)
	wantImage("envoy:v1.34.0", "an empty commit")

	changePlatform("envoy:v1.35.0")
	h.push(t, "Render again")
	h.annotate(map[string]any{pathsAnnotation: "."})
	h.hydrate(t)
	wantImage("envoy:v1.34.0", "an empty commit with "+pathsAnnotation)
	h.annotate(map[string]any{pathsAnnotation: ".", hydrateAnnotation: "hard"})
	h.hydrate(t)
	wantImage("envoy:v1.35.0", "an empty commit and hydrate: hard with "+pathsAnnotation)

	before := h.commits(t)
	h.push(t, "Change nothing")
	h.annotate(map[string]any{hydrateAnnotation: "hard"})
	h.hydrate(t)
	if after := h.commits(t); after != before {
		t.Errorf("there are %d commits, want %d as before, because the manifests are the same", after, before)
	}
}

// TestArgoCDHydratesForAnInjectorFurtherUp checks that the paths of the annotation have to include it.
func TestArgoCDHydratesForAnInjectorFurtherUp(t *testing.T) {
	h := newHydration(t, "apps/unconfigured")
	injector := filepath.Join(h.checkout(), "injector.yaml")
	text := readFile(t, filepath.Join(h.checkout(), "apps", "plain", "injector.yaml"))
	writeFile(t, injector, text)
	h.push(t, "Add an injector")
	h.annotate(map[string]any{pathsAnnotation: "."})
	h.hydrate(t)
	for _, step := range []struct {
		paths    string
		hydrates bool
	}{{".", false}, {".;/injector.yaml", true}} {
		before := h.commits(t)
		writeFile(t, injector, text+"    args: [\""+step.paths+"\"]\n")
		h.push(t, "Change the injector")
		h.annotate(map[string]any{pathsAnnotation: step.paths})
		h.hydrate(t)
		if got := h.commits(t) > before; got != step.hydrates {
			t.Errorf("with the paths %s, it is hydrated: %t, want %t", step.paths, got, step.hydrates)
		}
	}
}

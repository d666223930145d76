package e2e

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"pillion.dev/pillion/test/tools"
)

// TestArgoCD runs the plugin by Argo CD's own plugin server, which the code of Argo CD's repo server calls.
func TestArgoCD(t *testing.T) {
	server := startPluginServer(t)
	for _, test := range []struct {
		name   string
		source string
		// want is the workloads and their containers, in the order of the manifests
		want []string
		// image must be in one of the manifests
		image string
		// refused is what Argo CD shows as the error of the application
		refused []string
	}{
		{
			name:   "a plain directory with an injector.yaml is found",
			source: `path: apps/plain`,
			want:   []string{"Deployment/web: logs web"},
		},
		{
			name:   "a kustomization with an injector.yaml is built and injected",
			source: `path: apps/kustomized`,
			want:   []string{"Deployment/shop-web: logs web"},
		},
		{
			name:   "a chart with an injector.yaml is rendered and injected, hooks too",
			source: `path: apps/chart`,
			want: []string{
				"Deployment/guestbook-web: logs web", "StatefulSet/guestbook-db: logs db", "Job/guestbook-seed: logs seed",
				"Pod/guestbook-smoke: logs smoke", "Job/guestbook-migrate: logs migrate",
			},
		},
		{
			name:   "a chart whose templates are all turned off is an empty application",
			source: `path: apps/empty`,
		},
		{
			name:   "a refusal reaches the caller in Pillion's words",
			source: `path: apps/broken`,
			refused: []string{
				"ContainerConflict", `container "web"`, "deployment.yaml",
			},
		},
		{
			name:   "an application that names the plugin chooses its config",
			source: `{path: apps/untouched, plugin: {name: pillion, parameters: [{name: config, array: [../plain/injector.yaml]}]}}`,
			want:   []string{"Deployment/web: logs web"},
		},
		{
			name:    "an application that names the plugin and has no config is told so",
			source:  `{path: apps/untouched, plugin: {name: pillion}}`,
			refused: []string{"there is no config for this application"},
		},
		{
			name:    "a config outside of the repository is refused",
			source:  `{path: apps/plain, plugin: {name: pillion, parameters: [{name: config, array: [../../../../etc/passwd]}]}}`,
			refused: []string{"parameter config", "the application's directory"},
		},
		{
			name:    "a shell's words in a parameter stay words",
			source:  `{path: apps/plain, plugin: {name: pillion, parameters: [{name: config, array: ["$(touch pwned); injector.yaml"]}]}}`,
			refused: []string{"there is no file"},
		},
		{
			name:    "a misspelt parameter is refused by name",
			source:  `{path: apps/plain, plugin: {name: pillion, parameters: [{name: configs, array: [injector.yaml]}]}}`,
			refused: []string{`there is no parameter "configs"`},
		},
		{
			name: "the renderer can be chosen",
			source: `{path: apps/kustomized/base, plugin: {name: pillion, ` +
				`parameters: [{name: renderer, string: plain}, {name: config, array: [../injector.yaml]}]}}`,
			want: []string{"Deployment/web: logs web"},
		},
		{
			name:   "values files are the application's",
			source: `{path: apps/chart, plugin: {name: pillion, parameters: [{name: value-files, array: [values-prod.yaml]}]}}`,
			image:  "nginx:1.29",
			want: []string{
				"Deployment/guestbook-web: logs web", "StatefulSet/guestbook-db: logs db", "Job/guestbook-seed: logs seed",
				"Pod/guestbook-smoke: logs smoke", "Job/guestbook-migrate: logs migrate",
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			answer, said, ok := server.render(t, application(test.source))
			if !ok {
				for _, words := range append(test.refused, "pillion-argocd generate") {
					if !strings.Contains(said, words) {
						t.Errorf("%q is not in what Argo CD says:\n%s", words, said)
					}
				}
				if test.refused == nil {
					t.Errorf("it was not rendered: %s", said)
				}
				return
			}
			if test.refused != nil {
				t.Errorf("it was rendered: %q", answer.workloads())
			}
			if answer.SourceType != "Plugin" {
				t.Errorf("rendered as %s, want Plugin", answer.SourceType)
			}
			if got := answer.workloads(); !slices.Equal(got, test.want) {
				t.Errorf("rendered\n%q\nwant\n%q", got, test.want)
			}
			if test.image != "" && !answer.has(test.image) {
				t.Errorf("%s is not in the manifests", test.image)
			}
		})
	}
}

// TestArgoCDLeavesOthersAlone checks that Argo CD itself renders an application that does not use Pillion.
func TestArgoCDLeavesOthersAlone(t *testing.T) {
	answer, said, ok := startPluginServer(t).render(t, application(`path: apps/untouched`))
	if !ok {
		t.Fatal(said)
	}
	if got := answer.workloads(); answer.SourceType != "Directory" || !slices.Equal(got, []string{"Deployment/web: web"}) {
		t.Errorf("rendered as %s: %q", answer.SourceType, got)
	}
}

// TestArgoCDRendersChartsOfOtherNamespaces checks that an Application outside of Argo CD's namespace, whose name is
// sent with its namespace in front, has the same release name as one inside.
func TestArgoCDRendersChartsOfOtherNamespaces(t *testing.T) {
	outside := strings.Replace(application(`path: apps/chart`), "name: guestbook", "name: team-a_guestbook", 1)
	answer, said, ok := startPluginServer(t).render(t, outside)
	if !ok {
		t.Fatal(said)
	}
	if got := answer.workloads(); !slices.Contains(got, "Deployment/guestbook-web: logs web") {
		t.Errorf("rendered %q", got)
	}
}

// TestArgoCDNamesTheNamespace checks that the conditions of an injector see the namespace that the Application is
// deployed to.
func TestArgoCDNamesTheNamespace(t *testing.T) {
	server := startPluginServer(t)
	inShop := application(`path: apps/one-namespace`)
	for app, want := range map[string]string{
		inShop: "Deployment/web: logs web",
		strings.Replace(inShop, "namespace: shop", "namespace: bank", 1): "Deployment/web: web",
	} {
		answer, said, ok := server.render(t, app)
		if !ok {
			t.Fatal(said)
		}
		if got := answer.workloads(); !slices.Equal(got, []string{want}) {
			t.Errorf("rendered %q, want %s", got, want)
		}
	}
}

func TestArgoCDShowsParameters(t *testing.T) {
	server := startPluginServer(t)
	for path, want := range map[string][]string{
		"apps/plain":      {"config=injector.yaml", "renderer=plain", "recurse=false"},
		"apps/kustomized": {"config=injector.yaml", "renderer=kustomize", "recurse=false"},
		"apps/chart":      {"config=injector.yaml", "renderer=helm", "value-files=", "recurse=false"},
	} {
		answer, said, ok := server.render(t, application("path: "+path))
		if !ok {
			t.Fatal(said)
		}
		var got []string
		for _, p := range answer.Parameters {
			got = append(got, p.Name+"="+p.String+strings.Join(p.Array, ","))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s shows %q, want %q", path, got, want)
		}
	}
}

// TestArgoCDSendsPartOfARepository checks that the plugin works if an annotation of the Application limits the part of
// the repository that is sent, and that the rest cannot be read then.
func TestArgoCDSendsPartOfARepository(t *testing.T) {
	server := startPluginServer(t)
	whole := application(`{path: apps/kustomized/base, plugin: {name: pillion, parameters: [{name: config, array: [../injector.yaml]}]}}`)
	within := strings.Replace(whole,
		"name: guestbook", "annotations: {argocd.argoproj.io/manifest-generate-paths: \".;..\"}\n  name: guestbook", 1)
	answer, said, ok := server.render(t, within)
	if !ok {
		t.Fatal(said)
	}
	if got := answer.workloads(); !slices.Equal(got, []string{"Deployment/web: logs web"}) {
		t.Errorf("rendered %q", got)
	}
	_, said, ok = server.render(t, strings.Replace(within, `".;.."`, `.`, 1))
	if ok || !strings.Contains(said, "there is no file") {
		t.Errorf("a file that was not sent was read, or: %s", said)
	}
}

// TestArgoCDComponents checks that the components fit the repo server of the Argo CD that we test with.
func TestArgoCDComponents(t *testing.T) {
	for component, want := range map[string]string{
		"component": "pillion copyutil argocd-repo-server",
		"plugin":    "copyutil pillion argocd-repo-server",
	} {
		t.Run(component, func(t *testing.T) { testComponent(t, component, want) })
	}
}

func testComponent(t *testing.T, component, want string) {
	t.Helper()
	dir := t.TempDir()
	copyTree(t, filepath.Join(root, "pipelines", "argocd", component), filepath.Join(dir, "pillion"))
	writeFile(t, filepath.Join(dir, "repo-server.yaml"), readFile(t, repoServerManifest(t)))
	writeFile(t, filepath.Join(dir, "kustomization.yaml"), "resources: [repo-server.yaml]\ncomponents: [pillion]\n")
	built := mustRun(t, exec.Command(tools.Kustomize.Path(t), "build", dir))

	var deployment struct {
		Spec struct {
			Template struct {
				Spec struct {
					InitContainers, Containers []struct {
						Name         string
						VolumeMounts []struct{ Name, MountPath string }
					}
					Volumes []struct{ Name string }
				}
			}
		}
	}
	if err := yaml.Unmarshal([]byte(built), &deployment); err != nil {
		t.Fatal(err)
	}
	pod := deployment.Spec.Template.Spec
	var names, volumes []string
	for _, v := range pod.Volumes {
		volumes = append(volumes, v.Name)
	}
	for _, c := range slices.Concat(pod.InitContainers, pod.Containers) {
		names = append(names, c.Name)
		for _, m := range c.VolumeMounts {
			if !slices.Contains(volumes, m.Name) {
				t.Errorf("%s mounts %s, which is none of %q", c.Name, m.Name, volumes)
			}
		}
	}
	// Argo CD's own environment has to stay.
	if got := strings.Join(names, " "); got != want || !strings.Contains(built, "name: REDIS_PASSWORD") {
		t.Errorf("the containers are %s, want %s", got, want)
	}
}

// repoServerManifest returns the Deployment that Argo CD ships, from its module.
func repoServerManifest(t *testing.T) string {
	t.Helper()
	return filepath.Join(argoCDSources(t), "manifests", "base", "repo-server", "argocd-repo-server-deployment.yaml")
}

// argoCDSources returns the directory of Argo CD's module.
func argoCDSources(t *testing.T) string {
	t.Helper()
	tools.ArgoCDRender.Path(t) // which has its module downloaded
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/argoproj/argo-cd/v3")
	list.Dir = filepath.Join(root, "test", "e2e", "tools", "argocd")
	return strings.TrimSpace(mustRun(t, list))
}

// application returns an Argo CD Application with a source.
func application(source string) string {
	if !strings.HasPrefix(source, "{") {
		source = "{" + source + "}"
	}
	source = strings.Replace(source, "{", "{repoURL: https://git.example.com/shop.git, targetRevision: main, ", 1)
	return "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata:\n  name: guestbook\nspec:\n  project: default\n" +
		"  destination: {server: https://kubernetes.default.svc, namespace: shop}\n  source: " + source + "\n"
}

// answer is the output of argocd-render.
type answer struct {
	SourceType string
	Parameters []struct {
		Name, String string
		Array        []string
	}
	Manifests []struct {
		Kind     string
		Metadata struct{ Name string }
		Spec     json.RawMessage
	}
}

// workloads returns the manifests with containers, each with the names of its init containers and containers.
func (a answer) workloads() []string {
	var all []string
	for _, manifest := range a.Manifests {
		var spec struct {
			podSpec
			Template struct{ Spec podSpec }
		}
		if json.Unmarshal(manifest.Spec, &spec) != nil {
			continue
		}
		names := slices.Concat(spec.names(), spec.Template.Spec.names())
		if len(names) > 0 {
			all = append(all, manifest.Kind+"/"+manifest.Metadata.Name+": "+strings.Join(names, " "))
		}
	}
	return all
}

// has reports whether the spec of a manifest contains a text.
func (a answer) has(text string) bool {
	for _, manifest := range a.Manifests {
		if strings.Contains(string(manifest.Spec), text) {
			return true
		}
	}
	return false
}

type podSpec struct {
	InitContainers, Containers []struct{ Name string }
}

func (p podSpec) names() []string {
	var names []string
	for _, container := range slices.Concat(p.InitContainers, p.Containers) {
		names = append(names, container.Name)
	}
	return names
}

// shopRepository returns the repository with the applications and the chart, as the repo server has it.
func shopRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	copyTree(t, filepath.Join("testdata", "argocd"), dir)
	copyTree(t, filepath.Join("testdata", "chart"), filepath.Join(dir, "apps", "chart"))
	copyTree(t, filepath.Join("testdata", "chart"), filepath.Join(dir, "apps", "helmed", "charts", "shop"))
	if err := errors.Join(os.Mkdir(filepath.Join(dir, ".git"), 0o755), os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	return dir
}

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/test/tools"
)

// standIns installs Pillion in front of the real kustomize and helm, and returns its directory and the environment with
// that PATH. Argo CD has Helm 4.
func standIns(t *testing.T) (dir string, env []string) {
	t.Helper()
	dir = t.TempDir()
	mustRun(t, exec.Command(filepath.Join(binDir, "pillion-argocd"), "install", dir))
	path := []string{dir, filepath.Dir(tools.Kustomize.Path(t)), filepath.Dir(tools.Helm4.Path(t)), os.Getenv("PATH")}
	return dir, append(helmHome(t), "PATH="+strings.Join(path, string(os.PathListSeparator)))
}

// standInServer returns a repo server without plugins, and with the stand-ins.
func standInServer(t *testing.T) repoServer {
	t.Helper()
	dir, env := standIns(t)
	return repoServer{tools.ArgoCDRender.Path(t), append(env,
		"ARGOCD_PLUGINSOCKFILEPATH="+t.TempDir(), "KUSTOMIZE_PATH_PILLION="+filepath.Join(dir, "kustomize"))}
}

// TestStandInsRunTheRealTools checks what does not depend on Argo CD, under names that a platform team may choose.
func TestStandInsRunTheRealTools(t *testing.T) {
	dir, env := standIns(t)
	if err := os.Symlink("kustomize", filepath.Join(dir, "kustomize-pillion")); err != nil {
		t.Fatal(err)
	}
	repository := shopRepository(t)
	in := func(app, program string, args ...string) result {
		command := exec.Command(filepath.Join(dir, program), args...)
		command.Dir, command.Env = filepath.Join(repository, "apps", app), env
		return run(t, command)
	}
	for _, test := range []struct {
		name, app, command string
		code               int
		prints, says       string
	}{
		{name: "a kustomization", app: "kustomized", command: "kustomize-pillion build .", prints: "image: fluent/fluent-bit:3.2.4"},
		{name: "a chart", app: "chart", command: "helm template .", prints: "image: fluent/fluent-bit:3.2.4"},
		{name: "the version of kustomize", app: "chart", command: "kustomize-pillion version --short", prints: tools.Kustomize.Version},
		{name: "the version of helm", app: "chart", command: "helm version --short", prints: "v4.3"},
		{name: "the values of a chart", app: "chart", command: "helm show values .", prints: `tag: "1.27"`},
		{name: "no kustomization", app: "chart", command: "kustomize-pillion build .", code: 1, says: "unable to find one of"},
		{name: "no chart", app: "kustomized", command: "helm template .", code: 1, says: "Chart.yaml"},
	} {
		t.Run(test.name, func(t *testing.T) {
			words := strings.Fields(test.command)
			r := in(test.app, words[0], words[1:]...)
			if r.exitCode != test.code || !strings.Contains(r.stdout, test.prints) || !strings.Contains(r.stderr, test.says) {
				t.Errorf("exit code %d, printed\n%s\nand\n%s", r.exitCode, r.stdout, r.stderr)
			}
		})
	}
	t.Run("no config", func(t *testing.T) {
		direct := exec.Command(tools.Kustomize.Path(t), "build", filepath.Join(repository, "apps", "unconfigured"))
		if got, want := in("unconfigured", "kustomize-pillion", "build", ".").stdout, mustRun(t, direct); got != want {
			t.Errorf("printed\n%s\nwant\n%s", got, want)
		}
	})
}

// TestArgoCDRunsTheStandIns renders with the code of Argo CD's repo server, which calls the stand-ins.
func TestArgoCDRunsTheStandIns(t *testing.T) {
	const (
		chart      = "Deployment/guestbook-web: logs web, StatefulSet/guestbook-db: logs db, Job/guestbook-seed: logs seed"
		withHooks  = chart + ", Pod/guestbook-smoke: logs smoke, Job/guestbook-migrate: logs migrate"
		conflicted = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: web}\n" +
			"spec: {containers: [{name: web, image: envoy}]}\n"
	)
	pausedInjector := strings.Replace(conflicted, "spec: {", "spec: {paused: true, ", 1)
	chosenByWave := strings.Replace(conflicted, "spec: {containers: [{name: web,",
		`spec: {selector: {matchLabels: {wave: "1"}}, containers: [{name: web2,`, 1)
	platform := "PILLION_CONFIG=" + mountedConfigMap(t, filepath.Join("testdata", "argocd", "platform"))
	server := standInServer(t)
	for _, test := range []struct {
		name, source string
		env          []string
		files        map[string]string // in the repository
		want         string
		has          []string // in the manifests
		refused      string
	}{
		{name: "a kustomization", source: "path: apps/kustomized", want: "Deployment/shop-web: logs web"},
		{
			name: "Argo CD's fields for kustomize",
			source: `{path: apps/kustomized, kustomize: {version: pillion, namePrefix: eu-, nameSuffix: -blue, images: ["nginx:1.29"], ` +
				`replicas: [{name: web, count: 3}], commonLabels: {team: a}, commonAnnotations: {by: b}, namespace: shop, ` +
				`patches: [{target: {kind: Deployment}, patch: '[{"op": "add", "path": "/spec/paused", "value": true}]'}]}}`,
			want: "Deployment/eu-web-blue: logs web",
			has:  []string{`"image":"nginx:1.29"`, `"replicas":3`, `"team":"a"`, `"paused":true`, `"image":"fluent/fluent-bit:3.2.4"`},
		},
		{
			name: "a component", source: `{path: apps/kustomized, kustomize: {components: [../extra]}}`,
			files: map[string]string{
				"apps/extra/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnameSuffix: -x\n",
			},
			want: "Deployment/shop-web-x: logs web",
		},
		{
			name: "charts of a kustomization, injected once", source: "path: apps/helmed", env: []string{"KUSTOMIZE_BUILD_OPTIONS=--enable-helm"},
			want: "Deployment/guestbook-web: logs web, StatefulSet/guestbook-db: logs db, Job/guestbook-migrate: logs migrate, " +
				"Job/guestbook-seed: logs seed, Pod/guestbook-smoke: logs smoke",
			has: []string{`"image":"fluent/fluent-bit:3.2.4"`},
		},
		{name: "a chart with hooks", source: "path: apps/chart", want: withHooks},
		{
			name: "Argo CD's fields for Helm",
			source: `{path: apps/chart, helm: {releaseName: shop, skipTests: true, valueFiles: [values-prod.yaml], ` +
				`valuesObject: {tag: "1.30"}, parameters: [{name: tag, value: "1.31", forceString: true}]}}`,
			want: strings.ReplaceAll(chart, "guestbook", "shop") + ", Job/shop-migrate: logs migrate",
			has:  []string{`"image":"nginx:1.31"`},
		},
		{name: "a chart with a dependency that is not there yet", source: "path: apps/umbrella", want: withHooks},
		{name: "an empty chart", source: "path: apps/empty"},
		{name: "no config", source: "path: apps/unconfigured", want: "Deployment/web: web"},
		{name: "the platform's config", source: "path: apps/unconfigured", env: []string{platform}, want: "Deployment/web: envoy web"},
		{name: "an own config too", source: "path: apps/kustomized", env: []string{platform}, want: "Deployment/shop-web: envoy logs web"},
		{
			name: "an own config that does nothing", source: "path: apps/unconfigured", env: []string{platform},
			files: map[string]string{"apps/unconfigured/injector.yaml": pausedInjector}, want: "Deployment/web: envoy web",
		},
		{
			name: "an own config of the platform's name", source: "path: apps/unconfigured", env: []string{platform},
			files:   map[string]string{"apps/unconfigured/injector.yaml": strings.Replace(conflicted, "{name: web}", "{name: envoy}", 1)},
			refused: "the ConfigMap pillion-injectors",
		},
		{
			name: "a label of an Application",
			source: `{path: apps/kustomized, kustomize: {commonLabels: {wave: "1"}, labelWithoutSelector: true, ` +
				`labelIncludeTemplates: true}}`,
			files: map[string]string{"apps/kustomized/injector.yaml": chosenByWave}, want: "Deployment/shop-web: web2 web",
		},
		{
			name: "no label of an Application", source: "path: apps/kustomized",
			files: map[string]string{"apps/kustomized/injector.yaml": chosenByWave}, want: "Deployment/shop-web: web",
		},
		{
			name: "the namespace of a kustomization", source: "path: apps/one-namespace",
			files: map[string]string{"apps/one-namespace/kustomization.yaml": "resources: [deployment.yaml]\n"},
			want:  "Deployment/web: logs web",
		},
		{
			name: "a config that Pillion refuses", source: "path: apps/chart", files: map[string]string{"apps/chart/injector.yaml": conflicted},
			refused: "ContainerConflict",
		},
		{name: "what kustomize refuses", source: "{path: apps/plain, kustomize: {}}", refused: "unable to find one of"},
	} {
		t.Run(test.name, func(t *testing.T) {
			repository := shopRepository(t)
			for name, text := range test.files {
				path := filepath.Join(repository, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				writeFile(t, path, text)
			}
			with := repoServer{server.program, append(server.env[:len(server.env):len(server.env)], test.env...)}
			answer, said, ok := with.renderIn(t, repository, application(test.source))
			if ok != (test.refused == "") || !ok && !strings.Contains(said, test.refused) {
				t.Fatalf("rendered: %t, and Argo CD says\n%s", ok, said)
			}
			if got := strings.Join(answer.workloads(), ", "); got != test.want {
				t.Errorf("rendered %s\nwant %s", got, test.want)
			}
			for _, text := range test.has {
				if !answer.has(text) {
					t.Errorf("%s is not in the manifests", text)
				}
			}
		})
	}
}

// TestArgoCDFindsAnInjectorFurtherUpInWhatItIsSent checks what argocd app diff --local --server-side-generate sends: the
// directory .git, which tells where the repository begins, without its files.
func TestArgoCDFindsAnInjectorFurtherUpInWhatItIsSent(t *testing.T) {
	server := standInServer(t)
	for isClone, want := range map[bool]string{true: "Deployment/web: logs web", false: "Deployment/web: web"} {
		repository := shopRepository(t)
		injector := readFile(t, filepath.Join("testdata", "argocd", "apps", "plain", "injector.yaml"))
		writeFile(t, filepath.Join(repository, "injector.yaml"), injector)
		if !isClone {
			if err := os.Remove(filepath.Join(repository, ".git")); err != nil {
				t.Fatal(err)
			}
			writeFile(t, filepath.Join(repository, ".git"), "gitdir: elsewhere\n")
		}
		answer, said, ok := server.renderSent(t, repository, application("path: apps/unconfigured"))
		if got := strings.Join(answer.workloads(), ", "); !ok || got != want {
			t.Errorf("with a directory .git: %t, rendered %s\nwant %s\n%s", isClone, got, want, said)
		}
	}
}

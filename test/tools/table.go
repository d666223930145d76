package tools

import (
	"os/exec"
	"path/filepath"
)

// The programs that are built.
var (
	Kustomize = Tool{Name: "kustomize", Version: "v5.8.1", build: install("sigs.k8s.io/kustomize/kustomize/v5")}
	Helm3     = Tool{
		Name: "helm", Version: "v3.22.0", slow: true,
		build: module("pipelines/argocd/helm", "helm.sh/helm/v3/cmd/helm", "-trimpath"),
	}
	Helm4 = Tool{Name: "helm", Version: "v4.3.1", slow: true, build: install("helm.sh/helm/v4/cmd/helm")}

	// FluxBuild builds a directory with the code of Flux's kustomize-controller.
	FluxBuild = Tool{Name: "fluxbuild", Version: "v1.41.0", slow: true, build: module("test/flux", ".")}

	// KubeAPIServer and Etcd are a Kubernetes cluster without nodes, see test/cluster.
	KubeAPIServer = Tool{
		Name: "kube-apiserver", Version: "v1.37.1", slow: true,
		build: module("test/e2e/tools/kubernetes", "k8s.io/kubernetes/cmd/kube-apiserver"),
	}
	Etcd = Tool{Name: "etcd", Version: "v3.6.8", slow: true, build: module("test/e2e/tools/etcd", ".")}

	// Promtool tests alerts. Service discovery, which it does not need for that, is half of its code.
	Promtool = Tool{
		Name: "promtool", Version: "v0.315.0", slow: true,
		build: module("test/e2e/tools/prometheus", "github.com/prometheus/prometheus/cmd/promtool", "-tags", "remove_all_sd"),
	}

	// Argo CD is a single program, whose function depends on the name by which it is called.
	ArgoCDPluginServer = Tool{
		Name: "argocd-cmp-server", Version: argoCD, slow: true, build: module(argoCDModule, "github.com/argoproj/argo-cd/v3/cmd"),
	}
	// ArgoCDRender is a client of it that uses the code of the repo server.
	ArgoCDRender = Tool{Name: "argocd-render", Version: argoCD, slow: true, build: module(argoCDModule, ".")}
)

// A test checks that the versions equal those in the go.mod files.
const (
	argoCD       = "v3.5.6"
	argoCDModule = "test/e2e/tools/argocd"
)

// install is for programs whose module can be installed directly.
func install(program string) func(Tool, string) *exec.Cmd {
	return func(t Tool, _ string) *exec.Cmd { return exec.Command("go", "install", program+"@"+t.Version) }
}

// module is for programs that are built from a go.mod in this repository: those with replacements in their own go.mod,
// which Go ignores elsewhere, and those that we ship.
func module(dir, program string, flags ...string) func(Tool, string) *exec.Cmd {
	return func(t Tool, into string) *exec.Cmd {
		build := exec.Command("go", append(append([]string{"build"}, flags...), "-o", filepath.Join(into, t.Name), program)...)
		build.Dir = filepath.Join(Root(), filepath.FromSlash(dir))
		return build
	}
}

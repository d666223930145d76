package tools

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestVersionsAreThoseOfTheModules(t *testing.T) {
	for _, test := range []struct{ dir, require string }{
		{argoCDModule, "github.com/argoproj/argo-cd/v3 " + argoCD},
		{"test/e2e/tools/kubernetes", "k8s.io/kubernetes " + KubeAPIServer.Version},
		{"test/e2e/tools/etcd", "go.etcd.io/etcd/server/v3 " + Etcd.Version},
		{"test/e2e/tools/prometheus", "github.com/prometheus/prometheus " + Promtool.Version},
		{"test/flux", "github.com/fluxcd/pkg/kustomize " + FluxBuild.Version},
		{"pipelines/argocd/helm", "helm.sh/helm/v3 " + Helm3.Version},
	} {
		text, err := os.ReadFile(filepath.Join(Root(), test.dir, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), test.require) {
			t.Errorf("%s/go.mod does not require %s", test.dir, test.require)
		}
	}
}

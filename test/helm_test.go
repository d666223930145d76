package test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHelmStreamIsKept checks that everything around the manifests in Helm's output is unchanged: `# Source:` lines,
// comments between documents, and documents without an object.
func TestHelmStreamIsKept(t *testing.T) {
	const before = `---
# Source: shop/templates/empty.yaml
---
# Source: shop/templates/web.yaml
# the web tier
apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
  - name: web
    image: nginx:1.27 # by hand
---

---
# between two documents
---
# Source: shop/templates/hooks.yaml
apiVersion: batch/v1
kind: Job
metadata:
  name: migrate
  annotations:
    "helm.sh/hook": pre-install
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: migrate
        image: busybox:1.37
---
# the end
`
	const stamp = "annotations:\n#  pillion.dev/injected-logs: 1 i(logs:ExwDrN) z3rQLL\n"
	after := strings.NewReplacer(
		"  name: web\nspec:", "  name: web\n  "+strings.Replace(stamp, "#", "  ", 1)+"spec:",
		"  template:\n", "  template:\n    metadata:\n      "+strings.Replace(stamp, "#", "      ", 1),
		"    image: nginx:1.27 # by hand\n", "    image: nginx:1.27 # by hand\n"+
			"  initContainers:\n  - name: logs\n    image: fluent/fluent-bit:3.2.4\n    restartPolicy: Always\n",
		"        image: busybox:1.37\n", "        image: busybox:1.37\n"+
			"      initContainers:\n      - name: logs\n        image: fluent/fluent-bit:3.2.4\n        restartPolicy: Always\n",
	).Replace(before)

	config := filepath.Join(t.TempDir(), "injector.yaml")
	writeFile(t, config, `apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata:
  name: logs
spec:
  containers:
  - name: logs
    image: fluent/fluent-bit:3.2.4
`)
	r := mustRun(t, "", before, "pillion", "inject", "--config", config)
	if diff := cmp.Diff(after, r.stdout); diff != "" {
		t.Errorf("want the sidecars and nothing else (-want +got):\n%s", diff)
	}
}

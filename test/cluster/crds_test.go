package cluster

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

var moreCRDs = flag.String("crds", "", "a directory with CRDs, which are used instead of those of the modules")

// crdModules have CRDs among their files. They are read where Go keeps downloaded modules, so there are no copies here
// to keep up to date.
var crdModules = []struct{ module, dir string }{
	{"sigs.k8s.io/lws@v0.9.0", "config/crd/bases"},
	{"sigs.k8s.io/jobset@v0.12.0", "config/components/crd/bases"},
	{"github.com/kubeflow/trainer/v2@v2.3.0", "manifests/base/crds"},
	{"github.com/kubeflow/training-operator@v1.9.4", "manifests/base/crds"},
	{"github.com/kserve/kserve@v0.20.0", "config/crd/full"},
	{"github.com/ray-project/kuberay/ray-operator@v1.6.2", "config/crd/bases"},
	{"github.com/kubeflow/spark-operator/v2@v2.5.2", "config/crd/bases"},
	{"sigs.k8s.io/agent-sandbox@v0.5.6", "k8s/crds"},
	{"github.com/cloudnative-pg/cloudnative-pg@v1.30.0", "config/crd/bases"},
	{"github.com/prometheus-operator/prometheus-operator@v0.93.0", "example/prometheus-operator-crd"},
}

// crd is a definition of a kind.
type crd struct {
	Kind string `json:"kind"`
	Spec struct {
		Group string `json:"group"`
		Names struct {
			Kind   string `json:"kind"`
			Plural string `json:"plural"`
		} `json:"names"`
		Versions []struct {
			Name   string `json:"name"`
			Served bool   `json:"served"`
		} `json:"versions"`
	} `json:"spec"`
	manifest []byte
}

// readCRDs returns the CRDs of all modules that can be downloaded, by group and kind.
func readCRDs(t *testing.T) map[string]crd {
	t.Helper()
	all := map[string]crd{}
	for _, from := range crdModules {
		dir, err := download(t, from.module)
		if err != nil {
			t.Logf("no CRDs of %s: %v", from.module, err)
			continue
		}
		found := crdsIn(t, filepath.Join(dir, filepath.FromSlash(from.dir)))
		if len(found) == 0 {
			t.Errorf("%s has no CRDs in %s", from.module, from.dir)
		}
		maps.Copy(all, found)
	}
	if *moreCRDs != "" {
		maps.Copy(all, crdsIn(t, *moreCRDs))
	}
	return all
}

// download returns the directory of a module, outside of any other module, whose requirements would matter.
func download(t *testing.T, module string) (string, error) {
	t.Helper()
	command := exec.Command("go", "mod", "download", "-json", module)
	command.Dir = t.TempDir()
	out, err := command.Output()
	var result struct{ Dir, Error string }
	if failure := json.Unmarshal(out, &result); failure != nil {
		return "", fmt.Errorf("%w: %w", failure, err)
	}
	if result.Error != "" {
		return "", fmt.Errorf("it cannot be downloaded: %s", result.Error)
	}
	return result.Dir, err
}

func crdsIn(t *testing.T, dir string) map[string]crd {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]crd{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		definition := crd{manifest: text}
		if err := yaml.Unmarshal(text, &definition); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if definition.Kind == "CustomResourceDefinition" { // and no kustomization
			found[definition.Spec.Group+"/"+definition.Spec.Names.Kind] = definition
		}
	}
	return found
}

// Install creates kinds, and waits until the API server has all of them.
func (c *Cluster) Install(tb testing.TB, definitions []crd) {
	tb.Helper()
	for _, d := range definitions {
		c.Apply(tb, d.manifest)
	}
	missing := definitions
	for deadline := time.Now().Add(patience); len(missing) > 0; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			tb.Fatalf("%d kinds are not there after %s, such as %s", len(missing), patience, missing[0].Spec.Names.Kind)
		}
		missing = slices.DeleteFunc(slices.Clone(missing), func(d crd) bool { return c.serves(tb, d) })
	}
}

// serves reports whether discovery has the served versions of a kind, and their objects can be listed.
func (c *Cluster) serves(tb testing.TB, d crd) bool {
	tb.Helper()
	for _, version := range d.Spec.Versions {
		if !version.Served {
			continue
		}
		apiVersion := d.Spec.Group + "/" + version.Name
		delete(c.resources, apiVersion) // what was read before may lack the kind
		kinds, err := c.kinds(apiVersion)
		if err != nil {
			tb.Fatal(err)
		}
		if _, known := kinds[d.Spec.Names.Kind]; !known {
			return false
		}
		answer, err := c.do(http.MethodGet, groupPath(apiVersion)+"/"+d.Spec.Names.Plural, "", nil)
		if err != nil || !answer.Accepted() {
			return false
		}
	}
	return true
}

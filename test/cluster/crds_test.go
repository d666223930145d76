package cluster

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

// crd is a definition of a kind.
type crd struct {
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

// crdsIn returns the CRDs of a directory, by group and kind.
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
		found[definition.Spec.Group+"/"+definition.Spec.Names.Kind] = definition
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

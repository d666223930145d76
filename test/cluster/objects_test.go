package cluster

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"sigs.k8s.io/yaml"
)

// resource is what discovery says about a kind.
type resource struct {
	Name       string `json:"name"`
	Kind       string `json:"kind"`
	Namespaced bool   `json:"namespaced"`
}

// object has the fields of a manifest that its path depends on.
type object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"metadata"`
}

// UnknownKindError is for objects whose kind is not built in.
type UnknownKindError struct{ APIVersion, Kind string }

func (e *UnknownKindError) Error() string {
	return fmt.Sprintf("%s has no kind %s", e.APIVersion, e.Kind)
}

// Namespace creates a namespace with labels, and the ServiceAccount that its pods need.
func (c *Cluster) Namespace(tb testing.TB, name string, labels map[string]string) {
	tb.Helper()
	for _, object := range []any{
		map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name, "labels": labels}},
		map[string]any{"apiVersion": "v1", "kind": "ServiceAccount", "metadata": map[string]any{"name": "default", "namespace": name}},
	} {
		manifest, err := json.Marshal(object)
		if err != nil {
			tb.Fatal(err)
		}
		c.Apply(tb, manifest)
	}
}

// Apply creates or changes an object by server-side apply.
func (c *Cluster) Apply(tb testing.TB, manifest []byte) {
	tb.Helper()
	path, name, err := c.path(manifest)
	if err != nil {
		tb.Fatal(err)
	}
	path += "/" + name + "?fieldManager=test&force=true&fieldValidation=Strict"
	answer, err := c.do(http.MethodPatch, path, "application/apply-patch+yaml", manifest)
	if err != nil || !answer.Accepted() {
		tb.Fatalf("%s: %v %s", path, err, answer.Body)
	}
}

// Delete deletes an object.
func (c *Cluster) Delete(tb testing.TB, manifest []byte) {
	tb.Helper()
	path, name, err := c.path(manifest)
	if err != nil {
		tb.Fatal(err)
	}
	answer, err := c.do(http.MethodDelete, path+"/"+name, "", nil)
	if err != nil || !answer.Accepted() {
		tb.Fatalf("%s/%s: %v %s", path, name, err, answer.Body)
	}
}

// Create creates an object, as controllers do, and returns it as it is stored.
func (c *Cluster) Create(tb testing.TB, manifest []byte) map[string]any {
	tb.Helper()
	path, _, err := c.path(manifest)
	if err != nil {
		tb.Fatal(err)
	}
	return c.mustDo(tb, http.MethodPost, path, contentType(manifest), manifest)
}

// mustDo returns the object in the API server's answer to a request that must succeed.
func (c *Cluster) mustDo(tb testing.TB, method, path, contentType string, body []byte) map[string]any {
	tb.Helper()
	answer, err := c.do(method, path, contentType, body)
	if err != nil || !answer.Accepted() {
		tb.Fatalf("%s %s: %v %s", method, path, err, answer.Body)
	}
	var stored map[string]any
	if err := json.Unmarshal(answer.Body, &stored); err != nil {
		tb.Fatal(err)
	}
	return stored
}

// DryRun returns the API server's answer to the creation of an object, like kubectl create --dry-run=server
// --validate=strict. Nothing is created. If the object is accepted, the body is the object as it would be stored.
func (c *Cluster) DryRun(manifest []byte) (Answer, error) {
	path, _, err := c.path(manifest)
	if err != nil {
		return Answer{}, err
	}
	return c.do(http.MethodPost, path+"?dryRun=All&fieldValidation=Strict", contentType(manifest), manifest)
}

// contentType returns the content type of a manifest. JSON is not sent as YAML, where U+0085 in a string is a line
// break.
func contentType(manifest []byte) string {
	if json.Valid(manifest) {
		return "application/json"
	}
	return "application/yaml"
}

// WaitFor repeats a dry run until the answer satisfies a condition: a policy is active some time after it was created.
func (c *Cluster) WaitFor(tb testing.TB, manifest []byte, satisfied func(Answer) bool) Answer {
	tb.Helper()
	var last Answer
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		answer, err := c.DryRun(manifest)
		if err != nil {
			tb.Fatal(err)
		}
		if satisfied(answer) {
			return answer
		}
		last = answer
	}
	tb.Fatalf("it is not so after %s: %d %s", patience, last.Code, last.Body)
	return Answer{}
}

// path returns the path of the objects of the manifest's kind, and the object's name. The namespace is default unless
// the manifest has one.
func (c *Cluster) path(manifest []byte) (path, name string, err error) {
	var o object
	if err := yaml.Unmarshal(manifest, &o); err != nil {
		return "", "", err
	}
	kinds, err := c.kinds(o.APIVersion)
	if err != nil {
		return "", "", err
	}
	kind, found := kinds[o.Kind]
	if !found {
		return "", "", &UnknownKindError{o.APIVersion, o.Kind}
	}
	path = groupPath(o.APIVersion)
	if kind.Namespaced {
		namespace := o.Metadata.Namespace
		if namespace == "" {
			namespace = "default"
		}
		path += "/namespaces/" + url.PathEscape(namespace)
	}
	return path + "/" + kind.Name, url.PathEscape(o.Metadata.Name), nil
}

func groupPath(apiVersion string) string {
	if apiVersion == "v1" {
		return "/api/v1"
	}
	return "/apis/" + apiVersion
}

// kinds returns the kinds of an API version, from discovery.
func (c *Cluster) kinds(apiVersion string) (map[string]resource, error) {
	if kinds, known := c.resources[apiVersion]; known {
		return kinds, nil
	}
	answer, err := c.do(http.MethodGet, groupPath(apiVersion), "", nil)
	if err != nil {
		return nil, err
	}
	if answer.Code == http.StatusNotFound {
		return nil, nil // an API version without kinds
	}
	if !answer.Accepted() {
		return nil, fmt.Errorf("the kinds of %s: %s", apiVersion, answer.Body)
	}
	var list struct {
		Resources []resource `json:"resources"`
	}
	if err := json.Unmarshal(answer.Body, &list); err != nil {
		return nil, err
	}
	kinds := map[string]resource{}
	for _, r := range list.Resources {
		if _, known := kinds[r.Kind]; !known { // subresources follow, and their names have a slash
			kinds[r.Kind] = r
		}
	}
	c.resources[apiVersion] = kinds
	return kinds, nil
}

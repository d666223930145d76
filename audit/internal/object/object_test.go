package object_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"pillion.dev/pillion/audit/internal/object"
)

const livePod = `{"apiVersion": "v1", "kind": "Pod", "newAtTheTop": {"a": 1},
	"metadata": {"name": "web-x", "namespace": "shop", "uid": "1", "resourceVersion": "7", "labels": {"app": "web"}, "newInMetadata": 1,
		"managedFields": [{"manager": "m"}], "annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{}", "a": "<b>&"},
		"ownerReferences": [{"kind": "Node", "name": "n"}, {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "controller": true}]},
	"spec": {"nodeName": "n1", "newInSpec": [1, 2.5, 9007199254740993], "containers": [{"name": "web", "newInContainer": "x",
		"volumeMounts": [{"name": "kube-api-access-abcde", "mountPath": "/a"}]}], "volumes": [{"name": "kube-api-access-abcde"}]},
	"status": {"phase": "Running", "podIP": "10.0.0.1", "containerStatuses": [{"name": "web", "imageID": "a@sha256:1", "ready": true}]}}`

func compact(t *testing.T, text string) *object.Object {
	t.Helper()
	full := &unstructured.Unstructured{}
	if err := full.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	o, err := object.New(full)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestCompactPod(t *testing.T) {
	o := compact(t, livePod)
	const want = `{"metadata":{"name":"web-x","annotations":{"a":"<b>&"},"labels":{"app":"web"},"namespace":"shop","newInMetadata":1,` +
		`"ownerReferences":[{"kind":"Node","name":"n"},{"apiVersion":"apps/v1","controller":true,"kind":"ReplicaSet","name":"web"}]},` +
		`"apiVersion":"v1","kind":"Pod","newAtTheTop":{"a":1},` +
		`"spec":{"containers":[{"name":"web","newInContainer":"x","volumeMounts":[{"mountPath":"/a","name":"kube-api-access-token"}]}],` +
		`"newInSpec":[1,2.5,9007199254740993],"volumes":[{"name":"kube-api-access-token"}]},` +
		`"status":{"containerStatuses":[{"imageID":"a@sha256:1","name":"web"}],"phase":"Running"}}`
	if got := string(o.Text()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if o.Controller != (object.Reference{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web"}) {
		t.Errorf("the controller is %v", o.Controller)
	}
	read, err := o.Live()
	if err != nil || read.Name != "web-x" || read.Namespace != "shop" || read.Kind != "Pod" || read.APIVersion != "v1" {
		t.Errorf("got %+v, %v", read, err)
	}
}

func TestWorkloads(t *testing.T) {
	const template, set = `"template":{"spec":{}}`, `{"kind":"ReplicaSet","metadata":{"name":"a"},"spec":{`
	for text, want := range map[string]string{
		set + `"replicas":0,` + template + `},"status":{"replicas":0}}`: `"spec":{"replicas":0}}`,
		set + `"replicas":1,` + template + `}}`:                         template,
		set + template + `}}`:                                           template,
		`{"kind":"Deployment","metadata":{"name":"a","generation":3},"status":{"observedGeneration":3,"conditions":[]}}`: `:3}}`,
		`{"kind":"Job","metadata":{"name":"a"},"spec":{},"status":{"active":1}}`:                                         `"spec":{}}`,
	} {
		if got := string(compact(t, text).Text()); !strings.HasSuffix(got, want) && !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestHostileObjects makes objects compact that no API server returns.
func TestHostileObjects(t *testing.T) {
	for _, text := range []string{
		`{"kind":"Pod"}`, `{"kind":"Pod","metadata":null}`, `{"kind":"Pod","metadata":[1],"spec":"a","status":7}`,
		`{"kind":"Pod","metadata":{"name":"a","annotations":"a","ownerReferences":["a",{"controller":true}]}}`,
		`{"kind":"Pod","metadata":{"name":"a"},"spec":{"volumes":[1],"containers":{}}}`,
		`{"kind":"ReplicaSet","metadata":{"name":"a"},"spec":[]}`, `{"kind":"Deployment","metadata":{"name":"a"},"status":[]}`,
	} {
		if got := compact(t, text).Text(); !json.Valid(got) {
			t.Errorf("%s: got %s", text, got)
		}
	}
}

// TestPodsShareMemory makes two pods of one ReplicaSet compact.
func TestPodsShareMemory(t *testing.T) {
	a := compact(t, livePod)
	other := strings.NewReplacer("web-x", "web-y", "access-abcde", "access-fghij", `"n1"`, `"n2"`, "10.0.0.1", "10.0.0.2")
	b := compact(t, other.Replace(livePod))
	if a.Name == b.Name || !a.SharesWith(b) {
		t.Error("the pods share no memory")
	}
	runtime.KeepAlive(a)
	if size := unsafe.Sizeof(*a); size > 160 {
		t.Errorf("an object takes %d bytes", size)
	}
}

package live_test

import (
	"strings"
	"testing"

	"pillion.dev/pillion/internal/pods/live"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/emit"
	"pillion.dev/pillion/internal/text/yaml/node"
)

const livePod = `
apiVersion: v1
kind: Pod
metadata:
  name: web-7d4b9c-x2x
  namespace: shop
  uid: "1"
  labels: {app: web, pod-template-hash: 7d4b9c}
  annotations: {note: a}
  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-7d4b9c, controller: true}]
spec:
  nodeName: n
  containers:
  - name: web
    image: web:1
    volumeMounts: [{name: kube-api-access-abcde, mountPath: /var/run/secrets/kubernetes.io/serviceaccount}]
  volumes: [{name: kube-api-access-abcde, projected: {sources: [{serviceAccountToken: {path: token}}]}}]
status: {phase: Running}
`

// manifest returns the manifest of a pod as text.
func manifest(t *testing.T, pod live.Object, owner live.Creator) string {
	t.Helper()
	object, _ := live.Manifest(pod, owner, pods.NewKinds())
	return written(object)
}

func written(object *node.Node) string {
	style := emit.Style{LineEnd: "\n", Indent: 4, ListIndent: 4, DashWidth: 2}
	var text []byte
	for i := range object.Children() {
		text = append(style.Child(text, object, i, 0), '\n')
	}
	return string(text)
}

func TestManifestOfADeployment(t *testing.T) {
	pod := object(t, livePod)
	before := written(pod.Node)
	want := `
apiVersion: apps/v1
kind: Deployment
metadata:
    name: web
    namespace: shop
spec:
    template:
        metadata:
            labels:
                app: web
            annotations:
                note: a
        spec:
            containers:
                - name: web
                  image: web:1
`
	if got := manifest(t, pod, live.NewCreators().Of(pod)); got != strings.TrimPrefix(want, "\n") {
		t.Errorf("got\n%s", got)
	}
	if after := written(pod.Node); after != before {
		t.Errorf("the pod was changed:\n%s", after)
	}
}

func TestManifestsOfOtherOwners(t *testing.T) {
	pod := object(t, livePod)
	for _, c := range []struct {
		owner live.Creator
		want  []string
	}{
		{live.Creator{APIVersion: "batch/v1", Kind: "CronJob", Name: "report"}, []string{"kind: CronJob", "name: report", "jobTemplate:"}},
		{live.Creator{APIVersion: "example.com/v1", Kind: "Machine", Name: "m"}, []string{"kind: Pod", "name: web-7d4b9c-x2x", "app: web"}},
		{live.Creator{APIVersion: "batch.volcano.sh/v1alpha1", Kind: "Job", Name: "m"}, []string{"kind: Job", "tasks:\n        - template:"}},
		{live.Creator{APIVersion: "flink.apache.org/v1beta1", Kind: "FlinkDeployment", Name: "m"}, []string{"    podTemplate:\n"}},
		{live.Creator{APIVersion: "v1", Kind: "Pod", Name: "web"}, []string{"kind: Pod", "name: web\n", "note: a"}},
	} {
		got := manifest(t, pod, c.owner)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s has no %q:\n%s", c.owner.Kind, want, got)
			}
		}
	}
}

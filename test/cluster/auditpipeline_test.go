package cluster

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pillion.dev/pillion/test/resourcelist"
	"pillion.dev/pillion/test/tools"
)

// TestAuditPipelineIsAccepted applies pipelines/audit to a real API server. The Namespace enforces restricted pod
// security, and admits the pod of the watcher, and refuses the same pod if it may gain privileges.
func TestAuditPipelineIsAccepted(t *testing.T) {
	kustomize := tools.Kustomize.Path(t)
	c := Start(t)
	built, err := exec.Command(kustomize, "build", filepath.Join(tools.Root(), "pipelines", "audit")).Output()
	if err != nil {
		t.Fatal(err)
	}
	var watcher string
	for _, document := range resourcelist.Documents(string(built)) {
		c.Apply(t, []byte(document))
		for _, pod := range podManifests(t, document) {
			watcher = pod
		}
	}
	admitted := c.WaitFor(t, []byte(watcher), Answer.Accepted)
	if len(admitted.Warnings) > 0 {
		t.Errorf("the API server warns: %q", admitted.Warnings)
	}
	privileged := strings.Replace(watcher, `"allowPrivilegeEscalation":false`, `"allowPrivilegeEscalation":true`, 1)
	if refused, err := c.DryRun([]byte(privileged)); err != nil || !strings.Contains(string(refused.Body), "violates PodSecurity") {
		t.Errorf("a pod that may gain privileges is not refused: %v %s", err, refused.Body)
	}
}

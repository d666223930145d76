package admission

import (
	"strings"
	"testing"
)

// TestConflictsOfSidecars shows what the validating policy says about pods that have the declared container, volume or port already.
func TestConflictsOfSidecars(t *testing.T) {
	const spec = `
  containers: [{name: log, mode: Container, image: "log:1", ports: [{containerPort: 80}], env: [{name: OWN, value: own}]}]
  volumes: [{name: logs, emptyDir: {}}]
  onConflict: `
	const app = "{name: app, image: a, env: [{name: OWN, value: app}]}"
	const log = "{name: log, image: log:1, ports: [{containerPort: 80}], env: [{name: OWN, value: own}]}"
	withPort := strings.Replace(app, "image: a,", "image: a, ports: [{containerPort: 80}],", 1)
	const volumes = "  volumes: [{name: logs, emptyDir: {}}]\n"
	for name, c := range map[string]struct{ policy, containers, volumes, want string }{
		"as declared": {"{}", app + ", " + log, volumes, ""},
		"without a variable": {
			"{}", app + ", " + strings.Replace(log, "{name: OWN, value: own}", "", 1), volumes,
			"ContainerConflict: container \"log\" is already there and differs in env",
		},
		"alone": {"{}", log, volumes, ""},
		"port left out": {
			"{port: Keep}", withPort + ", " + strings.Replace(log, "ports: [{containerPort: 80}], ", "", 1), volumes,
			"",
		},
		"port left out without reason": {
			"{port: Keep}", app + ", " + strings.Replace(log, "ports: [{containerPort: 80}], ", "", 1), volumes,
			"differs in ports",
		},
		"volume kept": {
			"{volume: Keep}", app + ", " + log, "  volumes: [{name: logs, hostPath: {path: /logs}}]\n",
			"",
		},
		"volume replaced": {
			"{volume: Replace}", app + ", " + log, "  volumes: [{name: logs, hostPath: {path: /logs}}]\n",
			"OutOfDate: an injection would change the pod: volume \"logs\" differs",
		},
	} {
		t.Run(name, func(t *testing.T) {
			pod := podOf(t, "metadata: {name: web}\nspec:\n  containers: ["+c.containers+"]\n"+c.volumes)
			denied := validates(t, spec+c.policy+"\n").verdict(t, pod)
			if c.want == "" && denied != "" || !strings.Contains(denied, c.want) {
				t.Errorf("the answer is %q, and not %q", denied, c.want)
			}
		})
	}
}

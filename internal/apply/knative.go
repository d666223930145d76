package apply

import (
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

// checkKnative reports what Knative's own validation refuses: ports of containers other than the one that serves, and init
// containers, unless its operator has enabled them.
func checkKnative(pod *Pod) []finding.Finding {
	if !pod.Knative {
		return nil
	}
	var findings []finding.Finding
	for _, sidecar := range pod.payload.Containers {
		if len(node.List(sidecar.Body, "ports")) > 0 {
			findings = append(findings, newFinding(finding.Error, finding.KnativeLimits, pod.At("spec."+containers),
				"Knative lets only the serving container declare ports, and container %q declares some; "+
					"remove them, or exclude Knative by spec.rules", sidecar.Name))
		}
	}
	if len(pod.payload.InitContainers) > 0 {
		findings = append(findings, newFinding(finding.Error, finding.KnativeLimits, pod.At("spec."+initContainers),
			"Knative allows no init containers unless a feature flag is set, and the injector has %d; exclude Knative by spec.rules",
			len(pod.payload.InitContainers)))
	}
	return findings
}

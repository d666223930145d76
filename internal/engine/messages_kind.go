package engine

import (
	"cmp"
	"fmt"
	"strings"

	"pillion.dev/pillion/finding"
)

func unknownKindFinding(o *unknownKind, d *declaration) finding.Finding {
	consequence := "it gets no sidecar"
	switch {
	case o.isStamped:
		consequence = "what was injected stays"
	case d.objects > 1:
		consequence = fmt.Sprintf("the %d objects of the kind get no sidecar", d.objects)
	}
	f := newFinding(finding.Warning, finding.UnsupportedKind, &finding.Field{Path: o.paths[0]},
		"%s looks like a pod template, but the kind is not known, so %s; if it is one, declare it in spec.workloads", o.paths[0], consequence)
	f.Detail = d.lines
	return f
}

// declarationLines returns the lines of a config that declare a kind.
func declarationLines(group, kind string, paths []string) string {
	lines := "spec:\n  workloads:\n  - "
	if group != "" {
		lines += "group: " + group + "\n    "
	}
	return lines + "kind: " + kind + "\n    podTemplates:\n    - " + strings.Join(paths, "\n    - ") + "\n"
}

const getsNoSidecar = ", so it gets no sidecar"

// wrongVersion reports a kind of Kubernetes' own in a wrong API version. The consequence is what follows for the object.
func wrongVersion(apiVersion, kind, meant, consequence string) finding.Finding {
	problem := fmt.Sprintf("%s has no kind %s", apiVersion, kind)
	if apiVersion == "" {
		problem = "apiVersion is missing"
	}
	return newFinding(finding.Warning, finding.WrongVersion, &finding.Field{Path: "apiVersion", Current: apiVersion, Proposed: meant},
		"%s%s; %s is probably meant", problem, consequence, meant)
}

func wrongKind(apiVersion, kind, meant string) finding.Finding {
	return newFinding(finding.Warning, finding.WrongVersion, &finding.Field{Path: "kind", Current: kind, Proposed: meant},
		"%s has no kind %s%s; %s is probably meant", cmp.Or(apiVersion, "Kubernetes"), kind, getsNoSidecar, meant)
}

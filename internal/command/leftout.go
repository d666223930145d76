package command

import (
	"context"
	"fmt"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/engine"
	"pillion.dev/pillion/internal/outcome"
)

// reportLeftOut adds a warning for each workload that would change if a kustomization did not list its file as a patch or an input,
// and that patches no workload of the manifests. Anyone can list a file of somebody else, which then gets no sidecar.
func (w *work) reportLeftOut(ctx context.Context) error {
	isThere := map[string]bool{}
	for i := range w.Run.Workloads {
		isThere[patchTarget(w.Run.Workloads[i].Object)] = true
	}
	for _, p := range w.passed {
		if p.Text == nil {
			continue
		}
		alone, err := engine.Apply(ctx, w.config, engine.Source{File: p.Path, Text: p.Text})
		if err != nil {
			return err
		}
		for i := range alone.Run.Workloads {
			left := &alone.Run.Workloads[i]
			if wouldChange(left) && !isThere[patchTarget(left.Object)] {
				w.Run.General = append(w.Run.General, finding.Finding{
					Severity: finding.Warning, Code: finding.LeftOut, Object: &left.Object, File: left.File,
					Message: fmt.Sprintf("it is left as it is, because %s lists its file as a %s, and no manifest has a workload of this "+
						"name; if the file is a manifest, list it under resources; if it is not, add it to .krmignore", p.By, p.Why),
				})
			}
		}
	}
	return nil
}

// patchTarget returns what a patch and the workload that it is for have in common. The patch may have no namespace.
func patchTarget(o finding.Object) string {
	group, _, _ := strings.Cut(o.APIVersion, "/")
	return group + "/" + o.Kind + "/" + o.Name
}

// wouldChange reports whether an injector changes a workload, or would without an error elsewhere. It refuses most patches, because
// they are not complete.
func wouldChange(w *outcome.Workload) bool {
	decision := w.Decision()
	return decision.IsChange() || decision == outcome.HeldBack || decision == outcome.OutOfDate
}

package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/engine"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/pods/maker"
	"pillion.dev/pillion/internal/text/manifest"
)

// leftFile is a file that is not among the manifests and has objects.
type leftFile struct {
	files.Passed
	items []*manifest.Item
}

// reportLeftOut adds a finding for each workload that kubectl would apply and that would change, or be refused, if it
// were not left out of the run. Anyone can add a file to an ignore file or list it in a kustomization, and it then gets
// no sidecar.
func (in *input) reportLeftOut(ctx context.Context, w *verbRun) error {
	severity := finding.Warning
	if in.verifies {
		severity = finding.Error
	}
	left := w.readLeft(severity)
	if len(left) == 0 {
		return nil
	}
	there := map[string][]string{} // the namespaces of workloads by what a patch has in common with them
	for _, one := range w.Run.Workloads {
		there[patchTarget(one.Object)] = append(there[patchTarget(one.Object)], one.Object.Namespace)
	}
	var sources []finding.Source
	for _, p := range w.passed {
		if _, isLeft := left[p.Path]; isLeft {
			sources = append(sources, finding.Source{File: p.Path, Text: p.Text})
		}
	}
	// Most trees have only patches for their own workloads, which a run over these few files shows. The rest is checked
	// with the manifests, because a Namespace in one of them can decide.
	alone, err := engine.Apply(ctx, w.config, sources...)
	maker.Resolve(alone.Run.Makers, w.Run.Sources)
	w.Run.Makers = append(w.Run.Makers, left.makers(alone.Run.Makers, w.Run.Makers)...)
	w.Run.Sources = append(w.Run.Sources, alone.Run.Sources...)
	isSuspect := func(one *outcome.Workload) bool { return left.why(one, there) != "" }
	if err != nil || !slices.ContainsFunc(alone.Run.Workloads, isSuspect) {
		return err
	}
	isForgotten := func(s finding.Source) bool { return s.Text == nil }
	sources = append(slices.DeleteFunc(slices.Clone(w.manifests), isForgotten), sources...)
	checked, err := engine.Apply(ctx, w.config.WithGuarded(), sources...)
	for _, one := range checked.Run.Workloads {
		if why := left.why(one, there); why != "" && (isWanted(one) || hasUnknownKind(one)) {
			w.Run.General = append(w.Run.General, leftOut(severity, &one.Object, one.File, why))
		}
	}
	return err
}

// readLeft returns the files that are not among the manifests and have objects, by their paths. It reports those that
// cannot be checked.
func (w *verbRun) readLeft(severity finding.Severity) leftFiles {
	left := leftFiles{}
	for _, p := range w.passed {
		var stream *manifest.Stream
		var err error
		if p.Text != nil {
			stream, err = manifest.Read(p.Text)
		}
		var why string
		switch {
		case slices.Contains([]files.Why{files.LinkOut, files.NotRegular, files.LFSPointer, files.Submodule}, p.Why):
			why = "it is a " + string(p.Why)
		case p.Problem != nil:
			why = fmt.Sprintf("it is a kustomization that cannot be read, and may list workloads: %v; correct it",
				p.Problem)
		case p.Text == nil:
			continue
		case err != nil:
			why = fmt.Sprintf("it cannot be read: %v", err)
		case p.Why == files.Template:
			why = "it seems to be a template; to include it, render it"
		case stream.ResourceList:
			why = "it is a ResourceList, whose items kubectl applies; to include them, store them as manifests"
		default:
			left[p.Path] = leftFile{p, stream.Items}
			continue
		}
		w.Run.General = append(w.Run.General, leftOut(severity, nil, &finding.File{Path: p.Path}, why))
	}
	return left
}

// checkEncodings adds an error for each .gitattributes by which a controller may read other texts than the run.
func (in *input) checkEncodings(w *verbRun) error {
	isExcluded, err := files.Excludes(in.excluded())
	paths := w.built
	for _, s := range w.manifests {
		paths = append(paths, s.File)
	}
	for _, p := range w.passed {
		paths = append(paths, p.Path)
	}
	for _, path := range files.Reencoding(paths) {
		if !isExcluded(path) {
			w.Run.General = append(w.Run.General, finding.Finding{
				Severity: finding.Error,
				Code:     finding.LeftOut,
				File:     &finding.File{Path: path},
				Message: "a controller may read other texts than this run, because of its working-tree-encoding; " +
					"remove that, or to accept it, name the file with --exclude",
			})
		}
	}
	return err
}

// leftOut returns the finding about a file or a workload that is left out. It ends with how to leave it out on purpose.
func leftOut(severity finding.Severity, object *finding.Object, file *finding.File, why string) finding.Finding {
	var ways []string
	if file != nil && file.Path != files.Stdin {
		ways = append(ways, "name its file with --exclude")
	}
	if object != nil {
		ways = append(ways, fmt.Sprintf(`annotate the pod template with %s: "false"`, v1alpha1.DefaultMarker))
	}
	message := fmt.Sprintf("it is left out, because %s; to accept that, %s", why, strings.Join(ways, ", or "))
	return finding.Finding{Severity: severity, Code: finding.LeftOut, Object: object, File: file, Message: message}
}

// leftFiles are files by their paths.
type leftFiles map[string]leftFile

// why returns why a workload is left out, or "" if it is not, or rightly so: it is a patch for a workload of the
// manifests, or has too little for a workload of its own.
func (all leftFiles) why(w *outcome.Workload, there map[string][]string) string {
	if w.File == nil {
		return ""
	}
	file, isLeft := all[w.File.Path]
	isTarget := func(namespace string) bool {
		return file.Why == files.KustomizePatch && mayBeSame(namespace, w.Object.Namespace)
	}
	switch {
	case !isLeft:
		return ""
	case file.By == "":
		return "an ignore file (.gitignore or .krmignore) excludes its file; to include it, remove that line"
	case slices.ContainsFunc(there[patchTarget(w.Object)], isTarget), engine.IsIncomplete(file.items[w.File.Index], w):
		return ""
	}
	return fmt.Sprintf("%s lists its file as a %s, and no manifest has a workload of this name; to include it, list it under resources",
		file.By, file.Why)
}

// makers returns what makes pods elsewhere in files that are left out, except patches for what is in the manifests, unless
// they change what its pods are made from.
func (all leftFiles) makers(left, there []*maker.Maker) []*maker.Maker {
	targets := map[string][]*maker.Maker{}
	for _, m := range there {
		targets[patchTarget(m.Object)] = append(targets[patchTarget(m.Object)], m)
	}
	return slices.DeleteFunc(slices.Clone(left), func(m *maker.Maker) bool {
		changesNothing := func(target *maker.Maker) bool {
			from := strings.TrimPrefix(m.From, "./")
			isSame := m.Besides == "" && (from == "" || m.From == target.From || strings.HasSuffix(target.From, "/"+from))
			return isSame && mayBeSame(m.Object.Namespace, target.Object.Namespace)
		}
		isPatch := all[m.File.Path].Why == files.KustomizePatch
		return isPatch && slices.ContainsFunc(targets[patchTarget(m.Object)], changesNothing)
	})
}

// mayBeSame reports whether two namespaces are the same, or one may be set by a kustomization.
func mayBeSame(a, b string) bool { return a == "" || b == "" || a == b }

// patchTarget returns what a patch and the workload that it is for have in common. The patch may have no namespace.
func patchTarget(o finding.Object) string {
	group, _, _ := strings.Cut(o.APIVersion, "/")
	return group + "/" + o.Kind + "/" + o.Name
}

// hasUnknownKind reports whether an object fails a verification where its file is read.
func hasUnknownKind(w *outcome.Workload) bool {
	isUnknown := func(f finding.Finding) bool {
		canBeDeclared := f.Detail != ""
		return f.Code == finding.UnsupportedKind && f.Severity == finding.Warning && canBeDeclared
	}
	return slices.ContainsFunc(w.General, isUnknown)
}

// isWanted reports whether an injector changes a workload, or would without an error.
func isWanted(w *outcome.Workload) bool {
	made := w.Decision()
	return !made.IsCurrent() && made != decision.Skipped
}

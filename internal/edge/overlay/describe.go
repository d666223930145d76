package overlay

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/edge/kustomization"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/escape"
)

// rootsMark stands for the roots in a message until all that have the same cause are known. No path has it.
const rootsMark = "\x00"

// maxNameBytes bounds what a message has of a step.
const maxNameBytes = 200

// describe returns the finding about a step that changes what was injected.
func (b Builder) describe(w *outcome.Workload, step kustomization.Step) finding.Finding {
	file, line := b.Disk.LocationOf(step, w.Object.Kind, w.Object.Name)
	return finding.Finding{
		Severity: finding.Error,
		Code:     finding.PatchedAway,
		Object:   &w.Object,
		File:     &finding.File{Path: shown(file), Line: line},
		Message: fmt.Sprintf("%s of %s changes the sidecar that the files have: in what %s, %s; to fix it, %s, or inject "+
			"into the overlay instead of the files", nameOf(step), shown(step.File), rootsMark, difference(w), remedy(w, step)),
	}
}

// nameOf returns a step in words.
func nameOf(s kustomization.Step) string {
	name := escape.Clip(s.Name, maxNameBytes)
	switch {
	case s.Operation >= 0:
		return fmt.Sprintf("the operation %q in a JSON patch", name)
	case s.Field == "images" || s.Field == "imageTags":
		return fmt.Sprintf("the entry for %q in %s", name, s.Field)
	case s.Field == "replacements":
		return "a replacement"
	case s.Field == "transformers":
		return "a transformer"
	case strings.HasPrefix(s.Field, "patches"):
		return "a strategic merge patch"
	}
	return "the field " + s.Field
}

// difference returns what an injection would change in a workload, or why it would be refused.
func difference(w *outcome.Workload) string {
	var texts []string
	for _, o := range w.Outcomes {
		if len(o.Changes) > 0 {
			texts = append(texts, decision.Describe(o.Changes))
		}
	}
	if len(texts) > 0 {
		return "an injection would change it: " + strings.Join(texts, "; ")
	}
	for _, f := range w.Findings() {
		if f.Severity >= finding.Warning {
			problem, _, _ := strings.Cut(f.Message, "; ") // what to do about it is another matter here
			texts = append(texts, string(f.Code)+": "+problem)
		}
	}
	if len(texts) == 0 {
		return "it has no sidecar, and no injector is for it"
	}
	return "an injection would report " + strings.Join(texts, "; ")
}

// remedy returns what to do about a step.
func remedy(w *outcome.Workload, s kustomization.Step) string {
	first := moved(w)
	switch {
	case changesRenderers(w):
		return "write its entries into spec.postRenderers of the file, before the injector's"
	case s.Operation >= 0:
		return "if it is meant for another entry, name that one in a strategic merge patch"
	case s.Field == "images" || s.Field == "imageTags":
		return "set the image of the sidecar in the config, and change that of the app in a patch"
	case strings.Contains(string(s.Text), "$patch"):
		return "name the entries of the list that change, without $patch"
	case len(first) > 0:
		return "name what is injected first in the patch, because kustomize puts its entries in front: " +
			strings.Join(first, ", ")
	}
	return "take the sidecar out of it, and change the sidecar in the config"
}

// changesRenderers reports whether an injection would change the post-renderers of a HelmRelease.
func changesRenderers(w *outcome.Workload) bool {
	isRenderer := func(c decision.Change) bool { return c.Path == pod.InSpec(pod.PostRenderers).Path }
	return slices.ContainsFunc(w.Outcomes, func(o *outcome.Outcome) bool { return slices.ContainsFunc(o.Changes, isRenderer) })
}

// moved returns what an injection would move, as a patch names it: initContainers: [{name: logs}, ...]. There is none if
// it would change anything else.
func moved(w *outcome.Workload) []string {
	var lists []string
	entries := map[string][]string{}
	for _, o := range w.Outcomes {
		for _, c := range o.Changes {
			if c.Verb != decision.Moves {
				return nil
			}
			list := path.Base(c.Path)
			if !slices.Contains(lists, list) {
				lists = append(lists, list)
			}
			if keys := pod.At(c.Path).Keys; len(keys) == 1 {
				entries[list] = append(entries[list], fmt.Sprintf("{%s: %s}", keys[0], c.Key))
			}
		}
	}
	for i, list := range lists {
		lists[i] = fmt.Sprintf("%s: [%s, ...]", list, strings.Join(entries[list], ", "))
	}
	return lists
}

// whoBuilds returns which directories build something, only the first of many.
func whoBuilds(dirs []string) string {
	const most = 5
	switch more := len(dirs) - most; {
	case len(dirs) == 1:
		return dirs[0] + " builds"
	case more > 0:
		return strings.Join(dirs[:most], ", ") + fmt.Sprintf(" and %d more build", more)
	}
	return strings.Join(dirs, ", ") + " build"
}

// shown returns a real path as a user in the working directory would write it.
func shown(file string) string {
	inside, err := filepath.Rel(files.RealPath("."), file)
	if err != nil || strings.HasPrefix(inside, filepath.Join("..", "..", "..", "..")) {
		return file
	}
	return inside
}

package engine

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/stamp"
	"pillion.dev/pillion/internal/export/patch"
	pods "pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// A HelmRelease of Flux is a workload for the injectors that patch it. Its pod template is the object itself, and the
// plan of an injector has one operation: to add an entry to spec.postRenderers.

// patchesReleases reports whether the injector adds an entry to HelmReleases.
func (m *runInjector) patchesReleases() bool {
	return m.injector.Spec.HelmReleases == v1alpha1.ReleasesPatch
}

// preparePatches makes the plans for HelmReleases. An injector that does not patch them only removes what it added. Live
// pods are in no HelmRelease.
func (r *run) preparePatches() []finding.Finding {
	var patching []*runInjector
	var injectors []*injector.Injector
	for _, m := range r.readyInjectors {
		m.release = &injector.Plan{Injector: m.injector}
		if m.patchesReleases() && !m.removes() && !r.isLive {
			patching = append(patching, m)
			injectors = append(injectors, m.injector)
		}
	}
	entries, findings := patch.PostRenderers(injectors)
	for i, entry := range entries {
		row := pods.InSpec(pods.PostRenderers)
		patching[i].release.Steps = []injector.Step{{
			Field: "helmReleases",
			Operations: []injector.Operation{{
				Verb:    injector.Add,
				Row:     row,
				Key:     row.Key(entry),
				Value:   entry,
				Field:   "helmReleases",
				OnTaken: injector.Keep,
			}},
		}}
		r.shown[entry] = ""
		r.releases = true
	}
	return findings
}

// kindOf returns the kind of an item if it is a workload. A HelmRelease is one if an injector patches it, or did so
// before.
func (r *run) kindOf(item *manifest.Item) (kind pods.Kind, isWorkload bool) {
	kind, isWorkload = r.kinds.Find(item.APIVersion, item.Kind)
	group, _ := pods.SplitVersion(item.APIVersion)
	if isWorkload || group != pods.Release.Group || item.Kind != pods.Release.Kind || r.isLive {
		return kind, isWorkload
	}
	isWorkload = r.releases || bytes.Contains(item.Text, []byte(v1alpha1.StampPrefix))
	return pods.Release, isWorkload
}

// isWhole reports whether a HelmRelease has a chart. Without, it is a patch for one that has.
func isWhole(release *node.Node) bool {
	return !node.IsNull(node.Get(release, "spec", "chart")) || !node.IsNull(node.Get(release, "spec", "chartRef"))
}

// checkPostRenderers refuses entries of spec.postRenderers beside those of injectors that could change what these add.
func (c *change) checkPostRenderers() {
	if len(c.injections) == 0 || c.workload.failed {
		return
	}
	row := pods.InSpec(pods.PostRenderers)
	owners := slices.Clone(c.todo.others)
	for _, injection := range c.injections {
		owners = append(owners, stamp.Owner{Key: injection.by.key, Stamp: injection.stamp})
	}
	isStamped := map[string]bool{} // by the keys of entries
	for _, of := range owners {
		for at := range of.Changes {
			isStamped[at.Key] = isStamped[at.Key] || at.Path == row.Path
		}
	}
	const strategy = "postRenderStrategy"
	if node.Text(c.template.Spec(), strategy) == "nohooks" {
		field := &finding.Field{Path: c.template.At("spec." + strategy)}
		c.reportGeneral(newFinding(finding.Warning, finding.HelmHook, field,
			"spec.%s is nohooks, so hooks of the chart get nothing; remove it", strategy))
	}
	injected := ""
	inFile := node.List(c.template.Spec(), pods.PostRenderers)
	for i, entry := range node.List(c.version().Spec(), pods.PostRenderers) {
		if was := slices.Index(inFile, entry); was >= 0 {
			i = was
		}
		at := c.template.At("spec." + pods.PostRenderers + "[" + strconv.Itoa(i) + "]")
		word := reachesPods(entry)
		switch {
		case isStamped[stamp.KeyOf(row.Path, entry)]:
			injected = row.Key(entry)
		case row.Key(entry) != "":
			c.refuseRenderer(at, "it is a copy of post-renderer %q without a stamp; remove it, and an injection adds it",
				row.Key(entry))
		case injected != "":
			c.refuseRenderer(at, "it comes after what Pillion adds; move it before post-renderer %q", injected)
		case word != "":
			marker := c.injections[0].by.injector.Spec.Marker
			c.refuseRenderer(at, "it has %s, so that it may change what Pillion adds; move what it does into the "+
				`values of the chart, or annotate the release with %s: "false" and verify what is rendered`, word, marker)
		}
	}
}

// refuseRenderer reports an entry of spec.postRenderers to the injectors that cannot be sure of theirs.
func (c *change) refuseRenderer(at, format string, args ...any) {
	for _, injection := range c.injections {
		f := newFinding(finding.Error, finding.PostRendererConflict, &finding.Field{Path: at}, format, args...)
		f.Message = at + ": " + f.Message
		c.report(injection.by, f)
	}
}

// reachingWord matches words of patches that change containers, volumes or stamps, replace what they are in, or may
// hide such a word by an escape.
var reachingWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`containers|initContainers|volumes|\$patch|pillion\.dev(?:/|~1)injected-|\\[^"\\/nt]`)
})

// reachesPods returns the first word of a post-renderer that reaches into pods, or "".
func reachesPods(entry *node.Node) (word string) {
	node.Visit(entry, func(n *node.Node) {
		switch {
		case word != "":
		case n.Kind == node.AliasNode:
			word = "an alias"
		default:
			word = reachingWord().FindString(n.Value)
		}
	})
	return word
}

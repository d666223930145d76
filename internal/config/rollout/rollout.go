// Package rollout decides to which workloads the injectors of a project are rolled out.
package rollout

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/bmatcuk/doublestar/v4"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/text/glob"
)

// Workload is what a rollout chooses by. Paths are relative to the directory of the project, with slashes.
type Workload struct {
	Namespace string // empty if it is not known
	Labels    map[string]string
	File      string   // empty if it is not known
	Roots     []string // the directories of the kustomizations that build it
}

// Rollout says which workloads an injector is rolled out to.
type Rollout struct {
	injector string
	parts    []*part
}

// part is an entry of to: it chooses the workloads for which all of its fields hold.
type part struct {
	namespaces     *glob.List      // nil for all
	selector       labels.Selector // nil for all
	files          Globs
	kustomizations Globs
	isUsed         atomic.Bool // whether it has chosen a workload
}

// New returns the rollouts of a project without errors, by the names of their injectors.
func New(project v1alpha1.Project) map[string]*Rollout {
	all := map[string]*Rollout{}
	for _, declared := range project.Rollouts {
		r := &Rollout{injector: declared.Injector}
		for _, to := range declared.To {
			p := &part{files: NewGlobs(to.Files...), kustomizations: NewGlobs(to.Kustomizations...)}
			if len(to.Namespaces) > 0 {
				list := glob.NewList(to.Namespaces...)
				p.namespaces = &list
			}
			if to.Selector != nil {
				p.selector, _ = metav1.LabelSelectorAsSelector(to.Selector) // it was checked
			}
			r.parts = append(r.parts, p)
		}
		all[r.injector] = r
	}
	return all
}

// Includes reports whether the injector is rolled out to a workload. A workload that belongs to kustomizations inside
// and outside of the rollout, and that nothing else chooses, is an error.
func (r *Rollout) Includes(w Workload) (bool, error) {
	isIn := false
	var shared error
	for _, p := range r.parts { // all of them, because each has to choose something
		inside, outside := p.split(w.Roots)
		switch {
		case !p.chooses(w) || len(p.kustomizations) > 0 && len(inside) == 0:
		case len(p.kustomizations) > 0 && len(outside) > 0:
			shared = fmt.Errorf("the kustomization %s, which the injector %q is rolled out to, and %s, which it is not, "+
				"both use this; add both to the rollout or none, or inject into their overlays",
				inside[0], r.injector, outside[0])
			p.isUsed.Store(true)
		default:
			isIn = true
			p.isUsed.Store(true)
		}
	}
	if isIn {
		return true, nil
	}
	return false, shared
}

// chooses reports whether all fields of a part hold, except that it does not look at kustomizations.
func (p *part) chooses(w Workload) bool {
	return (p.namespaces == nil || w.Namespace != "" && p.namespaces.Match(w.Namespace)) &&
		(p.selector == nil || p.selector.Matches(labels.Set(w.Labels))) &&
		(len(p.files) == 0 || p.files.Match(w.File))
}

// split returns the kustomizations that a part names, and the others.
func (p *part) split(roots []string) (inside, outside []string) {
	for _, root := range roots {
		if p.kustomizations.Match(root) {
			inside = append(inside, root)
		} else {
			outside = append(outside, root)
		}
	}
	return inside, outside
}

// braces makes braces in a glob mean themselves, as in other globs of a project. Many alternatives in them would take
// exponential time.
var braces = strings.NewReplacer(`\\`, `\\`, `\{`, `\{`, `\}`, `\}`, "{", `\{`, "}", `\}`)

// Globs match paths. The zero value matches none.
type Globs []pathGlob

type pathGlob struct {
	pattern string
	base    string // what each match begins with
}

// NewGlobs prepares globs of paths.
func NewGlobs(globs ...string) Globs {
	var all Globs
	for _, glob := range globs {
		pattern := braces.Replace(path.Clean(glob))
		base, _ := doublestar.SplitPattern(pattern)
		all = append(all, pathGlob{pattern, strings.TrimSuffix(base, ".")})
	}
	return all
}

// Match reports whether one of the globs matches a path or a directory above it.
func (g Globs) Match(at string) bool {
	return slices.ContainsFunc(g, func(glob pathGlob) bool {
		above := ""
		for dir := at; strings.HasPrefix(dir, glob.base) && dir != above && dir != ""; dir = path.Dir(dir) {
			if isMatch, err := doublestar.Match(glob.pattern, dir); isMatch && err == nil {
				return true
			}
			above = dir
		}
		return false
	})
}

// ChoosesByPath reports whether an entry of to chooses by files or kustomizations.
func (r *Rollout) ChoosesByPath() bool {
	return slices.ContainsFunc(r.parts, func(p *part) bool { return len(p.files)+len(p.kustomizations) > 0 })
}

// Unused returns the indexes of the entries of to that have chosen no workload.
func (r *Rollout) Unused() []int {
	var unused []int
	for i, p := range r.parts {
		if !p.isUsed.Load() {
			unused = append(unused, i)
		}
	}
	return unused
}

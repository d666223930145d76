package kustomization

import (
	"fmt"
	"strconv"
	"strings"
)

// Kind is a kind of cause why kustomizations cannot be built.
type Kind int

// The kinds, in the order in which reports have them.
const (
	Remote Kind = iota
	Chart
	Plugin
	Outside
	Missing
	Unreadable
	Repeated
	NoTarget
	Other   // what kustomize says
	Refused // what Pillion says
	BuildsNothing
	// Kinds is how many there are.
	Kinds
)

// sentence is what there is to say about a kind of cause. NAMES stands for what it is about, or COUNT if that is much,
// and DIR for the kustomization.
type sentence struct {
	one, several string // the verbs for one kustomization and for several
	few, many    string
	remedy       string
}

var sentences = [Kinds]sentence{
	Remote: {
		one: "needs", several: "need",
		few:  "NAMES, and Pillion fetches nothing",
		many: "COUNT remote sources, and Pillion fetches nothing",
		remedy: "where there is a network, pipe in what kustomize builds: kustomize build DIR | pillion ... -f -; " +
			"or copy it into the tree, and start its path with ./",
	},
	Chart: {
		one: "needs", several: "need",
		few:  "Helm for NAMES, and Pillion runs no programs",
		many: "Helm for COUNT charts, and Pillion runs no programs",
		remedy: "pipe in what kustomize builds: kustomize build --enable-helm DIR | pillion ... -f -; " +
			"or commit what Helm renders in place of the chart, or leave it out with --exclude",
	},
	Plugin: {
		one: "runs", several: "run",
		few:  "the plugin or function NAMES, which -k does not support",
		many: "COUNT plugins or functions, which -k does not support",
		remedy: "if that is Pillion itself, remove the injector from transformers and pass it with -c; otherwise, pipe in what " +
			"kustomize builds: kustomize build --enable-alpha-plugins --enable-exec DIR | pillion ... -f -",
	},
	Outside: {
		one: "uses", several: "use",
		few:  "what is outside of the kustomization's own directory: NAMES",
		many: "COUNT files outside of the kustomizations' own directories",
		remedy: "allow that, as Flux does: --load-restrictor LoadRestrictionsNone, or loadRestrictor: none in the project file; " +
			"or move what it uses there",
	},
	Missing: {
		one: "uses", several: "use",
		few:    "what is not there: NAMES",
		many:   "COUNT files or directories that are not there",
		remedy: "correct the path, or add what is missing",
	},
	Unreadable: {
		one: "uses", several: "use",
		few:  "what cannot be read: NAMES",
		many: "COUNT files that cannot be read",
	},
	Repeated: {
		one: "has", several: "have",
		few:    "an object twice: NAMES",
		many:   "COUNT objects twice",
		remedy: "list it once, or give one of the two another name",
	},
	NoTarget: {
		one: "patches", several: "patch",
		few:    "an object that is not there: NAMES",
		many:   "COUNT objects that are not there",
		remedy: "correct the target of the patch",
	},
	Other:   {one: "cannot", several: "cannot", few: "be built: NAMES", many: "be built, for COUNT reasons"},
	Refused: {one: "cannot", several: "cannot", few: "be built: NAMES", many: "be built, for COUNT reasons"},
	BuildsNothing: {
		one: "builds", several: "build",
		few:    "nothing",
		remedy: "add resources, or accept that with --allow-empty",
	},
}

// FewNames is how many causes a sentence names.
const FewNames = 3

// Describe returns why the kustomizations in some directories cannot be built, and what to do about it. Names are those
// of the causes, without repetitions.
func (k Kind) Describe(dirs, names []string) string {
	s := sentences[k]
	subject := "the kustomization in DIR " + s.one
	object := s.few
	switch {
	case len(dirs) > 1:
		subject = fmt.Sprintf("%d kustomizations %s", len(dirs), s.several)
		dirs = []string{"DIR"}
		if len(names) > 1 {
			object = s.many
		}
	case k == Refused: // in whole sentences
		return strings.Join(names, "; ")
	case len(names) > FewNames:
		names = append(names[:FewNames:FewNames], fmt.Sprintf("and %d more", len(names)-FewNames))
	}
	text := subject + " " + object
	if s.remedy != "" {
		text += "; " + s.remedy
	}
	filled := strings.NewReplacer("DIR", dirs[0], "NAMES", strings.Join(names, ", "), "COUNT", strconv.Itoa(len(names)))
	return filled.Replace(text)
}

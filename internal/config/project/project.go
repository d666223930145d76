// Package project reads project files, strictly: what commands run on in a repository, and how far injectors are
// rolled out.
package project

import (
	"path/filepath"
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/text/yaml/node"
)

const (
	// maxRolloutEntries bounds what the rollouts of a project choose by, because all of it is compared with each
	// workload.
	maxRolloutEntries = 1000
	// maxCoveredEntries bounds the rows of covered in the same way: a large fleet may have a row for each release.
	maxCoveredEntries = 5000
)

// Read reads a project file. It reports all problems at once.
func Read(n *node.Node) (v1alpha1.Project, []finding.Finding) {
	var project v1alpha1.Project
	p := &schema.Problems{}
	d := &schema.Decoder{Problems: p}
	n = p.ExpandAliases(n, "")
	if n == nil || !d.CheckNodeKind(n, reflect.TypeFor[v1alpha1.Project](), "") {
		return project, p.All()
	}
	d.Decode(n, &project, "")
	c := checker{p}
	c.checkWord("apiVersion", project.APIVersion, v1alpha1.APIVersion)
	c.checkWord("kind", project.Kind, v1alpha1.ProjectKind)
	c.check(project)
	return project, p.All()
}

// checker reports fields of a project that were decoded and make no sense.
type checker struct{ *schema.Problems }

// checkWord reports a field that is not the only word that it may be.
func (c checker) checkWord(at schema.Path, found, want string) {
	if found != want {
		c.Refuse(schema.Problem{At: at, Current: found, Proposed: want, Message: "in a project file, write " + want})
	}
}

func (c checker) check(project v1alpha1.Project) {
	c.checkRelative("configs", project.Configs, false)
	c.checkRelative("files", project.Files, false)
	c.checkRelative("kustomizations", project.Kustomizations, true)
	c.checkRelative("exclude", project.Exclude, true)
	if name := project.DefaultNamespace; name != "" {
		c.CheckValid("defaultNamespace", name, "namespace name", validation.IsDNS1123Label)
	}
	entries := 0
	for i, row := range project.Covered {
		entries += 1 + len(row.Names) + len(row.Namespaces)
		c.checkCovered(schema.Path("covered").Index(i), row)
	}
	if entries > maxCoveredEntries {
		c.Refusef("covered", "", "the rows have %d entries together; the most is %d, so use globs instead",
			entries, maxCoveredEntries)
	}
	entries = 0
	uses := schema.FirstUses{}
	for i, rollout := range project.Rollouts {
		at := schema.Path("rollouts").Index(i)
		c.Require(rollout.Injector != "", at, "injector", "a rollout needs the name of an injector; write it")
		c.CheckOnce(uses, rollout.Injector, at, at.Key("injector"),
			"%[1]s is for %[2]q already; merge the two, or remove one")
		c.Require(rollout.To != nil, at, "to",
			"write what the injector is rolled out to, such as [{namespaces: [team-a]}], or [] for nothing yet")
		for j, part := range rollout.To {
			entries += 1 + len(part.Namespaces) + len(part.Files) + len(part.Kustomizations)
			c.checkPart(at.Key("to").Index(j), part)
		}
	}
	if entries > maxRolloutEntries {
		c.Refusef("rollouts", "", "they have %d entries together; the most is %d, so choose by a label instead",
			entries, maxRolloutEntries)
	}
}

// checkCovered checks a row that accepts what pods are made from.
func (c checker) checkCovered(at schema.Path, row v1alpha1.Covered) {
	c.Require(row.Kind+row.Path != "", at, "kind",
		"a row needs a kind, such as HelmRelease, or a path; write one of them")
	c.Require(strings.TrimSpace(row.Because) != "", at, "because",
		"say in words why nothing has to be done about it, for those who review this file")
	if row.Path != "" {
		c.checkRelative(at.Key("path"), []string{row.Path}, true)
	}
	c.CheckGlobs(at.Key("names"), row.Names, "name of an object", "another row", validation.IsDNS1123Subdomain)
	c.CheckGlobs(at.Key("namespaces"), row.Namespaces, "namespace name", "another row", validation.IsDNS1123Label)
}

func (c checker) checkPart(at schema.Path, part v1alpha1.RolloutPart) {
	if part.Selector == nil && len(part.Namespaces)+len(part.Files)+len(part.Kustomizations) == 0 {
		c.Missing(at.Key("namespaces"),
			"this entry chooses nothing; write namespaces, selector, files or kustomizations, or remove it")
	}
	c.CheckGlobs(at.Key("namespaces"), part.Namespaces, "namespace name", "another entry", validation.IsDNS1123Label)
	c.CheckSelector(at.Key("selector"), part.Selector)
	c.checkRelative(at.Key("files"), part.Files, true)
	c.checkRelative(at.Key("kustomizations"), part.Kustomizations, true)
}

// checkRelative checks paths in a repository, which are relative and may be globs in some fields.
func (c checker) checkRelative(at schema.Path, paths []string, mayBeGlobs bool) {
	for i, path := range paths {
		at := at.Index(i)
		isGlob := strings.ContainsAny(path, `*?[{\`)
		_, broken := filepath.Match(path, "")
		switch {
		case path == "" || path == "-":
			c.Refusef(at, path, "%q is no path; write one from the directory of this file, such as apps/", path)
		case filepath.IsAbs(path) || strings.HasPrefix(path, "/"):
			c.Refusef(at, path, "%q is an absolute path; write it from the directory of this file", schema.Shown(path))
		case isGlob && !mayBeGlobs:
			c.Refusef(at, path, "%q is a glob; write a directory, and list under exclude what is not meant in it",
				schema.Shown(path))
		case broken != nil:
			c.Refusef(at, path, "%q is not a valid glob; correct it", schema.Shown(path))
		}
	}
}

package kustomization

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/edge/files"
)

// BuildError is why a kustomization cannot be built.
type BuildError struct {
	Dir    string
	Causes []Cause // at least one
}

// Cause is one reason, which many kustomizations may have.
type Cause struct {
	Kind Kind
	// Name is what it is about: a repository, a chart, a path, or what kustomize says. Paths are relative to the working
	// directory.
	Name string
}

// Error returns the failure in a sentence for each kind of cause.
func (f *BuildError) Error() string {
	var sentences []string
	for kind := range Kinds {
		var names []string
		for _, cause := range f.Causes {
			if cause.Kind == kind {
				names = append(names, cause.Name)
			}
		}
		if len(names) > 0 {
			sentences = append(sentences, kind.Describe([]string{f.Dir}, names))
		}
	}
	return strings.Join(sentences, "; ")
}

// CausesOf returns why a kustomization cannot be built. An error that is no BuildError is a cause in its own words.
func CausesOf(err error) []Cause {
	if err == nil {
		return nil
	}
	if failure, isFailure := errors.AsType[*BuildError](err); isFailure {
		return failure.Causes
	}
	return []Cause{{Kind: Refused, Name: err.Error()}}
}

// Empty returns the failure of a kustomization that builds nothing.
func Empty(dir string) error {
	return &BuildError{Dir: dir, Causes: []Cause{{Kind: BuildsNothing}}}
}

// IsEmpty reports whether an error is that of a kustomization that builds nothing.
func IsEmpty(err error) bool {
	causes := CausesOf(err)
	return len(causes) == 1 && causes[0].Kind == BuildsNothing
}

// kustomizeError is an error in kustomize's words.
type kustomizeError struct{ error }

// explain returns why a directory cannot be built. Of errors of kustomize, which are about the first problem only, within
// the paths that led there, it returns what the kustomizations themselves show. Reading them only explains an error: what
// can be built is up to kustomize.
func (d *Disk) explain(dir string, err error) error {
	of, isKustomizes := errors.AsType[kustomizeError](err)
	if !isKustomizes {
		return refusal(dir, relative(dir, err.Error()))
	}
	causes := d.obstaclesOf(d.within(d), dir)
	if len(causes) == 0 {
		causes = []Cause{classify(dir, of.error)}
	}
	return &BuildError{Dir: dir, Causes: causes}
}

// refusal returns the failure of what this package does not build.
func refusal(dir, text string) error {
	if path, problem, isUnreadable := strings.Cut(text, unreadable); isUnreadable {
		return &BuildError{Dir: dir, Causes: []Cause{{Unreadable, path + ": " + problem}}}
	}
	return errors.New(text)
}

// unreadable is between the path of a kustomization and the reason why it cannot be read.
const unreadable = " cannot be read: "

// knownErrors are texts of kustomize and of this package, for most of which there is no type, and what they are about.
var knownErrors = sync.OnceValue(func() []knownError {
	return []knownError{
		{Plugin, regexp.MustCompile(`unable to load external plugin '([^']*)'`)},
		{Chart, regexp.MustCompile(`plugin (\S+) fails configuration: must specify --enable-helm`)},
		{Remote, regexp.MustCompile(`(\S+) is on another machine, and Pillion fetches nothing`)},
		{Remote, regexp.MustCompile(`.*from '([^']*)'.*no 'git' program on path`)},
		{Outside, regexp.MustCompile(`security; file '([^']*)' is not in or below`)},
		{Repeated, regexp.MustCompile(`already registered id: ([^\s']+)`)},
		{NoTarget, regexp.MustCompile(`no matches for Id ([^\s;]+)`)},
		{BuildsNothing, regexp.MustCompile(`^kustomization.yaml is empty()$`)},
		{Refused, regexp.MustCompile(`^unable to find one of ('kustomization.yaml')`)},
		{Unreadable, regexp.MustCompile(`MalformedYAMLError: (?:yaml: )?(.*) in File: `)},
		{Unreadable, regexp.MustCompile(`invalid Kustomization: (.*)`)},
	}
})

// knownError is a text that tells the kind of an error. Its first group is the name.
type knownError struct {
	kind    Kind
	pattern *regexp.Regexp
}

// classify returns the cause that an error of kustomize is about.
func classify(dir string, err error) Cause {
	text := strings.Join(strings.Fields(unquoted(err.Error())), " ")
	at, cause := lastCause(files.RealPath(dir), text)
	found := Cause{Kind: Other, Name: cause}
	if types.IsErrOnlyBuiltinPluginsAllowed(err) {
		found.Kind = Plugin
	}
	for _, known := range knownErrors() {
		if match := known.pattern.FindStringSubmatch(text); match != nil {
			found = Cause{Kind: known.kind, Name: match[1]}
			break
		}
	}
	found.Name = relative(dir, found.Name)
	isElsewhere := at != files.RealPath(dir)
	switch found.Kind {
	case Remote:
		found.Name = sourceOf(found.Name)
	case Chart:
		found.Name = objectOf(found.Name)
	case Refused:
		found.Name = fmt.Sprintf("there is no readable kustomization.yaml in %s; name a directory that has one, "+
			"or use -f for manifests", dir)
	case Repeated, NoTarget:
		found.Name = objectOf(found.Name)
		if isElsewhere {
			found.Name += " in " + fromHere(at)
		}
	case Other:
		if isElsewhere {
			found.Name = fromHere(at) + ": " + found.Name
		}
	case Unreadable:
		found.Name = fromHere(at) + ": " + found.Name
	}
	return found
}

// objectOf returns an object as messages name it. In errors of kustomize, it is Pod.v1.[noGrp]/web.[noNs].
func objectOf(id string) string {
	if strings.Count(id, "/") != 1 { // FromString needs it
		return id
	}
	of := resid.FromString(id)
	return finding.Object{Kind: of.Kind, Namespace: of.Namespace, Name: of.Name}.String()
}

// unquoted returns an error of kustomize without the quotes around what is wrong in a component.
func unquoted(text string) string {
	for _, quotes := range []string{`accumulateDirectory: "`, `loader.New "`} {
		for {
			before, quoted, isQuoted := strings.Cut(text, quotes)
			inner, err := strconv.Unquote(`"` + quoted)
			if !isQuoted || err != nil {
				break
			}
			text = before + inner
		}
	}
	return text
}

// inDirectory is what kustomize says of each directory on the way to an error.
var inDirectory = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`.*(?:recursed (?:accumulation of|merging from)|couldn't make target for) path '([^']*)': `)
})

// inFile is what it says of a resource.
var inFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:accumulating|merging) resources from '([^']*)': `)
})

// aroundIt says no more about the error.
var aroundIt = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^(?:accumulating (?:resources|components): )+|" +
		"^trouble configuring builtin \\S+ with config: `[^`]*`: ")
})

// lastCause returns the end of an error of kustomize, and the path of the file or the directory that it is about.
func lastCause(dir, text string) (at, cause string) {
	at = dir
	if match := inDirectory().FindStringSubmatch(text); match != nil {
		at = match[1]
		text = text[len(match[0]):]
	}
	text = aroundIt().ReplaceAllString(text, "")
	// kustomize takes a resource for a file first, and then for a directory.
	if tried, isResource := strings.CutPrefix(text, "accumulation err='"); isResource {
		asFile, _, isFile := strings.Cut(tried, "': must build at directory: ")
		text = asFile
		if last := strings.LastIndex(tried, "': "); !isFile && last >= 0 {
			text = tried[last+len("': "):]
		}
	}
	if match := inFile().FindStringSubmatch(text); match != nil {
		at = joined(at, match[1])
		text = text[len(match[0]):]
	}
	return at, text
}

// relative returns a text with paths as seen from the working directory in place of absolute ones: those that begin with
// the first name of a directory's real path. Others may be addresses in a JSON patch.
func relative(dir, text string) string {
	separator := string(filepath.Separator)
	realDir := files.RealPath(dir)
	volume := filepath.VolumeName(realDir) + separator
	first, _, _ := strings.Cut(strings.TrimPrefix(realDir, volume), separator)
	if first == "" { // everything begins like the root
		return text
	}
	top := regexp.QuoteMeta(volume + first)
	absolute := regexp.MustCompile(`'` + top + `(?:[/\\][^']*)?'|(?:^|[\s("\[])` + top + `(?:[/\\][^\s'"]*[^\s'",;:.)\]])?`)
	return absolute.ReplaceAllStringFunc(text, func(found string) string {
		before, _, _ := strings.Cut(found, volume)
		path, isQuoted := strings.CutSuffix(found[len(before):], "'")
		if isQuoted {
			return before + fromHere(path) + "'"
		}
		return before + fromHere(path)
	})
}

// fromHere returns an absolute path as seen from the working directory.
func fromHere(path string) string {
	inside, err := filepath.Rel(files.RealPath("."), path)
	if err != nil { // it is on another volume
		return filepath.Base(path)
	}
	return inside
}

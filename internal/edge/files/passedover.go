package files

import "cmp"

// Passed is a file in a directory that is not a manifest of the run, and the reason.
type Passed struct {
	Path string
	Why  Why
	By   string // the kustomization that lists it; empty for most reasons
	Text []byte // if the file may have workloads; nil otherwise
	// Problem is why a kustomization cannot be read; nil for other reasons.
	Problem error
}

// Why is the reason to pass over a file, as it is printed after a number: 3 Helm templates.
type Why string

// The reasons apply to files in directories and globs. A file that the user names is always read, unless it is
// excluded.
const (
	HelmTemplate Why = "Helm template"
	Template     Why = "template"
	ResourceList Why = "ResourceList"
	NoObject     Why = "file without Kubernetes objects"
	NoConfig     Why = "file without a config"
	NoWorkload   Why = "directory without workloads"
	BuildConfig  Why = "build file"
	LinkOut      Why = "link out of the tree"
	NotRegular   Why = "special file"
	LFSPointer   Why = "pointer of Git LFS"
	Submodule    Why = "submodule that is not checked out"
	NotEntered   Why = "directory, which -R looks into"
	Ignored      Why = "ignored file"
	Excluded     Why = "excluded file"

	KustomizePatch Why = "kustomize patch"
	KustomizeInput Why = "kustomize input"
	Unreadable     Why = "unreadable kustomization"
	UsedByOthers   Why = "kustomization that others use"
)

// plurals are the reasons with a plural that does not just end in an s.
var plurals = map[Why]string{
	NoObject:       "files without Kubernetes objects",
	NoConfig:       "files without a config",
	NoWorkload:     "directories without workloads",
	KustomizePatch: "kustomize patches",
	LinkOut:        "links out of the tree",
	LFSPointer:     "pointers of Git LFS",
	Submodule:      "submodules that are not checked out",
	NotEntered:     "directories, which -R looks into",
	UsedByOthers:   "kustomizations that others use",
}

// Plural returns the reason as it is printed after a number.
func (w Why) Plural(count int) string {
	if count == 1 {
		return string(w)
	}
	return cmp.Or(plurals[w], string(w)+"s")
}

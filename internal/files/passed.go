package files

import "strings"

// Passed is a file in a directory that was not read, and the reason.
type Passed struct {
	Path string
	Why  Why
}

// Why is the reason to pass over a file, as it is printed after a number: 3 Helm templates.
type Why string

// The reasons apply to files in directories and globs. A file that the user names is always read.
const (
	HelmTemplate Why = "Helm template"
	NoObject     Why = "file without Kubernetes objects"
	NoConfig     Why = "file without a config"
	BuildConfig  Why = "build file"
	LinkOut      Why = "link out of the tree"
	NotRegular   Why = "special file"
	NotEntered   Why = "directory, which -R looks into"
	Ignored      Why = "ignored file"
)

// Plural returns the reason as it is printed after a number.
func (w Why) Plural(count int) string {
	switch {
	case count == 1:
		return string(w)
	case w == NotEntered:
		return "directories, which -R looks into"
	case w == NoObject || w == NoConfig || w == LinkOut: // their first word is the noun
		noun, rest, _ := strings.Cut(string(w), " ")
		return noun + "s " + rest
	default:
		return string(w) + "s"
	}
}

package command

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/edge/files"
	"pillion.dev/pillion/internal/output/page"
)

// remedy returns how to fix what a verification reports as errors, as the end of a message: the inject command with the
// same configs and manifests, or what to do if the manifests are in no files.
func remedy(cmd *cobra.Command, in *input, w *verbRun) string {
	if w.Run.IsRefused() && !w.Run.WouldKeepGoing() {
		return "correct the other errors first, because inject changes nothing until then"
	}
	isStdin := slices.ContainsFunc(w.manifests, func(file finding.Source) bool { return file.File == files.Stdin })
	only, isExact := in.onlyErrors(w.Run)
	words := append([]string{cmd.Root().DisplayName(), "inject"}, sharedFlags(cmd, only)...)
	command := strings.Join(words, " ")
	if flags := only.flags(); flags != "" {
		command += " " + flags
	}
	if w.Run.WouldKeepGoing() {
		command += " --keep-going"
	}
	isInFile := func(w *outcome.Workload) bool {
		return w.NeedsInjection() && !slices.Contains(files.Kustomizations(), filepath.Base(w.File.Path))
	}
	hasFiles := in.project.isWhole && slices.ContainsFunc(w.Run.Workloads, isInFile) // beside what kustomizations build
	text := "to fix it, run: " + command + " -i"
	switch {
	case hasFiles && isExact:
	case len(in.kustomizations) > 1 || len(in.kustomizations) == 1 && in.recursive:
		text = "to fix it, inject into the files that the kustomizations are built from"
	case len(in.kustomizations) == 1:
		text = "to fix it, inject into the files that the kustomization is built from, or use the output of: " + command
	case isStdin:
		text = "to fix it, inject into the files that these manifests are made of, or pipe the manifests through: " + command
	case !isExact:
		text = "to fix it, choose the workloads that are errors with --name, -n and -l in: " + command + " -i"
	}
	if w.verifies {
		text += " (after setting spec.action to Inject)"
	}
	return text
}

// onlyErrors returns the shortest flags that choose the workloads whose errors an injection fixes, and not those whose
// older sidecars are accepted. They are none if an injection changes nothing else. It returns false if there are no
// such flags, or if they are long.
func (in *input) onlyErrors(run outcome.Run) (chosen, bool) {
	var wanted []*finding.Object
	var others []*finding.Object
	for _, w := range run.Workloads {
		if w.IsAccepted() {
			others = append(others, &w.Object)
		} else if w.NeedsInjection() {
			wanted = append(wanted, &w.Object)
		}
	}
	if len(wanted) == 0 || len(others) == 0 {
		return chosen{}, true
	}
	for i := range run.LeftAlone {
		others = append(others, &run.LeftAlone[i])
	}
	both := chosen{}
	for _, o := range wanted {
		both.names = appendFew(both.names, strings.ToLower(o.Kind)+"/"+o.Name)
		both.namespaces = appendFew(both.namespaces, o.Namespace)
	}
	ways := []chosen{{namespaces: both.namespaces}, {names: both.names}, both}
	slices.SortStableFunc(ways, func(a, b chosen) int { return cmp.Compare(len(a.flags()), len(b.flags())) })
	for _, only := range ways {
		if in.isExact(only, wanted, others) {
			return only, true
		}
	}
	return chosen{}, false
}

// isExact reports whether flags, which take the place of those of the command line, choose all of some workloads and
// none of others.
func (in *input) isExact(c chosen, wanted, others []*finding.Object) bool {
	if len(c.namespaces) == 0 {
		c.namespaces = in.namespaces
	}
	if len(c.names) == 0 {
		c.names = in.names
	}
	chooses, err := c.byName()
	isLeft := func(o *finding.Object) bool { return !chooses(o) }
	return err == nil && !slices.ContainsFunc(wanted, isLeft) && !slices.ContainsFunc(others, chooses)
}

// appendFew adds an entry to a list that does not have it, unless the list is long.
func appendFew(all []string, entry string) []string {
	if len(all) > page.Short || slices.Contains(all, entry) {
		return all
	}
	return append(all, entry)
}

// sharedFlags returns the flags and arguments of a command line that say what to run on, for a shell, without those
// that others replace.
func sharedFlags(cmd *cobra.Command, replaced chosen) []string {
	shared := strings.Fields("project config filename recursive exclude kustomize load-restrictor selector " +
		"default-namespace allow-empty in-place")
	if len(replaced.namespaces) == 0 {
		shared = append(shared, "namespace")
	}
	if len(replaced.names) == 0 {
		shared = append(shared, "name")
	}
	var all []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		isUnset := f.Value.String() == "" || f.Value.Type() == "bool" && f.Value.String() == "false"
		if !isUnset && slices.Contains(shared, f.Name) {
			all = append(all, flagWords(f)...)
		}
	})
	for _, arg := range cmd.Flags().Args() {
		if len(arg) > 1 && arg[0] == '-' { // it followed a double dash
			arg = "./" + arg
		}
		all = append(all, shellQuoted(arg))
	}
	return all
}

// flagWords returns a flag with its value, or with each of its values, as words of a command line.
func flagWords(f *pflag.Flag) (words []string) {
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand
	}
	if f.Value.Type() == "bool" { // which would take the next word for an argument
		return []string{strings.TrimSuffix(name+"="+f.Value.String(), "=true")}
	}
	values := []string{f.Value.String()}
	if list, isList := f.Value.(pflag.SliceValue); isList {
		values = list.GetSlice()
	}
	for _, value := range values {
		words = append(words, name, shellQuoted(value))
	}
	return words
}

// shellQuoted returns a word of a command line as a shell reads it.
func shellQuoted(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

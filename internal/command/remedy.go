package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pillion.dev/pillion/internal/files"
)

// remedy returns how to bring the manifests of a verb up to date, as the end of a message: the inject command with the same
// configs and manifests, or what to do if the manifests are in no files.
func remedy(cmd *cobra.Command, in *input, w *work) string {
	isStdin := slices.ContainsFunc(w.manifests, func(file files.File) bool { return file.Path == files.Stdin })
	command := cmd.Root().DisplayName() + " inject " + strings.Join(sharedFlags(cmd), " ")
	if w.Run.WouldKeepGoing() {
		command += " --keep-going"
	}
	text := "to fix it, run: " + command + " -i"
	switch {
	case in.kustomization != "":
		text = "to fix it, inject into the files that the kustomization is built from, or use the output of: " + command
	case isStdin:
		text = "to fix it, inject into the files that these manifests are made of, or pipe the manifests through: " + command
	}
	if w.verifies {
		text += " (after setting spec.action to Inject)"
	}
	return text
}

// sharedFlags returns the flags and arguments of a command line that say what to run on, for a shell.
func sharedFlags(cmd *cobra.Command) []string {
	shared := strings.Fields("config filename recursive exclude kustomize namespace name selector default-namespace allow-empty")
	var all []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		isBool := f.Value.Type() == "bool"
		isUnset := f.Value.String() == "" || isBool && f.Value.String() == "false"
		if isUnset || !slices.Contains(shared, f.Name) {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand
		}
		values := []string{f.Value.String()}
		if list, isList := f.Value.(pflag.SliceValue); isList {
			values = list.GetSlice()
		}
		for _, value := range values {
			if all = append(all, name); !isBool {
				all = append(all, shellQuoted(value))
			}
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

// shellQuoted returns a word of a command line as a shell reads it.
func shellQuoted(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

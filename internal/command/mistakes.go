package command

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pillion.dev/pillion/internal/spelling"
)

// refuseArguments returns an error for arguments without a command: they are a misspelt command, or files.
func refuseArguments(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, cmd := range root.Commands() {
		names = append(names, cmd.Name())
	}
	if other := synonyms[args[0]]; other != "" {
		return fmt.Errorf("there is no command %q; pillion %s does that", args[0], other)
	}
	if near := spelling.Nearest(args[0], names); near != "" {
		return fmt.Errorf("there is no command %q; did you mean %s? See pillion --help", args[0], near)
	}
	return fmt.Errorf("there is no command %q; the commands are %s. For files, use pillion inject -c CONFIG -f %[1]s",
		args[0], strings.Join(names, ", "))
}

// noArguments returns an error for arguments of a command that takes none.
func noArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.Flags().Lookup("config") != nil:
		return fmt.Errorf("%s takes no arguments, found %q; name the config with -c", cmd.CommandPath(), args[0])
	}
	return fmt.Errorf("%s takes no arguments, found %q; remove it", cmd.CommandPath(), args[0])
}

// synonyms are the names that other tools have for the commands.
var synonyms = map[string]string{
	"validate": "verify", "check": "verify", "apply": "inject", "render": "inject", "delete": "remove", "uninject": "remove",
	"scan": "audit", "status": "audit", "cluster": "audit",
}

// explainFlag adds what to do to the error about a flag: the most similar flag, or the form of its value.
func explainFlag(cmd *cobra.Command, err error) error {
	if args := cmd.Flags().Args(); !cmd.HasParent() && len(args) > 0 {
		return refuseArguments(cmd, args) // the flags belong to the misspelt command
	}
	see := "see " + cmd.CommandPath() + " --help"
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if hint := flagHint(cmd, unknown); hint != "" {
			return fmt.Errorf("%w; %s See %s --help", err, hint, cmd.CommandPath())
		}
	}
	invalid, ok := errors.AsType[*pflag.InvalidValueError](err)
	if ok && invalid.GetFlag().Value.Type() == "duration" {
		return fmt.Errorf("--%s is %q; write a number with its unit, such as %s, 90s or 5m; %s",
			invalid.GetFlag().Name, invalid.GetValue(), withUnit(invalid.GetValue()), see)
	}
	if ok && invalid.GetFlag().Value.Type() == "bool" {
		return fmt.Errorf("--%s is %q; write --%[1]s, or --%[1]s=false; %s", invalid.GetFlag().Name, invalid.GetValue(), see)
	}
	return fmt.Errorf("%w; %s", err, see)
}

// withUnit returns a duration of that many seconds, or an example if the value is no number.
func withUnit(value string) string {
	if _, err := strconv.ParseUint(value, 10, 32); err != nil {
		return "30s"
	}
	return value + "s"
}

// flagHint returns what was probably meant by an unknown flag, or "".
func flagHint(cmd *cobra.Command, unknown *pflag.NotExistError) string {
	name := unknown.GetSpecifiedName()
	flags := cmd.Flags()
	if !cmd.HasParent() {
		flags = newInject().Flags() // as an example of a command with flags
		if lookup(flags, unknown) != nil {
			return "the flags belong to a command, such as pillion inject."
		}
	}
	if hint := cmp.Or(kubectlHint(cmd, name), foreignFlags[name], verbsWith(New(), unknown)); hint != "" {
		return hint
	}
	if unknown.GetSpecifiedShortnames() != "" {
		return shorthandHint(flags, name)
	}
	var names, begun []string
	flags.VisitAll(func(f *pflag.Flag) {
		names = append(names, f.Name)
		if strings.HasPrefix(f.Name, name) || strings.HasPrefix(name, f.Name) {
			begun = append(begun, f.Name)
		}
	})
	near := spelling.Nearest(name, names)
	if near == "" && len(begun) == 1 {
		near = begun[0]
	}
	if near == "" {
		return ""
	}
	return "did you mean --" + near + "?"
}

// kubectlHint returns what to do about a flag of audit that is one of kubectl, or "".
func kubectlHint(audit *cobra.Command, name string) string {
	switch {
	case audit.Name() != "audit":
	case name == "namespace" || name == "n":
		return "did you mean --in-namespace? Or read only that namespace: kubectl get pods -n NAMESPACE -o json."
	case slices.Contains([]string{"all-namespaces", "A", "selector", "l", "field-selector", "context", "kubeconfig", "cluster"}, name):
		return "it is a flag of kubectl; write it before the pipe: kubectl get pods ... -o json | pillion audit."
	}
	return ""
}

// verbsWith returns a remark about the commands that have an unknown flag, such as "only inject and remove have it.", or "".
func verbsWith(root *cobra.Command, unknown *pflag.NotExistError) string {
	var verbs []string
	for _, cmd := range root.Commands() {
		if lookup(cmd.Flags(), unknown) != nil {
			verbs = append(verbs, cmd.Name())
		}
	}
	switch last := len(verbs) - 1; {
	case last < 0:
		return ""
	case last == 0:
		return fmt.Sprintf("only %s has it.", verbs[0])
	default:
		return fmt.Sprintf("only %s and %s have it.", strings.Join(verbs[:last], ", "), verbs[last])
	}
}

// lookup returns the flag of another command by an unknown name or shorthand, or nil.
func lookup(flags *pflag.FlagSet, unknown *pflag.NotExistError) *pflag.Flag {
	if unknown.GetSpecifiedShortnames() == "" {
		return flags.Lookup(unknown.GetSpecifiedName())
	}
	return lookupShorthand(flags, unknown.GetSpecifiedName())
}

// lookupShorthand returns the flag with a shorthand, or nil. pflag panics if the shorthand is not ASCII.
func lookupShorthand(flags *pflag.FlagSet, shorthand string) *pflag.Flag {
	if len(shorthand) != 1 {
		return nil
	}
	return flags.ShorthandLookup(shorthand)
}

// shorthandHint returns the shorthand that differs only in case, or "".
func shorthandHint(flags *pflag.FlagSet, shorthand string) string {
	for _, other := range []string{strings.ToUpper(shorthand), strings.ToLower(shorthand)} {
		if f := lookupShorthand(flags, other); f != nil {
			return fmt.Sprintf("did you mean -%s (--%s)?", f.Shorthand, f.Name)
		}
	}
	return ""
}

// foreignFlags are flags of other tools, with what does the same here.
var foreignFlags = map[string]string{
	"dry-run": "pillion diff shows what would change.", "write": "--in-place writes to the files.", "debug": "did you mean --verbose?",
	"file": "did you mean --filename?", "manifests": "did you mean --filename?", "input": "did you mean --filename?",
	"format": "did you mean --output?",
}

// refuseTopic returns an error for help about a command that does not exist.
func refuseTopic(help *cobra.Command, args []string) error {
	if found, _, err := help.Root().Find(args); err == nil && found != help.Root() {
		return nil
	}
	return refuseArguments(help.Root(), args)
}

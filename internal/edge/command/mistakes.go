package command

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pillion.dev/pillion/internal/text/spelling"
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
	if near := cmp.Or(meantCommands[args[0]], spelling.Nearest(args[0], names)); near != "" {
		return fmt.Errorf("there is no command %q; did you mean %s? See pillion --help", args[0], near)
	}
	remedy := ""
	if exists(args[0]) {
		remedy = ". For files, use pillion inject -c CONFIG -f " + shellQuoted(args[0])
	}
	return fmt.Errorf("there is no command %q; the commands are %s%s", args[0], strings.Join(names, ", "), remedy)
}

// meantCommands are the commands that other words mean, even if they are spelt more like another one.
var meantCommands = map[string]string{"uninject": "remove", "eject": "remove", "delete": "remove"}

// noArguments returns an error for arguments of a command that takes none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.Flags().Lookup("config") != nil {
		return fmt.Errorf("%s takes no arguments, found %q; name a config with -c: %[1]s -c %[3]s",
			cmd.CommandPath(), args[0], shellQuoted(args[0]))
	}
	return fmt.Errorf("%s takes no arguments, found %q; use a flag, or remove it; see %[1]s --help", cmd.CommandPath(), args[0])
}

// explainFlag adds what to do to the error about a flag.
func explainFlag(cmd *cobra.Command, err error) error {
	if args := cmd.Flags().Args(); !cmd.HasParent() && len(args) > 0 {
		return refuseArguments(cmd, args) // the flags belong to the misspelt command
	}
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if hint := flagHint(cmd, unknown); hint != "" {
			return fmt.Errorf("%w; %s See %s --help", err, hint, cmd.CommandPath())
		}
	}
	return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
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
	switch name {
	case "dry-run":
		return "pillion diff shows what would change."
	case "github":
		return "it is a format of verify and explain: -o github."
	case "file":
		return "did you mean --filename?"
	case "enable-helm":
		return "Pillion runs no programs, and Helm is one: kustomize build --enable-helm DIR | pillion ... -f -"
	}
	if len(name) == 1 {
		otherCase := string([]byte{name[0] ^ ' '}) // in ASCII, the cases of a letter differ in this bit
		if cmd.Flags().ShorthandLookup(otherCase) != nil {
			return "did you mean -" + otherCase + "?"
		}
	}
	if hint := verbsWith(New(), unknown); hint != "" || unknown.GetSpecifiedShortnames() != "" {
		return hint
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

// verbsWith returns a remark about the commands that have an unknown flag, such as "only inject and remove have it.",
// or "".
func verbsWith(root *cobra.Command, unknown *pflag.NotExistError) string {
	var verbs []string
	for _, cmd := range root.Commands() {
		for _, cmd := range append([]*cobra.Command{cmd}, cmd.Commands()...) {
			if lookup(cmd.Flags(), unknown) != nil {
				verbs = append(verbs, strings.TrimPrefix(cmd.CommandPath(), root.Name()+" "))
			}
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

// lookup returns the flag of another command by an unknown name or shorthand, or nil. pflag panics if a shorthand is
// not ASCII.
func lookup(flags *pflag.FlagSet, unknown *pflag.NotExistError) *pflag.Flag {
	name := unknown.GetSpecifiedName()
	switch {
	case unknown.GetSpecifiedShortnames() == "":
		return flags.Lookup(name)
	case len(name) == 1:
		return flags.ShorthandLookup(name)
	}
	return nil
}

// refuseShell returns an error for a shell that completion does not know. Cobra would print help, as without a shell.
func refuseShell(completion *cobra.Command, args []string) error {
	if len(args) == 0 {
		return completion.Help()
	}
	return fmt.Errorf("there is no completion for %q; the shells are bash, zsh, fish and powershell", args[0])
}

// refuseTopic returns an error for help about a command that does not exist.
func refuseTopic(help *cobra.Command, args []string) error {
	if found, _, err := help.Root().Find(args); err == nil && found != help.Root() {
		return nil
	}
	return refuseArguments(help.Root(), args)
}

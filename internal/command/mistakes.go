package command

import (
	"errors"
	"fmt"
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

// synonyms are the names that other tools have for the commands.
var synonyms = map[string]string{
	"validate": "verify", "check": "verify", "apply": "inject", "render": "inject", "delete": "remove", "uninject": "remove",
}

// explainFlag adds the most similar flag to the error about an unknown one.
func explainFlag(cmd *cobra.Command, err error) error {
	if args := cmd.Flags().Args(); !cmd.HasParent() && len(args) > 0 {
		return refuseArguments(cmd, args) // the flags belong to the misspelt command
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		if elsewhere := verbsWith(cmd.Root(), unknown); elsewhere != "" {
			return fmt.Errorf("%w%s; see %s --help", err, elsewhere, cmd.CommandPath())
		}
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := spelling.Nearest(unknown.GetSpecifiedName(), names); near != "" && unknown.GetSpecifiedShortnames() == "" {
			return fmt.Errorf("%w; did you mean --%s? See %s --help", err, near, cmd.CommandPath())
		}
	}
	return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
}

package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// choice is a flag with a fixed set of values.
type choice struct {
	value string
	from  []string
}

func (c *choice) String() string { return c.value }

// Type returns the type for the help.
func (*choice) Type() string { return "string" }

func (c *choice) Set(value string) error {
	if !slices.Contains(c.from, value) {
		return fmt.Errorf("use one of %s", c.list())
	}
	c.value = value
	return nil
}

func (c *choice) list() string { return strings.Join(c.from, ", ") }

// addFlag adds the flag to a command, with completion of its values. The usage ends with the list of values and a
// remark.
func (c *choice) addFlag(cmd *cobra.Command, name, shorthand, usage, remark string) {
	cmd.Flags().VarP(c, name, shorthand, usage+": "+c.list()+remark)
	complete := cobra.FixedCompletions(c.from, cobra.ShellCompDirectiveNoFileComp)
	_ = cmd.RegisterFlagCompletionFunc(name, complete) // fails for a missing flag only
}

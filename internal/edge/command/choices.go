package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pillion.dev/pillion/internal/text/spelling"
)

// choices is a flag with one or more of a fixed set of values, separated by commas. It can be repeated.
type choices struct {
	values []string
	from   []string
	noun   string // for the values, in the hint about a misspelt one; empty if there is no hint
	// isMeant reports whether a word stands for a value; nil if only the value itself does.
	isMeant func(word, value string) bool

	isSet bool // so that the values are not the default
}

func (c *choices) String() string { return strings.Join(c.values, ",") }

// Type returns the type for the help.
func (*choices) Type() string { return "string" }

func (c *choices) Set(text string) error {
	if !c.isSet {
		c.values = nil
		c.isSet = true
	}
	for word := range strings.SplitSeq(text, ",") {
		value, err := c.find(strings.TrimSpace(word))
		if err != nil {
			return err
		}
		if !slices.Contains(c.values, value) {
			c.values = append(c.values, value)
		}
	}
	return nil
}

// find returns the value that a word stands for.
func (c *choices) find(word string) (string, error) {
	for _, value := range c.from {
		if word == value || c.isMeant != nil && c.isMeant(word, value) {
			return value, nil
		}
	}
	if near := spelling.Nearest(word, c.from); near != "" && c.noun != "" {
		return "", fmt.Errorf("did you mean %s? The %s are %s", near, c.noun, c.list())
	}
	return "", fmt.Errorf("use one or more of %s", c.list())
}

func (c *choices) list() string { return strings.Join(c.from, ", ") }

// addFlag adds the flag to a command, with completions.
func (c *choices) addFlag(cmd *cobra.Command, name, usage string, completions []string) {
	cmd.Flags().Var(c, name, usage)
	complete := cobra.FixedCompletions(completions, cobra.ShellCompDirectiveNoFileComp)
	_ = cmd.RegisterFlagCompletionFunc(name, complete) // fails for a missing flag only
}

package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// verbsWith returns a remark about the commands that have an unknown flag, such as "only inject and remove have it.", or "".
func verbsWith(root *cobra.Command, unknown *pflag.NotExistError) string {
	name := unknown.GetSpecifiedName()
	var verbs []string
	for _, cmd := range root.Commands() {
		isKnown := len(name) == 1 && unknown.GetSpecifiedShortnames() != "" && cmd.Flags().ShorthandLookup(name) != nil
		if isKnown || unknown.GetSpecifiedShortnames() == "" && cmd.Flags().Lookup(name) != nil {
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

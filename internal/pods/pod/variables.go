package pod

import (
	"regexp"
	"sync"
)

// variable matches $(NAME), and $$, which is a dollar sign.
var variable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$(?:\$|\(([^)]*)\))`) })

// UsedVariables returns the names of the variables that the value of a variable uses by $(NAME).
func UsedVariables(text string) []string {
	var names []string
	for _, found := range variable().FindAllStringSubmatch(text, -1) {
		if found[0] != "$$" {
			names = append(names, found[1])
		}
	}
	return names
}

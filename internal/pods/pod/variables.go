package pod

import "strings"

// UsedVariables returns the names of the variables that the value of a variable uses by $(NAME). $$ is a dollar sign.
func UsedVariables(text string) []string {
	var names []string
	for {
		at := strings.IndexByte(text, '$')
		if at < 0 || at+1 == len(text) {
			return names
		}
		next := text[at+1]
		text = text[at+1:]
		switch next {
		case '$':
			text = text[1:]
		case '(':
			name, rest, closed := strings.Cut(text[1:], ")")
			if !closed { // and neither is any later one
				return names
			}
			names, text = append(names, name), rest
		}
	}
}

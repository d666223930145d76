package transformers

import (
	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/yaml/node"
)

// givens are the entries that injectors give to containers of the app's, and the turn in which each comes. They are found by
// what they say: a pod may have thousands of mounts and variables.
type givens map[string]int

// givenKey is what an entry is found by. Of one that varies, with variables in it that differ from pod to pod, its key alone is known.
func givenKey(entry *yaml.Node, varies bool) string {
	if varies {
		return keyOf(entry)
	}
	return textOf(entry)
}

// gives tells whether an entry of a container of the app's is as an injector gives it, in a turn
// or later. As with names, it makes no difference whether it is there already.
func (b *Brought) gives(container string, entry *yaml.Node, turn int) bool {
	if len(b.theirs) > 0 {
		if at, theirs := b.theirs[theirKey(container, entry)]; theirs && at >= turn {
			return true
		}
	}
	if len(b.given) == 0 {
		return false
	}
	for _, key := range []string{textOf(entry), keyOf(entry)} {
		if at, given := b.given[key]; given && at >= turn {
			return true
		}
	}
	return false
}

// textOf is the same for entries that say the same.
func textOf(entry *yaml.Node) string { return string(node.AppendCanonical([]byte("text "), entry)) }

// keyOf is the same for entries of the same name and mount path.
func keyOf(entry *yaml.Node) string {
	return "key " + node.Text(entry, "name") + "\x00" + node.Text(entry, "mountPath")
}

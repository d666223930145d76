package files

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v3"
	k8syaml "sigs.k8s.io/yaml"
)

// Limits on a text that is given to the library.
const (
	maxDirectives = 32      // the library compares each directive %TAG with all others
	maxExpanded   = 8 << 20 // bytes of values, with aliases written out
)

// DecodeKustomization reads the first document of a text, as kustomize does: names of fields match in any case, and the
// last of several counts.
func DecodeKustomization(text []byte, into any) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("the parser failed: %v", problem)
		}
	}()
	if err := checkYAML(text); err != nil {
		return err
	}
	object, err := k8syaml.YAMLToJSON(text)
	if err != nil {
		return err
	}
	err = json.Unmarshal(object, into)
	if wrong, isWrong := errors.AsType[*json.UnmarshalTypeError](err); isWrong {
		return fmt.Errorf("%s cannot be of the type %s", cmp.Or(wrong.Field, "the document"), wrong.Value)
	}
	return err
}

// checkYAML refuses a text for which the library would take too much time or memory.
func checkYAML(text []byte) error {
	ascii := bytes.ReplaceAll(text, []byte{0}, nil) // of UTF-16, too
	if bytes.Count(ascii, []byte("%TAG")) > maxDirectives {
		return fmt.Errorf("it has more than %d directives %%TAG", maxDirectives)
	}
	if bytes.IndexByte(ascii, '*') < 0 { // there is no alias
		return nil
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return err
	}
	if expandedSize(&document, map[*yaml.Node]int{}) > maxExpanded {
		return fmt.Errorf("its aliases expand to more than %d MiB", maxExpanded>>20)
	}
	return nil
}

// expandedSize returns the size of a node with its aliases written out, up to a little over the limit.
func expandedSize(n *yaml.Node, sizes map[*yaml.Node]int) int {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if size, isCounted := sizes[n]; isCounted {
		return size
	}
	sizes[n] = maxExpanded + 1 // which holds for an alias inside of its own anchor
	size := 1 + len(n.Value)
	for _, child := range n.Content {
		size = min(size+expandedSize(child, sizes), maxExpanded+1)
	}
	sizes[n] = size
	return size
}

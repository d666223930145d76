package files

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	k8syaml "sigs.k8s.io/yaml"
)

// maxDirectives is how many directives %TAG a text may have, because the library compares each with all others.
const maxDirectives = 32

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
	_, err := new(Aliases).Add(text)
	return err
}

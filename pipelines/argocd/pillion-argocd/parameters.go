package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// parameters are what the people who own an application may say about it.
type parameters struct {
	configs    []string
	renderer   string
	recurse    bool
	valueFiles []string
}

// parameter is one of them as Argo CD sends it, with the fields of an Application's spec.source.plugin.parameters.
type parameter struct {
	Name   string            `json:"name"`
	String *string           `json:"string"`
	Array  []string          `json:"array"`
	Map    map[string]string `json:"map"`
}

// readParameters reads the value of ARGOCD_APP_PARAMETERS. The variables PARAM_* say the same, but not what is one value
// and what are several.
func readParameters(sent string) (parameters, error) {
	read := parameters{renderer: auto}
	if sent == "" {
		return read, nil
	}
	var all []parameter
	if err := json.Unmarshal([]byte(sent), &all); err != nil {
		return read, fmt.Errorf("ARGOCD_APP_PARAMETERS cannot be read: %w", err)
	}
	for _, p := range all {
		if err := read.set(p); err != nil {
			return read, err
		}
	}
	return read, nil
}

func (read *parameters) set(p parameter) error {
	var err error
	switch p.Name {
	case "config":
		read.configs, err = p.array()
	case "renderer":
		read.renderer, err = p.oneOf(renderers)
	case "recurse":
		var word string
		word, err = p.oneOf([]string{"false", "true"})
		read.recurse = word == "true"
	case "value-files":
		read.valueFiles, err = p.array()
	default:
		err = fmt.Errorf("there is no parameter %q; the parameters are config, renderer, recurse and value-files", p.Name)
	}
	return err
}

func (p parameter) array() ([]string, error) {
	if p.String != nil || p.Map != nil {
		return nil, fmt.Errorf("parameter %s is a list; write it as array: [...]", p.Name)
	}
	return p.Array, nil
}

// oneOf is the word that was chosen, or the first where none was.
func (p parameter) oneOf(words []string) (string, error) {
	switch {
	case p.Array != nil || p.Map != nil:
		return "", fmt.Errorf("parameter %s is a single word; write it as string: %s", p.Name, words[0])
	case p.String == nil || *p.String == "":
		return words[0], nil
	case !slices.Contains(words, *p.String):
		return "", fmt.Errorf("parameter %s is %q; it can be %s", p.Name, *p.String, strings.Join(words, ", "))
	}
	return *p.String, nil
}

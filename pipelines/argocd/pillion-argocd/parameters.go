package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// parameters are the settings that the owners of an application can change.
type parameters struct {
	configs    []string
	renderer   string
	recurse    bool
	valueFiles []string
}

// parameter is a parameter as Argo CD sends it, with the fields of an Application's spec.source.plugin.parameters.
type parameter struct {
	Name   string            `json:"name"`
	String *string           `json:"string"`
	Array  []string          `json:"array"`
	Map    map[string]string `json:"map"`
}

// readParameters reads the value of ARGOCD_APP_PARAMETERS. The variables PARAM_* do not distinguish a value from a list
// of one value.
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
		var value string
		value, err = p.oneOf([]string{"false", "true"})
		read.recurse = value == "true"
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

// oneOf returns the value of a parameter, which must be one of the given. The first of them is the default.
func (p parameter) oneOf(values []string) (string, error) {
	switch {
	case p.Array != nil || p.Map != nil:
		return "", fmt.Errorf("parameter %s is a single value; write it as string: %s", p.Name, values[0])
	case p.String == nil || *p.String == "":
		return values[0], nil
	case !slices.Contains(values, *p.String):
		return "", fmt.Errorf("parameter %s is %q; it can be %s", p.Name, *p.String, strings.Join(values, ", "))
	}
	return *p.String, nil
}

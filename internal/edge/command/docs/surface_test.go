package main

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/test/golden"
)

// TestFieldsAndFlagsStay lists the fields of a config, except those of Kubernetes' types, and the flags of all
// commands, so that none gets lost by accident. The reason codes are in finding/testdata/codes.txt.
func TestFieldsAndFlagsStay(t *testing.T) {
	all := fieldsOf(reflect.TypeFor[v1alpha1.SidecarInjectorSpec](), "spec")
	root := documented()
	for _, cmd := range withThoseBelow(root) {
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			if flag.Hidden {
				return
			}
			line := cmd.CommandPath() + " --" + flag.Name
			if flag.Shorthand != "" {
				line += ", -" + flag.Shorthand
			}
			all = append(all, line)
		})
	}
	slices.Sort(all)
	golden.Check(t, "testdata/surface.txt", strings.Join(all, "\n")+"\n")
}

// fieldsOf returns the paths of the fields of a type of the config, and of those inside.
func fieldsOf(of reflect.Type, path string) []string {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct || of.PkgPath() != reflect.TypeFor[v1alpha1.SidecarInjectorSpec]().PkgPath() {
		return nil
	}
	var all []string
	for field := range of.Fields() {
		switch name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name {
		case "-":
		case "": // the fields of an embedded type are those of the outer one
			all = append(all, fieldsOf(field.Type, path)...)
		default:
			all = append(append(all, path+"."+name), fieldsOf(field.Type, path+"."+name)...)
		}
	}
	return all
}

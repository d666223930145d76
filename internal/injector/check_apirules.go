package injector

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/internal/apirules"
	"pillion.dev/pillion/internal/yaml/node"
)

// checkAPIRules refuses a container that the API server refuses in every pod. One with variables is
// looked at when they are filled in, and none as long as something could not be read.
func (c checker) checkAPIRules(at path, list string, index int) {
	entries := node.List(c.fields, list)
	if index >= len(entries) || len(c.malformed) > 0 || slices.ContainsFunc(c.varying, func(place path) bool { return place.within(at) }) {
		return
	}
	for _, found := range apirules.ContainerViolations(entries[index], list) {
		c.refusef(at+path("."+found.Field.Path), "", "%s", found.Message)
	}
}

// checkEnvName checks a name, or the prefix of names, by the API server's rule.
func (c checker) checkEnvName(at path, name string) {
	c.checkWord(at, name, "environment variable", validation.IsRelaxedEnvVarName)
}

// checkValueFrom checks that the value of a variable comes from one source.
func (c checker) checkValueFrom(at path, from *corev1.EnvVarSource) {
	if from == nil {
		return
	}
	sources := 0
	for _, given := range []bool{
		from.FieldRef != nil, from.ResourceFieldRef != nil, from.ConfigMapKeyRef != nil, from.SecretKeyRef != nil, from.FileKeyRef != nil,
	} {
		if given {
			sources++
		}
	}
	switch {
	case sources == 0:
		c.require(at.key("fieldRef"),
			"valueFrom needs a source; write one of fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef and fileKeyRef")
	case sources > 1:
		c.refusef(at, "", "valueFrom has %d sources, and a variable has one value; keep one of them", sources)
	}
}

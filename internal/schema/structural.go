package schema

import "strings"

// structure makes schemas structural, which is what a cluster asks of them: no references, and
// no word about fields that are not known, since the API server drops those.
type structure struct {
	definitions map[string]object
}

// describedLevels is how deep descriptions are kept. With those of Kubernetes' own types, the
// definition would be larger than kubectl apply can take.
const describedLevels = 2

func (s structure) of(from object, level int) object {
	if ref, ok := from["$ref"].(string); ok {
		target := s.of(s.definitions[strings.TrimPrefix(ref, "#/definitions/")], level)
		describe(target, from, level)
		return target
	}
	if from["anyOf"] != nil { // a quantity, or a port
		made := object{"x-kubernetes-int-or-string": true, "anyOf": []any{object{"type": "integer"}, object{"type": "string"}}}
		describe(made, from, level)
		return made
	}
	made := object{}
	for key, value := range from {
		switch key {
		case "properties":
			made[key] = s.each(value.(object), level+1)
		case "items":
			made[key] = s.of(value.(object), level+1)
		case "additionalProperties":
			if values, ok := value.(object); ok {
				made[key] = s.of(values, level+1)
			}
		case "description":
			describe(made, from, level)
		default:
			made[key] = value
		}
	}
	return made
}

func (s structure) each(properties object, level int) object {
	made := make(object, len(properties))
	for name, property := range properties {
		made[name] = s.of(property.(object), level)
	}
	return made
}

func describe(made, from object, level int) {
	if description, ok := from["description"]; ok && level <= describedLevels {
		made["description"] = description
	}
}

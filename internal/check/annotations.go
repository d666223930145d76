package check

import (
	"strconv"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// Annotations reports annotations of a pod template, including stamps, that are too long together.
func Annotations(before, after podtemplate.Template) []finding.Finding {
	has := annotationBytes(after)
	if has <= podtemplate.MaxAnnotationBytes || annotationBytes(before) > podtemplate.MaxAnnotationBytes {
		return nil
	}
	return []finding.Finding{{
		Severity: finding.Error, Code: finding.AnnotationsTooLong, Field: &finding.Field{Path: after.At("metadata.annotations")},
		Message: "the annotations would have " + strconv.Itoa(has) + " bytes together, and Kubernetes takes " + strconv.Itoa(podtemplate.MaxAnnotationBytes) +
			"; shorten some, or set spec.stamp to None",
	}}
}

func annotationBytes(template podtemplate.Template) int {
	bytes := 0
	for key, value := range node.Map(template.Node, "metadata", "annotations") {
		bytes += len(key) + len(value)
	}
	return bytes
}

package check

import (
	"fmt"

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
		Message: fmt.Sprintf("the annotations would have %d bytes together, and Kubernetes allows %d; shorten some, or set spec.stamp to None",
			has, podtemplate.MaxAnnotationBytes),
	}}
}

func annotationBytes(template podtemplate.Template) int {
	bytes := 0
	for key, value := range node.Fields(node.Get(template.Node, "metadata", "annotations")) {
		bytes += len(key) + len(node.Text(value))
	}
	return bytes
}

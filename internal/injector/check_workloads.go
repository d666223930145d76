package injector

import (
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/util/validation"
)

func (c checker) checkWorkloads() {
	for i, workload := range c.spec.Workloads {
		at := c.at("workloads").index(i)
		if workload.Group != "" {
			c.checkWord(at.key("group"), workload.Group, "API group", validation.IsDNS1123Subdomain)
		}
		if workload.Kind == "" {
			c.require(at.key("kind"), "a workload needs a kind, such as FlinkDeployment; write it")
		}
		if len(workload.PodTemplates) == 0 {
			c.require(at.key("podTemplates"), "a workload needs the paths of its pod templates, such as [spec.template]; write them")
		}
		for j, template := range workload.PodTemplates {
			if !isTemplatePath(template) {
				c.refusef(at.key("podTemplates").index(j), template,
					"%q is not a path; write field names with dots between them, and [] behind a list, such as spec.tasks[].template", clip(template, maxShown))
			}
		}
	}
}

// isTemplatePath tells whether a path reads as a.b[].c.
func isTemplatePath(text string) bool {
	for step := range strings.SplitSeq(text, ".") {
		name := strings.TrimSuffix(step, "[]")
		if name == "" || strings.ContainsFunc(name, isNoFieldLetter) {
			return false
		}
	}
	return true
}

func isNoFieldLetter(r rune) bool {
	return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

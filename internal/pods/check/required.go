package check

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// imageName and digest match the two sides of the @ in a pinned image. The name is as container runtimes accept it: a
// registry with or without a port, a path in lower case, and a tag.
var (
	imageName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:(?:[\w.-]+|\[[0-9a-fA-F:]+\])(?::[0-9]+)?/)?` + imagePath + `(?::\w[\w.-]{0,127})?$`)
	})
	digest = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^sha256:[0-9a-f]{64}$`) })
)

const (
	imagePath = pathPart + `(?:/` + pathPart + `)*`
	pathPart  = `[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*`
)

// Required reports injected containers without the resources or the digest that the injector's checks require.
func Required(after pod.Template, injected func(name string) bool, spec *v1alpha1.SidecarInjectorSpec) []finding.Finding {
	checks := spec.Checks
	if checks.RequireResources == v1alpha1.CheckOff && checks.RequireDigest == v1alpha1.CheckOff {
		return nil
	}
	var findings []finding.Finding
	report := func(level v1alpha1.CheckLevel, code finding.Code, path, message string) {
		severity := finding.Warning
		if level == v1alpha1.CheckError {
			severity = finding.Error
		}
		findings = append(findings, finding.Finding{Severity: severity, Code: code, Message: message, Field: &finding.Field{Path: path}})
	}
	for position, container := range pod.Containers(after.Spec()) {
		name := node.Text(container, "name")
		if !injected(name) {
			continue
		}
		at := after.At("spec." + position.String())
		if missing := missingResources(container); checks.RequireResources != v1alpha1.CheckOff && len(missing) > 0 {
			report(checks.RequireResources, finding.NoResources, at+".resources",
				"container \""+name+"\" has no "+strings.Join(missing, ", no ")+"; add that to its resources (spec.checks.requireResources)")
		}
		if image, problem := notPinned(node.Text(container, "image")); checks.RequireDigest != v1alpha1.CheckOff && problem != "" {
			report(checks.RequireDigest, finding.NoDigest, at+".image",
				"the image "+image+" of container \""+name+"\" "+problem+" (spec.checks.requireDigest)")
		}
	}
	return findings
}

// notPinned returns the name of an image, and what is wrong with the image if no digest pins it.
func notPinned(image string) (name, problem string) {
	name, sum, has := strings.Cut(image, "@")
	switch {
	case !imageName().MatchString(name):
		return strconv.Quote(name), "is no name of an image, so no digest can pin it; write NAME:TAG@sha256:... without spaces"
	case !has:
		return name, "has no digest; write it as " + name + "@sha256:..."
	case !digest().MatchString(sum):
		return name, "has no digest in " + strconv.Quote(sum) + "; write sha256: and 64 of the digits 0 to 9 and a to f"
	}
	return name, ""
}

// missingResources names the resources that a container lacks. Without a request, its limit counts:
// Kubernetes fills it in.
func missingResources(container *node.Node) []string {
	has := func(list, name string) bool {
		return node.Amount(container, "resources", list, name) != ""
	}
	var missing []string
	for _, name := range []string{"cpu", "memory"} {
		if !has("requests", name) && !has("limits", name) {
			missing = append(missing, name+" request")
		}
	}
	if !has("limits", "memory") {
		missing = append(missing, "memory limit")
	}
	return missing
}

package check

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/podtemplate"
	"pillion.dev/pillion/internal/yaml/node"
)

// imageName and digest are the two sides of the @ in an image that is pinned. The name is one that container runtimes take: a
// registry with or without a port, a path in lower case, and a tag.
var (
	imageName = regexp.MustCompile(`^(?:(?:[\w.-]+|\[[0-9a-fA-F:]+\])(?::[0-9]+)?/)?` + imagePath + `(?::\w[\w.-]{0,127})?$`)
	digest    = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
)

const (
	imagePath = pathPart + `(?:/` + pathPart + `)*`
	pathPart  = `[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*`
)

// Required asks of the containers that an injector put in what its checks require.
func Required(after podtemplate.Template, injected func(name string) bool, checks v1alpha1.Checks) []finding.Finding {
	if checks.RequireResources == v1alpha1.CheckOff && checks.RequireDigest == v1alpha1.CheckOff {
		return nil
	}
	var said []finding.Finding
	say := func(level v1alpha1.CheckLevel, code finding.Code, path, message string) {
		severity := finding.Warning
		if level == v1alpha1.CheckError {
			severity = finding.Error
		}
		said = append(said, finding.Finding{Severity: severity, Code: code, Message: message, Field: &finding.Field{Path: path}})
	}
	for _, c := range containersOf(after.Spec(), nil) {
		if !injected(c.name) {
			continue
		}
		if missing := missingResources(c.Node); checks.RequireResources != v1alpha1.CheckOff && len(missing) > 0 {
			say(checks.RequireResources, finding.NoResources, at(after, c, "resources"),
				"container \""+c.name+"\" has no "+strings.Join(missing, ", no ")+"; add that to its resources (spec.checks.requireResources)")
		}
		if name, wrong := notPinned(node.Text(c.Node, "image")); checks.RequireDigest != v1alpha1.CheckOff && wrong != "" {
			say(checks.RequireDigest, finding.NoDigest, at(after, c, "image"),
				"the image "+name+" of container \""+c.name+"\" "+wrong+" (spec.checks.requireDigest)")
		}
	}
	return said
}

// notPinned is the name of an image, and what is wrong with it if it is not pinned by a digest.
func notPinned(image string) (name, wrong string) {
	name, sum, has := strings.Cut(image, "@")
	switch {
	case !imageName.MatchString(name):
		return strconv.Quote(name), "is no name of an image, so no digest can pin it; write NAME:TAG@sha256:... without spaces"
	case !has:
		return name, "has no digest; write it as " + name + "@sha256:..."
	case !digest.MatchString(sum):
		return name, "has no digest in " + strconv.Quote(sum) + "; write sha256: and 64 of the digits 0 to 9 and a to f"
	}
	return name, ""
}

// missingResources names what a container should ask for and does not. A limit is a request
// as well where there is none: Kubernetes fills it in.
func missingResources(container *yaml.Node) []string {
	has := func(list, name string) bool { return node.Amount(container, "resources", list, name) != "" }
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

package check

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/finding"
	"pillion.dev/pillion/internal/node"
	"pillion.dev/pillion/internal/podtemplate"
)

// digest is how an image that is pinned ends.
var digest = regexp.MustCompile(`@sha256:[0-9a-f]{64}$`)

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
		if image := node.Text(c.Node, "image"); checks.RequireDigest != v1alpha1.CheckOff && !digest.MatchString(image) {
			name, wrong, has := strings.Cut(image, "@")
			missing := " has no digest; write it as " + name + "@sha256:..."
			if has {
				missing = " has no digest in " + strconv.Quote(wrong) + "; write sha256: and 64 of the digits 0 to 9 and a to f"
			}
			say(checks.RequireDigest, finding.NoDigest, at(after, c, "image"),
				"the image "+name+" of container \""+c.name+"\""+missing+" (spec.checks.requireDigest)")
		}
	}
	return said
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

package learn

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

// placeholder takes the place of a value that looks like a credential.
const placeholder = "REPLACE-ME"

var (
	// secretName is what variables and flags with credentials are called.
	secretName = regexp.MustCompile(`(?i)passw(or)?d|passphrase|secret|token|credential|(api|access|private|auth)[-_]?key`)
	// notSecret is what the values of such variables are if they only lead to a credential: a path, a number, a switch, a reference.
	notSecret = regexp.MustCompile(`^(/.*|\d{1,6}|true|false|enabled|disabled|\$\(.*\)|\$\{[^:]*\}|https?://[^@]*|[a-zA-Z][a-zA-Z-]{0,11})$`)
	// secretValue is what credentials look like, wherever they are.
	secretValue = regexp.MustCompile(`-----BEGIN |\beyJ[\w-]{10,}\.[\w-]{10,}\.|\b(AKIA|ASIA)[A-Z0-9]{16}\b|\bgh[pousr]_\w{30,}|` +
		`\bhvs\.\w{20,}|` +
		`\bxox[abp]-\w{10,}|://[^/\s:@]+:[^/\s@]+@`)
)

// isSecret reports whether the value of something with a name looks like a credential.
func isSecret(name, value string) bool {
	return secretValue.MatchString(value) || secretName.MatchString(name) && value != "" && !notSecret.MatchString(value)
}

// hiddenIn returns a text without the credential in it, and whether there is one. A flag keeps its name.
func hiddenIn(name, value string) (string, bool) {
	if flag, inFlag, found := strings.Cut(value, "="); found && strings.HasPrefix(flag, "-") && isSecret(flag, inFlag) {
		return flag + "=" + placeholder, true
	}
	if isSecret(name, value) {
		return placeholder, true
	}
	return value, false
}

// visitSecrets calls a function for each scalar of a tree that looks like a credential, with what takes its place. The name is that of the
// tree: of a variable, of an option, or the flag in front of it.
func visitSecrets(n *node.Node, path, name string, see func(at *node.Node, path, hidden string)) {
	switch n.Kind {
	case node.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, of := n.Content[i].Value, ""
			switch {
			case key == "value":
				of = node.Text(n, "name") + name
			case slices.Contains([]string{"labels", "annotations", "volumeAttributes", "options"}, name):
				of = key
			case n.Content[i+1].Kind == node.MappingNode:
				of = key
			}
			visitSecrets(n.Content[i+1], path+"."+key, of, see)
		}
	case node.SequenceNode:
		for i, entry := range n.Content {
			of := ""
			if i > 0 && strings.HasPrefix(n.Content[i-1].Value, "-") && !strings.HasPrefix(entry.Value, "-") {
				of = n.Content[i-1].Value
			}
			visitSecrets(entry, fmt.Sprintf("%s[%d]", path, i), of, see)
		}
	case node.ScalarNode:
		if hidden, isHidden := hiddenIn(name, n.Value); isHidden && node.IsString(n) {
			see(n, path, hidden)
		}
	}
}

// holdsSecret reports whether something in a value looks like a credential, by itself or by a name on its path.
func holdsSecret(path []string, value *node.Node) (found bool) {
	visitSecrets(value, "", strings.Join(path, " "), func(*node.Node, string, string) { found = true })
	return found
}

// hideSecrets replaces what looks like a credential, and returns what it has replaced.
func (c config) hideSecrets() (findings []finding.Finding) {
	for _, in := range c {
		visitSecrets(in.spec, "spec", "", func(at *node.Node, path, hidden string) {
			*at = *node.String(hidden)
			findings = append(findings, finding.Finding{
				Severity: finding.Warning, Code: finding.CredentialHidden, Injector: in.name, Field: &finding.Field{Path: path},
				Message: path + " looks like a credential and was replaced by " + placeholder + "; keep it in a Secret and refer to that " +
					"with valueFrom.secretKeyRef, or use --keep-secrets",
			})
		})
	}
	return findings
}

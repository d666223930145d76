package learn

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/yaml/node"
)

// placeholder takes the place of a value that looks like a credential.
const placeholder = "REPLACE-ME"

const secretNames = `(?:passw(?:or)?d|passphrase|secret|token|credential|(?:api|access|private|auth|account|license|encryption)[-_]?key)`

var (
	// secretName is what variables, flags and fields with credentials are called, and harmlessName those that only lead to one.
	secretName   = expression(`(?i)` + secretNames)
	harmlessName = expression(`(?i)(name|file|path|dir|ttl|interval|timeout|seconds|expiration|ur[li]|endpoint|audience|issuer|` +
		`namespace|arn|version|type|alg|algorithm|rate|id|ref|enabled|count|size|length|mode|class|store|policy|mount|header|rotation|` +
		`renew|tokenizer)s?$`)
	harmlessValue = expression(`^(/.*|true|false|\$\(.*\)|\$\{[^:]*\})?$`)
	// assignment is a credential inside of a text: --password=x, API_TOKEN=x, {"password": "x"}.
	assignment = expression(`(?i)([\w.-]*` + secretNames + `[\w-]*)(["']?\s*[=:]\s*["']?)([^\s"',;&]+)`)
	// secretValue is what credentials look like, whatever they are called.
	secretValue = expression(`-----BEGIN |LS0tLS1CRUdJTi|\beyJ[\w-]{10,}\.[\w-]{10,}\.|\b(AKIA|ASIA)[A-Z0-9]{16}\b|` +
		`\bgh[pousr]_\w{30,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{15,}|\bAIza[\w-]{30,}|\bsk_live_\w{10,}|\bhv[bs]\.\w{20,}|` +
		`\bxox[abp]-\w{10,}|(?i)\b(bearer|basic) [\w.=+/-]{8,}|://[^/\s@]*:[^/\s@]+@|://[0-9a-f]{16,}@`)
)

// expression compiles a regular expression when it is needed. Most runs do not need it.
func expression(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// isSecret reports whether the value of something with a name is a credential.
func isSecret(name, value string) bool {
	return secretName().MatchString(name) && !harmlessName().MatchString(name) && !harmlessValue().MatchString(value)
}

// hiddenIn returns a text without the credentials in it, and whether there are any.
func hiddenIn(name, value string) (string, bool) {
	if isSecret(name, value) || secretValue().MatchString(value) {
		return placeholder, true
	}
	hidden := assignment().ReplaceAllStringFunc(value, func(text string) string {
		if parts := assignment().FindStringSubmatch(text); isSecret(parts[1], parts[3]) {
			return parts[1] + parts[2] + placeholder
		}
		return text
	})
	return hidden, hidden != value
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
			case name == "volumeAttributes", name == "options", n.Content[i+1].Kind == node.MappingNode:
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
	for _, d := range c {
		visitSecrets(d.spec, "spec", "", func(at *node.Node, path, hidden string) {
			*at = *node.String(hidden)
			findings = append(findings, finding.Finding{
				Severity: finding.Warning, Code: finding.CredentialHidden, Injector: d.name, Field: &finding.Field{Path: path},
				Message: path + " looks like a credential and was replaced by " + placeholder + "; keep it in a Secret and refer to that " +
					"with valueFrom.secretKeyRef, or use --keep-secrets",
			})
		})
	}
	return findings
}

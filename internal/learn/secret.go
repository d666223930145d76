package learn

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/edit"
	"pillion.dev/pillion/internal/yaml/node"
	yamlread "pillion.dev/pillion/internal/yaml/read"
)

// placeholder takes the place of a value that looks like a credential.
const placeholder = "REPLACE-ME"

var (
	// reference is what stands for a value that is elsewhere: $(X), ${X} without a default, $X and {{ x }}.
	reference = expression(`\$+(\([^)]*\)|\{[^}:]*\}|[A-Z_][A-Z0-9_]*)|\{\{[^}]*\}\}`)

	// secretName is what the names of credentials have as a part.
	secretName = expression(`(?i)passw(or)?d|passphrase|passcode|requirepass|secret|token|credential|authorization|` +
		`(api|app|access|account|auth|client|encryption|jwt|license|master|private|session|shared|signing|ssl|tls)key|` +
		`(^|[^a-z])(pass|pwd?|auth|creds?|key)s?($|[^a-z])|` +
		`(?-i)[a-z0-9](Pass|Pwd?|Auth|Creds?|Key)s?($|[^a-z])|(^|[^A-Za-z])(pass|pwd?|auth|creds?|key)s?[A-Z]`)
	// harmlessName is what the name of something ends with that only leads to a credential or describes it, or has as a
	// part if it is public.
	harmlessName = expression(`(?i)public|checksum|digest|fingerprint|sha\d|pull[-_]?secrets?$|pass[-_]?through|` +
		`tokenizer|(name|file|path|dir|ttl|interval|timeout|seconds|expiration|expiry|lifetime|ur[li]|endpoint|audience|issuer|` +
		`namespace|arn|version|type|alg|algorithm|rate|ref|enabled|disabled|count|size|length|mode|method|class|` +
		`store|provider|policy|mount|rotation|renew|prefix)s?$`)
	// bareName is a name that also stands for the name of something else, which is a word.
	bareName = expression(`(?i)^-*(key|auth)s?$`)
	word     = expression(`^[A-Za-z][A-Za-z._/-]*$`)

	// harmlessValue is no credential, whatever its name: a word that switches something, the name of an object
	// elsewhere, a path of a file, a URL, of which those with credentials are found by their format, or a public
	// certificate or key.
	harmlessValue = expression(`^(?i:null|~|none|true|false|yes|no|on|off|enabled|disabled)?$|^\W*$|` +
		`^(arn:|file:[./]|vault:\S*/)|^[a-z][a-z0-9+.-]*://\S*$|^\s*-----BEGIN |^LS0tLS1CRUdJTi|^(ssh|ecdsa)-[\w-]+ AAAA|` +
		`^[~.]{0,2}/?[a-z][a-z0-9_.-]*(/[a-z0-9_.-]+)+/?$|^[~.]{0,2}/[a-z0-9_.-]*$|^[~.]{0,2}(/[\w.-]+)+\.[a-z]{2,5}$`)
	// domain is that of an annotation or a label.
	domain = expression(`^[^/]*\.[^/]*/`)

	// assignment is a value with its name inside of a text: API_TOKEN=x, "password": "x", --password x, <password>x<.
	assignment = expression(`([\w.-]+)["']?[ \t]*[=:][ \t]*(?:[|>][+-]?\s*\n\s*)?(?:"([^"]*)|'([^']*)|([^\s"',;&]+))|` +
		`(?:^|\s)--?([\w.-]+)[ \t]+["']?([^\s"'-][^\s"']*)|<([\w.:-]+)>([^<]+)<`)
	// flag is what an argument begins with that has its value in it.
	flag = expression(`^--?[\w.-]+=`)

	// secretValue is what credentials look like, whatever they are called.
	secretValue = expression("(?:" + strings.Join(secretFormats, ")|(?:") + ")")
	// passwordArgument is a command and its last arguments, of which the last one is a password or has one.
	passwordArgument = expression(`(?:` + argumentFormat + `)\S*$`)
)

const argumentFormat = `\b(mysql\w*|sshpass)\s.*-p\S|\bredis-cli\s.*-a\s*\S`

var secretFormats = []string{
	// Private keys and hashes of passwords.
	`-----BEGIN [A-Z ]*PRIVATE KEY|AGE-SECRET-KEY-1`,
	`\$(2[aby]|[156y]|argon2\w*)\$\S{8,}|\{SSHA\d*\}`,
	// Tokens that begin with what they are.
	`\beyJ[\w-]{8,}\.[\w-]{8,}\.`,
	`\b(A3T|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b`,
	`\b(gh[pousr]|glsa|npm|hf|tfp|figd|lin_api|rubygems|dckr_pat|shp(at|ca|pa|ss)|do[op]_v1|gsk|r8)_\w{16,}`,
	`\b(github_pat|(sk|rk)_(live|test)|whsec)_\w{10,}`,
	`\b(glpat|gldt|glrt|NRAK|GOCSPX|xapp-\d|pypi-AgE\w+|sk-ant|sk-proj|CFPAT)-[\w-]{16,}`,
	`\b(sk|pul|xai)-[A-Za-z0-9]{20,}|\bxox[abeoprs]-[\w-]{10,}|\bsq0(csp|atp)-[\w-]{20,}`,
	`\bhv[bsr]\.[\w-]{20,}|\bs\.[A-Za-z0-9]{24}\b|\bya29\.[\w-]{10,}`,
	`\bSG\.[\w-]{16,}\.[\w-]{16,}|\bdp\.(pt|st|ct)\.\w{16,}`,
	`\bAIza[\w-]{30,}|\b1//0[\w-]{20,}|\bATATT3[\w-]{20,}|\bAKCp\w{20,}|\b\d{8,10}:AA[\w-]{30,}`,
	`\b(key-|SK|dapi)[0-9a-f]{32}\b`,
	// Authorization headers.
	`(?i)\bauthorization["']?\s*[:=]\s*["']?\w`,
	`(?i)\b(bearer|basic)\s+([a-z.~+/=_-]*\d[\w.~+/=-]{7,}|[\w.~+/-]{15,})`,
	// URLs with a password, a token or a signature.
	`://[^/\s:@]*:[^/\s@]+@|://[^/\s:@]*:[^\d/\s@][^\s@]*@|://[\w-]{20,}@`,
	`\w:[^\s@/]+@(tcp|udp|unix)\(`,
	`(?i)[?&](sig|(x-\w+-)?signature)=\w|hooks\.slack\.com/(services|workflows)/\w|discord(app)?\.com/api/webhooks/\d`,
	// Arguments with a password, and the file of netrc.
	`(^|\s)(-u|--(proxy-)?user)[ =]?["']?[A-Za-z_][^\s:/]*:[^\s/]`,
	argumentFormat,
	`\blogin\s+\S+\s+password\s+\S`,
	// In base64: private keys, and passwords in JSON and the like.
	`\bLS0tLS1CRUdJTi[\w+/]*(UFJJVkFURS|QUklWQVRF|BSSVZBVE)`,
	`(cGFzc3dvcm|Bhc3N3b3Jk|wYXNzd29yZ)`,
}

// expression compiles a regular expression when it is needed. Most runs do not need it.
func expression(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// hidesByName reports whether a name says that its value is a credential.
func hidesByName(name, value string) bool {
	if !secretName().MatchString(name) || harmlessName().MatchString(name) || harmlessValue().MatchString(value) {
		return false
	}
	return !bareName().MatchString(name) || !word().MatchString(value)
}

// isSecret reports whether a text is a credential, by its format or by its name, or has one somewhere in it.
func isSecret(name, text string) bool {
	text = reference().ReplaceAllString(text, "")
	if secretValue().MatchString(name+" "+text) || hidesByName(name, text) {
		return true
	}
	for _, found := range assignment().FindAllStringSubmatch(text, -1) {
		if hidesByName(found[1]+found[5]+found[7], found[2]+found[3]+found[4]+found[6]+found[8]) {
			return true
		}
	}
	return false
}

// withoutSecrets returns a value with a name: as it is, or the placeholder, with the flag in front of it. In JSON, it
// is the same for each value of it.
func withoutSecrets(name, value string) string {
	if strings.ContainsAny(value, "{[") && json.Valid([]byte(value)) {
		return jsonWithoutSecrets(name, value)
	}
	if !isSecret(name, value) {
		return value
	}
	return flag().FindString(value) + placeholder
}

// jsonWithoutSecrets replaces values of JSON, and leaves all other bytes as they are.
func jsonWithoutSecrets(name, text string) string {
	document, err := yamlread.Document([]byte(text))
	if err != nil {
		return placeholder
	}
	h := hider{isJSON: true}
	h.visit(document.Content[0], "", name)
	var edits []edit.Edit
	for _, found := range h.found {
		quoted, _ := json.Marshal(found.replaced)
		edits = append(edits, edit.Edit{Start: int(found.Start), End: int(found.End), Text: quoted})
	}
	return string(edit.Apply([]byte(text), edits))
}

// namingFields are mappings whose keys name their values.
var namingFields = []string{"annotations", "labels", "matchLabels", "volumeAttributes", "options"}

// hidden is a value that looked like a credential, as it was.
type hidden struct {
	node.Node
	path, replaced string
}

// hider replaces what looks like a credential.
type hider struct {
	isJSON bool // every key names its value
	found  []hidden
}

// visit looks at a value with a name: of a variable, of an option, or the flag in front of it.
func (h *hider) visit(n *node.Node, path, name string) {
	switch n.Kind {
	case node.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i].Value
			h.visit(n.Content[i+1], path+"."+key, h.nameOf(n, name, key, n.Content[i+1]))
		}
	case node.SequenceNode:
		for i, entry := range n.Content {
			h.visit(entry, fmt.Sprintf("%s[%d]", path, i), argumentName(n.Content[:i+1], name))
		}
	case node.ScalarNode:
		if replaced := withoutSecrets(name, n.Value); replaced != n.Value && !node.IsNull(n) {
			h.found = append(h.found, hidden{*n, path, replaced})
			*n = *node.String(replaced)
		}
	}
}

// nameOf returns what names the value of a key, in a mapping that has a name itself.
func (h *hider) nameOf(m *node.Node, name, key string, value *node.Node) string {
	switch {
	case key == "values":
		return node.Text(m, "key")
	case key == "value":
		return cmp.Or(node.Text(m, "name"), name)
	case h.isJSON || value.Kind == node.MappingNode:
		return key
	case slices.Contains(namingFields, name):
		return domain().ReplaceAllString(key, "")
	}
	return ""
}

// argumentName returns what names the last of some arguments: the flag in front of it, or the command.
func argumentName(arguments []*node.Node, name string) string {
	last := len(arguments) - 1
	if last == 0 {
		return name
	}
	before, argument := arguments[last-1].Value, arguments[last].Value
	switch {
	case passwordArgument().MatchString(arguments[0].Value + " " + before + " " + argument):
		return "password"
	case strings.HasPrefix(before, "-") && !strings.HasPrefix(argument, "-") && !strings.Contains(before, "="):
		return before
	}
	return name
}

// hide replaces what looks like a credential in a tree, and returns what it has replaced.
func hide(n *node.Node, path string) []hidden {
	var h hider
	h.visit(n, path, "")
	return h.found
}

// hideSecrets replaces what looks like a credential, and returns what it has replaced.
func (c config) hideSecrets() (findings []finding.Finding) {
	for _, d := range c {
		for _, found := range hide(d.spec, "spec") {
			findings = append(findings, finding.Finding{
				Severity: finding.Warning, Code: finding.CredentialHidden, Injector: d.name, Field: &finding.Field{Path: found.path},
				Message: found.path + " looks like a credential and was replaced by " + placeholder + "; keep it in a Secret and refer to " +
					"that with valueFrom.secretKeyRef, or use --keep-secrets",
			})
		}
	}
	return findings
}

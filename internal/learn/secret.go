package learn

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"pillion.dev/pillion/finding"
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
		`(api|app|access|account|auth|encryption|license|master|private|shared|signing)key|` +
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
		`^(arn|vault|file|op):|^[a-z][a-z0-9+.-]*://\S*$|^\s*-----BEGIN |^(ssh|ecdsa)-[\w-]+ AAAA|` +
		`^[~.]{0,2}/?[a-z][a-z0-9_.-]*(/[a-z0-9_.-]+)+/?$|^[~.]{0,2}/[a-z0-9_.-]*$|^[~.]{0,2}(/[\w.-]+)+\.[a-z]{2,5}$`)
	// domain is that of an annotation or a label.
	domain = expression(`^[^/]*\.[^/]*/`)

	// assignment is a value with its name inside of a text: API_TOKEN=x, "password": "x", --password x, <password>x<.
	assignment = expression(`([\w.-]+)["']?[ \t]*[=:][ \t]*(?:"([^"]*)|'([^']*)|([^\s"',;&]+))|` +
		`(?:^|\s)--?([\w.-]+)[ \t]+["']?([^\s"'-][^\s"']*)|<([\w.:-]+)>([^<]+)<`)
	// flag is an argument with its value.
	flag = expression(`(?s)^(--?[\w.-]+=)(.*)$`)

	// secretValue is what credentials look like, whatever they are called.
	secretValue = expression("(?:" + strings.Join(secretFormats, ")|(?:") + ")")
)

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
	`\b(mysql\w*|sshpass)\s.*-p\S|\bredis-cli\s.*-a\s*\S|\blogin\s+\S+\s+password\s+\S`,
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
	if secretValue().MatchString(text) {
		return true
	}
	if decoded, err := base64.StdEncoding.DecodeString(text); err == nil && len(decoded) >= 16 && utf8.Valid(decoded) {
		if plain := string(decoded); withoutSecrets("", plain) != plain || strings.HasPrefix(plain, "-----BEGIN ") {
			return withoutSecrets("", plain) != plain // and not a certificate, which is public
		}
	}
	if hidesByName(name, text) {
		return true
	}
	for _, found := range assignment().FindAllStringSubmatch(text, -1) {
		if hidesByName(found[1]+found[5]+found[7], found[2]+found[3]+found[4]+found[6]+found[8]) {
			return true
		}
	}
	return false
}

// withoutSecrets returns a value with a name: as it is, or the placeholder. In JSON, it is the same for each value of
// it.
func withoutSecrets(name, value string) string {
	trimmed := strings.TrimSpace(value)
	isJSON := strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[")
	if isJSON && json.Valid([]byte(value)) {
		return jsonWithoutSecrets(name, value)
	}
	if isSecret(name, value) {
		return placeholder
	}
	return value
}

// jsonWithoutSecrets replaces values of JSON, and leaves all other bytes as they are.
func jsonWithoutSecrets(name, text string) string {
	document, err := yamlread.Document([]byte(text))
	if err != nil {
		return placeholder
	}
	var hidden strings.Builder
	end := 0
	hider{namesAll: true, see: func(at *node.Node, _, replaced string) {
		quoted, _ := json.Marshal(replaced)
		hidden.WriteString(text[end:at.Start] + string(quoted))
		end = int(at.End)
	}}.visit(document.Content[0], "", name)
	return hidden.String() + text[end:]
}

// namingFields are mappings whose keys name their values.
var namingFields = []string{"annotations", "labels", "matchLabels", "volumeAttributes", "options"}

// hider calls a function for each value that looks like a credential, with what takes its place.
type hider struct {
	namesAll bool // every key names its value, as in JSON
	see      func(at *node.Node, path, hidden string)
}

// visit looks at a value with a name: of a variable, of an option, or the flag in front of it.
func (h hider) visit(n *node.Node, path, name string) {
	switch n.Kind {
	case node.MappingNode:
		h.visitMapping(n, path, name)
	case node.SequenceNode:
		for i, entry := range n.Content {
			at := fmt.Sprintf("%s[%d]", path, i)
			if i == 0 {
				h.visit(entry, at, name)
				continue
			}
			flag := n.Content[i-1].Value
			before := n.Content[0].Value + " " + flag + " "
			isAlone := secretValue().MatchString(before) || secretValue().MatchString(entry.Value)
			switch {
			case !isAlone && secretValue().MatchString(before+entry.Value): // such as mysql -u user:password
				h.see(entry, at, placeholder)
			case strings.HasPrefix(flag, "-") && !strings.HasPrefix(entry.Value, "-"):
				h.visit(entry, at, flag)
			default:
				h.visit(entry, at, name)
			}
		}
	case node.ScalarNode:
		if hidden := hiddenArgument(name, n.Value); hidden != n.Value && !node.IsNull(n) {
			h.see(n, path, hidden)
		}
	}
}

func (h hider) visitMapping(n *node.Node, path, name string) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i].Value, n.Content[i+1]
		of := ""
		switch {
		case key == "values":
			of = node.Text(n, "key")
		case key == "value":
			of = strings.TrimSpace(node.Text(n, "name") + " " + name)
		case h.namesAll || value.Kind == node.MappingNode:
			of = key
		case slices.Contains(namingFields, name):
			of = domain().ReplaceAllString(key, "")
		}
		h.visit(value, path+"."+key, of)
	}
}

// hiddenArgument returns a value without a credential. Of an argument with its flag, the flag is left.
func hiddenArgument(name, value string) string {
	hidden := withoutSecrets(name, value)
	if parts := flag().FindStringSubmatch(value); parts != nil && hidden == placeholder {
		return parts[1] + placeholder
	}
	return hidden
}

// hide replaces what looks like a credential in a tree. It returns what it has replaced, and where.
func hide(n *node.Node, path string) (paths, values []string) {
	hider{see: func(at *node.Node, path, hidden string) {
		paths, values = append(paths, path), append(values, at.Value)
		*at = *node.String(hidden)
	}}.visit(n, path, "")
	return paths, values
}

// hideSecrets replaces what looks like a credential, and returns what it has replaced.
func (c config) hideSecrets() (findings []finding.Finding) {
	for _, d := range c {
		paths, _ := hide(d.spec, "spec")
		for _, path := range paths {
			findings = append(findings, finding.Finding{
				Severity: finding.Warning, Code: finding.CredentialHidden, Injector: d.name, Field: &finding.Field{Path: path},
				Message: path + " looks like a credential and was replaced by " + placeholder + "; keep it in a Secret and refer to that " +
					"with valueFrom.secretKeyRef, or use --keep-secrets",
			})
		}
	}
	return findings
}

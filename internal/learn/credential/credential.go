// Package credential finds credentials in pod templates, and replaces them by placeholders.
package credential

import (
	"regexp"
	"strings"
	"sync"
)

// placeholder is what the text begins with that takes the place of a credential.
const placeholder = "REPLACE-ME-"

// A text is a credential by its format, or by a name in front of it. The name decides whatever the text looks like,
// except for the few texts that are no credentials under any name.
var (
	// strong is what only credentials have in their names, in lower case, so that what is inside of them is one, too.
	strong = expression(strongName)
	// secretName is what the names of credentials have as a part.
	secretName = expression(strongName + `|(pass|auth|authorization|cred|key)s?([^a-z]|$)`)

	// harmlessName is what a name ends with that leads to a credential, describes it, or only sounds like one.
	harmlessName = expression(`(name|file|path|dir|ttl|interval|timeout|seconds|minutes?|expiration|expiry|lifetime|ur[li]|endpoint|` +
		`audience|issuer|namespace|arn|version|type|alg|algorithm|rate|limit|ref|enabled|disabled|count|size|length|mode|method|class|store|` +
		`provider|policy|mount|rotation|renew|prefix|host|port|address|domain|realm|scope|user|client-id|serializer|regexp?|checksum|digest|` +
		`fingerprint|public-?key|pub-?key|pull-?secret|bypass|stdin|monkey|hotkey|pass-through)s?$|^checksum/`)
	// harmlessValue is nothing, a word that switches something, a duration, a URL, of which those with credentials are
	// found by their format, a path, a certificate or a public key, of which private ones are found by their format.
	harmlessValue = expression(`^(\W{0,3}|(?i:[01]|null|none|true|false|yes|no|on|off|enabled|disabled|required|optional|` +
		`debug|info|warn|error)|\d+(ms|s|m|h|d)|[a-z][a-z0-9+.-]*://\S*|(file:[./]|vault:\S*/).*|` +
		`[~.]{0,2}/[a-z_.-]*|[~.]{0,2}(/[a-z0-9_.-]+){2,}/?|[a-z][a-z_.-]*(/[a-z_.-]+)+/?|[a-z][a-z0-9-]*(/[\w.-]+){2,}|` +
		`[~.]{0,2}(/[\w.-]+)+\.[a-z]{2,5})$|^\s*-----BEGIN |^LS0tLS1CRUdJTi|^(ssh|ecdsa)-[\w-]+ AAAA`)
	// harmlessPair is a name, "=" and a value that is harmless under that name: a number of tokens, a checksum, an
	// annotation with the name of a Secret, the key of something, a way of authentication.
	harmlessPair = expression(`^max.*tokens?=\d+$|tokens=\d+$|sha\d*=[0-9a-f]{40,}$|^@.*secret=[a-z]+(-[a-z]+)+$|` +
		`^-*(key|auth)s?=([a-z._/-]+|[A-Z_]+)$`)
	// number is a port or a count, unless only credentials have the name.
	number = expression(`^\d{1,5}$`)

	// reference is what stands for a value that is elsewhere: $(X), ${X} without a default, $X, {{ x }}, an ARN, a
	// placeholder.
	reference = expression(`((?i:bearer|basic)\s+)?(\$+(\([^)]*\)|\{(env:)?[^}:]*(:\?[^}]*)?\}|[A-Z_][A-Z0-9_]*)|\{\{[^}]*\}\}|` +
		placeholder + `\d+)|\barn:aws[\w:/.-]+`)

	// word is what can be a name or a value in a text, and wordName one that is no part of a path.
	word     = expression(`[^\s"'=:,;&?|<>(){}\[\]\\]+`)
	wordName = expression(`^[\w.@-]+$`)
	// domain is that of an annotation or a label.
	domain = expression(`^[^/]*\.[^/]*/`)
	// camel is where a word begins in camel case.
	camel = expression(`([a-z0-9])([A-Z])`)
	// flag is what an argument begins with that has its value in it.
	flag = expression(`^--?[\w.-]+=`)
	// encoded64 is a text in base64.
	encoded64 = expression(`^[\w+/-]{16,}={0,2}$`)

	secretFormat = expression("(?:" + strings.Join(secretFormats, ")|(?:") + ")")
)

const strongName = `passw(or)?d|passphrase|passcode|secret|credential|tokens?([^a-z]|$)|(pwd|pswd|psk|pw)([^a-z]|$)`

var secretFormats = []string{
	// Private keys, as they are and in base64, and hashes of passwords.
	`-----BEGIN [A-Z ]*PRIVATE KEY|AGE-SECRET-KEY-1|\bLS0tLS1CRUdJTi[\w+/]*(UFJJVkFURS|QUklWQVRF|BSSVZBVE)`,
	`\$(2[aby]|[156y]|apr1|argon2\w*)\$\S{8,}|\{S?SHA\d*\}`,
	// Tokens that begin with what they are.
	`\beyJ[\w-]{8,}\.[\w-]{8,}\.`,
	`\b(A3T|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b|\bLTAI\w{16,}`,
	`\b(gh[pousr]|glsa|glc|npm|hf|tfp|figd|lin_api|rubygems|dckr_(pat|oat)|shp(at|ca|pa|ss)|do[op]_v1|gsk|r8|sntry[su]|pscale_tkn|ops|` +
		`hcaik|lsv2_pt|pcsk|sbp|ntn)_\w{16,}`,
	`\b(github_pat|(sk|rk)_(live|test)|whsec)_\w{10,}`,
	`\b(gl(pat|dt|rt|ptt|soat|agent|cbt)|NRAK|GOCSPX|xapp-\d|CFPAT|PMAK|nvapi|xkeysib|tskey-\w+|pplx|tvly)-[\w-]{16,}`,
	`\bsk-[\w-]{20,}|\b(pul|xai)-[A-Za-z0-9]{20,}|\bxox[abeoprs]-[\w-]{10,}|\bsq0(csp|atp)-[\w-]{20,}|\bpypi-AgE[\w-]{16,}`,
	`\bhv[bsr]\.[\w-]{20,}|\bs\.[A-Za-z0-9]{24}\b|\bya29\.[\w-]{10,}|\.atlasv1\.\w{16,}|\bdt0c01\.\w{16,}`,
	`\bSG\.[\w-]{16,}\.[\w-]{16,}|\bdp\.(pt|st|ct|sa|scim|audit)\.(\w+\.)?\w{16,}`,
	`\bAIza[\w-]{30,}|\b1//0[\w-]{20,}|\bAT(ATT3|CTT3|BB)[\w-]{20,}|\bAKCp\w{20,}|(\b|bot)\d{8,10}:AA[\w-]{30,}`,
	`\b(key-|SK|dapi)[0-9a-f]{32}\b`,
	// Authorization headers.
	`\b(?i:bearer|basic)\s+[\w.~+/-]*([a-z][A-Z]|\d)[\w.~+/=-]{3,}`,
	// URLs with a password, a token or a signature.
	`://[^/\s:@]*:[^/\s@]*\w[^/\s@]*@|://[^/\s:@]*:[^\d/\s@$][^\s@]*@|://[\w-]{20,}@`,
	`\w:[^\s@/]+@(tcp|udp|unix)\(|:thin:\w+/[^\s@$]+@`,
	`(?i)[?&](sig|(x-\w+-)?signature)=\w|hooks\.slack\.com/(services|workflows)/\w|discord(app)?\.com/api/webhooks/\d|` +
		`webhook\.office\.com/\w|events\.pagerduty\.com/integration/\w`,
	// Arguments with a password.
	`(^|\s)(-\w*u|--(proxy-)?user)[ =]?["']?([A-Za-z_][^\s:/]*)?:[^\s/$]`,
	`\b(mysql(dump|admin|import|show)?|mariadb\S*)\s(.*\s)?-p["']?[^\s$"'-]`,
	`\b(sshpass|mongo\w*|(docker|podman|az|registry) login|cypher-shell|cqlsh|rabbitmqadmin)\s(.*\s)?-p\s*["']?[^\s$"'-]`,
	`\b(redis-cli\s(.*\s)?-a|sqlcmd\s(.*\s)?-P|ldap\w+\s(.*\s)?-w)\s*["']?[^\s$"'-]`,
	`\b(htpasswd\s+-\w*b\w*\s+\S+\s+\S+|add_user\s+\S+|mc alias set\s+\S+\s+\S+\s+\S+|vault login)\s+["']?[^\s$"'-]`,
	// Texts for a program that reads a password.
	`\b(echo|printf)(\s+-\w+|\s+["']?%s(\\n)?["']?)*\s+["']?[^\s$"'%-][^|;&]*\|[^|;&]*(--(password|token|secret)-stdin|--with-token|` +
		`\bchpasswd\b|\bsudo\s+-S\b)|--password-stdin\s[^|;&]*<<<\s*["']?[^\s$"']`,
	// Lines of config files, and SQL.
	`\blogin\s+\S+\s+password\s+[^\s$]|\b(requirepass|masterauth)\s+[^\s$]`,
	`(?mi)^\s*[\w.-]*(password|passwd|secret[._-]key|authtoken|bindpw)[ \t]+[^\s$]\S*\s*$|\b(password|identified by)\s+'[^'$]`,
}

// expression compiles a regular expression when it is needed. Most runs do not need it.
func expression(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// hidesByName reports whether a name says that its value is a credential.
func hidesByName(name, value string) bool {
	if name == "" {
		return false
	}
	name = strings.ToLower(camel().ReplaceAllString(domain().ReplaceAllString(name, "@"), "$1-$2"))
	name = strings.ReplaceAll(name, "_", "-")
	if !secretName().MatchString(name) || harmlessName().MatchString(name) || harmlessValue().MatchString(value) {
		return false
	}
	isNumber := number().MatchString(value) && !strong().MatchString(name)
	return !isNumber && !harmlessPair().MatchString(name+"="+value)
}

// isSecret reports whether a text is a credential, by its format or by its name, or has one somewhere in it.
func isSecret(name, text string) bool {
	if strings.ContainsAny(text, "${") || strings.Contains(text, placeholder) || strings.Contains(text, "arn:") {
		text = reference().ReplaceAllString(text, "$$")
	}
	const shortest = 6 // bytes that a format has; most values are short, and expressions take long
	isFormat := len(text) >= shortest && secretFormat().MatchString(text)
	return isFormat || hidesByName(name, text) || namesSecret(text)
}

// namesSecret reports whether a text has a name with a credential behind it: API_TOKEN=x, "password": "x", --password
// x, <password>x, or apart from it: name: API_TOKEN, value: x.
func namesSecret(text string) bool {
	if !strings.ContainsAny(text, "=:>-") {
		return false
	}
	before, end := "", 0 // the last word, and where it ends
	called := ""         // the last value of name or key
	for _, at := range word().FindAllStringIndex(text, -1) {
		value, gap := text[at[0]:at[1]], text[end:at[0]]
		if strings.Trim(value, "-+") == "" { // of a list or a block in YAML
			continue
		}
		isAssigned := strings.ContainsAny(gap, "=:") || gap == ">"
		isArgument := strings.HasPrefix(before, "-") && !strings.HasPrefix(value, "-")
		isInside := strings.Contains(gap, "{") && !strong().MatchString(strings.ToLower(before)) // a method in auth is none
		name := before
		switch before {
		case "name", "key":
			called = value
		case "value":
			name = called
		}
		if (isAssigned || isArgument) && !isInside && wordName().MatchString(name) && hidesByName(name, value) {
			return true
		}
		before, end = value, at[1]
	}
	return false
}

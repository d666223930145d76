// Package credential finds credentials in pod templates, and replaces them by placeholders.
package credential

import (
	"regexp"
	"strings"
	"sync"
)

// placeholder is what the text begins with that takes the place of a credential.
const placeholder = "REPLACE-ME-"

// A text is a credential by its format, or by a name in front of it. The name decides whatever the text looks like, except for the few
// texts that are no credentials under any name.
var (
	// secretName is what the names of credentials have as a part, in lower case.
	secretName = expression(strongName + `|(pass|pwd|auth|authorization|cred|key)s?([^a-z]|$)|(^|[^a-z])pw([^a-z]|$)`)
	// strong is what only credentials have in their names, so that what is inside of them is one, too.
	strong = expression(strongName)

	// harmless is a name, a "=" and a value that is no credential.
	harmless = expression(strings.Join([]string{
		// Something that leads to a credential, or describes it.
		`(name|file|path|dir|ttl|interval|timeout|seconds|expiration|expiry|lifetime|ur[li]|endpoint|audience|issuer|namespace|arn|` +
			`version|type|alg|algorithm|rate|ref|enabled|disabled|count|size|length|mode|method|class|store|provider|policy|mount|` +
			`rotation|renew|prefix|host|port|address|checksum|digest|fingerprint|sha\d*|public-?key|pub-?key|pull-?secret|bypass|` +
			`monkey|hotkey|pass-through)s?=`,
		`^checksum/`, `tokens=\d+$`,
		// An annotation with the name of a Secret, and a key or a way of authentication.
		`^@.*secret=[a-z]+(-[a-z]+)+$`, `^-*(key|auth)s?=([a-z._/-]+|[A-Z_]+)$`,
		// Nothing, a word that switches something, a duration.
		`=\W{0,3}$`, `=(?i:null|none|true|false|yes|no|on|off|enabled|disabled|required|optional)$`, `=\d+(ms|s|m|h|d)$`,
		// A URL, of which those with credentials are found by their format, a path.
		`=[a-z][a-z0-9+.-]*://\S*$`, `=(file:[./]|vault:\S*/)`, `=[~.]{0,2}/[a-z_.-]*$`, `=[~.]{0,2}(/[a-z0-9_.-]+){2,}/?$`,
		`=[a-z][a-z_.-]*(/[a-z_.-]+)+/?$`, `=[~.]{0,2}(/[\w.-]+)+\.[a-z]{2,5}$`,
		// A certificate or a public key. Private ones are found by their format.
		`=\s*-----BEGIN `, `=LS0tLS1CRUdJTi`, `=(ssh|ecdsa)-[\w-]+ AAAA`,
	}, "|"))

	// reference is what stands for a value that is elsewhere: $(X), ${X} without a default, $X, {{ x }}, an ARN, a placeholder.
	reference = expression(`((?i:bearer|basic)\s+)?(\$+(\([^)]*\)|\{[^}:]*\}|[A-Z_][A-Z0-9_]*)|\{\{[^}]*\}\}|` + placeholder + `\d+)|\barn:aws[\w:/.-]+`)

	// word is what can be a name or a value in a text.
	word = expression(`[^\s"'=:,;&?|<>(){}\[\]\\]+`)
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

const strongName = `passw(or)?d|passphrase|passcode|secret|credential|tokens?([^a-z]|$)`

var secretFormats = []string{
	// Private keys and hashes of passwords.
	`-----BEGIN [A-Z ]*PRIVATE KEY|AGE-SECRET-KEY-1`,
	`\$(2[aby]|[156y]|apr1|argon2\w*)\$\S{8,}|\{SSHA\d*\}`,
	// Tokens that begin with what they are.
	`\beyJ[\w-]{8,}\.[\w-]{8,}\.`,
	`\b(A3T|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b`,
	`\b(gh[pousr]|glsa|glc|npm|hf|tfp|figd|lin_api|rubygems|dckr_pat|shp(at|ca|pa|ss)|do[op]_v1|gsk|r8|sntry[su]|pscale_tkn|ops)_\w{16,}`,
	`\b(github_pat|(sk|rk)_(live|test)|whsec)_\w{10,}`,
	`\b(gl(pat|dt|rt|ptt|soat|agent|cbt)|NRAK|GOCSPX|xapp-\d|sk-ant|sk-proj|CFPAT|PMAK|nvapi|xkeysib|tskey-\w+)-[\w-]{16,}`,
	`\b(sk|pul|xai)-[A-Za-z0-9]{20,}|\bxox[abeoprs]-[\w-]{10,}|\bsq0(csp|atp)-[\w-]{20,}|\bpypi-AgE[\w-]{16,}`,
	`\bhv[bsr]\.[\w-]{20,}|\bs\.[A-Za-z0-9]{24}\b|\bya29\.[\w-]{10,}|\.atlasv1\.\w{16,}`,
	`\bSG\.[\w-]{16,}\.[\w-]{16,}|\bdp\.(pt|st|ct|sa|scim|audit)\.(\w+\.)?\w{16,}`,
	`\bAIza[\w-]{30,}|\b1//0[\w-]{20,}|\bAT(ATT3|CTT3|BB)[\w-]{20,}|\bAKCp\w{20,}|\b\d{8,10}:AA[\w-]{30,}`,
	`\b(key-|SK|dapi)[0-9a-f]{32}\b`,
	// Authorization headers.
	`\b(?i:bearer|basic)\s+[\w.~+/-]*([a-z][A-Z]|\d)[\w.~+/=-]{3,}`,
	// URLs with a password, a token or a signature.
	`://[^/\s:@]*:[^/\s@]*\w[^/\s@]*@|://[^/\s:@]*:[^\d/\s@$][^\s@]*@|://[\w-]{20,}@`,
	`\w:[^\s@/]+@(tcp|udp|unix)\(|:thin:\w+/[^\s@$]+@`,
	`(?i)[?&](sig|(x-\w+-)?signature)=\w|hooks\.slack\.com/(services|workflows)/\w|discord(app)?\.com/api/webhooks/\d`,
	// Arguments with a password, and lines of config files.
	`(^|\s)(-\w*u|--(proxy-)?user)[ =]?["']?([A-Za-z_][^\s:/]*)?:[^\s/$]`,
	`\b(mysql(dump|admin|import|show)?|mariadb\S*)\s(.*\s)?-p[^\s$-]|\b(sshpass|mongo\w*|docker login|podman login)\s(.*\s)?-p\s*[^\s$-]`,
	`\bredis-cli\s(.*\s)?-a\s*[^\s$-]|\bhtpasswd\s+-\w*b\w*\s+\S+\s+\S+\s+[^\s$]`,
	`\blogin\s+\S+\s+password\s+[^\s$]|\b(requirepass|masterauth)\s+[^\s$]`,
}

// expression compiles a regular expression when it is needed. Most runs do not need it.
func expression(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// hidesByName reports whether a name says that its value is a credential.
func hidesByName(name, value string) bool {
	name = strings.ToLower(camel().ReplaceAllString(domain().ReplaceAllString(name, "@"), "$1-$2"))
	name = strings.ReplaceAll(name, "_", "-")
	return secretName().MatchString(name) && !harmless().MatchString(name+"="+value)
}

// isSecret reports whether a text is a credential, by its format or by its name, or has one somewhere in it.
func isSecret(name, text string) bool {
	text = reference().ReplaceAllString(text, "$$")
	if secretFormat().MatchString(text) || hidesByName(name, text) {
		return true
	}
	before, end := "", 0 // the last word, and where it ends
	for _, at := range word().FindAllStringIndex(text, -1) {
		value, gap := text[at[0]:at[1]], text[end:at[0]]
		isAssigned := strings.ContainsAny(gap, "=:") || gap == ">" // API_TOKEN=x, "password": "x", <password>x
		isArgument := strings.HasPrefix(before, "-") && !strings.HasPrefix(value, "-")
		isInside := strings.Contains(gap, "{") && !strong().MatchString(strings.ToLower(before)) // auth: {method: x}
		if (isAssigned || isArgument) && !isInside && hidesByName(before, value) {
			return true
		}
		before, end = value, at[1]
	}
	return false
}

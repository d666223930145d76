package command

import (
	"bytes"
	"encoding/json"
	"regexp"
	"sync"
)

// isJSON reports whether a text is a JSON object.
func isJSON(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) && json.Valid(text)
}

// jsonEscape matches a surrogate pair, or another escape of JSON.
var jsonEscape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\\(?:u[dD][89abAB][[:xdigit:]]{2}\\u[dD][c-fC-F][[:xdigit:]]{2}|.)`)
})

// jsonInStream converts a JSON object to a document of a YAML stream. YAML has no escapes for surrogate pairs, so their
// characters are written directly.
func jsonInStream(text []byte) []byte {
	return jsonEscape().ReplaceAllFunc(text, func(escape []byte) []byte {
		var pair string
		if len(escape) < len(`\ud83d\ude00`) || json.Unmarshal([]byte(`"`+string(escape)+`"`), &pair) != nil {
			return escape
		}
		return []byte(pair)
	})
}

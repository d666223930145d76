package credential

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"

	"pillion.dev/pillion/internal/pods/pod"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
)

// Hider replaces credentials. The same one has the same placeholder everywhere, so that what is learned without them is
// what would be learned with them.
type Hider struct{ placeholders map[string]string }

// NewHider returns a Hider that has hidden nothing.
func NewHider() Hider { return Hider{placeholders: map[string]string{}} }

func (h Hider) placeholder(secret string) string {
	if h.placeholders[secret] == "" {
		h.placeholders[secret] = fmt.Sprint(placeholder, len(h.placeholders)+1)
	}
	return h.placeholders[secret]
}

// hidden returns a text with a name: as it is, or a placeholder, with the flag in front of it. In JSON, it is the same
// for each key and each value. A text that is too long to be judged is replaced as a whole.
func (h Hider) hidden(name, text string) string {
	if len(text) > mostText {
		return h.placeholder(text)
	}
	if strings.ContainsAny(text, "{[") && json.Valid([]byte(text)) {
		return h.hiddenInJSON(name, text)
	}
	if !isSecret(name, text) && !hidesEncoded(text) {
		return text
	}
	option := flag().FindString(text)
	return option + h.placeholder(strings.TrimPrefix(text, option))
}

// hidesEncoded reports whether a text in base64 has a credential in it.
func hidesEncoded(text string) bool {
	if !encoded64().MatchString(text) {
		return false
	}
	decoded, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	return err == nil && utf8.Valid(decoded) && NewHider().hidden("", string(decoded)) != string(decoded)
}

// hiddenInJSON replaces keys and values of JSON, and leaves all other bytes as they are.
func (h Hider) hiddenInJSON(name, text string) string {
	document, err := yamlread.Document([]byte(text))
	if err != nil {
		return h.placeholder(text)
	}
	var edits []edit.Edit
	h.visit(document.Content[0], nil, name, func(at node.Node, by string) {
		quoted, _ := json.Marshal(by)
		edits = append(edits, edit.Edit{Start: int(at.Start), End: int(at.End), Text: quoted})
	})
	return string(edit.Apply([]byte(text), edits))
}

// Hide replaces the credentials of a pod template, which has no aliases.
func (h Hider) Hide(template *node.Node) {
	h.visit(template, reflect.TypeFor[corev1.PodTemplateSpec](), "", func(node.Node, string) {})
}

// IsHidden reports whether a text has a placeholder.
func IsHidden(text string) bool { return strings.Contains(text, placeholder) }

// visit replaces the credentials in a value of a type, which is nil if it is not known, with a name: of a variable, of
// an option, or the flag in front of it. It calls a function with each node as it was.
func (h Hider) visit(n *node.Node, t reflect.Type, name string, see func(was node.Node, by string)) {
	switch n.Kind {
	case node.MappingNode:
		called := cmp.Or(node.Text(n, "name"), node.Text(n, "key"), node.Text(n, "Name"), node.Text(n, "Key"), name)
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i].Value, n.Content[i+1]
			if !isField(t, key) {
				h.visit(n.Content[i], nil, "", see)
			}
			if key == "args" && value.Kind == node.SequenceNode {
				h.visitList(value, pod.Type(t, key), "", node.List(n, "command"), see)
				continue
			}
			h.visit(value, pod.Type(t, key), valueName(t, name, key, called), see)
		}
	case node.SequenceNode:
		h.visitList(n, t, name, nil, see)
	case node.ScalarNode:
		if by := h.hidden(name, n.Value); by != n.Value && !node.IsNull(n) {
			was := *n
			*n = *node.String(by)
			see(was, by)
		}
	}
}

// valueName returns what names the value of a key, in a mapping of a type that has a name itself, and calls its value
// something. Fields of pods name nothing.
func valueName(t reflect.Type, name, key, called string) string {
	switch {
	case strings.EqualFold(key, "value"), key == "values":
		return called
	case isField(t, key):
		return ""
	case strong().MatchString(strings.ToLower(name)): // everything in credentials is one
		return name + "-" + key
	}
	return key
}

// isField reports whether a key is a field of a type, and not a text of somebody.
func isField(t reflect.Type, key string) bool {
	return pod.Type(t, key) != nil && pod.Pointed(t).Kind() == reflect.Struct
}

// visitList visits the entries of a list, which may be the arguments of a command.
func (h Hider) visitList(n *node.Node, t reflect.Type, name string, command []*node.Node, see func(was node.Node, by string)) {
	for i, entry := range n.Content {
		of := name
		if i > mostBefore && command == nil {
			command = n.Content[:1]
		}
		if before := slices.Concat(command, n.Content[max(0, i-mostBefore):i]); namedBefore(before, entry) {
			of = "password"
		}
		h.visit(entry, pod.Element(t), of, see)
	}
}

const (
	mostBefore = 6         // arguments that can give one behind them a meaning
	mostNamed  = 100       // bytes of a command or an option
	mostText   = 128 << 10 // bytes of an argument or a variable with which Linux starts a program
)

// isPasswordName reports whether a text is a name that a password follows in a list, unless it is a word such as the
// next name, which has only letters.
func isPasswordName(text string) bool {
	name := strings.ToLower(text)
	isEnd := func(end string) bool { return strings.HasSuffix(name, end) }
	return !strings.ContainsAny(name, " =:/\"'\n") &&
		slices.ContainsFunc([]string{"password", "passwd", "passphrase", "passcode", "pwd"}, isEnd)
}

// namedBefore reports whether an argument is a credential because of the command and the arguments in front of it. Of an
// argument, only the beginning matters here: what is further behind is a credential by itself.
func namedBefore(before []*node.Node, argument *node.Node) bool {
	line, last := "", ""
	for _, other := range before {
		if len(other.Value) <= mostNamed {
			last = other.Value
			line += last + " "
		}
	}
	clipped := argument.Value[:min(len(argument.Value), mostNamed)]
	isWord := strings.Trim(strings.ToLower(clipped), "abcdefghijklmnopqrstuvwxyz_. -") == ""
	isInLine := (!isWord || strings.Contains(line+clipped, "-")) && isSecret("", line+clipped)
	isBehindName := !isWord && isPasswordName(last) && isSecret("password", clipped)
	return (isInLine || isBehindName) && !isSecret("", clipped)
}

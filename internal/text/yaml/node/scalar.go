package node

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"
)

// Scalar returns the value of a scalar by the rules of YAML 1.1, as sigs.k8s.io/yaml decodes it: nil, a bool, an int, a
// uint64, a float64 or a string. So yes and on are booleans, 0x1F90, 017 and 8_080 are integers, and so is 8080.0,
// which is 8080 in JSON. Everything in quotes is a string. A date is a time.Time, and a value that does not fit its tag
// is a string.
//
// The tag ! makes a string of a value in YAML 1.1. The library drops it, so ! yes is read as yes.
func Scalar(n *Node) any {
	n = Resolve(n)
	if IsNull(n) || n.Kind != ScalarNode {
		return nil
	}
	switch n.Tag {
	case StrTag, OtherTag:
		return n.Value
	case BoolTag:
		if value, ok := boolWord(n.Value); ok {
			return value
		}
	case IntTag:
		if value, err := strconv.Atoi(n.Value); err == nil && (value == 0 || n.Value[0] >= '1') {
			return value // as nearly always; behind a sign or a 0, it may be octal
		}
	}
	var value any
	if n.Decode(&value) != nil {
		return n.Value
	}
	if f, ok := value.(float64); ok && f == math.Trunc(f) && math.Abs(f) <= 1<<53 { // up to which a float64 holds every integer
		return int(f)
	}
	return value
}

// IsString reports whether a node is a string, as kubectl reads it.
func IsString(n *Node) bool {
	n = Resolve(n)
	return n != nil && n.Kind == ScalarNode && n.Tag == StrTag
}

// boolWord reads a boolean in any of the spellings of YAML 1.1.
func boolWord(word string) (value, ok bool) {
	switch word {
	case "true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y":
		return true, true
	case "false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N":
		return false, true
	}
	return false, false
}

// Bool returns the boolean at the path by the rules of YAML 1.1, and whether there is one. A boolean in quotes counts,
// so that a rule about the value applies even before the value is corrected.
func Bool(n *Node, path ...string) (value, ok bool) { return boolWord(Text(n, path...)) }

// IsTrue reports whether Bool is true.
func IsTrue(n *Node, path ...string) bool {
	value, ok := Bool(n, path...)
	return ok && value
}

// IsFalse reports whether there is a boolean at the path, and Bool is false.
func IsFalse(n *Node, path ...string) bool {
	value, ok := Bool(n, path...)
	return ok && !value
}

// Int returns the integer at the path by the rules of YAML 1.1, and whether there is one that fits an int32. As with
// Bool, a number in quotes counts.
func Int(n *Node, path ...string) (value int, ok bool) {
	text := Text(n, path...)
	value, ok = Scalar(&Node{Kind: ScalarNode, Tag: PlainTag(text), Value: text}).(int)
	return value, ok && value >= math.MinInt32 && value <= math.MaxInt32
}

// Amount returns the scalar at the path as text, and numbers in decimal digits: 0x10 is 16, and 010 is 8. It returns
// the empty string if nothing is there. A list or a mapping, or a list on the way, is returned as in messages, so that
// it does not parse as a number.
func Amount(n *Node, path ...string) string {
	for _, key := range path {
		if n = Get(n, key); n != nil && n.Kind == SequenceNode {
			break
		}
	}
	switch value := Scalar(n).(type) {
	case int:
		return strconv.Itoa(value)
	case uint64, float64:
		return fmt.Sprint(value)
	case nil:
		if !IsNull(n) {
			return Brief(n)
		}
	}
	return Text(n)
}

// KeyName returns the key that a YAML 1.1 decoder gives a field in JSON: yes becomes "true", and 0x10 becomes "16". It
// is not ok for a list, a mapping or null, which cannot be keys in JSON. It does not follow aliases.
func KeyName(key *Node) (name string, ok bool) {
	if key.Kind != ScalarNode {
		return "", false
	}
	if key.Tag == MergeTag || key.Tag == StrTag { // nearly all keys
		return key.Value, true
	}
	switch value := Scalar(key).(type) {
	case nil:
		return "", false
	case time.Time:
		return key.Value, true
	case float64:
		return fmt.Sprint(float32(value)), true
	default:
		return fmt.Sprint(value), true
	}
}

// Decode decodes a tree without aliases as the library does.
func (n *Node) Decode(into any) error { return n.library().Decode(into) }

func (n *Node) library() *yaml.Node {
	to := &yaml.Node{Kind: yaml.Kind(n.Kind), Style: yaml.Style(n.Style), Value: n.Value}
	if n.Tag < OtherTag {
		to.Tag = n.Tag.String()
	}
	if on, isBool := boolWord(n.Value); isBool && n.Tag == BoolTag {
		to.Value = strconv.FormatBool(on) // also yes, which the library takes for a string
	}
	for _, child := range n.Content {
		to.Content = append(to.Content, child.library())
	}
	return to
}

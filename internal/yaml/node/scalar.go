package node

import (
	"math"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Scalar is the value of a scalar as kubectl reads it: nil, a bool, an int, a uint64, a float64 or
// a string. kubectl reads YAML 1.1, so yes and on are booleans there, 0x1F90, 017 and 8_080 are
// integers, and so is 8080.0, because it is 8080 when it arrives at the API server as JSON. What is
// in quotes is a string. A date is a time.Time, and a value that does not fit its tag is a string.
//
// The tag ! by itself makes a string of a value for kubectl. The parser here drops it without a trace, so that ! yes is read as yes:
// where the API server wants a boolean or a number, it refuses the string, and a policy that applies too early does no harm.
func Scalar(n *yaml.Node) any {
	n = Resolve(n)
	if IsNull(n) || n.Kind != yaml.ScalarNode {
		return nil
	}
	tag := n.ShortTag()
	if IsPlainBool(n) || tag == "!!bool" {
		if value, ok := boolWord(n.Value); ok {
			return value
		}
	}
	if tag == "!!str" {
		return n.Value
	}
	if value, ok := decimal(n.Value); ok && tag == "!!int" {
		return value
	}
	var value any
	if n.Decode(&value) != nil {
		return n.Value
	}
	if f, ok := value.(float64); ok && f == math.Trunc(f) && math.Abs(f) <= exactFloat {
		return int(f)
	}
	return value
}

// decimal reads a number in the usual spelling, which needs no decoder.
func decimal(text string) (value int, ok bool) {
	if text == "" || len(text) > 9 || text[0] == '0' && len(text) > 1 {
		return 0, false
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		value = 10*value + int(text[i]-'0')
	}
	return value, true
}

// exactFloat is how far a float64 holds every integer.
const exactFloat = 1 << 53

// IsPlainBool tells whether a scalar is a boolean to kubectl and a string to the parser here: yes,
// no, on, off, y and n. Only text that was read can be one; a node that was made says by its tag
// what it is.
func IsPlainBool(n *yaml.Node) bool {
	if !IsRead(n) || n.Style != 0 || n.Kind != yaml.ScalarNode || n.Tag != "!!str" {
		return false
	}
	_, ok := boolWord(n.Value)
	return ok
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

// Bool reads the boolean at the path as the API server gets it from kubectl. It is not ok where
// there is none, or something else.
//
// A boolean in quotes is read as well. The API server refuses it, so nothing is lost, and a policy
// about the field applies already before somebody removes the quotes.
func Bool(n *yaml.Node, path ...string) (value, ok bool) {
	switch v := Scalar(Get(n, path...)).(type) {
	case bool:
		return v, true
	case string:
		return boolWord(v)
	}
	return false, false
}

// IsTrue reports whether the value at the path is the boolean true, in any spelling that Bool reads.
func IsTrue(n *yaml.Node, path ...string) bool {
	value, ok := Bool(n, path...)
	return ok && value
}

// IsFalse reports whether the value at the path is the boolean false. A value that is not there is not.
func IsFalse(n *yaml.Node, path ...string) bool {
	value, ok := Bool(n, path...)
	return ok && !value
}

// Int reads the integer at the path as the API server gets it from kubectl. It is not ok where
// there is none, or something that an int32 does not hold, such as 1.5, 1e10 or text.
//
// As with Bool, a number in quotes is read as if it had none.
func Int(n *yaml.Node, path ...string) (value int, ok bool) {
	read := Scalar(Get(n, path...))
	if text, quoted := read.(string); quoted {
		read = Scalar(&yaml.Node{Kind: yaml.ScalarNode, Value: text})
	}
	value, ok = read.(int)
	return value, ok && value >= math.MinInt32 && value <= math.MaxInt32
}

// Number is the integer at the path in decimal digits, so that two spellings of one number are the
// same text. What is not an integer stays as it is written: the API server refuses it.
func Number(n *yaml.Node, path ...string) string {
	if value, ok := Int(n, path...); ok {
		return strconv.Itoa(value)
	}
	return Text(n, path...)
}

// Amount is the text that the API server reads a quantity from, which may be a number in YAML: 0x10
// is 16, and 010 is 8. It is empty where there is nothing. Something that cannot be or hold a
// quantity, such as a list there or on the way, is shown as in messages, and does not parse as one.
func Amount(n *yaml.Node, path ...string) string {
	for _, key := range path {
		if n = Get(n, key); !IsNull(n) && n.Kind == yaml.SequenceNode {
			return Brief(n)
		}
	}
	switch n = Resolve(n); {
	case IsNull(n):
		return ""
	case n.Kind != yaml.ScalarNode:
		return Brief(n)
	}
	switch v := Scalar(n).(type) {
	case int:
		return strconv.Itoa(v)
	case uint64:
		return strconv.FormatUint(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return n.Value
}

package node

import "go.yaml.in/yaml/v3"

// IsTrue reports whether the value at a path is the boolean true, in any spelling that kubectl takes for it.
func IsTrue(n *yaml.Node, path ...string) bool {
	is, ok := boolean(Get(n, path...))
	return ok && is
}

// IsFalse reports whether the value at a path is the boolean false. A value that is not there is not.
func IsFalse(n *yaml.Node, path ...string) bool {
	is, ok := boolean(Get(n, path...))
	return ok && !is
}

// Number returns the whole number at a path.
func Number(n *yaml.Node, path ...string) (value int64, ok bool) {
	n = Resolve(Get(n, path...))
	if n == nil || n.ShortTag() != "!!int" {
		return 0, false
	}
	return value, n.Decode(&value) == nil
}

// boolean reads a scalar by the rules of YAML 1.1, as kubectl does: a plain yes is true.
func boolean(n *yaml.Node) (value, ok bool) {
	const isText = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	if n = Resolve(n); n == nil || n.Kind != yaml.ScalarNode || n.Style&isText != 0 {
		return false, false
	}
	switch n.Value {
	case "true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y":
		return true, true
	case "false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N":
		return false, true
	}
	return false, false
}

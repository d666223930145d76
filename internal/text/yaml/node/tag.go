package node

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/text/yaml/lex"
)

// Tag is the type of a value.
type Tag uint8

// The tags of YAML. OtherTag is any other; it is in the text. Tags behind it are for those who make nodes for
// themselves.
const (
	NoTag Tag = iota
	StrTag
	MapTag
	SeqTag
	IntTag
	BoolTag
	NullTag
	FloatTag
	TimestampTag
	BinaryTag
	MergeTag
	OtherTag
)

var tagNames = [...]string{
	"", "!!str", "!!map", "!!seq", "!!int", "!!bool", "!!null", "!!float", "!!timestamp", "!!binary", "!!merge", "!",
}

// String returns the tag as YAML writes it.
func (t Tag) String() string { return tagNames[min(t, OtherTag)] }

// TagOf returns the tag with a short name.
func TagOf(name string) Tag {
	if tag := slices.Index(tagNames[:OtherTag], name); tag >= 0 {
		return Tag(tag)
	}
	return OtherTag
}

// beginsOther holds the bytes that something else than a string may begin with.
var beginsOther = lex.SetOf("tTfFyYnNoO0123456789+-.~<")

// PlainTag returns the tag that kubectl gives a scalar by its value, if it is written without quotes: that of the
// library, except that yes, no, on, off, y and n are booleans, as in YAML 1.1. The first bytes of most strings show
// that they can be nothing else.
func PlainTag(value string) Tag {
	if value != "" && !beginsOther[value[0]] {
		return StrTag
	}
	return otherTag(value)
}

func otherTag(value string) Tag {
	if len(value) > len("false") && value[0] > '9' { // longer than any word
		return StrTag
	}
	switch value {
	case "", "~", "null", "Null", "NULL":
		return NullTag
	case "<<":
		return MergeTag
	}
	if _, isBool := boolWord(value); isBool {
		return BoolTag
	}
	if value[0] > '9' || !likeNumber(value) { // no other words, and no numbers or times
		return StrTag
	}
	if _, err := strconv.Atoi(value); err == nil && value[0] >= '1' {
		return IntTag // in decimal digits, as most numbers are
	}
	scalar := yaml.Node{Kind: yaml.ScalarNode, Value: value}
	return TagOf(scalar.ShortTag())
}

// inNumber are the bytes that numbers in any base and times are written with, .inf included.
var inNumber = lex.SetOf("0123456789abcdefABCDEFxXoO_+-.: TtZzinIN")

// likeNumber reports whether a value may be a number or a time. Most values that begin with a digit
// and are neither, such as 100m and 64Mi, have a letter that numbers do not have.
func likeNumber(value string) bool { return inNumber.HasAll(value) }

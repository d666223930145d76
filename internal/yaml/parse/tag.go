package parse

import "go.yaml.in/yaml/v3"

// tagOf returns the tag that the library gives a plain scalar by its value. The first bytes of most strings show that they can
// be nothing else; the library decides on the rest.
func tagOf(scalar *yaml.Node) string {
	value := scalar.Value
	switch c := value[0]; c {
	case 't', 'T', 'f', 'F', 'n', 'N':
		if !likeWord(value) {
			return "!!str"
		}
	case '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if isCount(value) {
			return "!!int"
		}
		if !likeNumber(value) {
			return "!!str"
		}
	case '0', '+', '-':
		if !likeNumber(value) {
			return "!!str"
		}
	case '.', '~', 'y', 'Y', 'o', 'O':
	default:
		return "!!str"
	}
	return scalar.ShortTag()
}

// likeWord reports whether a value may be true, false or null in any spelling, by its length
// and its second letter. That excludes "name", the most common key of all.
func likeWord(value string) bool {
	if len(value) != len("true") && len(value) != len("false") {
		return false
	}
	switch value[1] {
	case 'r', 'R':
		return value[0] == 't' || value[0] == 'T'
	case 'a', 'A':
		return value[0] == 'f' || value[0] == 'F'
	case 'u', 'U':
		return value[0] == 'n' || value[0] == 'N'
	}
	return false
}

// isCount reports whether a value is an integer in decimal digits.
func isCount(value string) bool {
	for i := range len(value) {
		if value[i] < '0' || value[i] > '9' {
			return false
		}
	}
	return len(value) <= 18 // which fits an int64
}

// inNumber are the bytes that numbers in any base and times are written with.
var inNumber = [256]bool{
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true,
	'a': true, 'b': true, 'c': true, 'd': true, 'e': true, 'f': true,
	'A': true, 'B': true, 'C': true, 'D': true, 'E': true, 'F': true,
	'x': true, 'X': true, 'o': true, 'O': true, '_': true, '+': true, '-': true, '.': true, ':': true, ' ': true,
	'T': true, 't': true, 'Z': true, 'z': true,
	'i': true, 'n': true, 'I': true, 'N': true, // .inf
}

// likeNumber reports whether a value may be a number or a time. Most values that begin with a digit
// and are neither, such as 100m and 64Mi, have a letter that numbers have not.
func likeNumber(value string) bool {
	for i := range len(value) {
		if !inNumber[value[i]] {
			return false
		}
	}
	return true
}

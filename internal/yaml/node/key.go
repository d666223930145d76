package node

import (
	"fmt"
	"math"
	"strconv"
)

// KeyName returns the key that a YAML 1.1 decoder gives a field in JSON: yes becomes "true", and 0x10 becomes "16". It is not ok
// for a list, a mapping or null, which cannot be keys in JSON. It does not follow aliases.
func KeyName(key *Node) (name string, ok bool) {
	if key.Kind != ScalarNode {
		return "", false
	}
	if key.Tag == MergeTag || key.Tag == StrTag && !IsPlainBool(key) { // nearly all keys
		return key.Value, true
	}
	switch value := Scalar(key).(type) {
	case nil:
		return "", false
	case string:
		return value, true
	case bool, int, uint64:
		return fmt.Sprint(value), true
	case float64:
		if !math.IsInf(value, 0) && !math.IsNaN(value) {
			return strconv.FormatFloat(value, 'g', -1, 32), true
		}
	}
	return key.Value, true // also a date
}

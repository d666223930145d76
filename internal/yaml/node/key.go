package node

import (
	"fmt"
	"time"
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
	case time.Time:
		return key.Value, true
	case float64:
		return fmt.Sprint(float32(value)), true
	default:
		return fmt.Sprint(value), true
	}
}

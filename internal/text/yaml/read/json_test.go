package read

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"unicode/utf8"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// jsonTexts are JSON that YAML refuses or reads in another way.
var jsonTexts = []string{
	`{"a":"\ud83d\ude00"}`,
	`{"a":"\ud83d","b":"\ude00\ud83d","c":"\ud83dx","d":"\ud83d\n","e":"\ud83d\u0041"}`,
	`{"a":"https:\/\/example.com"}`,
	"{\"a\":\"x\u0085y\u2028z\u2029\ufeff\x7f\u009f\uffff\", \"b\":\n\"c\"}",
	"{\"a\"\n:\t1 ,\r\"b\":[\n-1, 1e3,\t-0.5E-2 ],\"c\":[],\"d\":{ },\"e\":\"\\/\"}\n",
	"[true,false , null,\"\\b\\f\\n\\r\\t\\\"\\\\\\/\\u0000\"]",
	`{"` + string(bytes.Repeat([]byte("k"), 2000)) + `":1}`,
	string(bytes.Repeat([]byte("["), 150)) + `"\/"` + string(bytes.Repeat([]byte("]"), 150)),
	`{"a":"1","a":"\/","<<":{"b":"c"}}`,
}

func TestJSONIsReadByItsOwnRules(t *testing.T) {
	for _, text := range jsonTexts {
		checkJSON(t, []byte(text))
	}
}

func TestWhatIsNotJSONIsNotReadAsJSON(t *testing.T) {
	for _, text := range []string{`{"a":"\ud83d\ude00",}`, `{"a":"\ud83d\ude00"} # b`, `a: "\ud83d\ude00"`, `"\ud83d\ude00"`} {
		if _, err := Document([]byte(text)); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// checkJSON compares what is read of a text that is JSON with what Go's own reader makes of it.
func checkJSON(t *testing.T, text []byte) {
	t.Helper()
	var want any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if first := bytes.TrimLeft(text, " \t\r\n"); len(first) == 0 || first[0] != '{' && first[0] != '[' || !json.Valid(text) ||
		decoder.Decode(&want) != nil {
		return
	}
	document, err := Document(text)
	if !utf8.Valid(text) {
		if err == nil {
			t.Errorf("%q is not UTF-8, and is read", text)
		}
		return
	}
	if err != nil {
		t.Errorf("%q: %v", text, err)
		return
	}
	if got := plainValue(document.Content[0]); !reflect.DeepEqual(got, want) {
		t.Errorf("%q:\n got %#v\nwant %#v", text, got, want)
	}
	if !document.Content[0].IsApproximate { // it may be too deep
		checkJSONRanges(t, text, document.Content[0])
	}
}

// checkJSONRanges claims that the text of every node is the JSON of its value.
func checkJSONRanges(t *testing.T, text []byte, n *node.Node) {
	t.Helper()
	var own any
	decoder := json.NewDecoder(bytes.NewReader(text[n.Start:n.End]))
	decoder.UseNumber()
	if err := decoder.Decode(&own); err != nil || decoder.InputOffset() != int64(n.End-n.Start) || !reflect.DeepEqual(own, plainValue(n)) {
		t.Errorf("%q: the range %d to %d is %#v: %v", text, n.Start, n.End, own, err)
	}
	for _, child := range n.Content {
		checkJSONRanges(t, text, child)
	}
}

// plainValue is a node as Go's JSON reader gives values.
func plainValue(n *node.Node) any {
	switch {
	case n.Kind == node.MappingNode:
		m := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plainValue(n.Content[i+1])
		}
		return m
	case n.Kind == node.SequenceNode:
		list := []any{}
		for _, child := range n.Content {
			list = append(list, plainValue(child))
		}
		return list
	case n.Style&node.DoubleQuotedStyle != 0:
		return n.Value
	case n.Value == "null":
		return nil
	case n.Value == "true" || n.Value == "false":
		return n.Value == "true"
	}
	return json.Number(n.Value)
}

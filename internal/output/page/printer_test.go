package page_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/output/page"
)

func TestJSONIsIndented(t *testing.T) {
	entries := page.Entries(func(yield func(any) bool) {
		_ = yield(page.Object{"name", "a", "value", "{[,:\"\\"}) && yield(page.Object{"name", "b", "of", page.Object{"c", []int{1, 2}}})
	})
	none := page.Entries(func(func(any) bool) {})
	var out strings.Builder
	err := page.WriteJSON(&out, page.Object{"kind", "List", "plain", page.Object{"x", 1}, "empty", []int{}, "none", none, "items", entries})
	const want = `{
  "kind": "List",
  "plain": {
    "x": 1
  },
  "empty": [],
  "none": [],
  "items": [
    {
      "name": "a",
      "value": "{[,:\"\\"
    },
    {
      "name": "b",
      "of": {
        "c": [
          1,
          2
        ]
      }
    }
  ]
}
`
	if out.String() != want || err != nil {
		t.Errorf("got %s, %v", out.String(), err)
	}
}

func TestValuesStayTheSame(t *testing.T) {
	for _, text := range []string{
		`1`, `-1.5e+10`, `null`, `""`, `"a"`, `{}`, `[]`, `[[]]`, `[{}]`, `[[[1],{}],{"a":{}}]`, `{"":[{"":""}]}`, `[true,false,null,1e9]`,
		`"\u202e\u00a0é😀\n"`, "\"\u202e\u00a0\U000e0001\"", `[{"a":"\\\\\"","b":"}"},{"a":"]"}]`, `[{"a":[]}]`,
		`"\\##vso[x]###"`, " { \"a\" : [ 1 , { } ] } ",
	} {
		var out bytes.Buffer
		if err := page.WriteJSON(&out, page.Object{"value", json.RawMessage(text)}); err != nil {
			t.Fatal(err)
		}
		var got struct{ Value any }
		var want any
		if err := errors.Join(json.Unmarshal(out.Bytes(), &got), json.Unmarshal([]byte(text), &want)); err != nil {
			t.Errorf("%s becomes %s: %v", text, out.String(), err)
		}
		if !reflect.DeepEqual(got.Value, want) || strings.ContainsAny(out.String(), "\u202e\u00a0\U000e0001") ||
			strings.Contains(out.String(), "##") {
			t.Errorf("%s becomes %s", text, out.String())
		}
	}
}

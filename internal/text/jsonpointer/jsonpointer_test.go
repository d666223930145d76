package jsonpointer

import (
	"strings"
	"testing"
)

func TestPointersKeepTheirKeys(t *testing.T) {
	for _, test := range []struct {
		keys []string
		want string
	}{
		{nil, ""},
		{[]string{"spec", "containers", "0"}, "/spec/containers/0"},
		{[]string{"metadata", "annotations", "example.com/a~b"}, "/metadata/annotations/example.com~1a~0b"},
		{[]string{"~1", "/", ""}, "/~01/~1/"},
	} {
		got := New(test.keys...)
		if got != test.want {
			t.Errorf("%q gives %q, want %q", test.keys, got, test.want)
		}
		for i, step := range strings.Split(got, "/")[1:] {
			if key := Unescape(step); key != test.keys[i] {
				t.Errorf("step %q of %q stands for %q, want %q", step, got, key, test.keys[i])
			}
		}
	}
}

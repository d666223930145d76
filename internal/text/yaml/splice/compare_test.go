package splice

import "testing"

func TestABooleanInQuotesSaysSomethingElse(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"a: yes", `a: "yes"`, false}, // kubectl takes the first for true
		{"a: yes", "a: yes", true},
		{"a: web", `a: "web"`, true},
		{"a: 1", `a: "1"`, false},
	} {
		if got := equal(parsed(t, c.a), parsed(t, c.b)); got != c.want {
			t.Errorf("%s and %s: got %v", c.a, c.b, got)
		}
	}
}

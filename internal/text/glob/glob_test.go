package glob_test

import (
	"testing"

	"pillion.dev/pillion/internal/text/glob"
)

func TestGlobsMatchWholeNames(t *testing.T) {
	list := glob.NewList("shop", "team-*", "?-dev", "a*b*c")
	for name, want := range map[string]bool{
		"shop": true, "shop-2": false, "my-shop": false,
		"team-": true, "team-a": true, "team": false, "my-team-a": false,
		"x-dev": true, "xy-dev": false, "-dev": false,
		"abc": true, "axbxc": true, "axcxb": false,
		"": false,
	} {
		if got := list.Match(name); got != want {
			t.Errorf("%q: %t, want %t", name, got, want)
		}
	}
	if !glob.NewList("*").Match("") {
		t.Error("* does not match a name that is not known")
	}
}

func TestRegularExpressionsAreNoGlobs(t *testing.T) {
	const rule = ` is not a glob, in which "*" stands for any number of characters, "?" for one, and the rest for itself; write `
	for entry, want := range map[string]string{
		"web": "", "web.v1": "", "web-*": "", "*": "",
		"web-.*":   `"web-.*"` + rule + `"web-*"`,
		"web-.+":   `"web-.+"` + rule + `"web-?*"`,
		"^web$":    `"^web$"` + rule + `"web"`,
		"web|db":   `"web|db"` + rule + `one entry for each name or glob`,
		"web-[ab]": `"web-[ab]"` + rule + `one entry for each name or glob`,
		`web\*`:    `"web\\*"` + rule + `one entry for each name or glob`,
	} {
		got := ""
		if err := glob.Check(entry); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", entry, got, want)
		}
	}
}

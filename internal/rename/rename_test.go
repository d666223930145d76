package rename_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/rename"
)

func TestFrom(t *testing.T) {
	const hash = "-f7425cff42"
	for _, test := range []struct {
		claim       string
		given, name string
		owner       string // the workload; web by default
		stream      []string
		want        bool
	}{
		{claim: "the name itself is not renamed", given: "conf", name: "conf"},
		{claim: "a hash", given: "conf", name: "conf" + hash, want: true},
		{claim: "a hash, and the object", given: "conf", name: "conf" + hash, stream: []string{"conf" + hash}, want: true},
		{claim: "a hash of other characters", given: "conf", name: "conf-aeiou13579"},
		{claim: "a hash that is too short", given: "conf", name: "conf-f7425cff4"},
		{claim: "the workload's prefix", given: "conf", name: "prod-conf", owner: "prod-web", want: true},
		{claim: "the workload's suffix", given: "conf", name: "conf-v2", owner: "web-v2", want: true},
		{claim: "all of them", given: "conf", name: "prod-shop-conf-eu" + hash, owner: "prod-shop-web-eu", want: true},
		{claim: "a prefix without a dash", given: "conf", name: "prodconf", owner: "prodweb", want: true},
		{claim: "a suffix that looks like a hash", given: "conf", name: "conf" + hash + "-eu", owner: "web" + hash + "-eu", want: true},
		{claim: "a prefix that the workload does not have", given: "conf", name: "prod-conf"},
		{claim: "a suffix that the workload does not have", given: "conf", name: "conf-v2"},
		{claim: "a foreign prefix and a hash", given: "conf", name: "evil-conf" + hash},
		{claim: "the workload's whole name", given: "conf", name: "web-conf", owner: "web-"},
		{claim: "overlapping affixes", given: "conf", name: "a-conf-a", owner: "a-a"},
		{claim: "another prefix, with the object", given: "conf", name: "base-conf", stream: []string{"base-conf"}, want: true},
		{claim: "another prefix and a hash, with it", given: "conf", name: "b-conf" + hash, stream: []string{"b-conf" + hash}, want: true},
		{claim: "the given object is there too", given: "conf", name: "base-conf", stream: []string{"base-conf", "conf"}},
		{claim: "a variant beside its base", given: "conf", name: "p-conf", owner: "p-web", stream: []string{"p-conf", "conf"}, want: true},
		{claim: "only the given object is there", given: "conf", name: "prod-conf", owner: "prod-web", stream: []string{"conf"}},
		{claim: "part of a word, with the object", given: "conf", name: "config", stream: []string{"config"}},
		{claim: "another name, with the object", given: "conf", name: "other", stream: []string{"other"}},
		{claim: "no name in the config", given: "", name: "conf" + hash},
		{claim: "a name that is too long", given: "a", name: strings.Repeat("a", 1<<20), owner: strings.Repeat("a", 2<<20)},
	} {
		t.Run(test.claim, func(t *testing.T) {
			name := rename.Name{Name: test.name, Owner: test.owner, Has: func(name string) bool { return slices.Contains(test.stream, name) }}
			if name.Owner == "" {
				name.Owner = "web"
			}
			if got := slices.Contains(name.From(rename.NewNames(test.given)), test.given); got != test.want {
				t.Errorf("%q from %q: %v, want %v", test.name, test.given, got, test.want)
			}
		})
	}
}

func TestAffixes(t *testing.T) {
	all := rename.AffixesOf("prod-shop-web-eu")
	for _, want := range []rename.Affixes{{}, {Prefix: "prod-"}, {Prefix: "prod-shop-"}, {Suffix: "-eu"}, {Prefix: "prod-", Suffix: "-eu"}} {
		if !slices.Contains(all, want) {
			t.Errorf("%q is missing in %q", want, all)
		}
	}
	if n := len(rename.AffixesOf(strings.Repeat("a-", 1000))); n > 16 {
		t.Errorf("%d combinations to try", n)
	}
	for name, want := range map[string]string{
		"prod-conf-eu":            "conf",
		"prod-conf-eu-f7425cff42": "conf",
		"other-f7425cff42":        "other",
		"prod-conf":               "prod-conf",
		"prod--eu":                "prod--eu",
	} {
		if got := (rename.Affixes{Prefix: "prod-", Suffix: "-eu"}).Remove(name); got != want {
			t.Errorf("%s became %s, want %s", name, got, want)
		}
	}
}

// A comparison with each of the names would take minutes.
func TestManyNamesTakeNoLonger(t *testing.T) {
	names := rename.NewNames()
	for i := range 100_000 {
		names.Add("conf-" + strconv.Itoa(i))
	}
	for i := range 10_000 {
		name := rename.Name{Name: "prod-conf-" + strconv.Itoa(i), Owner: "prod-web", Has: func(string) bool { return false }}
		if from := name.From(names); len(from) == 0 || from[0] != "conf-"+strconv.Itoa(i) {
			t.Fatalf("%s is from %q", name.Name, from)
		}
	}
}

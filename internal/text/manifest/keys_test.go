package manifest

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseRefusesKeysThatAreNoNames(t *testing.T) {
	for key, want := range map[string]string{
		"[x]":                     "line 4: a key is a list; in a Kubernetes object, keys are strings",
		"{x: y}":                  "a key is a mapping",
		"? [x]\n  ":               "a key is a list",
		"null":                    "a key is null",
		"~":                       "a key is null",
		"*k ":                     "the key *k is an alias; write out what it stands for",
		"yes":                     `the key yes is "true" to kubectl`,
		"Off":                     `the key Off is "false" to kubectl`,
		"0x10":                    `the key 0x10 is "16" to kubectl`,
		"1.0":                     `the key 1.0 is "1" to kubectl`,
		"!!binary aGk=":           `the key aGk= is "hi" to kubectl`,
		"m: 1\n  <<: {m: 2}\n  b": `line 4: the key "m" is also given by a merge key below it`,
		"b: 1\n  \"b\"":           `the key "b" is there twice`,
		"1: a\n  \"1\"":           `the key "1" is there twice`,
		"true: a\n  'true'":       `the key "true" is there twice`,
	} {
		text := "kind: Pod\nmetadata: {name: &k a}\nspec:\n  " + key + ": lost\n  containers: []\n"
		s, err := Read([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		_, object, err := s.Items[0].Parse()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
		if object == nil || !IsKeyError(err) {
			t.Errorf("%q: those who change nothing cannot read it", text)
		}
	}
}

func TestParseTakesKeysThatAreNames(t *testing.T) {
	for _, key := range []string{
		"x", `"yes"`, "1", "1.5", "true", "!!str 1", "!!str yes", "!x y1", "&a x", "2024-01-01", `""`, "-1",
		"a b", `"[x]"`,
	} {
		s, err := Read([]byte("kind: Pod\nspec:\n  " + key + ": kept\n  containers: []\n  <<: {a: b}\n"))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Items[0].Parse(); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
}

func TestFieldsBehindManyMergeKeysAreFound(t *testing.T) {
	for _, count := range []int{1, 16, 40} {
		inline := strings.Repeat("<<: {", count) + "kind: Pod" + strings.Repeat("}", count)
		aliases := "x:\n- &a0 {kind: Pod}\n"
		for i := range count - 1 {
			aliases += fmt.Sprintf("- &a%d {<<: [{}, *a%d]}\n", i+1, i)
		}
		aliases += fmt.Sprintf("<<: *a%d\n", count-1)
		for _, text := range []string{inline, aliases} {
			if s, err := Read([]byte(text)); err != nil || s.Items[0].Kind != "Pod" {
				t.Errorf("with %d: %v", count, err)
			}
		}
	}
}

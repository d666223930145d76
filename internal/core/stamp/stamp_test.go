package stamp_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/util/validation"

	"pillion.dev/pillion/internal/core/stamp"
)

func TestKeysAreValidAnnotations(t *testing.T) {
	seen := map[string]string{}
	for _, name := range []string{
		"envoy", strings.Repeat("a", 54), strings.Repeat("a", 55), strings.Repeat("a", 63), strings.Repeat("a", 62) + "b",
		strings.Repeat("a", 44) + "-.-" + strings.Repeat("b", 16), strings.Repeat("a.b-", 15) + "c",
	} {
		key := stamp.Key(name)
		if errs := validation.IsQualifiedName(key); len(errs) > 0 {
			t.Errorf("%q is no key: %v", key, errs)
		}
		if other, taken := seen[key]; taken {
			t.Errorf("%q and %q have one key, %q", name, other, key)
		}
		seen[key] = name
		if !stamp.IsKey(key) {
			t.Errorf("%q is not the key of a stamp", key)
		}
	}
	if key := stamp.Key("envoy"); key != "pillion.dev/injected-envoy" || stamp.NameOf(key) != "envoy" {
		t.Errorf("got %q", key)
	}
}

// oddKeys have the characters that mean something in a stamp, in a path or in JSON.
var oddKeys = []string{
	"", " ", "a b", "/", "/run/x/", "a/b", "~", "~1", "a:b", "::1", "a=b", "a[0]", "[", "]=", `"`, `a"b`, `\`, `a\`, "<", ">", "a>b", "#",
	"1", "c", "c/x", "\n", "a\tb", "\x00", "\u007f", "\u0085", "\u2028", "ä", "\U0001f600", "'", "configMapRef common P_", "&<>",
}

func TestTextsOfStampsAreReadAsTheyWereWritten(t *testing.T) {
	for _, key := range oddKeys {
		for _, other := range oddKeys {
			checkRoundTrip(t, key, other)
		}
	}
}

// FuzzRoundTrip checks that a stamp with any keys and texts is read as it was written.
func FuzzRoundTrip(f *testing.F) {
	for i, key := range oddKeys {
		f.Add(key, oddKeys[len(oddKeys)-1-i])
	}
	f.Fuzz(func(t *testing.T, key, other string) {
		if utf8.ValidString(key) && utf8.ValidString(other) && !strings.Contains(key+other, "injected") {
			checkRoundTrip(t, key, other)
		}
	})
}

// checkRoundTrip writes and reads a stamp that has two texts wherever a stamp may have any.
func checkRoundTrip(t *testing.T, key, other string) {
	t.Helper()
	quoted := strconv.QuoteToASCII(other)
	env := "spec/containers/" + escape(key) + "/env"
	s := empty()
	add(s, "spec/"+escape(other), "x"+key, hash)
	add(s, env, "A", hash)
	add(s, "metadata/annotations", "x"+key, hash)
	add(s, "spec/containers", "x"+key, hash)
	add(s, "spec/containers/"+escape(key)+"/volumeMounts", other, hash)
	replace(s, "metadata/annotations", other, quoted)
	text := s.String()
	parsed, err := stamp.Parse(text)
	if err != nil {
		t.Fatalf("%q and %q are written as %s: %v", key, other, text, err)
	}
	if diff := cmp.Diff(s, parsed, cmpopts.IgnoreUnexported(stamp.Stamp{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s is parsed as something else (-written +parsed):\n%s", text, diff)
	}
	if len(text) > 4<<10 {
		return // each cut takes as long as the text
	}
	for cut := range text {
		if _, err := stamp.Parse(text[:cut]); err == nil {
			t.Errorf("%s is parsed although it was cut short", text[:cut])
		}
	}
}

func TestParseNamesTheFormatOfANewerVersion(t *testing.T) {
	newer := (*stamp.NewerError)(nil)
	if _, err := stamp.Parse("12 anything"); !errors.As(err, &newer) || newer.Format != "12" {
		t.Errorf("got %v", err)
	}
}

func added(path, key string, p stamp.Fingerprint) string {
	s := empty()
	add(s, path, key, p)
	return s.String()
}

func replaced(path, key, text string) string {
	s := empty()
	replace(s, path, key, text)
	return s.String()
}

func TestParseRefusesWhatWasWrittenByHand(t *testing.T) {
	text := stamp.Seal("1 c(envoy:AAAAAA) v(envoy-conf:BBBBBB)")
	unsealed := text[:strings.LastIndexByte(text, ' ')]
	for claim, broken := range map[string]string{
		"another name":    strings.Replace(text, "envoy-conf", "data", 1),
		"a blank":         strings.Replace(text, ":", ": ", 1),
		"something more":  text + "x",
		"no sum":          text[:strings.LastIndexByte(text, ' ')],
		"no last entry":   text[:strings.LastIndexByte(text, 'v')-1],
		"no format":       stamp.Seal(strings.TrimPrefix(unsealed, "1 ")),
		"format 0":        stamp.Seal("0" + unsealed[1:]),
		"another order":   stamp.Seal("1 v(a:AAAAAA) c(a:AAAAAA)"),
		"an entry twice":  stamp.Seal("1 v(a:AAAAAA a:AAAAAA)"),
		"two blanks":      stamp.Seal("1  v(a:AAAAAA)"),
		"needless quotes": stamp.Seal(`1 v("a":AAAAAA)`),
		"a long path":     stamp.Seal("1 spec/volumes(a:AAAAAA)"),
		"an open quote":   stamp.Seal(`1 v("a b`),
		"an open escape":  stamp.Seal(`1 v("a b\`),
		"an open bracket": stamp.Seal("1 v(a:AAAAAA) c/app/env[0"),
		"no number":       stamp.Seal(`1 c/app/env(A:AAAAAA) c/app/env[x]="{name: A}"`),
		"zero lines":      stamp.Seal(`1 c/app/env(A:AAAAAA) c/app/env[0+0]="{name: A}"`),
		"an open group":   stamp.Seal("1 v(a:AAAAAA"),
		"an empty group":  stamp.Seal("1 v() c(a:AAAAAA)"),
		"no length":       stamp.Seal("1 c/app/env(A&,>:8EseUE)"),
		"an old stamp":    stamp.Seal("1 v/a:AAAAAA"),
		"only a path":     stamp.Seal("1 v"),
		"nothing":         "",
		"only a format":   stamp.Seal("1"),
		"far too much":    strings.Repeat(" ", 300<<10),
		"JSON":            "{}",
		"an anchor in it": replaced("spec", "a", "&a b"),
		"the spec":        added("", "spec", hash),
		"all containers":  added("spec", "containers", hash),
		"no fingerprint":  added("spec/containers", "app", stamp.Fingerprint{}),
		"a stamp":         added("metadata/annotations", stamp.Key("other"), hash),
		"nothing at all":  empty().String(),
		"another by name": replaced("spec/containers", "envoy", "name: app"),
		"another spec":    replaced("", "spec", "{a: b}"),
		"two documents":   replaced("spec", "a", "b\n---\nc"),
		"no YAML in it":   replaced("spec", "a", "[b"),
	} {
		t.Run(claim, func(t *testing.T) {
			if s, err := stamp.Parse(broken); err == nil {
				t.Errorf("it is read as %s", s)
			}
		})
	}
}

var hash = stamp.Fingerprint{Hash: "AAAAAA"}

func empty() *stamp.Stamp {
	return &stamp.Stamp{Changes: map[stamp.Address]stamp.Change{}}
}

func add(to *stamp.Stamp, path, key string, f stamp.Fingerprint) {
	at := stamp.Address{Path: path, Key: key}
	to.Changes[at] = stamp.Change{Fingerprint: f, Before: to.Changes[at].Before}
}

func replace(to *stamp.Stamp, path, key, text string) {
	at := stamp.Address{Path: path, Key: key}
	to.Changes[at] = stamp.Change{Fingerprint: to.Changes[at].Fingerprint, Before: &text}
}

func escape(key string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(key) }

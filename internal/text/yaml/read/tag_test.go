package read

import (
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"pillion.dev/pillion/internal/text/yaml/node"
)

// words are plain scalars that look like something else than a string, or almost.
const words = `
true True TRUE tRUE truE trueX tru false False FALSE falsE fals falsey null Null NULL nULL nul nulls ~ ~~ ~a
y Y yes Yes YES n N no No NO on On ON off Off OFF yesx none Nulla tab fab nub turn
0 1 -1 +1 00 01 007 0777 0o17 0o8 -0o17 +0o7 0O17 0x1F -0x1F 0X1f 0xZ 0b101 -0b11 0b2 0B1 1_000 1__0 _1 1_ 0x_1
9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616
1.5 -1.5 +1.5 1. .5 -.5 +.5 . .. ... .a .5a 1e3 1E3 1e+3 1e-3 1e 1.5e3 .5e3 1.2.3 1e3.5 1e400 0.0 -0 +0 -0.0 1,000
.inf .Inf .INF -.inf +.Inf -.INF +.inf .nan .NaN .NAN -.nan .Nan inf Inf nan NaN -inf +inf infinity .infinity 0x1p4 0x1.8 1p4
2001-01-01 2001-1-1 2001-13-01 2001-12-14T21:59:43.10-05:00 2001-12-14t21:59:43Z 2001-12-14T21:59:43z 20010101 2001-01 12-01-01 99999-01-01
1:30 190:20:30 12:30:45 1:2:3.4 8080:80 80/tcp 53:53/udp
= == =a < << <<< - -- --- -a --a -1a -+1 + ++ +a 1m 100m 64Mi 5Gi 1k 2Ti 0.5Mi 1e 1Ei 10s 5m 1h30m 1d 1f 1a ab12 12ab 0xdeadbeef deadbeef
v1 apps/v1 1.27.3 v1.2.3 1.0.0-rc1 10.0.0.1 10.0.0.0/8
::1 fe80::1 sha256:0123 nginx:1.25 r1 é 1é é1 日本 true日 100% %a a% $1 $(A) ${B}
name type tcp TCP UDP fieldRef optional operator In NotIn Never OnFailure Always None ClusterIP nodes none-a false-a true-b null-c
0_1 0__1 -_1 +_1 1_e3 1e_3 1._5 0o_7 0b_1 0x 0o 0b -0x -0b -0o 0b111111111111111111111111111111111111111111111111111111111111111111
`

// isBoolOfKubectl reports whether a plain scalar is a boolean for kubectl, and a string for the library.
func isBoolOfKubectl(word string) bool {
	return slices.Contains(strings.Fields("y Y yes Yes YES on On ON n N no No NO off Off OFF"), word)
}

// The tag of a plain scalar is the library's, in all places where one may stand, except that kubectl has more booleans.
func TestWordsHaveTheTagsOfTheLibrary(t *testing.T) {
	phrases := append(strings.Fields(words), "2001-12-14 21:59:43.10", "2001-12-14 21:59:43.10 -5", "1 2", "1 true", "true false",
		"- 1", "1 -", "2001-01-01 x", "null null", "12 e3")
	for _, word := range phrases {
		want := (&yaml.Node{Kind: yaml.ScalarNode, Value: word}).ShortTag()
		if word == "<<" { // the library gives it its tag while it reads
			want = "!!merge"
		}
		if isBoolOfKubectl(word) {
			want = "!!bool"
		}
		if got := node.PlainTag(word).String(); got != want {
			t.Errorf("%q is %s, want %s", word, got, want)
		}
		for _, text := range []string{
			"a: %\n", "%: a\n", "- %\n", "%", "[%, %]\n", "{a: %}\n", "{%: a}\n", "a:\n  %\n", "a: % # b\n",
			"a: '%'\n", "a: \"%\"\n",
		} {
			checkSure(t, []byte(strings.ReplaceAll(text, "%", word)))
		}
	}
}

// All words of few letters that may begin something special are tried.
func TestShortWordsHaveTheTagsOfTheLibrary(t *testing.T) {
	letters := "truefalsnTRUEFALSNyo~.+-01xobZ:_eip"
	tryAll(t, "", letters, 4)
	for _, word := range []string{"true", "false", "null"} {
		for bits := range 1 << len(word) {
			spelled := []byte(word)
			for i := range spelled {
				if bits>>i&1 == 1 {
					spelled[i] -= 'a' - 'A'
				}
			}
			tryTag(t, string(spelled))
		}
	}
}

func tryAll(t *testing.T, word, letters string, left int) {
	if word != "" {
		tryTag(t, word)
	}
	if left == 0 {
		return
	}
	for _, letter := range letters {
		tryAll(t, word+string(letter), letters, left-1)
	}
}

func tryTag(t *testing.T, word string) {
	n := yaml.Node{Kind: yaml.ScalarNode, Value: word}
	if got, want := node.PlainTag(word).String(), n.ShortTag(); got != want && (!isBoolOfKubectl(word) || got != "!!bool") {
		t.Errorf("%q is %s, want %s", word, got, want)
	}
}

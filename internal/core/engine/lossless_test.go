package engine

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/decision"
	"pillion.dev/pillion/internal/config/injector"
	"pillion.dev/pillion/internal/core/outcome"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/internal/text/manifest"
	"pillion.dev/pillion/internal/text/yaml/node"
	yamlread "pillion.dev/pillion/internal/text/yaml/read"
)

const everySort = `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjector
metadata: {name: envoy}
spec:
  containers:
  - name: envoy-sidecar
    image: envoy:1
    args: ["--mode", serve, "yes"]
    volumeMounts: [{name: envoy-sidecar-conf, mountPath: /etc/envoy}]
  - name: first-of-all
    image: first:1
    mode: Container
    podInjectPolicy: BeforeAppContainer
  initContainers:
  - name: prepare-sidecar
    image: prepare:1
  volumes:
  - name: envoy-sidecar-conf
    configMap: {name: envoy}
  imagePullSecrets:
  - name: sidecar-registry
  appContainers:
  - includeInit: true
    env: [{name: SIDECAR_PORT, value: "15001"}]
    envFrom: [{configMapRef: {name: sidecar}}]
    volumeMounts: [{name: envoy-sidecar-conf, mountPath: /etc/envoy-sidecar}]
  patchPodMetadata:
  - labels: {sidecar.example.com/in: "yes"}
    annotations: {sidecar.example.com/ports: "[15001]"}
  podSpec:
    tolerations: [{key: sidecar, operator: Exists}]
    hostAliases: [{ip: 10.9.8.7, hostnames: [sidecar.local]}]
`

// TestInjectingOnlyInserts runs the corpus through the whole way and holds the lines that
// come out against those that went in.
func TestInjectingOnlyInserts(t *testing.T) {
	files, err := filepath.Glob("../../text/yaml/splice/testdata/corpus/*")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d manifests: %v", len(files), err)
	}
	var config node.Node
	if err := yamlread.Into([]byte(everySort), &config); err != nil {
		t.Fatal(err)
	}
	injectors, said := injector.Read(&config)
	if len(said) > 0 {
		t.Fatal(said)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			input, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(filepath.Base(file), "item-") { // it stands in a list
				input = append([]byte("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"), input...)
			}
			output, first := injectText(t, input, injectors)
			if first.Failed() || first.Counts()[decision.Injected] == 0 {
				t.Fatalf("%s: %v", first.Counts(), first.Findings())
			}
			if line, ok := onlyInserts(input, output); !ok {
				t.Errorf("this line is not as it was: %q\n%s", line, output)
			}
			if strings.Contains(file, "flow") && !strings.Contains(file, "flow-comments") { // there new entries go before the last comment
				if was, is := commentPlaces(string(input)), commentPlaces(string(output)); !slices.Equal(was, is) {
					t.Errorf("comments stood at:\n%q\nand stand at:\n%q\n%s", was, is, output)
				}
			}
			again, second := injectText(t, output, injectors)
			if !bytes.Equal(again, output) || second.Counts()[decision.Unchanged] != first.Counts()[decision.Injected] {
				t.Errorf("a second run: %s\n%s", second.Counts(), again)
			}
		})
	}
}

func injectText(t *testing.T, text []byte, injectors []*injector.Injector) ([]byte, outcome.Run) {
	t.Helper()
	stream, err := manifest.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	r, err := inject(context.Background(), stream.Items, Config{injectors: injectors})
	if err != nil {
		t.Fatal(err)
	}
	return edit.Apply(text, editsOf([][]visited{visits(stream.Items)}, r.Workloads)[0]), r
}

// onlyInserts tells whether the output is the input with lines put in between, with text put
// into lines that stand in brackets, a comma behind them, or an empty value or an alias taken away to make room.
func onlyInserts(input, output []byte) (line string, ok bool) {
	if input[0] == '{' { // JSON, where a comma may move to a line of its own
		whole := strings.NewReplacer(`"volumes": null`, `"volumes": `, `"volumes":null`, `"volumes":`).Replace(string(input))
		return whole, widened(whole, string(output))
	}
	rest := strings.Split(string(output), "\n")
	for line := range strings.SplitSeq(string(input), "\n") {
		at := slices.IndexFunc(rest, func(candidate string) bool {
			return candidate == line || candidate == line+"," || emptied(line) == candidate || widened(line, candidate) || widened(emptied(line),
				candidate)
		})
		if at < 0 {
			return line, false
		}
		rest = rest[at+1:]
	}
	return "", true
}

// widened tells whether a text in brackets is another one with whole entries put into it.
func widened(line, candidate string) bool {
	if !strings.ContainsAny(line, "[]{},\"") {
		return false
	}
	w := widening{tokens(line), tokens(candidate), map[[2]int]bool{}}
	return w.from(0, 0)
}

// widening holds the tokens of a text against those of a longer one.
type widening struct {
	short, long []string
	failed      map[[2]int]bool
}

// from tells whether the rest of the long text is the rest of the short one with insertions.
func (w widening) from(i, j int) bool {
	if i == len(w.short) && j == len(w.long) {
		return true
	}
	if w.failed[[2]int{i, j}] || j == len(w.long) {
		return false
	}
	if i < len(w.short) && w.short[i] == w.long[j] && w.from(i+1, j+1) {
		return true
	}
	depth := 0
	for k := j; k < len(w.long) && !strings.HasPrefix(w.long[k], "#"); k++ {
		depth += nesting(w.long[k])
		if depth < 0 {
			break
		}
		if depth == 0 && w.isEntries(j, k+1) && w.from(i, k+1) {
			return true
		}
	}
	w.failed[[2]int{i, j}] = true
	return false
}

// isEntries tells whether tokens are inserted at the boundary of an entry: with a comma at
// either end, or alone behind an opening bracket or a colon.
func (w widening) isEntries(start, end int) bool {
	inserted := significant(w.long[start:end])
	if len(inserted) == 0 {
		return false
	}
	if inserted[0] == "," || inserted[len(inserted)-1] == "," {
		return true
	}
	isBlank := func(token string) bool { return strings.TrimSpace(token) == "" }
	before, behind := start-1, end
	for before >= 0 && isBlank(w.long[before]) {
		before--
	}
	for behind < len(w.long) && isBlank(w.long[behind]) {
		behind++
	}
	alone := behind == len(w.long) || slices.Contains([]string{",", "]", "}"}, w.long[behind])
	return alone && before >= 0 && slices.Contains([]string{"[", "{", ":"}, w.long[before])
}

func nesting(token string) int {
	switch token {
	case "[", "{":
		return 1
	case "]", "}":
		return -1
	}
	return 0
}

var token = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[ \t]+|[][{},:]|(?:[^][{},:"' \t\r\n]|\b["'])+|["']`)

// tokens cuts a text into quoted texts, words, brackets, blanks and comments.
func tokens(text string) []string {
	var found []string
	for line := range strings.Lines(text) {
		content := strings.TrimRight(line, "\r\n")
		lineEnd := line[len(content):]
		if at := strings.Index(" "+content, " #"); at >= 0 {
			found = append(found, token.FindAllString(content[:at], -1)...)
			found = append(found, content[at:])
		} else {
			found = append(found, token.FindAllString(content, -1)...)
		}
		if lineEnd != "" {
			found = append(found, lineEnd)
		}
	}
	return found
}

// significant leaves out blanks.
func significant(tokens []string) []string {
	return slices.DeleteFunc(slices.Clone(tokens), func(token string) bool { return strings.TrimSpace(token) == "" })
}

// commentPlaces lists the comments of a text, each with what stands before it on its line, or
// behind it where it has a line of its own inside of brackets.
func commentPlaces(text string) []string {
	var places []string
	all := tokens(text)
	depth := 0
	for i, comment := range all {
		depth += nesting(comment)
		if !strings.HasPrefix(comment, "#") {
			continue
		}
		isEntry := func(token string) bool { return token != "," && token[0] != '#' }
		before := slices.DeleteFunc(significant(all[:i]), func(token string) bool { return !isEntry(token) })
		behind := slices.DeleteFunc(significant(all[i:]), func(token string) bool { return !isEntry(token) })
		above := strings.TrimRight(strings.Join(all[:i], ""), " ")
		switch ownLine := above == "" || strings.HasSuffix(above, "\n"); {
		case !ownLine:
			places = append(places, fmt.Sprint(comment, " behind ", subject(before)))
		case depth > 0:
			places = append(places, fmt.Sprint(comment, " above ", behind[:min(4, len(behind))]))
		}
	}
	return places
}

// subject is what the last of the tokens belongs to: the key of a collection that ends there, or
// how an entry begins that does.
func subject(tokens []string) []string {
	end := len(tokens) - 1
	opening, depth := end, nesting(tokens[end])
	for depth < 0 {
		opening--
		depth += nesting(tokens[opening])
	}
	switch {
	case tokens[end] == ":":
		return tokens[end-1:]
	case opening == end:
		return tokens[max(0, end-2):]
	case opening > 1 && tokens[opening-1] == ":":
		return tokens[opening-2 : opening]
	}
	return tokens[opening:min(opening+4, end)]
}

// emptied is a line without the empty value, or the alias, that a new one takes the place of.
func emptied(line string) string {
	if key, _, ok := strings.Cut(line, ": *env"); ok {
		return key + ":"
	}
	for _, empty := range []string{" []", " {}", " null", " ~"} {
		if without := strings.Replace(line, empty, "", 1); without != line {
			return without
		}
	}
	return line
}

package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pillion.dev/pillion/internal/escape"
)

// describeText returns what a text without Kubernetes objects is instead, such as what kubectl prints for people, in words that follow
// the name of a file and end before a remedy. It returns "" if the text is none of these.
func describeText(text []byte) string {
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\uFEFF")))
	lines := firstLines(text)
	if len(lines) == 0 {
		return "is empty; if kubectl printed an error, correct that first"
	}
	switch first := lines[0]; {
	case first[0] == '<':
		return "is a web page, such as the login page of a proxy"
	case strings.HasPrefix(first, "No resources found"):
		return "shows that kubectl found nothing: check the namespace and your rights"
	case isKubectlMessage(first):
		return describeMessage(first, text)
	case first[0] == '[' && json.Valid(text):
		return "is a JSON list without a kind, as kubectl get -o jsonpath prints it"
	case first[0] == '{':
		return describeJSON(text)
	case strings.HasPrefix(first, "Name:  "):
		return "is what kubectl describe prints"
	case isTableHead(first), isTableRow(first):
		return "is a table, as kubectl get prints it for people, with -o wide and -o custom-columns too"
	case !slices.ContainsFunc(lines, isNotObjectName):
		return "is a list of names, as kubectl get -o name prints it"
	case !slices.ContainsFunc(lines, func(line string) bool { return strings.ContainsAny(line, ":{}") }):
		return "is plain text"
	}
	return ""
}

// firstLines returns the first lines of a text, cut where they are very long.
func firstLines(text []byte) []string {
	const mostLines, mostBytes = 5, 4 << 10
	var lines []string
	for line := range bytes.Lines(text[:min(len(text), mostBytes)]) {
		if line := strings.TrimRight(string(line), " \r\n"); line != "" && len(lines) < mostLines {
			lines = append(lines, line)
		}
	}
	return lines
}

// describeMessage describes a text that starts with a message of kubectl. Objects follow it if standard error was sent to the pipe as well.
func describeMessage(first string, text []byte) string {
	const most = 200
	if bytes.Contains(text, []byte("apiVersion")) {
		return "starts with a message of kubectl (" + escape.Line(first[:min(len(first), most)]) + "); leave out 2>&1"
	}
	return "is a message of kubectl (" + escape.Line(first[:min(len(first), most)]) + "); correct that first"
}

// describeJSON describes a JSON object that cannot be read, if it ends in the middle, or if another one follows it.
func describeJSON(text []byte) string {
	var whole, next json.RawMessage
	if decoder := json.NewDecoder(bytes.NewReader(text)); decoder.Decode(&whole) == nil && decoder.Decode(&next) == nil {
		return "has JSON objects one after the other; put a line of --- between them, or name all kinds in one kubectl get"
	}
	syntax, isSyntax := errors.AsType[*json.SyntaxError](json.Unmarshal(text, &whole))
	if isSyntax && syntax.Offset >= int64(len(text)) {
		return "is JSON that ends in the middle: the command that wrote it was interrupted, or its disk is full; run it again"
	}
	return ""
}

// isKubectlMessage reports whether a line is an error or a warning of kubectl, or a line of its log.
func isKubectlMessage(line string) bool {
	starts := []string{"Error from server", "error: ", "Unable to connect to the server", "The connection to the server", "Warning: "}
	isStart := func(start string) bool { return strings.HasPrefix(line, start) }
	return slices.ContainsFunc(starts, isStart) || kubectlLog().MatchString(line)
}

// kubectlLog matches the beginning of a line of kubectl's log, such as E1116 04:00:00.000000 1 memcache.go:265].
var kubectlLog = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[EWIF]\d{4} [0-9:.]+ +\d+ \S+\.go:\d+\] `) })

// isTableHead reports whether a line has the titles of columns in capitals, as kubectl prints them.
func isTableHead(line string) bool {
	words := strings.Fields(line)
	isTitle := func(word string) bool { return strings.Trim(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-()%") == "" }
	isKnown := slices.Contains([]string{"NAME", "NAMESPACE", "KIND", "READY", "STATUS"}, words[0])
	return !slices.ContainsFunc(words, func(word string) bool { return !isTitle(word) }) && (isKnown || len(words) > 1)
}

// isTableRow reports whether a line is that of a pod in a table without titles: web-1 1/1 Running 0 5d, or with the namespace before it.
func isTableRow(line string) bool {
	words := strings.Fields(line)
	isReady := func(word string) bool {
		ready, all, isRatio := strings.Cut(word, "/")
		return isRatio && ready != "" && all != "" && strings.Trim(ready+all, "0123456789") == ""
	}
	return len(words) > 2 && (isReady(words[1]) || isReady(words[2]))
}

// isNotObjectName reports whether a line is not the name of an object as kubectl prints it: pod/web-1.
func isNotObjectName(line string) bool {
	const inNames = "abcdefghijklmnopqrstuvwxyz0123456789.-:"
	kind, name, isPair := strings.Cut(line, "/")
	return !isPair || kind == "" || name == "" || strings.Trim(kind, inNames) != "" || strings.Trim(name, inNames) != ""
}

package command

import (
	"strings"
	"testing"
)

func TestTextsThatAreNoObjects(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"nothing":         {" \n", "is empty"},
		"get":             {"NAME    READY   STATUS    RESTARTS   AGE\nweb-1   1/1     Running   0          5d\n", "is a table"},
		"get -A -o wide":  {"NAMESPACE   NAME    READY   STATUS   IP   NOMINATED NODE   READINESS GATES\nshop   web-1   1/1\n", "is a table"},
		"custom columns":  {"NAME    NODE_NAME\nweb-1   n\n", "is a table"},
		"one column":      {"NAME\nweb-1\n", "is a table"},
		"no headers":      {"shop   web-1   1/1   Running   0   5d\n", "is a table"},
		"names":           {"pod/web-1\npod/web-2\n", "is a list of names"},
		"names of groups": {"deployment.apps/web\r\n", "is a list of names"},
		"describe":        {"Name:             web-1\nNamespace:        shop\nPriority:         0\n", "kubectl describe"},
		"jsonpath words":  {"web-1 web-2", "is plain text"},
		"jsonpath list":   {`[{"apiVersion":"v1","kind":"Pod"}]`, "-o jsonpath"},
		"web page":        {"<!doctype html>\n<title>Log in</title>", "web page"},
		"no resources":    {"No resources found in shop namespace.\n", "found nothing"},
		"forbidden":       {"Error from server (Forbidden): pods is forbidden\n", "is a message of kubectl (Error from server"},
		"no server":       {"The connection to the server localhost:8080 was refused - did you specify the right host?", "correct that first"},
		"log":             {"E1116 04:00:00.000000   12345 memcache.go:265] \"Unhandled Error\"\n", "is a message of kubectl"},
		"mixed streams":   {"Warning: deprecated\n{\"apiVersion\": \"v1\"}", "leave out 2>&1"},
		"cut short":       {`{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","ki`, "ends in the middle"},
		"escapes":         {"error: \x1b[31mred\n", `\x1b[31mred`},
		"wrong JSON":      {`{"a": b}`, ""},
		"YAML":            {"apiVersion: v1\nkind: Pod\n", ""},
		"mapping":         {"NAME: a\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := describeText([]byte(c.text)); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// FuzzTextsThatAreNoObjects checks that no text makes the recognition fail, and that its words are safe to print.
func FuzzTextsThatAreNoObjects(f *testing.F) {
	for _, text := range []string{"", "\ufeff", "NAME", "pod/", "/", "[", "{", "error: \x9b", "Name:  a"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if got := describeText(text); strings.ContainsAny(got, "\x1b\n\u009b") {
			t.Errorf("%q", got)
		}
	})
}

package command_test

import (
	"bytes"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/edge/command"
	"pillion.dev/pillion/internal/text/manifest"
)

const (
	listHead = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
	envoy    = `functionConfig:
  apiVersion: pillion.dev/v1alpha1
  kind: SidecarInjector
  metadata:
    name: envoy
  spec:
    containers:
    - name: envoy
      image: envoy:1
`
	web = `- apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: web
  spec:
    template:
      spec:
        containers:
        - name: app
          image: app:1
`
)

func run(args []string, input string) (code int, out, said string) {
	var stdout, stderr bytes.Buffer
	code = command.Run(args, strings.NewReader(input), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}

func TestBadInputIsAClearErrorAndNothingIsLost(t *testing.T) {
	config := func(kind, name, rest string) string {
		return "functionConfig:\n  apiVersion: v1\n  kind: " + kind + "\n  metadata:\n    name: " + name + "\n" + rest
	}
	// A bomb of aliases: ten to the power of the number of lines.
	bomb := "- apiVersion: v1\n  kind: Pod\n  a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
	for i := range 12 {
		n := string(rune('a' + i))
		from := "a0"
		if i > 0 {
			from = string(rune('a' + i - 1))
		}
		bomb += "  " + n + ": &" + n + " [*" + from + strings.Repeat(", *"+from, 9) + "]\n"
	}

	tests := map[string]struct {
		input string
		says  string
		keeps bool // whether the items are expected on standard output
	}{
		"empty":                        {input: "", says: "empty"},
		"only white space and comment": {input: "\n  \n# nothing\n", says: "empty"},
		"not YAML":                     {input: listHead + envoy + "items: [b\nc: }", says: "line"},
		"not a mapping":                {input: "just words", says: "Kubernetes object"},
		"documents":                    {input: "apiVersion: v1\nkind: Pod\n---\napiVersion: v1\nkind: Pod\n", says: "plain manifests"},
		"a list of another version": {
			input: "apiVersion: config.kubernetes.io/v9\nkind: ResourceList\nitems: []\n",
			says:  "config.kubernetes.io/v1",
		},
		"not UTF-8":          {input: listHead + "items:\n- apiVersion: v1\n  kind: Pod\n  x: \"\xff\xfe\"\n", says: "UTF-8"},
		"no function config": {input: listHead + "items:\n" + web, says: "function config", keeps: true},
		"kpt's empty function-input": {
			input: listHead + config("ConfigMap", "function-input", "") + "items:\n" + web, says: "function config", keeps: true,
		},
		"an unknown kind of config": {
			input: listHead + config("SidecarInjecter", "x", "") + "items:\n" + web, says: "SidecarInjector", keeps: true,
		},
		"an item that is too large": {
			input: listHead + envoy + "items:\n- apiVersion: v1\n  kind: ConfigMap\n  data:\n    x: " +
				strings.Repeat("x", manifest.MaxItemBytes) + "\n" + web,
			says: "at most 4194304",
		},
		"deep nesting": {
			input: listHead + envoy + "items:\n- apiVersion: v1\n  kind: Pod\n  spec: " +
				strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "\n",
			says: "nest",
		},
		"aliases without end": {input: listHead + envoy + "items:\n" + bomb, says: "alias", keeps: true},
		"an alias to itself": {
			input: listHead + envoy + "items:\n- apiVersion: v1\n  kind: Pod\n  spec: &s\n    x: *s\n",
			says:  "InvalidItem",
		},
		"a duplicate key": {input: listHead + envoy + "items:\n" + web + "  kind: Deployment\n", says: "kind", keeps: true},
		"an unknown field in spec": {
			input: listHead + strings.Replace(envoy, "spec:", "spec:\n    selectr: {}", 1) + "items:\n" + web, says: "selector", keeps: true,
		},
		"an unknown field in a container": {
			input: listHead + envoy + "      imagePullPolcy: Always\nitems:\n" + web, says: "imagePullPolicy", keeps: true,
		},
		"an unreadable config": {input: listHead + "functionConfig: {a: 1, a: 2}\nitems:\n" + web, says: "functionConfig", keeps: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			code, out, said := run(nil, test.input)
			if code != 1 {
				t.Errorf("exit code %d, want 1", code)
			}
			if !strings.Contains(said, test.says) {
				t.Errorf("said %.500q, want %q in it", said, test.says)
			}
			if test.keeps {
				_, items, _ := strings.Cut(test.input, "items:\n")
				if !strings.Contains(out, items) || !strings.Contains(out, "\nresults:\n") {
					t.Errorf("the items did not come out as they went in, with results:\n%.2000s", out)
				}
			}
		})
	}
}

func TestAnInjectionIsWrittenAndCounted(t *testing.T) {
	code, out, said := run(nil, listHead+envoy+"items:\n"+web)
	if code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	stamped := strings.Replace(web, "    template:\n", "    template:\n      metadata:\n        annotations:\n"+
		"          pillion.dev/injected-envoy: 1 i(envoy:BxcE8c) lL_BGI\n", 1)
	want := listHead + envoy + "items:\n" + stamped + "        initContainers:\n        - name: envoy\n          image: envoy:1\n" +
		"          restartPolicy: Always\nresults:\n"
	if !strings.HasPrefix(out, want) {
		t.Errorf("got:\n%s\nwant it to begin with:\n%s", out, want)
	}
	if said != "1 workload: 1 injected\n" {
		t.Errorf("said %q", said)
	}
}

func TestHelpExplainsTheFunction(t *testing.T) {
	code, out, _ := run([]string{"--help"}, "")
	if code != 0 || !strings.Contains(out, "ResourceList") || !strings.Contains(out, "kpt fn render") {
		t.Errorf("exit code %d, help:\n%s", code, out)
	}
}

func TestVersionIsOneLine(t *testing.T) {
	code, out, _ := run([]string{"version"}, "")
	if code != 0 || strings.Count(out, "\n") != 1 {
		t.Errorf("exit code %d, version %q", code, out)
	}
}

func TestAnUnknownVerbIsAnError(t *testing.T) {
	code, out, said := run([]string{"injct"}, "")
	if code != 1 || out != "" || !strings.Contains(said, "injct") {
		t.Errorf("exit code %d, out %q, said %q", code, out, said)
	}
}

package variable_test

import (
	"testing"

	"pillion.dev/pillion/internal/config/variable"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

func subject(t testing.TB) variable.Subject {
	t.Helper()
	var labels, annotations node.Node
	for text, into := range map[string]*node.Node{
		`{app: web, empty: "", app.kubernetes.io/name: shop}`: &labels,
		`{example.com/Level: debug}`:                          &annotations,
	} {
		if err := read.Into([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	return variable.Subject{
		Name: "web", Kind: "Deployment", Labels: labels.Content[0], Annotations: annotations.Content[0],
		Container: variable.Container{Name: "app", Image: "${workload.name}:1"},
	}
}

func TestVariablesAreFilledIn(t *testing.T) {
	for text, want := range map[string]string{
		"${workload.name}":                        "web",
		"${workload.kind}/${workload.name}!":      "Deployment/web!",
		"${workload.namespace:-default}":          "default",
		"${workload.namespace:-}":                 "",
		"${workload.name:-x}":                     "web",
		"${pod.labels['app']}":                    "web",
		"${pod.labels['app.kubernetes.io/name']}": "shop",
		"${pod.labels['empty']}":                  "",
		"${pod.labels['empty']:-as in a shell}":   "as in a shell",
		"${pod.labels['none']:-a:-b 'c' $x}":      "a:-b 'c' $x",
		"${pod.annotations['example.com/Level']}": "debug",
		"${pod.annotations['none']:-debug}":       "debug",
		"${container.name} ${container.image}":    "app ${workload.name}:1",
		"${container.port:-8080}":                 "8080",
		"$${HOME} and ${workload.name}":           "${HOME} and web",
		"$${":                                     "${",
		"$$${workload.name}":                      "$${workload.name}",
		"$$ $$(A) $(B) $C $ ${workload.name} $$":  "$$ $$(A) $(B) $C $ web $$",
		"}${workload.name}}":                      "}web}",
		"${workload.name}${workload.name}":        "webweb",
		"multi\n${workload.name}\nline":           "multi\nweb\nline",
		"\u00e9${workload.name}\u00e9":            "\u00e9web\u00e9",
	} {
		t.Run(text, func(t *testing.T) {
			parsed, wrong := variable.Parse(text)
			if wrong != nil {
				t.Fatal(wrong.Message)
			}
			if got, unset := parsed.Expand(subject(t)); unset != nil || got != want {
				t.Errorf("got %q, %v; want %q", got, unset, want)
			}
		})
	}
}

func TestOtherDollarsAreLiteral(t *testing.T) {
	for _, text := range []string{"", "plain", "$", "$$", "$(VAR)", "$$(VAR)", "$VAR", "{}", "$ {workload.name}", "}{"} {
		parsed, wrong := variable.Parse(text)
		if wrong != nil || !parsed.IsLiteral() {
			t.Errorf("%q is not literal: %v", text, wrong)
		}
	}
}

func TestUnsetVariablesSayHowToGiveADefault(t *testing.T) {
	for text, want := range map[string]string{
		"${workload.namespace}": "${workload.namespace} has no value, because the workload has no metadata.namespace, " +
			"and spec.defaultNamespace names none; " +
			"add it, or give a default: ${workload.namespace:-DEFAULT}",
		"a ${pod.labels['tier']}": `${pod.labels['tier']} has no value, because the pod template has no label "tier"; ` +
			"add it, or give a default: ${pod.labels['tier']:-DEFAULT}",
		"${pod.annotations['x']}": `${pod.annotations['x']} has no value, because the pod template has no annotation "x"; ` +
			"add it, or give a default: ${pod.annotations['x']:-DEFAULT}",
		"${container.port}": "${container.port} has no value, because there is no container of the app; " +
			"add one, or give a default: ${container.port:-DEFAULT}",
	} {
		parsed, wrong := variable.Parse(text)
		if wrong != nil {
			t.Fatal(wrong.Message)
		}
		if _, unset := parsed.Expand(subject(t)); unset == nil || unset.Message() != want {
			t.Errorf("%s: got %v, want %s", text, unset, want)
		}
	}
}

func TestBadSyntaxIsRefused(t *testing.T) {
	const known = "workload.name, workload.namespace, workload.kind, pod.labels['KEY'], pod.annotations['KEY'], " +
		"container.name, container.image, container.port"
	for text, want := range map[string]string{
		"a ${workload.name":         `"${workload.name" is not closed; write the "}" that ends it, or $${ for a literal ${`,
		"${":                        `"${" is not closed; write the "}" that ends it, or $${ for a literal ${`,
		"${}":                       "${} names no variable; known are " + known + "; write $${ for a literal ${",
		"${:-a}":                    "${:-a} names no variable; known are " + known + "; write $${ for a literal ${",
		"${ }":                      "${ } names no variable; known are " + known + "; write $${ for a literal ${",
		"${ workload.name }":        "there are spaces around the name in ${ workload.name }; write ${workload.name}",
		"${HOME}":                   "there is no variable ${HOME}; known are " + known + "; write $${ for a literal ${",
		"${workload.names}":         "there is no variable ${workload.names}; did you mean ${workload.name}? Write $${ for a literal ${",
		"${workload.name:web}":      `a default begins with ":-", which ${workload.name:web} does not have; write ${workload.name:-DEFAULT}`,
		"${workload.name-web}":      "there is no variable ${workload.name-web}; did you mean ${workload.name}? Write $${ for a literal ${",
		"${pod.labels}":             "the key in ${pod.labels} has the wrong form; write ${pod.labels['KEY']}",
		"${pod.labels.app}":         "the key in ${pod.labels.app} has the wrong form; write ${pod.labels['app']}",
		"${pod.labels[app]}":        "the key in ${pod.labels[app]} has the wrong form; write ${pod.labels['app']}",
		`${pod.labels["app"]}`:      `the key in ${pod.labels["app"]} has the wrong form; write ${pod.labels['app']}`,
		"${pod.labels['app\"]}":     `the key in ${pod.labels['app"]} has the wrong form; write ${pod.labels['app']}`,
		"${pod.labels['app']x}":     "the key in ${pod.labels['app']x} has the wrong form; write ${pod.labels['KEY']}",
		"${pod.annotations['']:-a}": "the key in ${pod.annotations['']:-a} is empty; write ${pod.annotations['KEY']}",
		"${pod.labels['a b']}": `"a b" in ${pod.labels['a b']} cannot be the key of a label or annotation: name part must consist of ` +
			`alphanumeric characters, ` +
			`'-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used ` +
			`for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
		"${workload.name:-${workload.kind}}": `the default in ${workload.name:-${workload.kind} holds a "{"; a default is plain text ` +
			`without braces and without variables`,
		"${workload.name:-{}}": `the default in ${workload.name:-{} holds a "{"; a default is plain text without braces and without variables`,
	} {
		t.Run(text, func(t *testing.T) {
			if _, wrong := variable.Parse(text); wrong == nil || wrong.Message != want {
				t.Errorf("got  %v\nwant %s", wrong, want)
			}
		})
	}
}

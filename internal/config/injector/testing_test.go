package injector

import (
	"fmt"
	"strings"
	"testing"

	"pillion.dev/pillion/finding"
	"pillion.dev/pillion/internal/text/yaml/node"
	"pillion.dev/pillion/internal/text/yaml/read"
)

// parse is a config as the stream hands it over.
func parse(t testing.TB, text string) *node.Node {
	t.Helper()
	var document node.Node
	if err := read.Into([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	return &document
}

// envoy is a SidecarInjector with this text as its spec.
func envoy(spec string) string {
	return "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: envoy}\nspec:\n" + indent(spec)
}

// sidecar is a SidecarInjector of one container with more fields.
func sidecar(fields string) string {
	return envoy("containers:\n- name: envoy\n  image: envoy:v1\n" + indent(fields))
}

// with is a SidecarInjector of one container with more spec fields.
func with(fields string) string {
	return envoy("containers: [{name: envoy, image: envoy:v1}]\n" + fields)
}

// classicMap is a ConfigMap with these lines as its data.
func classicMap(data string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: envoy-initializer}\ndata:\n" + indent(data)
}

func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(text)) {
		b.WriteString("  " + line)
	}
	return b.String() + "\n"
}

// one reads a config that must be good and hold one injector.
func one(t *testing.T, text string) *Injector {
	t.Helper()
	injectors, findings := Read(parse(t, text))
	if len(findings) > 0 || len(injectors) != 1 {
		t.Fatalf("%d injectors, and findings:\n%s", len(injectors), said(findings))
	}
	return injectors[0]
}

func said(findings []finding.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "%s: %s\n", f.Severity, f.Message)
	}
	return b.String()
}

// bad is a config and the messages that it must give, in this order, and no others.
type bad struct {
	claim  string
	config string
	want   []string
}

func (b bad) run(t *testing.T) {
	t.Run(b.claim, func(t *testing.T) {
		injectors, findings := Read(parse(t, b.config))
		if len(injectors) > 0 {
			t.Errorf("there are %d injectors in spite of it", len(injectors))
		}
		want := ""
		for _, message := range b.want {
			want += "error: " + message + "\n"
		}
		if got := said(findings); got != want {
			t.Errorf("got:\n%swant:\n%s", got, want)
		}
		for _, f := range findings {
			if f.Code != finding.InvalidConfig {
				t.Errorf("the code is %s", f.Code)
			}
		}
	})
}

// forPod returns an injector with the payload that it has in a pod.
func forPod(in *Injector, subject Subject) (*Injector, []finding.Finding) {
	values, findings := in.ValuesFor(subject)
	if values == nil || finding.HasError(findings) {
		return in, findings
	}
	made := *in
	made.Spec = values.Spec
	entriesOf := func(entries []Entry) (all []Entry) {
		for _, entry := range entries {
			body := values.Of(entry.Body)
			all = append(all, Entry{node.Text(body, "name"), body})
		}
		return all
	}
	made.Volumes, made.ImagePullSecrets = entriesOf(in.Volumes), entriesOf(in.ImagePullSecrets)
	containersOf := func(containers []Container) (all []Container) {
		for _, c := range containers {
			body := values.Of(c.Body)
			c.Entry = Entry{node.Text(body, "name"), body}
			all = append(all, c)
		}
		return all
	}
	made.Containers, made.InitContainers = containersOf(in.Containers), containersOf(in.InitContainers)
	return &made, findings
}

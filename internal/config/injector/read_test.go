package injector

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"pillion.dev/pillion/api/v1alpha1"
	"pillion.dev/pillion/internal/config/schema"
	"pillion.dev/pillion/internal/text/jsonfield"
	"pillion.dev/pillion/internal/text/yaml/emit"
	"pillion.dev/pillion/internal/text/yaml/node"
)

func TestNoNodeIsNoConfig(t *testing.T) {
	if injectors, findings := Read(nil); len(injectors) != 0 || len(findings) != 1 || findings[0].Object != nil {
		t.Errorf("%d injectors, said:\n%s", len(injectors), said(findings))
	}
}

func TestBodiesAreKeptAsWrittenWithoutKnobs(t *testing.T) {
	in := one(t, envoy(`
containers:
# a comment stays behind
- image: "envoy:v1"   # and so does this
  mode: Native
  name: envoy
  podInjectPolicy: BeforeAppContainer
  args: ['a', "b", yes]
  after: app
  resources: {limits: {cpu: 1}}
  command:
  - sh
initContainers:
- {before: other, name: init, image: init}
volumes:
- name: conf
  configMap: {name: envoy, defaultMode: 0644}
`))
	sidecar := in.Containers[0]
	if sidecar.Mode != v1alpha1.ModeNative || sidecar.After != "app" || sidecar.PodInjectPolicy != v1alpha1.BeforeAppContainer {
		t.Errorf("the knobs are %+v %+v", sidecar.Mode, sidecar.Placement)
	}
	if in.InitContainers[0].Before != "other" || in.InitContainers[0].Mode != "" {
		t.Errorf("the init container is %+v", in.InitContainers[0])
	}
	want := `image: "envoy:v1"
name: envoy
args: ['a', "b", "yes"]
resources: {limits: {cpu: 1}}
command:
    - sh
---
name: init
image: init
---
name: conf
configMap: {name: envoy, defaultMode: 0644}
`
	if got := written(t, sidecar.Body, in.InitContainers[0].Body, in.Volumes[0].Body); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestAliasesAndMergeKeysAreExpanded(t *testing.T) {
	in := one(t, envoy(`
containers:
- &first
  name: one
  image: &image envoy:v1
  mode: Native
  tty: true
- <<: *first
  name: two
  tty: false
- <<: [{name: three}, *first]
  args: [*image]
`))
	want := `name: one
image: envoy:v1
tty: true
---
name: two
tty: false
image: envoy:v1
---
args: [envoy:v1]
name: three
image: envoy:v1
tty: true
`
	if got := written(t, in.Containers[0].Body, in.Containers[1].Body, in.Containers[2].Body); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
	if in.Containers[1].Mode != v1alpha1.ModeNative {
		t.Error("a knob that is merged in does not count")
	}
}

func TestListsAreReadInOrder(t *testing.T) {
	injectors, findings := Read(parse(t, `
apiVersion: pillion.dev/v1alpha1
kind: SidecarInjectorList
items:
- metadata: {name: b}
  spec: {volumes: [{name: v}]}
- apiVersion: pillion.dev/v1alpha1
  kind: SidecarInjector
  metadata: {name: a}
  spec: {volumes: [{name: v}]}
`))
	if len(findings) > 0 || len(injectors) != 2 || injectors[0].Name != "b" || injectors[1].Name != "a" {
		t.Errorf("%d injectors, said:\n%s", len(injectors), said(findings))
	}
}

func TestBadListsAreRefused(t *testing.T) {
	list := func(items string) string {
		return "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitems: " + items
	}
	const good = "metadata: {name: a}, spec: {volumes: [{name: v}]}"
	for _, test := range []bad{
		{"an empty list", list("[]"), []string{"items: the list has no injectors; write at least one SidecarInjector under items"}},
		{
			"a list without end", list("[" + strings.Repeat("{}, ", 1001) + "]"),
			[]string{"items: the list has 1001 injectors; the most is 1000, so split it over several functions"},
		},
		{
			"two injectors of one name", list("[{" + good + "}, {" + good + "}]"),
			[]string{"items[1].metadata.name: items[0] has this name already; an injector's name is its identity, so give each its own"},
		},
		{"an item of another kind", list("[{kind: Pod, apiVersion: v1, " + good + "}]"), []string{
			"items[0].apiVersion: found v1, and the items of this list have pillion.dev/v1alpha1 here; correct it or leave it out",
			"items[0].kind: found Pod, and the items of this list have SidecarInjector here; correct it or leave it out",
		}},
		{
			"a problem in an item has its path", list("[{metadata: {name: a}, spec: {volumes: [{nme: v}]}}]"),
			[]string{`items[0].spec.volumes[0].nme: there is no field "nme" here; did you mean name?`},
		},
		{
			"a misspelt items", "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjectorList\nitmes: []",
			[]string{`itmes: there is no field "itmes" here; did you mean items?`},
		},
	} {
		test.run(t)
	}
}

func TestHostileConfigsAreRefusedAndDoNoHarm(t *testing.T) {
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 12; i++ {
		aliases := strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", ")
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i, i, aliases)
	}
	for claim, test := range map[string]struct{ config, want string }{
		"an alias inside of itself": {"a: &a {b: *a}", "the alias *a is inside of the node that it refers to; replace it by the intended " +
			"value"},
		"merge keys that merge themselves": {
			"&a {<<: [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]}",
			"the alias *a is inside of the node that it refers to; replace it by the intended value",
		},
		"aliases of aliases of aliases": {bomb, "the aliases in this object expand to more than 100000 nodes; write out what is meant"},
		"a long list": {envoy("containers: [" + strings.Repeat("a,", 1001) + "]"), "spec.containers: this list has 1001 " +
			"entries, and at most 1000 are read; use fewer, or several injectors"},
		"deep nesting": {"a: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "this object is nested more than 200 levels deep"},
		"more problems than anyone reads": {
			with(strings.Repeat("zebra: 1\n", 5000)),
			"4900 more problems are not shown; fix these first",
		},
		"a merge of no mapping": {with("selector: {<<: a}"), "spec.selector.<<: a merge key takes a mapping, or a list of mappings; this " +
			"is neither"},
	} {
		t.Run(claim, func(t *testing.T) {
			injectors, findings := Read(parse(t, test.config))
			if got := said(findings); len(injectors) != 0 || !strings.Contains(got, test.want) {
				t.Errorf("%d injectors, said:\n%swant:\n%s", len(injectors), got, test.want)
			}
		})
	}
}

func TestNativeSidecarsAreKnownSince129(t *testing.T) {
	for version, want := range map[string]bool{
		"": true, "1.29": true, "v1.33.2": true, "2.0": true, "1.28": false, "v1.28.15": false, "1.9": false,
	} {
		in := &Injector{Spec: v1alpha1.SidecarInjectorSpec{KubernetesVersion: version}}
		if got := in.SupportsNative(); got != want {
			t.Errorf("SupportsNative of %q is %v", version, got)
		}
	}
}

// A type that the decoder does not know would be read as a number.
func TestDecoderKnowsEveryTypeOfAConfig(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var visit func(typ reflect.Type)
	visit = func(typ reflect.Type) {
		if seen[typ] || schema.UnmarshalsItself(typ) {
			return
		}
		seen[typ] = true
		switch typ.Kind() {
		case reflect.Struct:
			for _, field := range jsonfield.Of(typ) {
				visit(field.Type)
			}
		case reflect.Map:
			if typ.Key().Kind() != reflect.String {
				t.Errorf("%s has keys that are no strings", typ)
			}
			visit(typ.Elem())
		case reflect.Pointer, reflect.Slice:
			visit(typ.Elem())
		case reflect.String, reflect.Bool, reflect.Int, reflect.Int32, reflect.Int64:
		default:
			t.Errorf("the decoder does not know %s", typ)
		}
	}
	visit(reflect.TypeFor[v1alpha1.SidecarInjectorList]())
	visit(reflect.TypeFor[metav1.ObjectMeta]())
}

func written(t *testing.T, nodes ...*node.Node) string {
	t.Helper()
	var texts []string
	for _, n := range nodes {
		style := emit.Style{LineEnd: "\n", Indent: 4, ListIndent: 4, DashWidth: 2}
		var text []byte
		for i := range n.Children() {
			text = append(style.Child(text, n, i, 0), '\n')
		}
		texts = append(texts, string(text))
	}
	return strings.Join(texts, "---\n")
}

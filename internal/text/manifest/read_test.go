package manifest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// summary shows what was found: kinds in order, and the first line of each text.
func summary(s *Stream) string {
	var out strings.Builder
	for _, item := range s.Items {
		first, _, _ := strings.Cut(string(item.Text), "\n")
		fmt.Fprintf(&out, "%d %s %s |%s\n", item.Line, item.APIVersion, item.Kind, first)
	}
	return out.String()
}

// lines joins lines, to write texts without escapes.
func lines(l ...string) string { return strings.Join(l, "\n") + "\n" }

var streams = []struct {
	name string
	text string
	want string
}{
	{
		"documents", lines("apiVersion: v1", "kind: Pod", "---", "# comment", "kind: Service", "apiVersion: v1"),
		lines("1 v1 Pod |apiVersion: v1", "4 v1 Service |# comment"),
	},
	{
		"empty documents are passed over", lines("---", "---", "# nothing", "---", "null", "---", "kind: Pod", "...", "---"),
		lines("7  Pod |kind: Pod"),
	},
	{
		"a version directive is not part of the document", lines("%YAML 1.2", "---", "kind: Pod", "---", "kind: Service"),
		lines("3  Pod |kind: Pod", "5  Service |kind: Service"),
	},
	{
		"declared tags stay with their document", lines("%TAG ! tag:example.com,2000:", "---", "kind: Pod"),
		lines("1  Pod |%TAG ! tag:example.com,2000:"),
	},
	{
		"content on the marker line", lines("--- {kind: Pod}", "--- # note", "kind: Service"),
		lines("1  Pod |--- {kind: Pod}", "3  Service |kind: Service"),
	},
	{
		"a compact ResourceList", lines("apiVersion: config.kubernetes.io/v1", "kind: ResourceList", "items:", "- apiVersion: v1",
			"  kind: Pod", "# between", "- kind: Service", "functionConfig:", "  kind: ConfigMap"),
		lines("4 v1 Pod |- apiVersion: v1", "7  Service |- kind: Service"),
	},
	{
		"a wide ResourceList with its kind at the end", lines("items:", "  - kind: Pod", "    data: |", "      - kind: Fake", "  -",
			"    kind: Service", "kind: ResourceList", "apiVersion: config.kubernetes.io/v1"),
		lines("2  Pod |  - kind: Pod", "5  Service |  -"),
	},
	{
		"quotes and brackets over lines hide dashes", lines("apiVersion: config.kubernetes.io/v1", "kind: ResourceList", "items:",
			"- kind: Pod", "  a: \"x", "- kind: Fake", "\"", "  b: [c,", "-d", "  ]", "- kind: 'Service'"),
		lines("4  Pod |- kind: Pod", "11  Service |- kind: 'Service'"),
	},
	{
		"lists are walked", lines("apiVersion: v1", "kind: List", "items:", "- kind: Pod", "- kind: List", "  items:",
			"  - kind: Service", "  - kind: DeploymentList", "    apiVersion: apps/v1", "    items:", "    - metadata: {}"),
		lines("4  Pod |- kind: Pod", "7  Service |  - kind: Service", "11 apps/v1 Deployment |    - metadata: {}"),
	},
	{
		"Pillion's lists stay whole", lines("apiVersion: pillion.dev/v1alpha1", "kind: SidecarInjectorList", "items:", "- kind: SidecarInjector"),
		lines("1 pillion.dev/v1alpha1 SidecarInjectorList |apiVersion: pillion.dev/v1alpha1"),
	},
	{
		"JSON",
		`{"apiVersion":"config.kubernetes.io/v1","kind":"ResourceList",` +
			`"items":[{"kind":"Pod","a":"}]"},{"kind":"List","items":[{"kind":"Service"}]}]}`,
		lines(`1  Pod |{"kind":"Pod","a":"}]"}`, `1  Service |{"kind":"Service"}`),
	},
	{
		"flow items behind dashes", lines("kind: List", "items:", "- {kind: Pod,", "  a: b}", "- {kind: List, items: [{kind: Service}]}"),
		lines("3  Pod |- {kind: Pod,", "5  Service |{kind: Service}"),
	},
	{
		"merge keys and anchors", lines("kind: List", "items:", "- &a", "  kind: Pod", "- <<: *a", "  x: y"),
		lines("3  Pod |- &a", "5  Pod |- <<: *a"),
	},
	{
		"the items of a list behind an anchor", lines("kind: List", "items:", "- kind: List", "  items: &x", "  - kind: Pod"),
		lines("5  Pod |  - kind: Pod"),
	},
	{
		"the items of a list behind a tag", lines("kind: List", "items:", "- kind: List", "  items: !!seq", "  - kind: Pod"),
		lines("5  Pod |  - kind: Pod"),
	},
	{
		"the items of a list in brackets on the next line", lines("kind: List", "items:", "- kind: List", "  items:", "    [{kind: Pod}]"),
		lines("5  Pod |{kind: Pod}"),
	},
	{
		"the items of a list in brackets behind an anchor", lines("kind: List", "items:", "- {kind: List, items: &x [{kind: Pod}]}"),
		lines("3  Pod |{kind: Pod}"),
	},
	{"no items", lines("apiVersion: config.kubernetes.io/v1", "kind: ResourceList", "items: []"), ""},
	{"missing items", lines("apiVersion: config.kubernetes.io/v1beta1", "kind: ResourceList"), ""},
	{"carriage returns", "kind: Pod\r\n---\r\nkind: 'Service'\r\n", "1  Pod |kind: Pod\r\n3  Service |kind: 'Service'\r\n"},
	{
		"rare line breaks in one of the documents", "kind: Service\n---\napiVersion: v1\u2028kind: Pod\n---\nkind: Secret\n",
		"1  Service |kind: Service\n3 v1 Pod |apiVersion: v1\u2028kind: Pod\n5  Secret |kind: Secret\n",
	},
	{"a byte order mark", "\ufeffkind: Pod\n", lines("1  Pod |kind: Pod")},
	{"complex keys at the top", lines("? kind", ": Pod"), "1  Pod |? kind\n"},
}

func TestReadFindsItems(t *testing.T) {
	for _, c := range streams {
		t.Run(c.name, func(t *testing.T) {
			s, err := Read([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if got := summary(s); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestReadRefusesWhatIsThereTwice(t *testing.T) {
	for _, item := range []string{
		"- kind: Service\n  kind: Pod\n", "- {kind: Service, kind: Pod}\n",
		"- apiVersion: v1\n  kind: Pod\n  apiVersion: v2\n",
	} {
		s, err := Read([]byte("kind: List\nitems:\n" + item))
		if err != nil {
			t.Fatal(err) // one broken item must not keep the others from being read
		}
		if broken := s.Items[0].Broken; broken == nil || !strings.Contains(broken.Error(), "is there twice") {
			t.Errorf("%q: %v", item, broken)
		}
	}
	for _, item := range []string{
		"- kind: List\n  items: []\n  items:\n  - kind: Pod\n", "- {kind: List, items: [], items: [{kind: Pod}]}\n",
	} {
		_, err := Read([]byte("kind: List\nitems:\n" + item))
		if err == nil || !strings.Contains(err.Error(), "is there twice") {
			t.Errorf("%q: %v", item, err)
		}
	}
}

func TestWriteUnchangedIsIdentity(t *testing.T) {
	for _, c := range streams {
		s, err := Read([]byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := s.Write(&out, nil); err != nil {
			t.Fatal(err)
		}
		if out.String() != c.text {
			t.Errorf("%s: got:\n%s", c.name, out.String())
		}
	}
}

package encode_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"pillion.dev/pillion/internal/text/encode"
	"pillion.dev/pillion/internal/text/yaml/emit"
	"pillion.dev/pillion/internal/text/yaml/node"
)

// onPointer writes itself by a method of its pointer.
type onPointer struct{ text string }

func (p *onPointer) MarshalJSON() ([]byte, error) { return []byte(`"` + p.text + `"`), nil }

func TestNodeIsWhatAPersonWouldWrite(t *testing.T) {
	type parts struct {
		Empty    []string   `json:"empty,omitempty"`
		None     []string   `json:"none,omitzero"`
		Struct   struct{}   `json:"struct,omitempty"`
		Required string     `json:"required"`
		Pointer  *bool      `json:"pointer,omitempty"`
		Custom   onPointer  `json:"custom"`
		Bytes    []byte     `json:"bytes,omitempty"`
		Any      any        `json:"any,omitempty"`
		Hidden   string     `json:"-"`
		Null     *time.Time `json:"null"`
	}
	no := false
	for _, test := range []struct {
		claim string
		value any
		want  string
	}{
		{"nothing is null", nil, "null"},
		{
			"a string stays a string",
			[]string{"a", "yes", "8080", "1e3", "0x10", "", "~", "null", "on: x", "a #b"},
			"- a\n- \"yes\"\n- \"8080\"\n- \"1e3\"\n- \"0x10\"\n- \"\"\n- \"~\"\n- \"null\"\n- \"on: x\"\n- \"a #b\"",
		},
		{"several lines are a block", "a\nb\n", "|\n  a\n  b"},
		{
			"keys of maps are sorted",
			map[string]any{"b": 1, "a": []any{true, 2.5, nil}, "on": map[string]int{}},
			"a:\n  - true\n  - 2.5\n  - null\nb: 1\n\"on\": {}",
		},
		{
			"what is not set is left out, and what is set is not",
			parts{
				Empty: []string{}, None: []string{}, Pointer: &no, Custom: onPointer{"x"}, Bytes: []byte("hi"), Any: 1,
			},
			"none: []\nrequired: \"\"\npointer: false\ncustom: x\nbytes: aGk=\nany: 1",
		},
		{"fields keep their order", corev1.Container{Image: "i", Name: "web"}, "name: web\nimage: i"},
		{
			"a quantity is text",
			corev1.ResourceList{"cpu": resource.MustParse("0.5"), "memory": resource.MustParse("1")},
			"cpu: 500m\nmemory: \"1\"",
		},
		{"a port is a number or a name", []intstr.IntOrString{intstr.FromInt32(80), intstr.FromString("http")}, "- 80\n- http"},
		{"a time that is not set is left out", metav1.ObjectMeta{Name: "x"}, "name: x"},
	} {
		t.Run(test.claim, func(t *testing.T) {
			n, err := encode.Node(test.value)
			if err != nil {
				t.Fatal(err)
			}
			style := emit.Style{LineEnd: "\n", Indent: 2, ListIndent: 2, DashWidth: 2}
			var text []byte
			if n.Kind == node.ScalarNode {
				text = style.Value(text, n, 0)
			}
			for i := range n.Children() {
				text = append(style.Child(text, n, i, 0), '\n')
			}
			if diff := cmp.Diff(test.want, strings.TrimSpace(string(text))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNodeReportsWhereAValueCannotBeWritten(t *testing.T) {
	_, err := encode.Node(map[string]any{"a": []any{1, func() {}}})
	if err == nil || !strings.HasPrefix(err.Error(), "a: [1]: ") {
		t.Error(err)
	}
}

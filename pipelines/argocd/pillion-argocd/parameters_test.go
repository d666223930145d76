package main

import (
	"reflect"
	"strings"
	"testing"
)

func TestReadParameters(t *testing.T) {
	for _, test := range []struct {
		name, sent string
		want       parameters
		refused    string
	}{
		{name: "none at all", sent: "", want: parameters{renderer: auto}},
		{name: "null, which Argo CD sends for none", sent: "null", want: parameters{renderer: auto}},
		{
			name: "all of them",
			sent: `[{"name":"config","array":["a.yaml","b"]},{"name":"renderer","string":"helm"},` +
				`{"name":"recurse","string":"true"},{"name":"value-files","array":["v.yaml"]}]`,
			want: parameters{configs: []string{"a.yaml", "b"}, renderer: helm, recurse: true, valueFiles: []string{"v.yaml"}},
		},
		{name: "an empty word is the default", sent: `[{"name":"renderer","string":""}]`, want: parameters{renderer: auto}},
		{name: "an unknown renderer", sent: `[{"name":"renderer","string":"jsonnet"}]`, refused: "auto, plain, kustomize, helm"},
		{name: "an unknown parameter", sent: `[{"name":"configs"}]`, refused: `there is no parameter "configs"`},
		{name: "a word for a list", sent: `[{"name":"config","string":"a.yaml"}]`, refused: "write it as array"},
		{name: "a list for a word", sent: `[{"name":"renderer","array":["helm"]}]`, refused: "write it as string"},
		{name: "a map for a list", sent: `[{"name":"value-files","map":{"a":"b"}}]`, refused: "write it as array"},
		{name: "no JSON", sent: `config`, refused: "cannot be read"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := readParameters(test.sent)
			if test.refused != "" {
				if err == nil || !strings.Contains(err.Error(), test.refused) {
					t.Errorf("got %v, want %q", err, test.refused)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, %v, want %+v", got, err, test.want)
			}
		})
	}
}

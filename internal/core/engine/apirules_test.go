package engine_test

import (
	"strings"
	"testing"
)

func TestAnnotationsHaveRoomTogether(t *testing.T) {
	const config = "apiVersion: pillion.dev/v1alpha1\nkind: SidecarInjector\nmetadata: {name: proxy}\nspec: {containers: [{name: proxy, " +
		"image: 'proxy:1'}]}\n"
	for _, test := range []struct {
		claim string
		bytes int
		want  string
	}{
		{"there is room for a stamp", 255 << 10, "info Injected"},
		{"the stamp does not fit behind what is there", 256<<10 - 40, "error AnnotationsTooLong: pod/web: the annotations would have 262"},
		{"what the API server refuses already is not judged", 257 << 10, "info Injected"},
	} {
		t.Run(test.claim, func(t *testing.T) {
			_, said := run(t, config, "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n  annotations:\n    note: "+
				strings.Repeat("x", test.bytes)+"\nspec:\n  containers:\n  - name: app\n    image: app:1\n")
			if !strings.Contains(said, test.want) {
				t.Errorf("got %s\nwant %s", said, test.want)
			}
		})
	}
}

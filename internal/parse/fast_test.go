package parse

import (
	"sort"
	"testing"
)

func TestManifestsAreReadAsTheLibraryReadsThem(t *testing.T) {
	accepted, declined := 0, []string{}
	for name, text := range manifests(t) {
		t.Run(name, func(t *testing.T) {
			if checkFast(t, text) {
				accepted++
			} else {
				declined = append(declined, name)
			}
			checkFast(t, []byte(crlf(string(text))))
			checkDocument(t, text)
		})
	}
	sort.Strings(declined)
	t.Logf("%d accepted, %d declined: %q", accepted, len(declined), declined)
}

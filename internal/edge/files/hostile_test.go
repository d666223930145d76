package files

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestANameInTheIndexIsNotLongerThanAPath(t *testing.T) {
	for name, isRead := range map[string]bool{"a/b.yaml": true, strings.Repeat("a/", maxPathBytes) + "b.yaml": false} {
		entry := make([]byte, 62, 62+len(name)+8)
		entry = append(entry, name...)
		entry = append(entry, make([]byte, 8-len(entry)%8)...)
		text := "DIRC\x00\x00\x00\x02\x00\x00\x00\x01" + string(entry) + strings.Repeat("h", 20)
		if index := (&gitIndex{tracked: map[string]bool{}}); index.add([]byte(text)) != isRead {
			t.Errorf("an index with a name of %d bytes is read: %t", len(name), !isRead)
		}
	}
}

func TestAnEscapeCannotHideAKind(t *testing.T) {
	for _, escape := range []string{`\x6b`, "\\\u0085k", "\\\u2028k"} {
		text := "apiVersion: v1\n? \"" + escape + "ind\"\n: Pod\nmetadata: {name: web}\nspec: {containers: [{name: a, image: a}]}\n"
		if why := Manifests("web.yaml", []byte(text)); why != "" {
			t.Errorf("%q is passed over: %s", text, why)
		}
	}
}

func TestALongPathIsRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	dir := strings.Repeat(strings.Repeat("d", 200)+"/", 6)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "web.yaml"), []byte("apiVersion: v1\nkind: Pod\n"), 0o600); err != nil {
		t.Skip(err)
	}
	_, err := Reader{Recursive: true, Take: Manifests}.Read(context.Background(), []string{"."})
	if err == nil || !strings.Contains(err.Error(), "shorten it") {
		t.Errorf("it is read: %v", err)
	}
}

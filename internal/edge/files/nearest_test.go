package files_test

import (
	"os"
	"path/filepath"
	"testing"

	"pillion.dev/pillion/internal/edge/files"
)

func TestTheNearestNameIsProposed(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{
		"web.yaml", "web.json", "injector.yaml", ".pillion.yml", ".git/x",
		"overlays/prod/kustomization.yaml", "v1.2.yaml", "app-a", "app-b",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"wbe.yaml":                         "web.yaml",
		"web.yml":                          "web.yaml",
		"web":                              "web.json",
		"./WEB.YAML":                       "web.yaml",
		"inj.yaml":                         "injector.yaml",
		".pillion.yaml":                    ".pillion.yml",
		".gti":                             ".git",
		"overlay/prod":                     "overlays/prod",
		"overlays/prd/kustomization.yaml":  "overlays/prod/kustomization.yaml",
		"overlays/prod/kustomization.yml":  "overlays/prod/kustomization.yaml",
		"overlay/prod/other.yaml":          "overlays/prod",
		"app":                              "", // there are two
		"nope.yaml":                        "",
		"apple.yaml":                       "",
		"ap":                               "",
		"web.yaml":                         "", // it exists
		"web.yaml/below":                   "",
		"/":                                "",
		".":                                "",
		"":                                 "",
		filepath.Join(t.TempDir(), "none"): "",
	} {
		if want != "" {
			want = "; did you mean " + filepath.FromSlash(want) + "?"
		}
		if got := files.DidYouMean(path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

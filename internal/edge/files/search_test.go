package files_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/edge/files"
)

// matchIn returns the directories of the kustomizations in a tree that match a glob.
func matchIn(t *testing.T, dir, glob string) ([]string, error) {
	t.Helper()
	search, err := files.NewSearch(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer search.Close()
	match, err := search.Match(dir, glob)
	return dirsOf(dir, match.Kustomizations), err
}

func dirsOf(home string, all []files.Kustomization) []string {
	var dirs []string
	for _, k := range all {
		dir, _ := filepath.Rel(home, filepath.Dir(k.Path))
		dirs = append(dirs, filepath.ToSlash(dir))
	}
	return dirs
}

func TestGlobsMatchDirectoriesWithAKustomization(t *testing.T) {
	dir := tree(t, map[string]string{
		"kustomization.yaml":                 "",
		"a/kustomization.yml":                "",
		"a/b/Kustomization":                  "",
		"a/b/c/kustomization.yaml":           "",
		"a/none/web.yaml":                    pod,
		"ab/kustomization.yaml":              "",
		"[a]/kustomization.yaml":             "",
		".hidden/kustomization.yaml":         "",
		".git/kustomization.yaml":            "",
		"dir/kustomization.yaml/web.yaml":    pod,
		"chart/Chart.yaml":                   "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
		"chart/templates/deep/Kustomization": "",
		".gitignore":                         "*\n",
	})
	for glob, want := range map[string]string{
		".":           ".",
		"./a/":        "a",
		"a":           "a",
		"*":           ".hidden [a] a ab",
		"a*":          "a ab",
		"?":           "a",
		"[ab]":        "a",
		`\[a\]`:       "[a]",
		"a/*":         "a/b",
		"a/**":        "a a/b a/b/c",
		"a/**/c":      "a/b/c",
		"a/**/b":      "a/b",
		"**/**/b/**":  "a/b a/b/c",
		"**/b/*":      "a/b/c",
		"a/b/../*":    "a/b",
		"chart/**":    "chart/templates/deep",
		"a/none":      "",
		"none/*":      "",
		"{a,ab}":      "",
		"dir/*":       "",
		"a/web.yaml":  "",
		"**/web.yaml": "",
	} {
		got, err := matchIn(t, dir, glob)
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s matches %v (%v), want %s", glob, got, err, want)
		}
	}
}

// TestLinksLeadToEachDirectoryOnce has directories with two links to the next one, which give it 2^40 names, and links to
// the top.
func TestLinksLeadToEachDirectoryOnce(t *testing.T) {
	const depth = 40
	texts := map[string]string{"dirs/last/kustomization.yaml": ""}
	for i := range depth {
		texts[fmt.Sprintf("dirs/%d/x", i)] = ""
	}
	dir := tree(t, texts)
	link := func(from, to string) {
		if err := os.Symlink(to, filepath.Join(dir, filepath.FromSlash(from))); err != nil {
			t.Skip(err)
		}
	}
	for i := range depth {
		next := fmt.Sprintf("../%d", i+1)
		if i == depth-1 {
			next = "../last"
		}
		link(fmt.Sprintf("dirs/%d/a", i), next)
		link(fmt.Sprintf("dirs/%d/b", i), next)
		link(fmt.Sprintf("dirs/%d/top", i), "../..")
	}
	for _, glob := range []string{
		"**", "dirs/0/**", "dirs/*", "dirs/39/*", "dirs/38/**/b", "**/top/dirs/*", strings.Repeat("**/a/", 30) + "a",
	} {
		got, err := matchIn(t, dir, glob)
		if err != nil || len(got) != 1 || files.RealPath(filepath.Join(dir, got[0])) != files.RealPath(filepath.Join(dir, "dirs", "last")) {
			t.Errorf("%s matches %v (%v), want dirs/last", glob, got, err)
		}
	}
	if got, err := matchIn(t, dir, "**"); err != nil || got[0] != "dirs/last" {
		t.Errorf("it is found as %v, and not by its own name", got)
	}
}

func TestUnusedAreThoseThatNoRootReaches(t *testing.T) {
	dir := tree(t, map[string]string{
		"root/kustomization.yaml":        "resources: [../middle, web.yaml]\n",
		"root/web.yaml":                  pod,
		"middle/kustomization.yaml":      "bases: [../base]\ncomponents: [../component]\n",
		"base/kustomization.yaml":        "",
		"component/kustomization.yaml":   "kind: Component\nresources: [../root]\n",
		"alone/kustomization.yaml":       "resources: [../base, ../other]\n",
		"other/kustomization.yaml":       "",
		"broken/kustomization.yaml":      "resources: [",
		"ignored/kustomization.yaml":     "",
		"middle/outside/.gitignore":      "",
		"middle/outside/a/kustomization": "",
	})
	search, err := files.NewSearch(t.Context(), dir, []string{filepath.Join(dir, "ignored")})
	if err != nil {
		t.Fatal(err)
	}
	defer search.Close()
	root, err := search.Match(dir, "root")
	if err != nil {
		t.Fatal(err)
	}
	all, err := search.Below(dir)
	if err != nil {
		t.Fatal(err)
	}
	used, err := search.Used(root.Kustomizations)
	if got := dirsOf(dir, files.Unused(all, used)); err != nil || !slices.Equal(got, []string{"alone", "broken", "other"}) {
		t.Errorf("got %v (%v)", got, err)
	}
}

func TestRootsAreThoseThatNoOtherOneUses(t *testing.T) {
	dir := tree(t, map[string]string{
		"base/kustomization.yaml":      "",
		"dev/kustomization.yaml":       "resources: [../base]\n",
		"prod/kustomization.yaml":      "resources: [../base, ../eu]\n",
		"eu/kustomization.yaml":        "",
		"component/kustomization.yaml": "kind: Component\nresources: [../hidden]\n",
		"hidden/kustomization.yaml":    "",
		"self/kustomization.yaml":      "resources: [.]\n",
		"circle/a/kustomization.yaml":  "resources: [../b]\n",
		"circle/b/kustomization.yaml":  "resources: [../a]\n",
	})
	all, _, err := files.KustomizationsBelow(t.Context(), []string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	roots, others := files.Roots(all)
	want := []string{"circle/a", "component", "dev", "prod", "self"}
	if got := dirsOf(dir, roots); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	var used []string
	for _, other := range others {
		by := dirsOf(dir, []files.Kustomization{{Path: other.Path}, {Path: other.By}})
		used = append(used, by[0]+" by "+by[1])
	}
	if want := []string{"base by dev", "circle/b by circle/a", "eu by prod", "hidden by component"}; !slices.Equal(used, want) {
		t.Errorf("got %v, want %v", used, want)
	}
}

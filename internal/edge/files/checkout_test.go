package files_test

import (
	"maps"
	"slices"
	"testing"

	"pillion.dev/pillion/internal/edge/files"
)

func TestNamesOfARepositoryAreTheSame(t *testing.T) {
	const want = "git.example.com/shop/apps"
	for _, url := range []string{
		"https://git.example.com/shop/apps", "https://git.example.com/shop/apps.git", "https://git.example.com/shop/apps/",
		"https://user:secret@git.example.com/shop/apps", "https://Git.Example.com/Shop/apps", "https://git.example.com:443/shop/apps",
		"git@git.example.com:shop/apps.git", "git@git.example.com:/shop/apps", "git.example.com:shop/apps",
		"ssh://git@git.example.com/shop/apps", "ssh://git@git.example.com:22/shop/apps.git",
	} {
		if got := files.NormalURL(url); got != want {
			t.Errorf("%s is %s", url, got)
		}
	}
}

func TestNoOtherRepositoryHasTheName(t *testing.T) {
	for _, url := range []string{
		"https://evil.example/x@git.example.com/shop/apps", "https://evil.example/git.example.com/shop/apps",
		"evil.example:x@git.example.com/shop/apps", "https://git.example.com.evil.example/shop/apps",
		"https://git.example.com/shop/apps2", "https://git.example.com/shop/apps?x", "https://git.example.com/shop/apps?",
		"https://git.example.com/shop/apps#x", "https://git.example.com/shop/apps...", "https://git.example.com/shop%2fapps",
		"https://git.example.com:8443/shop/apps", "ssh://git.example.com:2222/shop/apps", "git.example.com:2222/shop/apps",
		`https://evil.example\@git.example.com/shop/apps`, "https://git.example.com/shop/../shop/apps",
		"git.example.com/shop/apps", "file://git.example.com.evil/shop/apps", "", "oci://git.example.com/shop/apps",
		"http://git.example.com/shop/apps", "git://git.example.com/shop/apps",
	} {
		if got := files.NormalURL(url); got == "git.example.com/shop/apps" {
			t.Errorf("%s is %s", url, got)
		}
	}
}

func TestWhatHasNoHostHasNoName(t *testing.T) {
	for _, url := range []string{"", "/srv/git/apps", "../apps", "file:///srv/git/apps", "https://%zz/a", "://"} {
		if got := files.NormalURL(url); got != "" {
			t.Errorf("%s is %s", url, got)
		}
	}
}

func TestRemotesAreThoseOfGitAlone(t *testing.T) {
	dir := tree(t, map[string]string{".git/config": "[core]\n\turl = https://example.com/core\n" +
		"[remote \"origin\"]\n\turl = git@example.com:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n" +
		"[submodule \"x\"]\n\turl = https://evil.example/a\n[remote \"fork\"]\n\tURL=\"https://example.com/c/b\"\n" +
		"[remote \"local\"]\n\turl = /srv/git/b\n[remote \"open\"]\n\turl = http://example.com/d\n"})
	remotes := slices.Sorted(maps.Keys(files.NewCheckout(dir).Remotes))
	if want := []string{"example.com/a/b", "example.com/c/b", "example.com/d", "http://example.com/d"}; !slices.Equal(remotes, want) {
		t.Errorf("the remotes are %v", remotes)
	}
	if got := files.NewCheckout(t.TempDir()).Remotes; len(got) > 0 {
		t.Errorf("without git, the remotes are %v", got)
	}
}

func TestBranchesAreThoseThatTheFilesMayBeOf(t *testing.T) {
	for _, test := range []struct {
		claim string
		files map[string]string
		want  []string
	}{
		{"without git", nil, []string{"main", "master"}},
		{"a branch that is checked out", map[string]string{".git/HEAD": "ref: refs/heads/a/b\n"}, []string{"main", "master"}},
		{
			"the default of origin",
			map[string]string{".git/refs/remotes/origin/HEAD": "ref: refs/remotes/origin/develop\n"},
			[]string{"develop"},
		},
		{
			"a worktree",
			map[string]string{
				".git":                               "gitdir: main/.git/worktrees/x\n",
				"main/.git/refs/remotes/origin/HEAD": "ref: refs/remotes/origin/b\n",
				"main/.git/config":                   "[remote \"origin\"]\n\turl = https://example.com/a/b\n",
				"main/.git/worktrees/x/commondir":    "../..\n",
			},
			[]string{"b"},
		},
	} {
		dir := tree(t, test.files)
		checkout := files.NewCheckout(dir)
		if got := slices.Sorted(maps.Keys(checkout.Branches)); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v", test.claim, got)
		}
		if is := checkout.Remotes["example.com/a/b"]; is != (test.claim == "a worktree") {
			t.Errorf("%s: the remotes are %v", test.claim, checkout.Remotes)
		}
	}
}

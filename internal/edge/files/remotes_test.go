package files_test

import (
	"testing"

	"pillion.dev/pillion/internal/edge/files"
)

func TestNamesOfARepositoryAreTheSame(t *testing.T) {
	const want = "git.example.com/shop/apps"
	for _, url := range []string{
		"https://git.example.com/shop/apps", "https://git.example.com/shop/apps.git", "https://git.example.com/shop/apps/",
		"https://user:secret@git.example.com/shop/apps", "https://Git.Example.com/Shop/apps", "https://git.example.com:8443/shop/apps",
		"git@git.example.com:shop/apps.git", "git.example.com:shop/apps", "ssh://git@git.example.com/shop/apps",
		"ssh://git@git.example.com:22/shop/apps.git", "git://git.example.com/shop/apps",
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
		"https://git.example.com/shop/apps2", "https://git.example.com/shop/apps?x", "https://git.example.com/shop/apps...", "",
	} {
		if got := files.NormalURL(url); got == "git.example.com/shop/apps" {
			t.Errorf("%s is %s", url, got)
		}
	}
}

func TestRemotesAreThoseOfGitAlone(t *testing.T) {
	dir := tree(t, map[string]string{".git/config": "[core]\n\turl = https://example.com/core\n" +
		"[remote \"origin\"]\n\turl = git@example.com:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n" +
		"[submodule \"x\"]\n\turl = https://evil.example/a\n[remote \"fork\"]\n\tURL=https://example.com/c/b\n"})
	remotes := files.Remotes(dir)
	if len(remotes) != 2 || !remotes["example.com/a/b"] || !remotes["example.com/c/b"] {
		t.Errorf("the remotes are %v", remotes)
	}
	if got := files.Remotes(t.TempDir()); len(got) > 0 {
		t.Errorf("without git, the remotes are %v", got)
	}
}

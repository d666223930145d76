package version

import (
	"runtime"
	"strings"
	"testing"
)

func TestTheLinkersVersionComesFirst(t *testing.T) {
	set(t, "v1.2.3", "0123456789abcdef0123456789abcdef01234567", "1767323045")
	b := Current()
	if b.Version != "v1.2.3" || b.Commit != "0123456789abcdef0123456789abcdef01234567" || b.Date != "2026-01-02T03:04:05Z" {
		t.Errorf("the build is %+v", b)
	}
	if want := "v1.2.3 (commit 0123456789ab, 2026-01-02T03:04:05Z, " + runtime.Version() + ")"; b.String() != want {
		t.Errorf("it is %q, want %q", b, want)
	}
}

func TestUnknownCommitsAndDatesAreLeftOut(t *testing.T) {
	for _, epoch := range []string{"", "0", "today"} {
		if b := (Build{Version: "v1.2.3", Date: date(epoch), Go: "go1.26.8"}); b.String() != "v1.2.3 (go1.26.8)" {
			t.Errorf("with the time %q it is %q", epoch, b)
		}
	}
}

func TestWithoutALinkerThereIsAVersion(t *testing.T) {
	set(t, "", "", "")
	if b := Current(); b.Version == "" || !strings.HasPrefix(b.String(), b.Version+" (") {
		t.Errorf("the build is %q", b)
	}
}

func TestAShortCommitIsShownAsItIs(t *testing.T) {
	if b := (Build{Version: "v1.2.3", Commit: "abc", Go: "go1.26.8"}); b.String() != "v1.2.3 (commit abc, go1.26.8)" {
		t.Errorf("it is %q", b)
	}
}

func set(t *testing.T, v, c, e string) {
	t.Helper()
	oldVersion, oldCommit, oldEpoch := version, commit, epoch
	t.Cleanup(func() { version, commit, epoch = oldVersion, oldCommit, oldEpoch })
	version, commit, epoch = v, c, e
}

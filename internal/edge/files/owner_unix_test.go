//go:build unix

package files_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"pillion.dev/pillion/internal/edge/files"
)

func TestModeAndOwnerAreKept(t *testing.T) {
	dir := tree(t, map[string]string{"a": "1"})
	path := filepath.Join(dir, "a")
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 { // who is not root cannot give files away
		uid, gid = 65534, 65533
	}
	if err := os.Chown(path, uid, gid); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := files.Write(t.Context(), []files.Change{change(dir, "a", "1", "one")}); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	owner := info.Sys().(*syscall.Stat_t)
	if info.Mode().Perm() != 0o640 || int(owner.Uid) != uid || int(owner.Gid) != gid {
		t.Errorf("mode %v, owner %d:%d, want 0640, %d:%d", info.Mode(), owner.Uid, owner.Gid, uid, gid)
	}
}

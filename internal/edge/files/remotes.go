package files

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
)

// Remotes returns the URLs of the remotes of the repository in a directory, as NormalURL has them. They are what git was
// told when it cloned the repository, and in no file of it: a pull request cannot add one. The URLs of submodules are
// such files' and left out.
func Remotes(dir string) map[string]bool {
	const most = 1 << 20
	text, err := readRegular(os.OpenFile, filepath.Join(dir, ".git", "config"), most)
	if err != nil {
		return nil
	}
	remotes := map[string]bool{}
	isRemote := false
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			isRemote = strings.HasPrefix(line, "[remote ")
		}
		key, value, _ := strings.Cut(line, "=")
		if isRemote && strings.EqualFold(strings.TrimSpace(key), "url") {
			remotes[NormalURL(strings.TrimSpace(value))] = true
		}
	}
	return remotes
}

// NormalURL returns the host and the path of the URL of a repository, by which its names are the same: without scheme,
// user, port and .git, in lower case.
func NormalURL(url string) string {
	url = strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(url, "/"), ".git"))
	_, rest, hasScheme := strings.Cut(url, "://")
	if !hasScheme { // git@github.com:shop/apps
		rest = strings.Replace(url, ":", "/", 1)
	}
	host, path, _ := strings.Cut(rest, "/")
	host = host[strings.LastIndex(host, "@")+1:]
	host, _, _ = strings.Cut(host, ":")
	return host + "/" + path
}

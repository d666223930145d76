package files

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
)

// Remotes returns the URLs of the remotes of the repository in a directory, as NormalURL has them. Nothing in a
// repository proves what it is; what git was cloned from is no file of it.
func Remotes(dir string) map[string]bool {
	const most = 1 << 20
	text, err := readRegular(os.OpenFile, filepath.Join(dir, ".git", "config"), most)
	if err != nil {
		return nil
	}
	remotes := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		key, value, _ := strings.Cut(lines.Text(), "=")
		if strings.EqualFold(strings.TrimSpace(key), "url") {
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
	if _, host, hasUser := strings.Cut(rest, "@"); hasUser {
		rest = host
	}
	host, path, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, ":")
	return host + "/" + path
}

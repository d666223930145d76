package files

import (
	"bufio"
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// Checkout is what git knows about the repository in a directory. It is what git was told when it cloned the repository,
// and in no file of it: a pull request cannot change it.
type Checkout struct {
	// Remotes are the URLs of the remotes, as NormalURL has them.
	Remotes map[string]bool
	// Branches are those that the files become a part of: the one that origin has as its default, or main and master if
	// that is not known.
	Branches map[string]bool
}

// NewCheckout returns the checkout in a directory. Without git, it has no remotes.
func NewCheckout(dir string) Checkout {
	own := gitDirectory(dir)
	common := own
	if path := gitText(own, "commondir"); path != "" { // own is that of a worktree
		common = absoluteIn(own, path)
	}
	c := Checkout{Remotes: remotesIn(gitText(common, "config")), Branches: map[string]bool{"main": true, "master": true}}
	if branch, isBranch := strings.CutPrefix(gitText(common, "refs/remotes/origin/HEAD"), "ref: refs/remotes/origin/"); isBranch {
		c.Branches = map[string]bool{branch: true}
	}
	return c
}

// gitDirectory returns the directory in which git keeps what it knows about the repository in a directory.
func gitDirectory(root string) string {
	const maxLink = 4 << 10
	dir := filepath.Join(root, ".git")
	if link, err := readRegular(os.OpenFile, dir, maxLink); err == nil { // a worktree, or a submodule
		return absoluteIn(root, strings.TrimSpace(strings.TrimPrefix(string(link), "gitdir:")))
	}
	return dir
}

func absoluteIn(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// gitText returns the text of a file of git without space around it, or "".
func gitText(dir, name string) string {
	const most = 1 << 20
	text, err := readRegular(os.OpenFile, filepath.Join(dir, filepath.FromSlash(name)), most)
	if err != nil {
		return ""
	}
	return string(bytes.TrimSpace(text))
}

// remotesIn returns the remotes in a config of git. The URLs of submodules are in files of the repository, and left out.
func remotesIn(config string) map[string]bool {
	remotes := map[string]bool{}
	isRemote := false
	lines := bufio.NewScanner(strings.NewReader(config))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			isRemote = strings.HasPrefix(line, "[remote ")
		}
		key, value, _ := strings.Cut(line, "=")
		if !isRemote || !strings.EqualFold(strings.TrimSpace(key), "url") {
			continue
		}
		if name := NormalURL(strings.Trim(value, "\t \"")); name != "" {
			remotes[name] = true
			if _, safe, isOpen := strings.Cut(name, "://"); isOpen {
				remotes[safe] = true // by another scheme, it is the same
			}
		}
	}
	return remotes
}

// defaultPort returns the port of a scheme by which repositories are cloned, or "".
func defaultPort(scheme string) string {
	switch scheme {
	case "https":
		return "443"
	case "http":
		return "80"
	case "ssh":
		return "22"
	case "git":
		return "9418"
	default:
		return ""
	}
}

// NormalURL returns the host and the path of the URL of a repository, by which its names are the same: without user, a
// port that is the default, and .git, in lower case, and without a scheme that makes sure of the host. It returns "" for
// other schemes than those of git, and for what has no host, or more than that.
func NormalURL(address string) string {
	if !strings.Contains(address, "://") { // git@github.com:shop/apps
		host, path, hasHost := strings.Cut(address, ":")
		if !hasHost || strings.Contains(host, "/") {
			return ""
		}
		address = "ssh://" + host + "/" + strings.TrimPrefix(path, "/")
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return ""
	}
	if defaultPort(u.Scheme) == "" {
		return ""
	}
	host := u.Hostname()
	if port := u.Port(); port != "" && port != defaultPort(u.Scheme) {
		host += ":" + port
	}
	if u.Scheme == "http" || u.Scheme == "git" { // anybody on the way may answer
		host = u.Scheme + "://" + host
	}
	return strings.ToLower(host + "/" + strings.TrimSuffix(strings.Trim(u.EscapedPath(), "/"), ".git"))
}

package e2e

import (
	"encoding/json"
	"flag"
	"html"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	siteAddress    = "https://pillion.dev"
	siteRepository = "https://git.example.com/pillion"
)

// site is the directory that `make site` writes.
type site struct{ dir string }

var siteDir = flag.String("site", "", "the directory with the site that make site has written with REPOSITORY="+siteRepository)

// TestSite follows every link on the site and every address that names one of its pages.
func TestSite(t *testing.T) {
	if *siteDir == "" {
		t.Skip("needs the flag -site: make site-test builds the site first, for each pull request")
	}
	s := site{*siteDir}
	t.Run("links lead somewhere", s.linksLeadSomewhere)
	t.Run("addresses elsewhere lead to it", s.addressesLeadToIt)
	t.Run("search finds every page", s.searchFindsEveryPage)
	t.Run("navigation has every page", s.navigationHasEveryPage)
	t.Run("asks no other server", s.asksNoOtherServer)
	t.Run("schemas are those of the program", s.schemasAreThoseOfTheProgram)
}

var (
	linkAttribute  = regexp.MustCompile(`\s(?:href|src|data-index)="([^"]*)"`)
	fileAddress    = regexp.MustCompile(`^` + regexp.QuoteMeta(siteRepository) + `/(?:blob/HEAD|edit/main)/([^#]+)`)
	ownAddress     = regexp.MustCompile(`https://pillion\.dev/[\w./-]*\w(?:#[\w-]+)?`)
	loadsElsewhere = regexp.MustCompile(`<(?:script|link|img|iframe|form)\b[^>]*"(?:https?:)?//|@import|url\(`)
)

func (s site) linksLeadSomewhere(t *testing.T) {
	pages := filesBelow(t, s.dir, ".html")
	for _, page := range pages {
		base := &url.URL{Scheme: "https", Host: "pillion.dev", Path: "/" + strings.TrimSuffix(page, "index.html")}
		for _, match := range linkAttribute.FindAllStringSubmatch(readFile(t, filepath.Join(s.dir, page)), -1) {
			to, err := base.Parse(html.UnescapeString(match[1]))
			if err != nil {
				t.Errorf("%s: %v", page, err)
				continue
			}
			if strings.HasPrefix(to.Fragment, "preset=") { // which the playground reads
				to.Fragment = ""
			}
			if found := fileAddress.FindStringSubmatch(to.String()); found != nil {
				file := found[1]
				if _, err := os.Stat(filepath.Join(root, file)); err != nil {
					t.Errorf("%s: %s is not in the repository", page, match[1])
				}
			} else if to.Host == base.Host && !s.serves(t, to) {
				t.Errorf("%s: %s leads nowhere", page, match[1])
			}
		}
	}
	if len(pages) < 30 {
		t.Errorf("the site has %d pages", len(pages))
	}
}

func (s site) addressesLeadToIt(t *testing.T) {
	seen := map[string]bool{}
	for _, file := range filesBelow(t, root, ".go", ".yaml", ".html", ".js", ".md", ".txtar", "Dockerfile") {
		if strings.HasSuffix(file, "_test.go") {
			continue // they have addresses that must not be there
		}
		for _, address := range ownAddress.FindAllString(readFile(t, filepath.Join(root, file)), -1) {
			if seen[address] || strings.Contains(address, "/pillion.git") { // which git asks for
				continue
			}
			seen[address] = true
			to, err := url.Parse(address)
			if err != nil || !s.serves(t, to) {
				t.Errorf("%s: the site does not serve %s", file, address)
			}
		}
	}
	if len(seen) < 15 {
		t.Errorf("%d addresses", len(seen))
	}
	page := readFile(t, filepath.Join(s.dir, "pillion", "index.html"))
	if want := `<meta name="go-import" content="pillion.dev/pillion git ` + siteRepository + `">`; !strings.Contains(page, want) {
		t.Errorf("go install does not find the repository:\n%s", page)
	}
}

func (s site) searchFindsEveryPage(t *testing.T) {
	var sections []struct{ Page, Address string }
	if err := json.Unmarshal([]byte(readFile(t, filepath.Join(s.dir, "search.json"))), &sections); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, section := range sections {
		to, err := url.Parse(siteAddress + "/" + section.Address)
		if err != nil || !s.serves(t, to) || section.Page == "" {
			t.Errorf("search finds %+v, which leads nowhere", section)
			continue
		}
		found[path.Clean(to.Path)] = true
	}
	for _, page := range docs(t) {
		if !found["/docs/"+page] {
			t.Errorf("search does not find %s", page)
		}
	}
}

func (s site) navigationHasEveryPage(t *testing.T) {
	_, navigation, _ := strings.Cut(readFile(t, filepath.Join(s.dir, "docs", "index.html")), `<nav id="pages"`)
	for _, page := range docs(t) {
		if !strings.Contains(navigation, `/`+page+`/"`) {
			t.Errorf("the navigation lacks %s: link it from docs/README.md", page)
		}
	}
}

func (s site) asksNoOtherServer(t *testing.T) {
	for _, file := range filesBelow(t, s.dir, ".html", ".css") {
		if found := loadsElsewhere.FindString(readFile(t, filepath.Join(s.dir, file))); found != "" {
			t.Errorf("%s loads %s", file, found)
		}
	}
}

func (s site) schemasAreThoseOfTheProgram(t *testing.T) {
	for _, name := range []string{"schema.json", "crd.yaml"} {
		if readFile(t, filepath.Join(s.dir, "schemas", "v1alpha1", name)) != readFile(t, filepath.Join(root, "api", "v1alpha1", name)) {
			t.Errorf("%s differs", name)
		}
	}
}

// serves reports whether a static web server with the site has what is at the address.
func (s site) serves(t *testing.T, at *url.URL) bool {
	t.Helper()
	file := filepath.Join(s.dir, filepath.FromSlash(at.Path))
	info, err := os.Stat(file)
	if err == nil && info.IsDir() {
		file = filepath.Join(file, "index.html")
		_, err = os.Stat(file)
	}
	if err != nil || at.Fragment == "" {
		return err == nil
	}
	return strings.Contains(readFile(t, file), ` id="`+at.Fragment+`"`)
}

// docs returns the pages of docs, such as how-to/remove.
func docs(t *testing.T) []string {
	t.Helper()
	var pages []string
	for _, file := range filesBelow(t, filepath.Join(root, "docs"), ".md") {
		if file != "README.md" {
			pages = append(pages, strings.TrimSuffix(file, ".md"))
		}
	}
	return pages
}

// filesBelow returns the files whose names end with one of the words, except in directories with built things.
func filesBelow(t *testing.T, dir string, ends ...string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains([]string{".git", ".cache", "dist"}, entry.Name()) {
			return filepath.SkipDir
		}
		if slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(entry.Name(), end) }) {
			name, err := filepath.Rel(dir, file)
			files = append(files, filepath.ToSlash(name))
			return err
		}
		return nil
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	return files
}

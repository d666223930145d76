// Package htmlpage checks the HTML pages of reports in tests.
package htmlpage

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"
)

// Walk visits every element of a page.
func Walk(t *testing.T, page string, visit func(*html.Node)) {
	t.Helper()
	document, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for n := range document.Descendants() {
		if n.Type == html.ElementNode {
			visit(n)
		}
	}
}

// Attribute returns the value of an attribute, or "".
func Attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// CheckMarkup checks that a page has only the elements that Pillion writes, whatever was audited or injected into.
func CheckMarkup(t *testing.T, page string) {
	t.Helper()
	known := []string{
		"a", "b", "body", "button", "caption", "circle", "code", "dd", "details", "div", "dl", "dt", "form", "h1", "h2", "head", "header", "html",
		"input", "label", "li", "main", "meta", "noscript", "option", "p", "rect", "script", "section", "select", "small", "span", "style",
		"summary", "svg", "table", "tbody", "td", "th", "thead", "title", "tr", "ul",
	}
	if i := strings.IndexFunc(page, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) }); i >= 0 {
		t.Errorf("what nobody sees stands on the page: %q", page[i:min(i+40, len(page))])
	}
	scripts, ids := 0, map[string]bool{}
	Walk(t, page, func(n *html.Node) {
		if !slices.Contains(known, n.Data) {
			t.Errorf("there is a <%s>", n.Data)
		}
		if n.Data == "script" {
			scripts++
		}
		ids[Attribute(n, "id")] = true
	})
	Walk(t, page, func(n *html.Node) {
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src" || a.Key == "href" && !ids[strings.TrimPrefix(a.Val, "#")] {
				t.Errorf("<%s> has %s=%q", n.Data, a.Key, a.Val)
			}
		}
	})
	if scripts != 2 {
		t.Errorf("there are %d scripts, want the data and ours", scripts)
	}
}

// CheckPolicy checks that the policy of a page allows its style and its script, and nothing else.
func CheckPolicy(t *testing.T, page string) {
	t.Helper()
	var policy string
	hashes := map[string]string{}
	Walk(t, page, func(n *html.Node) {
		switch {
		case n.Data == "meta" && Attribute(n, "http-equiv") != "":
			policy = Attribute(n, "content")
		case n.Data == "style", n.Data == "script" && Attribute(n, "type") == "":
			sum := sha256.Sum256([]byte(n.FirstChild.Data))
			hashes[n.Data] = base64.StdEncoding.EncodeToString(sum[:])
		}
	})
	want := "default-src 'none'; style-src 'sha256-" + hashes["style"] + "'; script-src 'sha256-" + hashes["script"] +
		"'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
	if policy != want {
		t.Errorf("got  %s\nwant %s", policy, want)
	}
}

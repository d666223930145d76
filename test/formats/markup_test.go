package formats

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"pillion.dev/pillion/internal/output/auditreport"
	"pillion.dev/pillion/internal/output/report"
	"pillion.dev/pillion/test/sample"
)

func TestManifestsAndPodsCannotPutMarkupOnAPage(t *testing.T) {
	checkMarkup(t, written(t, report.HTML, sample.Hostile()))
	checkMarkup(t, written(t, auditreport.HTML, sample.HostileAudit()))
}

func TestThePolicyLetsOurStyleAndScriptRunAndNothingElse(t *testing.T) {
	checkPolicy(t, written(t, report.HTML, sample.Fleet(3)))
	checkPolicy(t, written(t, auditreport.HTML, sample.Audit(3)))
}

// written returns a page as text.
func written[Page any](t *testing.T, write func(io.Writer, Page) error, p Page) string {
	t.Helper()
	var text strings.Builder
	if err := write(&text, p); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// walk visits every element of a page.
func walk(t *testing.T, page string, visit func(*html.Node)) {
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

// attribute returns the value of an attribute, or "".
func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// checkMarkup checks that a page has only the elements that Pillion writes, whatever was audited or injected into.
func checkMarkup(t *testing.T, page string) {
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
	walk(t, page, func(n *html.Node) {
		if !slices.Contains(known, n.Data) {
			t.Errorf("there is a <%s>", n.Data)
		}
		if n.Data == "script" {
			scripts++
		}
		ids[attribute(n, "id")] = true
	})
	walk(t, page, func(n *html.Node) {
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

// checkPolicy checks that the policy of a page allows its style and its script, and nothing else.
func checkPolicy(t *testing.T, page string) {
	t.Helper()
	var policy string
	hashes := map[string]string{}
	walk(t, page, func(n *html.Node) {
		switch {
		case n.Data == "meta" && attribute(n, "http-equiv") != "":
			policy = attribute(n, "content")
		case n.Data == "style", n.Data == "script" && attribute(n, "type") == "":
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

package formats

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var siteDir = flag.String("site", "", "the directory with the site that make site has written")

// A page of docs with commands and their output, sections and neighbours.
const docsPage = "/docs/how-to/upgrade-a-fleet/"

// docsSite is a tab, and a static web server with the site, which sends 404.html for what is not there.
type docsSite struct {
	tab
	address string
	sent    *atomic.Int64 // bytes of bodies
}

// counter counts the bytes of the body of an answer.
type counter struct {
	http.ResponseWriter
	sent *atomic.Int64
}

func (c counter) Write(body []byte) (int, error) {
	c.sent.Add(int64(len(body)))
	return c.ResponseWriter.Write(body)
}

// TestSite drives the site as a reader does. What it asks for elsewhere, and what it says on the console, fails the test.
func TestSite(t *testing.T) {
	if *siteDir == "" {
		t.Skip("needs the flag -site: make site-test builds the site first")
	}
	s := openSite(t)
	for _, c := range []struct {
		name string
		test func(docsSite)
	}{
		{"the front page is light", frontPageIsLight},
		{"the front page leads to the playground", frontPageLeadsToThePlayground},
		{"a page has its sections and neighbours", pageHasItsSectionsAndNeighbours},
		{"the button copies the commands alone", buttonCopiesCommands},
		{"the theme stays", themeStays},
		{"keys search", keysSearch},
		{"results are prose", resultsAreProse},
		{"what is not there leads on", notFoundLeadsOn},
		{"a phone has folded lists", phoneHasFoldedLists},
		{"pages are read without scripts", pagesAreReadWithoutScripts},
		{"everybody can read it", everybodyCanReadIt},
	} {
		t.Run(c.name, func(t *testing.T) {
			here := s
			here.t = t
			here.do(chromedp.EmulateViewport(desk, 900))
			here.prefers("light")
			c.test(here)
		})
	}
}

func openSite(t *testing.T) docsSite {
	t.Helper()
	var sent atomic.Int64
	files := http.FileServer(http.Dir(*siteDir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w = counter{w, &sent}
		if _, err := os.Stat(filepath.Join(*siteDir, filepath.FromSlash(r.URL.Path))); err == nil {
			files.ServeHTTP(w, r)
			return
		}
		page, err := os.ReadFile(filepath.Join(*siteDir, "404.html"))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page) // with status 200, because the console of the browser reports any other
	}))
	t.Cleanup(server.Close)
	ctx := start(t)
	watch(ctx, t, func(url string) bool {
		return strings.HasPrefix(strings.TrimPrefix(url, "blob:"), server.URL+"/") || strings.HasPrefix(url, "data:")
	})
	return docsSite{tab{t, ctx}, server.URL, &sent}
}

func (s docsSite) visit(path string) {
	s.t.Helper()
	s.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.address+path))
}

func (s docsSite) awaitPath(path string) {
	s.t.Helper()
	s.await(`location.pathname === ` + quoted(path) + ` && document.readyState === 'complete'`)
}

func frontPageIsLight(s docsSite) {
	s.sent.Store(0)
	s.visit("/")
	s.await(`document.readyState === 'complete'`)
	if bytes := s.sent.Load(); bytes == 0 || bytes > 100_000 {
		s.t.Errorf("the front page takes %d bytes", bytes)
	}
	expect(s.tab, 5, `document.querySelectorAll('main section h1, main section h2').length`)
	for _, width := range []int64{desk, phone} {
		s.do(chromedp.EmulateViewport(width, 844))
		expect(s.tab, true, `document.querySelector('main .first').getBoundingClientRect().bottom < innerHeight`)
		// No part of the page is empty: a window's height never lies between two texts.
		expect(s.tab, true, `(() => {
			const parts = [...document.querySelectorAll('main :is(h1, h2, h3, p, pre, li), footer p')].map((e) => e.getBoundingClientRect());
			const ends = parts.map(({ top, bottom }) => [top, bottom]).sort(([a], [b]) => a - b);
			let end = 0;
			return ends.every(([top, bottom]) => {
				const gap = top - end;
				end = Math.max(end, bottom);
				return gap < 220;
			}) && document.documentElement.scrollHeight - end < 220;
		})()`)
	}
}

func frontPageLeadsToThePlayground(s docsSite) {
	s.visit("/")
	s.do(chromedp.Click(css(`main .first`)))
	s.awaitPath("/playground/")
	s.await(`document.documentElement.classList.contains('live')`)
	expect(s.tab, 1, `new Set([...document.querySelectorAll('.tabs button')].map((e) => e.offsetTop)).size`)
	expect(s.tab, true, `[...document.querySelectorAll('.tabs button')].every((e) => e.offsetHeight < 40)`)
	expect(s.tab, 1, `[...document.querySelectorAll('h2, [role=tab]')].filter((e) => e.textContent === 'Manifests').length`)
	expect(s.tab, true, `[...document.links].every((a) => a.href.startsWith(origin))`)
	s.visit("/docs/get-started/playground/")
	s.do(chromedp.Click(css(`main .first`)))
	s.awaitPath("/playground/")
	s.visit("/docs/how-to/presets/")
	expect(s.tab, true, `([...document.links].find((a) => a.hash === '#preset=envoy').click(), true)`)
	s.awaitPath("/playground/")
	s.await(`document.getElementById('preset').value === 'envoy'`)
	expect(s.tab, true, `document.getElementById('config').value.includes('envoyproxy/envoy')`)
}

func pageHasItsSectionsAndNeighbours(s docsSite) {
	s.visit(docsPage)
	expect(s.tab, true, `document.getElementById('sections').checkVisibility() && document.getElementById('pages').checkVisibility()`)
	expect(s.tab, true, `[...document.querySelectorAll('#sections a')].every((a) => document.getElementById(a.hash.slice(1)).matches('h2'))`)
	expect(s.tab, docsPage, `document.querySelector('#pages [aria-current]').pathname`)
	expect(s.tab, true, `document.querySelector('main > .note a').href.endsWith('/edit/main/docs/how-to/upgrade-a-fleet.md')`)
	expect(s.tab, true, `document.querySelectorAll('.chroma :is(.nt, .gp, .k, .nv)').length > 0`)
	s.do(chromedp.Click(css(`[rel=next]`)))
	s.await(`location.pathname !== ` + quoted(docsPage) + ` && document.readyState === 'complete'`)
	s.do(chromedp.Click(css(`[rel=prev]`)))
	s.awaitPath(docsPage)
}

func buttonCopiesCommands(s docsSite) {
	s.visit(docsPage)
	const blocks = `[...document.querySelectorAll('main pre > code[data-lang]')]`
	expect(s.tab, true, blocks+`.length > 0 && `+blocks+`.every((e) => e.closest('.highlight').querySelector('.copy'))`)
	// A page without the focus of a system's window may not write to its clipboard.
	expect(s.tab, true, `(navigator.clipboard.writeText = async (text) => { window.written = text; }, true)`)
	expect(s.tab, true, blocks+`.every((e) => {
		e.closest('.highlight').querySelector('.copy').click();
		const lines = e.textContent.split('\n');
		if (e.dataset.lang !== 'console') return written === e.textContent;
		const prompts = lines.filter((line) => line.startsWith('$ '));
		return written.startsWith(prompts[0].slice(2)) && !written.includes('$ ') && written.split('\n').length <= lines.length;
	})`)
	s.await(`document.querySelector('.copy').textContent === 'Copied'`)
}

const paper = `getComputedStyle(document.body).backgroundColor`

func themeStays(s docsSite) {
	s.visit(docsPage)
	light := eval[string](s.tab, paper)
	s.prefers("dark")
	dark := eval[string](s.tab, paper)
	if light == dark {
		s.t.Errorf("the theme of the system is not followed: %s", dark)
	}
	s.do(chromedp.Focus(css(`#theme`)), chromedp.KeyEvent("Light"))
	s.await(paper + ` === ` + quoted(light))
	for _, path := range []string{"/", "/playground/"} {
		s.visit(path)
		s.await(paper + ` === ` + quoted(light))
	}
	s.visit(docsPage)
	expect(s.tab, "light", `document.getElementById('theme').value`)
	s.do(chromedp.Focus(css(`#theme`)), chromedp.KeyEvent("System"))
	s.await(paper + ` === ` + quoted(dark))
}

const results = `[...document.querySelectorAll('#found a')]`

// search types into the field for words, as a reader who presses / first, and waits for an answer.
func (s docsSite) search(words string) {
	s.t.Helper()
	// The event of a key with its text is what a page can prevent, as with a keyboard. KeyEvent sends the text apart.
	slash := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "/", Text: "/"}
	if _, err := chromedp.Call(s.ctx, input.DispatchKeyEvent, slash); err != nil {
		s.t.Fatal(err)
	}
	expect(s.tab, "search", `document.activeElement.id`)
	expect(s.tab, "", `document.activeElement.value`)
	s.do(chromedp.KeyEvent(words))
	s.await(textOf("count") + ` !== '' && document.getElementById('search').value.trim() === ` + quoted(words))
	expect(s.tab, true, `new Promise((done) => { requestAnimationFrame(() => setTimeout(() => done(true))); })`) // the last letter counts
}

func keysSearch(s docsSite) {
	s.visit(docsPage)
	s.search("kyverno")
	expect(s.tab, true, results+`.every((a) => a.querySelector('mark').textContent.toLowerCase() === 'kyverno')`)
	s.do(chromedp.KeyEvent(kb.ArrowDown + kb.ArrowDown))
	expect(s.tab, 1, results+`.indexOf(document.activeElement)`)
	s.do(chromedp.KeyEvent(kb.ArrowUp + kb.ArrowUp))
	expect(s.tab, "search", `document.activeElement.id`)
	s.do(chromedp.KeyEvent(kb.Escape))
	expect(s.tab, true, `document.getElementById('found').hidden`)
	s.visit(docsPage)
	s.search("kyverno")
	to := eval[string](s.tab, results+`[1].href`)
	s.do(chromedp.KeyEvent(kb.ArrowDown+kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	s.await(`location.href === ` + quoted(to) + ` && document.readyState === 'complete'`)
	s.search("xyzzy")
	expect(s.tab, "Nothing found", textOf("count"))
}

func resultsAreProse(s docsSite) {
	for _, words := range []string{"not-run", "argocd", "sh", "console", "selector", "<!--", "text pillion"} {
		s.visit(docsPage)
		s.search(words)
		expect(s.tab, "", results+`.map((a) => a.textContent).filter((text) => /not-run|\x60{3}|<!--|\]\(|\| -/.test(text)).join()`)
	}
}

func notFoundLeadsOn(s docsSite) {
	for _, path := range []string{"/missing", "/docs/how-to/missing/page/"} {
		s.visit(path)
		expect(s.tab, "There is no such page", `document.querySelector('h1').textContent`)
		s.search("kyverno")
		s.do(chromedp.KeyEvent(kb.Enter))
		s.await(`location.pathname.startsWith('/docs/') && document.querySelector('h1')?.textContent !== 'There is no such page'`)
		s.visit(path)
		s.do(chromedp.Click(css(`main li a`)))
		s.awaitPath("/docs/")
	}
}

func phoneHasFoldedLists(s docsSite) {
	s.visit(docsPage)
	s.do(chromedp.EmulateViewport(phone, 844))
	for _, list := range []string{"pages", "sections"} {
		visible := `document.getElementById('` + list + `').checkVisibility()`
		expect(s.tab, false, visible)
		s.do(chromedp.Click(css(`[popovertarget=` + list + `]`)))
		s.await(visible)
		s.do(chromedp.KeyEvent(kb.Escape))
		s.await(`!` + visible)
	}
	s.do(chromedp.Click(css(`[popovertarget=sections]`)), chromedp.Click(css(`#sections a`)))
	s.await(`location.hash !== '' && !document.getElementById('sections').checkVisibility()`)
}

func pagesAreReadWithoutScripts(s docsSite) {
	setScripts := func(isOff bool) {
		off := emulation.SetScriptExecutionDisabledParams{Value: isOff}
		if _, err := chromedp.Call(s.ctx, emulation.SetScriptExecutionDisabled, off); err != nil {
			s.t.Fatal(err)
		}
	}
	setScripts(true)
	s.visit(docsPage)
	s.do(chromedp.WaitVisible(css(`#sections`)), chromedp.WaitVisible(css(`main pre`)), chromedp.WaitNotVisible(css(`#search`)))
	s.do(chromedp.WaitNotPresent(css(`.copy`)), chromedp.EmulateViewport(phone, 844), chromedp.WaitNotVisible(css(`#pages`)))
	s.do(chromedp.Click(css(`[popovertarget=pages]`)), chromedp.WaitVisible(css(`#pages`)))
	setScripts(false)
}

// unnamed lists what people cannot find who do not see the page, or who use the keyboard: a control, link or picture
// without a name, an identifier that is used twice, a level of heading that is left out, and a second h1.
const unnamed = `(() => {
	const wrong = [];
	const say = (e, what) => wrong.push(e.tagName + '#' + e.id + '.' + e.className + ' ' + what);
	const labelOf = (e) => e.getAttribute('aria-label') || [...(e.labels || [])].map((l) => l.textContent).join('') ||
		(e.getAttribute('aria-labelledby') || '').split(' ').map((id) => document.getElementById(id)?.textContent || '').join('');
	for (const e of document.querySelectorAll('a[href], button')) if (!(labelOf(e) || e.textContent).trim()) say(e, 'has no name');
	for (const e of document.querySelectorAll('input, select, textarea, nav')) if (!labelOf(e).trim()) say(e, 'has no label');
	for (const e of document.querySelectorAll('img')) if (!e.alt) say(e, 'has no text');
	const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
	for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) wrong.push('twice: ' + id);
	let level = 0;
	for (const e of document.querySelectorAll('main :is(h1, h2, h3, h4)')) {
		if (Number(e.tagName[1]) > level + 1) say(e, 'leaves out a level: ' + e.textContent);
		level = Number(e.tagName[1]);
	}
	for (const one of ['h1', 'main', '[lang]', 'title']) if (document.querySelectorAll(one).length !== 1) wrong.push('not one ' + one);
	return [...new Set(wrong)];
})()`

func everybodyCanReadIt(s docsSite) {
	for _, path := range []string{
		"/", "/docs/", docsPage, "/docs/reference/config/", "/docs/get-started/argocd/", "/docs/how-to/presets/", "/missing",
	} {
		s.visit(path)
		for _, problem := range eval[[]string](s.tab, unnamed) {
			s.t.Errorf("%s: %s", path, problem)
		}
		for _, scheme := range []string{"light", "dark"} {
			s.prefers(scheme)
			for _, pale := range eval[[]string](s.tab, tooPale) {
				s.t.Errorf("%s, %s: too little contrast: %s", path, scheme, pale)
			}
		}
		for _, width := range []int64{320, phone, 600, 768, 960, 1024, 1200, desk, 1600} {
			s.do(chromedp.EmulateViewport(width, 900))
			if out := eval[string](s.tab, strings.ReplaceAll(sticksOut, ".diff", "pre, .wide")); out != "" {
				s.t.Errorf("%s: in a window of %d, too wide is %s", path, width, out)
			}
		}
	}
}

// TestSiteScreenshots keeps pictures of the site for a reviewer, in the directory of the flag -screenshots.
func TestSiteScreenshots(t *testing.T) {
	if *siteDir == "" || *screenshots == "" {
		t.Skip("needs the flags -site and -screenshots")
	}
	s := openSite(t)
	for name, path := range map[string]string{
		"front": "/", "page": docsPage, "presets": "/docs/how-to/presets/", "missing": "/missing",
		"playground": "/playground/", "search": docsPage,
	} {
		for _, width := range []int64{desk, phone} {
			for _, scheme := range []string{"light", "dark"} {
				s.prefers(scheme)
				s.do(chromedp.EmulateViewport(width, 900))
				s.visit(path)
				switch name {
				case "search":
					s.search("kyverno")
				case "playground":
					s.await(`document.documentElement.classList.contains('live')`)
				case "front":
					s.do(chromedp.EmulateViewport(width, eval[int64](s.tab, `document.documentElement.scrollHeight`)))
				}
				capture(s.tab, fmt.Sprintf("site-%s-%d-%s", name, width, scheme))
			}
		}
	}
}

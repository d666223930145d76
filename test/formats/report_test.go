package formats

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"pillion.dev/pillion/internal/output/report"
	"pillion.dev/pillion/internal/text/edit"
	"pillion.dev/pillion/test/sample"
)

const (
	desk  = 1280
	phone = 390

	shownNames = `[...document.querySelectorAll('tbody > tr:not(.detail, [hidden]) > th')].map(e => e.textContent)`
	shownCount = `document.querySelectorAll('tbody > tr:not(.detail, [hidden])').length`
	said       = `document.getElementById('count').textContent`
)

type css = chromedp.CSS

func TestAReaderFilters(t *testing.T) {
	page := open(t, sample.Fleet(60), view{width: desk})
	expect(page, "60 workloads", said)

	page.do(chromedp.SendKeys(css(`input[type=search]`), "cart shop"))
	expect(page, "2 of 60 workloads", said)
	expect(page, "cart-api,cart-worker", shownNames+`.join()`)

	page.do(chromedp.Click(css(`#reset`)), chromedp.WaitNotVisible(css(`#reset`)))
	expect(page, 60, shownCount)
	expect(page, "text", `document.activeElement.name`)

	page.do(chromedp.Click(css(`.tile.refused button`)))
	expect(page, "2 of 60 workloads", said)
	expect(page, "refused", `document.querySelector('select[name=decision]').value`)
	expect(page, "true", `document.querySelector('.tile.refused button').getAttribute('aria-pressed')`)

	page.do(chromedp.Click(css(`#reset`)), chromedp.WaitNotVisible(css(`#reset`)), chromedp.Click(css(`.tile.warning button`)))
	warned := eval[string](page, `document.querySelector('.tile.warning b').textContent`)
	expect(page, warned+" of 60 workloads", said)
	expect(page, "warning", `document.querySelector('select[name=severity]').value`)

	page.do(chromedp.SendKeys(css(`input[type=search]`), "no such workload"), chromedp.WaitVisible(css(`#nothing`)))
	expect(page, "0 of 60 workloads", said)

	page.do(chromedp.Click(css(`#reset`)), chromedp.WaitNotVisible(css(`#reset`)))
	for _, name := range []string{"namespace", "kind", "decision", "reason"} {
		page.do(chromedp.Focus(css(`select[name=`+name+`]`)), chromedp.KeyEvent(kb.ArrowDown))
		chosen := eval[string](page, `document.querySelector('select[name=`+name+`]').value`)
		if chosen == "" {
			t.Errorf("nothing to choose by %s", name)
		}
		expect(page, true, fmt.Sprintf(
			`[...document.querySelectorAll('tbody > tr:not([hidden])')].every(r => r.textContent.includes(%q))`, chosen))
		page.do(chromedp.Click(css(`#reset`)), chromedp.WaitNotVisible(css(`#reset`)))
	}
}

func TestAReaderSorts(t *testing.T) {
	page := open(t, sample.Fleet(60), view{width: desk})
	heading := func(n int) string { return fmt.Sprintf(`thead th:nth-child(%d) button`, n) }
	cell := func(row string, n int) string {
		return fmt.Sprintf(`document.querySelector('tbody > tr:%s').cells[%d].textContent.trim()`, row, n-1)
	}
	page.do(chromedp.Click(css(`tbody > tr:nth-child(3) button`)), chromedp.Click(css(heading(7))))
	expect(page, "descending", `document.querySelector('thead th:nth-child(7)').getAttribute('aria-sort')`)
	expect(page, "320 MiB", cell("first-child", 7))
	expect(page, "", cell("last-child", 7))
	expect(page, "cart-api", `document.querySelector('.detail').previousSibling.cells[0].textContent`)

	page.do(chromedp.Focus(css(heading(1))), chromedp.KeyEvent(kb.Enter))
	expect(page, "ascending", `document.querySelector('thead th:nth-child(1)').getAttribute('aria-sort')`)
	expect(page, 1, `document.querySelectorAll('[aria-sort]').length`)
	expect(page, "billing-api", cell("first-child", 1))
	page.do(chromedp.KeyEvent(kb.Enter))
	expect(page, "descending", `document.querySelector('thead th:nth-child(1)').getAttribute('aria-sort')`)
	expect(page, "tracking-worker", cell("first-child", 1))
}

func TestAReaderOpensADiff(t *testing.T) {
	page := open(t, sample.Fleet(60), view{width: desk})
	page.do(
		chromedp.Focus(css(`tbody > tr:nth-child(3) button`)), chromedp.KeyEvent(kb.Enter),
		chromedp.WaitVisible(css(`.detail .diff`)),
	)
	expect(page, "true", `document.querySelector('tbody > tr:nth-child(3) button').getAttribute('aria-expanded')`)
	expect(page, 29, `document.querySelectorAll('.diff ins').length`)
	const added = `[...document.querySelectorAll('.diff ins')].find(e => e.textContent.includes('- name: envoy'))`
	expect(page, "+      - name: envoy", added+`.textContent`)
	expect(page, "36", added+`.dataset.n`)
	expect(page, "Diff of Deployment cart-api", `document.querySelector('.diff').getAttribute('aria-label')`)
	// All lines are as wide as the longest, so that their background reaches its end.
	expect(page, 1, `new Set([...document.querySelectorAll('.diff > *')].map(e => e.offsetWidth)).size`)
	page.do(chromedp.KeyEvent(kb.Enter), chromedp.WaitNotVisible(css(`.detail`)))

	page.do(chromedp.Click(css(`#open`)))
	expect(page, 60, `document.querySelectorAll('.detail:not([hidden])').length`)
	page.do(chromedp.Click(css(`#open`)))
	expect(page, 0, `document.querySelectorAll('.detail:not([hidden])').length`)
}

func TestLightAndDarkAreReadable(t *testing.T) {
	fleet := sample.Fleet(12)
	first := fleet.Run.Workloads[0]
	after := edit.Apply(first.Before, first.Edits)
	first.Edits, first.Before = edit.Whole(after, first.Before), after // a diff that takes away
	var papers []string
	for _, scheme := range []string{"light", "dark"} {
		page := open(t, fleet, view{width: desk, scheme: scheme})
		page.do(chromedp.Click(css(`#open`)))
		papers = append(papers, eval[string](page, `getComputedStyle(document.body).backgroundColor`))
		for _, pale := range eval[[]string](page, tooPale) {
			t.Errorf("%s: too little contrast: %s", scheme, pale)
		}
	}
	if papers[0] == papers[1] {
		t.Errorf("light and dark are both on %s", papers[0])
	}
}

// tooPale lists the elements with a contrast below 4.5, the minimum of WCAG, each kind once.
const tooPale = `(() => {
	const parse = (c) => { const n = c.match(/[\d.]+/g).map(Number); return { rgb: n.slice(0, 3), a: n[3] ?? 1 }; };
	const over = (top, a, below) => top.map((v, i) => v * a + below[i] * (1 - a));
	const light = (rgb) => rgb.map((v) => v / 255).map((v) => (v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4))
		.reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
	const pale = new Map();
	for (const e of document.querySelectorAll('body *')) {
		const hasText = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
		if (!hasText || !e.checkVisibility({ opacityProperty: true }) || e.matches('script, option')) continue;
		let paper = [255, 255, 255], strength = 1;
		for (let p = e, stack = []; ; p = p.parentElement) {
			if (p) { stack.push(parse(getComputedStyle(p).backgroundColor)); strength *= getComputedStyle(p).opacity; continue; }
			for (const b of stack.reverse()) paper = over(b.rgb, b.a, paper);
			break;
		}
		const ink = over(parse(getComputedStyle(e).color).rgb, strength, paper);
		const [a, b] = [light(ink), light(paper)].sort((x, y) => y - x);
		const ratio = (a + .05) / (b + .05);
		const name = e => e.tagName + '.' + e.className;
		if (ratio < 4.5) pale.set(name(e) + ' in ' + name(e.parentElement), ratio.toFixed(2));
	}
	return [...pale].map(([what, ratio]) => what + ' ' + ratio);
})()`

// sticksOut returns the elements that make the page wider than the window.
const sticksOut = `document.documentElement.scrollWidth <= innerWidth ? '' :
	[...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > innerWidth && !e.closest('.diff'))
		.map((e) => e.tagName + '.' + e.className).slice(0, 5).join(' ')`

// tooNarrow returns the texts of the tiles that do not fit into them.
const tooNarrow = `[...document.querySelectorAll('.tile, .tile button')].filter((e) => e.scrollWidth > e.clientWidth)
	.map((e) => e.textContent).join(' ')`

func TestNoWidthIsTooNarrow(t *testing.T) {
	fleet := sample.Fleet(60)
	fleet.Run.DryRun = true // "would inject" is longer than "injected"
	page := open(t, fleet, view{width: desk})
	page.do(chromedp.Click(css(`#open`)))
	for width := int64(320); width <= desk; width += 40 {
		page.do(chromedp.EmulateViewport(width, 900))
		if out := eval[string](page, sticksOut); out != "" {
			t.Errorf("in a window of %d, too wide is %s", width, out)
		}
		if out := eval[string](page, tooNarrow); out != "" {
			t.Errorf("in a window of %d, too narrow is %s", width, out)
		}
	}
}

func TestAPhoneShowsTheWholeReport(t *testing.T) {
	page := open(t, sample.Fleet(60), view{width: phone})
	page.do(chromedp.Click(css(`tbody > tr:nth-child(3) button`)), chromedp.WaitVisible(css(`.detail .diff`)))
	expect(page, "", sticksOut)
	expect(page, "none", `getComputedStyle(document.querySelector('tbody td:empty')).display`) // no label for an empty cell
	// The diff has its own scroll bar.
	expect(page, true, `document.querySelector('.diff').scrollWidth > document.querySelector('.diff').clientWidth`)

	tree, err := chromedp.Call(page.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		t.Fatal(err)
	}
	roles := map[string]int{}
	for _, n := range tree.Nodes {
		if n.Role != nil {
			roles[strings.Trim(string(n.Role.Value), `"`)]++
		}
	}
	for role, least := range map[string]int{
		"table": 1, "columnheader": 7, "rowheader": 60, "row": 61, "heading": 5, "search": 1, "status": 1, "insertion": 27,
	} {
		if roles[role] < least {
			t.Errorf("a screen reader finds %d of %s, want %d; all: %v", roles[role], role, least, roles)
		}
	}
}

func TestAHostileManifestStaysText(t *testing.T) {
	for _, width := range []int64{desk, phone} {
		page := open(t, sample.Hostile(), view{width: width})
		expectNoMarkup(page)
		expect(page, true, `document.querySelector('.detail').textContent.includes('</script><script>')`)
		expect(page, 12, `document.querySelectorAll('.detail .details').length`)
	}
}

func TestWithoutTheScriptTheTableIsThere(t *testing.T) {
	page := open(t, sample.Fleet(60), view{width: desk, scriptless: true})
	page.do(chromedp.WaitVisible(css(`noscript`)), chromedp.WaitNotVisible(css(`.filters`)))
	rows, err := chromedp.Run(page.ctx, chromedp.Nodes(chromedp.CSSAll(`tbody > tr`)))
	if err != nil || len(rows) != 60 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

func TestOnPaperTheControlsAreGone(t *testing.T) {
	page := open(t, sample.Fleet(20), view{width: desk})
	page.do(chromedp.Click(css(`#open`)))
	if _, err := chromedp.Call(page.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		t.Fatal(err)
	}
	page.do(chromedp.WaitNotVisible(css(`.filters`)))
	expect(page, true,
		`[...document.querySelectorAll('.diff')].every(e => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth)`)
}

func TestAnEmptyReportIsWholeAsWell(t *testing.T) {
	page := open(t, report.Page{Title: "Nothing"}, view{width: desk})
	expect(page, "0 workloads", said)
}

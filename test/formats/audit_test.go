package formats

import (
	"testing"

	"github.com/chromedp/chromedp"

	"pillion.dev/pillion/internal/output/auditreport"
	"pillion.dev/pillion/test/sample"
)

func TestAReaderFiltersAnAudit(t *testing.T) {
	page := openAudit(t, sample.Audit(60), view{width: desk})
	all := eval[string](page, said)
	page.do(chromedp.Click(css(`.tile.missing button`)))
	expect(page, "missing", `document.querySelector('select[name=state]').value`)
	expect(page, true, `[...document.querySelectorAll('tbody > tr:not([hidden])')].every(r => r.cells[3].textContent.includes('missing'))`)
	page.do(chromedp.Click(css(`#reset`)), chromedp.WaitNotVisible(css(`#reset`)))
	expect(page, all, said)

	page.do(chromedp.Click(css(`.bars li:first-child .name button`)))
	expect(page, true, `[...document.querySelectorAll('tbody > tr:not([hidden])')].every(r =>
		r.cells[1].textContent === document.querySelector('.bars .name').textContent)`)
	page.do(chromedp.Click(css(`#reset`)), chromedp.WaitNotVisible(css(`#reset`)))

	page.do(chromedp.SendKeys(css(`input[type=search]`), "campaigns-api missing"))
	expect(page, "campaigns-api", shownNames+`.join()`)
	page.do(chromedp.Click(css(`tbody > tr:not([hidden]) button`)), chromedp.WaitVisible(css(`.detail .said`)))
	expect(page, 5, `document.querySelector('.detail .said li code').textContent.split(', ').length`) // the same is known of them
	expect(page, true, `document.querySelector('.detail .said').textContent.includes('spec.containers[1] is not there')`)
}

func TestAReaderSortsAnAudit(t *testing.T) {
	page := openAudit(t, sample.Audit(60), view{width: desk})
	page.do(chromedp.Click(css(`thead th:nth-child(6) button`)))
	expect(page, true, `/^(\d+)\/\1$/.test(document.querySelector('tbody tr').cells[5].textContent)`) // the best first
	page.do(chromedp.Click(css(`thead th:nth-child(6) button`)))
	expect(page, true, `document.querySelector('tbody tr').cells[5].textContent.startsWith('0/')`)
}

func TestAnAuditIsReadableAtAnyWidth(t *testing.T) {
	for _, scheme := range []string{"light", "dark"} {
		page := openAudit(t, sample.Audit(60), view{width: desk, scheme: scheme})
		page.do(chromedp.Click(css(`#open`)))
		for _, pale := range eval[[]string](page, tooPale) {
			t.Errorf("%s: too little contrast: %s", scheme, pale)
		}
		for width := int64(320); width <= desk; width += 160 {
			page.do(chromedp.EmulateViewport(width, 900))
			if out := eval[string](page, sticksOut) + eval[string](page, tooNarrow); out != "" {
				t.Errorf("in a window of %d, too wide or too narrow is %s", width, out)
			}
		}
	}
}

func TestHostilePodsStayText(t *testing.T) {
	for _, width := range []int64{desk, phone} {
		page := openAudit(t, sample.HostileAudit(), view{width: width})
		expectNoMarkup(page)
		expect(page, true, `[...document.querySelectorAll('.detail')].some(e => e.textContent.includes('</script><script>'))`)
	}
}

func TestAnEmptyAuditIsWholeAsWell(t *testing.T) {
	page := openAudit(t, auditreport.Page{Title: "Nothing"}, view{width: desk})
	expect(page, "0 owners", said)
}

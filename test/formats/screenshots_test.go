package formats

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"pillion.dev/pillion/test/sample"
)

var screenshots = flag.String("screenshots", "", "write the pictures of docs into this directory")

// TestScreenshots takes the pictures of docs: go -C test/formats test -run Screenshots -screenshots ../../docs/images
func TestScreenshots(t *testing.T) {
	if *screenshots == "" {
		t.Skip("needs the flag -screenshots: it writes the pictures of docs")
	}
	const scale = 1.5
	for name, scheme := range map[string]string{"report": "light", "report-diff": "dark"} {
		fleet := sample.Fleet(500)
		fleet.Run.DryRun = true // as that of explain
		page := open(t, fleet, view{width: desk, scheme: scheme})
		page.do(chromedp.EmulateViewport(desk, 1200, chromedp.EmulateScale(scale)))
		if name == "report-diff" {
			expect(page, true, `(document.querySelector('.tile.injected button').click(), true)`)
			page.do(chromedp.Click(css(`tbody > tr:not([hidden]) button`)))
			expect(page, true, `(document.querySelector('#rows').scrollIntoView(), true)`)
		}
		capture(page, name)
	}
	played, _ := play(t, "")
	played.put("manifests", deployment(t)+"---\n"+strings.ReplaceAll(deployment(t), "web", "db"))
	played.await(`document.querySelectorAll('tbody tr').length === 2`)
	played.do(chromedp.EmulateViewport(1440, 980, chromedp.EmulateScale(scale)))
	capture(played, "playground")
	page := openAudit(t, sample.Audit(400), view{width: desk})
	page.do(chromedp.EmulateViewport(desk, 1200, chromedp.EmulateScale(scale)), chromedp.Click(css(`tbody > tr:nth-child(2) button`)))
	expect(page, true, `(scrollTo(0, 0), true)`)
	capture(page, "audit")
}

// capture writes a picture of the window.
func capture(page tab, name string) {
	page.t.Helper()
	picture, err := chromedp.Run(page.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		page.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*screenshots, name+".png"), picture, 0o600); err != nil {
		page.t.Fatal(err)
	}
}

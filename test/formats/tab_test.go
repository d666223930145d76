package formats

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"pillion.dev/pillion/internal/output/auditreport"
	"pillion.dev/pillion/internal/output/report"
)

// tab is a report that is open in a browser. Messages on the console and network requests of the page fail the test
// when it ends.
type tab struct {
	t   *testing.T
	ctx context.Context
}

// view is the size of the window and the settings of the reader.
type view struct {
	width      int64
	scheme     string // light or dark; light where it is not said
	scriptless bool
}

func open(t *testing.T, p report.Page, v view) tab {
	t.Helper()
	return openPage(t, report.HTML, p, v)
}

// openAudit opens the page of an audit.
func openAudit(t *testing.T, p auditreport.Page, v view) tab {
	t.Helper()
	return openPage(t, auditreport.HTML, p, v)
}

func openPage[Page any](t *testing.T, write func(io.Writer, Page) error, p Page, v view) tab {
	t.Helper()
	text := written(t, write, p)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, text) // a browser that goes away makes the test fail by itself
	}))
	t.Cleanup(server.Close)

	ctx := start(t)
	watch(ctx, t, func(url string) bool { return url == server.URL+"/" })
	page := tab{t, ctx}
	page.prefers(cmp.Or(v.scheme, "light"))
	scripts := emulation.SetScriptExecutionDisabledParams{Value: v.scriptless}
	if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, scripts); err != nil {
		t.Fatal(err)
	}
	page.do(chromedp.EmulateViewport(v.width, 900), chromedp.Navigate(server.URL+"/"))
	if !v.scriptless {
		page.do(chromedp.WaitReady(css(`html.live`)))
	}
	return page
}

// start runs a browser with one tab, and skips the test if there is no browser.
func start(t *testing.T) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(t)), chromedp.Flag("hide-scrollbars", true))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium refuses to run as root with it
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal(err)
	}
	return ctx
}

func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome", "headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("needs chromium: not on PATH")
	return ""
}

// watch fails the test for each line on the console, and for each request that is not expected.
func watch(ctx context.Context, t *testing.T, isExpected func(url string) bool) {
	t.Helper()
	ctx, stop := context.WithCancel(ctx)
	console, requests := chromedp.Console(ctx), chromedp.Events(ctx, network.RequestWillBeSent)
	var watching sync.WaitGroup
	watching.Go(func() {
		for message, err := range console {
			if err != nil {
				return
			}
			t.Errorf("the console says: %s", message)
		}
	})
	watching.Go(func() {
		for event, err := range requests {
			if err != nil {
				return
			}
			if !isExpected(event.Request.URL) {
				t.Errorf("the page asks for %s", event.Request.URL)
			}
		}
	})
	t.Cleanup(func() { stop(); watching.Wait() })
}

// prefers sets the colours that the reader prefers: light or dark.
func (p tab) prefers(scheme string) {
	p.t.Helper()
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, media); err != nil {
		p.t.Fatal(err)
	}
}

func (p tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// eval returns the value of an expression in the page, and waits for it if it is a promise.
func eval[T any](p tab, expression string) T {
	p.t.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// expectNoMarkup opens all rows, and checks that no name or message of strangers has become markup.
func expectNoMarkup(p tab) {
	p.t.Helper()
	p.do(chromedp.Click(css(`#open`)))
	expect(p, "undefined", `typeof window.pwned`)
	expect(p, 0, `document.querySelectorAll('img, iframe, tbody script, [onerror], [onfocus], [onmouseover]').length`)
	expect(p, "", sticksOut)
}

// expect checks the value of an expression.
func expect[T comparable](p tab, want T, expression string) {
	p.t.Helper()
	if got := eval[T](p, expression); got != want {
		p.t.Errorf("got %v, want %v from %s", got, want, expression)
	}
}

package formats

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// playgroundDir is what playground has written, if a test needed it.
var playgroundDir string

// playground writes the playground to a directory, which takes a while.
var playground = sync.OnceValues(func() (dir string, err error) {
	if dir, err = os.MkdirTemp("", "playground"); err != nil {
		return "", err
	}
	playgroundDir = dir
	out, err := exec.Command("make", "--no-print-directory", "-C", "../..", "playground", "PLAYGROUND="+dir).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return dir, err
})

func TestMain(m *testing.M) {
	code := m.Run()
	_ = os.RemoveAll(playgroundDir)
	os.Exit(code)
}

// site is a static web server with the playground, and what was asked of it.
type site struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
	idle  bool // whether the script of the page is left out
	// encodes is whether browsers are told to unpack what is packed, as some servers do by the ending of its name.
	encodes bool
}

// serve runs such a server. It comes before start, because a browser has a deadline, and the playground takes minutes
// to build on a slow machine.
func serve(t *testing.T) *site {
	t.Helper()
	chromium(t) // nothing is built if there is no browser
	dir, err := playground()
	if err != nil {
		t.Fatal(err)
	}
	s, files := &site{}, http.FileServer(http.Dir(dir))
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, r.URL.Path)
		s.mu.Unlock()
		if s.idle && r.URL.Path == "/playground.js" {
			return
		}
		if s.encodes && strings.HasSuffix(r.URL.Path, ".gz") {
			w.Header().Set("Content-Encoding", "gzip")
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// paths returns which paths were asked for, each once.
func (s *site) paths() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(s.asked))), " ")
}

// play opens the playground, and waits for its first result.
func play(t *testing.T, fragment string) (tab, *site) {
	t.Helper()
	s := serve(t)
	page := tab{t, start(t)}
	watch(page.ctx, t, func(url string) bool { return strings.HasPrefix(strings.TrimPrefix(url, "blob:"), s.URL+"/") })
	page.do(chromedp.EmulateViewport(desk, 900), chromedp.Navigate(s.URL+"/"+fragment))
	page.await(`document.documentElement.classList.contains('live')`)
	return page, s
}

// await waits until an expression is true.
func (p tab) await(expression string) {
	p.t.Helper()
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if eval[bool](p, expression) {
			return
		}
	}
	p.t.Fatalf("this does not become true: %s; the page says %s", expression, eval[string](p, `document.body.innerText`))
}

// put writes a text into one of the editors.
func (p tab) put(id, text string) {
	p.t.Helper()
	expect(p, true, fmt.Sprintf(`(() => {
		const area = document.getElementById(%q);
		area.value = %s;
		area.dispatchEvent(new Event('input'));
		return true;
	})()`, id, quoted(text)))
}

// quoted returns a text as a string of JavaScript.
func quoted(text string) string {
	return "`" + strings.NewReplacer("\\", `\\`, "`", "\\`", "$", `\$`).Replace(text) + "`"
}

func textOf(id string) string { return `document.getElementById('` + id + `').textContent` }

// readme returns what a regular expression finds in the README.
func readme(t *testing.T, expression string) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?s)` + expression).FindSubmatch(text)
	if found == nil {
		t.Fatalf("the README lacks %s", expression)
	}
	return string(found[1])
}

// injector and deployment return the example of the README.
func injector(t *testing.T) string {
	t.Helper()
	return readme(t, "```yaml\n(.*?)```")
}

func deployment(t *testing.T) string {
	t.Helper()
	return readme(t, "deployment.yaml <<'EOF'\n(.*?)EOF")
}

// lines returns the lines of the diff that are shown.
const lines = `[...document.querySelectorAll('.diff > *')].map((e) => e.textContent)`

func TestPlayground(t *testing.T) {
	page, _ := play(t, "")
	config, manifests := injector(t), deployment(t)
	expect(page, config, `document.getElementById('config').value`)
	example := strings.Replace(manifests, "# the storefront\n", "# the storefront\n        ports: [{containerPort: 80}]\n", 1)
	expect(page, example, `document.getElementById('manifests').value`) // presets of proxies need the port
	for _, c := range []struct {
		name string
		test func(tab)
	}{
		{"the README's example gives its diff", showsTheReadme},
		{"a preset, and back", takesAPreset},
		{"an error is at its line", pointsAtErrors},
		{"a refusal is at its line", pointsAtRefusals},
		{"a refusal leaves the diff of the others", showsTheOthers},
		{"a button selects what does not match", selectsByAButton},
		{"what kubectl get prints", takesLiveObjects},
		{"markup is text", showsMarkupAsText},
		{"hostile texts end with an error", survivesHostileTexts},
		{"a run can be stopped", stops},
		{"keys choose a tab", choosesTabsByKeys},
		{"keys skip to the result", skipsToTheResult},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := tab{t, page.ctx}
			page.put("config", config)
			page.put("manifests", manifests)
			page.await(textOf("summary") + ` === '1 x adds init container fluent-bit\n1 workload: would inject 1\n'`)
			c.test(page)
		})
	}
}

func showsTheReadme(page tab) {
	const added = "+        image: fluent/fluent-bit:3.2.4\n+        restartPolicy: Always"
	expect(page, true, fmt.Sprintf("%s.join('\\n').endsWith(%s)", lines, quoted(added)))
	expect(page, "web(none)Deploymentwould injectadds init container fluent-bit [logs]", `document.querySelector('tbody tr').textContent`)
}

func takesAPreset(page tab) {
	page.await(`!document.getElementById('preset').disabled`)
	page.do(chromedp.Focus(css(`#preset`)), chromedp.KeyEvent("flu"))
	page.await(lines + `.some((line) => line.includes('name: fluent-bit-state'))`)
	for tab, want := range map[string]string{
		"After":   "image: nginx:1.27 # the storefront\n        volumeMounts:\n        - {name: app-logs",
		"Policy":  "kind: MutatingAdmissionPolicy\n",
		"Patches": "error NotExportable spec.appContainers: a patch does not know the names of the app's containers",
		"Plan":    "  1. add volume fluent-bit-config; if the app has another one, the pod is refused\n",
	} {
		expect(page, true, fmt.Sprintf(`([...document.querySelectorAll('[role=tab]')].find((e) => e.textContent === %q).click(), true)`, tab))
		expect(page, true, textOf("panel")+`.includes(`+quoted(want)+`)`)
	}
	expect(page, true, `(document.getElementById('tab-0').click(), document.getElementById('config').focus(), document.execCommand('undo'))`)
	page.await(textOf("summary") + `.startsWith('1 x adds init container fluent-bit\n')`)
}

func pointsAtErrors(page tab) {
	page.put("config", injector(page.t)+"    imagee: a\n")
	page.await(textOf("config-marks") + `.startsWith('line 10 error InvalidConfig: ')`)
	expect(page, "error", `document.querySelector('#config').parentElement.querySelector('.lines span').className`)
	expect(page, true, `(() => { // the band is where the line is
		const editor = document.querySelector('#config').parentElement;
		const [band, box] = [editor.querySelector('.lines span'), editor].map((e) => e.getBoundingClientRect());
		return Math.abs(band.top - box.top - 8 - 9 * 20) <= 1;
	})()`)
	expect(page, "true", `document.querySelector('#config').getAttribute('aria-invalid')`)
	page.do(chromedp.Click(css(`#config-marks button`)))
	const selected = `((area) => area.value.slice(area.selectionStart, area.selectionEnd))(document.activeElement)`
	expect(page, "    imagee: a", selected)
	var many strings.Builder
	for i := range 30 {
		fmt.Fprintf(&many, "    imagee%d: a\n", i)
	}
	page.put("config", injector(page.t)+many.String())
	page.await(textOf("config-marks") + `.endsWith('... and 10 more problems')`)
	expect(page, "", textOf("manifests-marks"))
	expect(page, "The config has errors.", `(document.getElementById('tab-2').click(), document.getElementById('panel').textContent)`)
	expect(page, true, `(document.getElementById('tab-0').click(), true)`)
}

func pointsAtRefusals(page tab) {
	page.put("manifests", strings.Replace(deployment(page.t), "- name: web", "- name: fluent-bit", 1))
	page.await(textOf("manifests-marks") + `.startsWith('line 14 error ContainerConflict: ')`)
	expect(page, "refused", `document.querySelector('tbody td[class]').className`)
	page.do(chromedp.Click(css(`tbody summary`))) // what the code means
	expect(page, true, `document.querySelector('tbody details').open && document.querySelector('tbody details p').textContent.length > 40`)
	expect(page, true, textOf("summary")+`.includes('inject would change nothing')`)
}

func showsTheOthers(page tab) {
	one := deployment(page.t)
	page.put("manifests", one+"---\n"+strings.Replace(one, "- name: web", "- name: fluent-bit", 1))
	page.await(textOf("panel") + `.includes('1 held back, 1 refused')`)
	expect(page, 6, `document.querySelectorAll('.diff ins').length`)
}

func selectsByAButton(page tab) {
	page.put("manifests", strings.ReplaceAll(deployment(page.t), "tier: web", "tier: backend"))
	page.await(`document.querySelector('tbody .why button')?.textContent === 'Select tier=backend'`)
	page.do(chromedp.Click(css(`tbody .why button`)))
	page.await(textOf("summary") + `.includes('would inject 1')`)
	expect(page, true, `document.getElementById('config').value.includes('{matchLabels: {tier: backend}}')`)
}

func takesLiveObjects(page tab) {
	live := strings.Replace(deployment(page.t), "  name: web\n", "  name: web\n  uid: 1b2c\n  generation: 2\n", 1)
	page.put("manifests", live+"status:\n  replicas: 1\n")
	page.await(`document.querySelector('tbody td[class]').textContent === 'would inject'`)
	expect(page, 6, `document.querySelectorAll('.diff ins').length`)
	expect(page, 0, `document.querySelectorAll('.diff del').length`)
	expect(page, true, `document.getElementById('manifests').value.includes('uid: 1b2c')`)
}

func showsMarkupAsText(page tab) {
	const markup = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>`
	text := deployment(page.t)
	page.put("manifests", strings.ReplaceAll(text, "name: web\n", "name: '"+markup+"'\n")+"---\nkind: '"+markup+"'\napiVersion: v1\n")
	page.await(`document.getElementById('decided').textContent.includes('onerror')`)
	for i := range 5 {
		expect(page, 0, fmt.Sprintf(`(document.getElementById('tab-%d').click(), document.querySelectorAll('main :is(img, script)').length)`, i))
	}
	expect(page, "undefined", `typeof window.pwned`)
	expect(page, "", sticksOut)
	expect(page, true, `(document.getElementById('tab-0').click(), true)`)
}

func survivesHostileTexts(page tab) {
	laughs := "apiVersion: v1\nkind: Pod\na: &a [x, x, x, x, x, x, x, x, x, x]\n"
	for name := 'b'; name < 'k'; name++ {
		laughs += fmt.Sprintf("%[1]c: &%[1]c [%[2]s]\n", name, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c, ", name-1), 10), ", "))
	}
	page.put("manifests", laughs)
	page.await(textOf("manifests-marks") + `.includes('the aliases in this object expand to more than 100000 nodes')`)
	page.put("manifests", "apiVersion: v1\nkind: Pod\nspec: "+strings.Repeat("[", 250)+strings.Repeat("]", 250))
	page.await(textOf("manifests-marks") + `.includes('deep')`)
	page.put("manifests", strings.Repeat("[", 100_000)) // more than the stack of a browser holds
	page.await(textOf("status") + `.startsWith('Stopped: these texts are too large, or nested too deeply')`)
	page.put("manifests", strings.Repeat("a", 4_000_001))
	page.await(textOf("status") + `.startsWith('Too large')`)
	page.put("manifests", "") // the page goes on
	page.await(textOf("summary") + `.startsWith('0 workloads')`)
}

func stops(page tab) {
	one := deployment(page.t)
	page.put("config", manyInjectors(page.t))
	page.put("manifests", strings.Repeat(one+"---\n", 2000))
	page.do(chromedp.WaitVisible(css(`#stop`)), chromedp.Click(css(`#stop`)))
	page.await(textOf("status") + ` === 'Stopped. The next change runs again.'`)
	page.do(chromedp.WaitNotVisible(css(`#stop`)))
	page.put("manifests", strings.Repeat(one+"---\n", 2001))
	page.await(textOf("status") + `.startsWith('Stopped after 10 seconds.')`) // by itself
	page.put("manifests", one+"---\n"+one)
	page.await(textOf("summary") + `.includes('2 workloads')`)
}

// manyInjectors returns a config that takes seconds for many workloads.
func manyInjectors(t *testing.T) string {
	t.Helper()
	one, all := injector(t), ""
	for i := range 100 {
		number := fmt.Sprintf("-%d\n", i)
		all += strings.NewReplacer("name: logs\n", "name: logs"+number, "name: fluent-bit\n", "name: fluent-bit"+number).Replace(one) + "---\n"
	}
	return all
}

func choosesTabsByKeys(page tab) {
	page.do(chromedp.Focus(css(`[role=tab][aria-selected=true]`)), chromedp.KeyEvent(kb.ArrowLeft))
	expect(page, "Plan", `document.activeElement.textContent`)
	expect(page, true, textOf("panel")+`.startsWith('plan of the injector logs')`)
	page.do(chromedp.KeyEvent(kb.ArrowLeft))
	expect(page, true, textOf("panel")+`.includes('kind: Component\n')`)
	page.do(chromedp.KeyEvent(kb.Home))
	expect(page, "tab-0", `document.getElementById('panel').getAttribute('aria-labelledby')`)
	expect(page, 1, `document.querySelectorAll('[role=tab][tabindex="0"]').length`)
}

func skipsToTheResult(page tab) {
	page.do(chromedp.Focus(css(`.skip`)), chromedp.KeyEvent(kb.Enter))
	page.await(`location.hash === '#result'`)
	expect(page, "", textOf("note"))
	page.do(chromedp.KeyEvent(kb.Tab))
	expect(page, "Diff", `document.activeElement.textContent`)
}

func TestPlaygroundFromAServerThatHasItUnpacked(t *testing.T) {
	s := serve(t)
	page := tab{t, start(t)}
	s.encodes = true
	page.do(chromedp.Navigate(s.URL))
	page.await(`document.documentElement.classList.contains('live')`)
}

func TestPlaygroundLinks(t *testing.T) {
	page, s := play(t, "")
	const config, manifests = "# ä ✓ </textarea>\n", "# other\n"
	page.put("config", config)
	page.put("manifests", manifests)
	page.do(chromedp.Click(css(`#copy`)))
	page.await(textOf("note") + ` !== ''`)
	fragment := eval[string](page, `location.hash`)
	if !regexp.MustCompile(`^#[\w-]{10,200}$`).MatchString(fragment) {
		t.Errorf("the fragment is %s", fragment)
	}
	page.put("config", "# something else\n")
	expect(page, "", `location.hash`) // which is no longer what the link has
	page.do(chromedp.Navigate("about:blank"), chromedp.Navigate(s.URL+"/"+fragment))
	page.await(`document.documentElement.classList.contains('live')`)
	expect(page, config, `document.getElementById('config').value`)
	expect(page, manifests, `document.getElementById('manifests').value`)
	if paths := s.paths(); strings.Contains(paths, fragment[1:]) {
		t.Errorf("the server was told the texts: %s", paths)
	}

	page.put("manifests", eval[string](page, `Array.from({ length: 30000 }, () => Math.random()).join()`))
	page.do(chromedp.Click(css(`#copy`)))
	page.await(textOf("note") + `.startsWith('Too long for a link: ')`)
	packed := func(parts string) string {
		return "#" + eval[string](page, `new Response(new Blob(`+parts+`).stream().pipeThrough(new CompressionStream('deflate-raw')))
			.arrayBuffer().then((b) => btoa(Array.from(new Uint8Array(b), (c) => String.fromCharCode(c)).join(''))
			.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''))`)
	}
	for broken, want := range map[string]string{
		"#!":                             "The link cannot be read: ",
		"#AAAA":                          "The link cannot be read: ",
		packed(`['[', '0'.repeat(2e7)]`): "The link cannot be read: it is too large",
		packed(`[JSON.stringify(['', '\n'.repeat(3e5)])]`):           "The link cannot be read: it is too large", // for a textarea
		packed(`[JSON.stringify(['', '#' + '\u0301'.repeat(3e5)])]`): "The link cannot be read: it is too large",
	} {
		expect(page, true, `(location.hash = `+quoted(broken)+`, true)`)
		page.await(textOf("note") + `.startsWith(` + quoted(want) + `)`)
	}
}

// TestPlaygroundNeedsNoNetwork checks that the page asks only for its own files, and for nothing once it is loaded.
func TestPlaygroundNeedsNoNetwork(t *testing.T) {
	page, s := play(t, "")
	elsewhere := serve(t)
	page.await(`navigator.serviceWorker.ready.then(() => true)`)
	const files = "/ /page.css /parts.js /pillion.wasm.gz /playground.css /playground.js /sw.js /wasm_exec.js /worker.js"
	if got := s.paths(); got != files {
		t.Errorf("the page asks for %s, want %s", got, files)
	}
	s.Close()
	page.put("config", manyInjectors(t))
	page.put("manifests", strings.Repeat(deployment(t)+"---\n", 1000))
	page.do(chromedp.WaitVisible(css(`#stop`)), chromedp.Click(css(`#stop`))) // a new worker
	page.put("manifests", "")
	page.await(textOf("summary") + `.startsWith('0 workloads')`)
	page.do(chromedp.Reload())
	page.await(`document.documentElement.classList.contains('live')`)
	expect(page, 6, `document.querySelectorAll('.diff ins').length`)

	// The policy refuses what no code of the page does, and the console says so, which is not watched in another tab.
	idle := serve(t)
	other := tab{t, start(t)}
	idle.idle = true // so that a worker can be made as the page makes them
	other.do(chromedp.Navigate(idle.URL + "/"))
	for _, send := range []string{
		`fetch('%s/').then(() => 'sent', () => 'refused')`,
		`new Promise((resolve) => {
			const code = new Blob(["fetch('%s/').then(() => postMessage('sent'), () => postMessage('refused'))"]);
			const types = trustedTypes.createPolicy('worker', { createScriptURL: (url) => url });
			new Worker(types.createScriptURL(URL.createObjectURL(code))).onmessage = ({ data }) => resolve(data);
		})`,
		`new Promise((resolve) => {
			const image = Object.assign(new Image(), { onload: () => resolve('sent'), onerror: () => resolve('refused'), src: '%s/a.png' });
		})`,
		`Promise.resolve().then(() => (document.body.innerHTML = '<a href="%s">')).then(() => 'sent', () => 'refused')`,
	} {
		expect(other, "refused", fmt.Sprintf(send, elsewhere.URL))
	}
	if asked := elsewhere.paths(); asked != "" {
		t.Errorf("asked elsewhere: %s", asked)
	}
}

func TestPlaygroundIsReadable(t *testing.T) {
	page, _ := play(t, "")
	page.put("manifests", strings.Repeat(deployment(t)+"---\n", 2)+"apiVersion: v1\nkind: Pod\nmetadata: {name: a, uid: b}\n")
	page.put("config", injector(t)+"    resources: {requests: {cpu: 50m, memory: 64Mi}}\n")
	page.await(`document.querySelectorAll('tbody tr').length === 3`)
	for _, scheme := range []string{"light", "dark"} {
		page.prefers(scheme)
		for _, pale := range eval[[]string](page, tooPale) {
			t.Errorf("%s: too little contrast: %s", scheme, pale)
		}
	}
	for width := int64(320); width <= 1600; width += 64 {
		page.do(chromedp.EmulateViewport(width, 900))
		if out := eval[string](page, strings.ReplaceAll(sticksOut, ".diff", "#panel")); out != "" {
			t.Errorf("in a window of %d, too wide is %s", width, out)
		}
	}
	tree, err := chromedp.Call(page.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, n := range tree.Nodes {
		if n.Role != nil && n.Name != nil && !n.Ignored {
			named = append(named, strings.Trim(string(n.Role.Value), `"`)+" "+strings.Trim(string(n.Name.Value), `"`))
		}
	}
	for _, want := range []string{
		"textbox Config", "textbox Manifests", "combobox Preset", "tablist Result", "tab Diff", "tabpanel Diff", "button Copy link",
		"link Documentation",
		"table Every workload with its decision and the reason", "rowheader web", "columnheader Reason",
	} {
		if !slices.Contains(named, want) {
			t.Errorf("a screen reader does not find %s; it finds %q", want, named)
		}
	}
}

// TestPlaygroundIsSmall checks what people download, and logs it with the time from the request to the first result.
func TestPlaygroundIsSmall(t *testing.T) {
	page, _ := play(t, "")
	info, err := os.Stat(filepath.Join(playgroundDir, "pillion.wasm.gz"))
	if err != nil {
		t.Fatal(err)
	}
	took := eval[float64](page, `performance.getEntriesByName('first result')[0].startTime`)
	t.Logf("pillion.wasm.gz has %d bytes, and the first result is there after %.0f ms", info.Size(), took)
	if info.Size() > 5_500_000 {
		t.Error("that is more than 5.5 MB; docs/get-started/playground.md has what dominates")
	}
}

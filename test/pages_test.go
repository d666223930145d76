package test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pillion.dev/pillion/internal/edge/command"
	"pillion.dev/pillion/test/golden"
)

// elsewhere has the pages of docs whose commands other tests run, because they need tools or objects of their own, with
// the words after `sh` that mark the blocks which those tests run; "" is no word.
var elsewhere = map[string][]string{
	"get-started/argocd.md": {"argocd", "kustomized", "chart", "checkout"}, // TestArgoCDPage in test/e2e
	"get-started/flux.md":   {""},                                          // TestFluxPage
	"get-started/helm.md":   {"", "helm3", "helm4"},                        // TestHelmPage in test/e2e
	"how-to/audit.md":       {"", "watcher"},                               // TestAuditPage
	"how-to/embedding.md":   {},                                            // TestProgramsInTheEmbeddingPageDoWhatItShows
}

// inShop has the pages whose commands use files that the reader has: injector.yaml, k8s/, overlays/prod and others.
// They are run one by one in a copy of testdata/docs/shop, with the kubectl and the helm of testdata/docs/bin.
var inShop = []string{"how-to/presets.md", "how-to/admission.md", "reference/report.md"}

// TestExamplesInHelp runs the examples of each command.
func TestExamplesInHelp(t *testing.T) {
	count := 0
	for _, cmd := range command.New().Commands() {
		for _, cmd := range append(cmd.Commands(), cmd) {
			if cmd.Example == "" {
				continue
			}
			count++
			t.Run(cmd.CommandPath(), func(t *testing.T) { newPageRunner(t, inShop[0], cmd.Example).runInShop(t, cmd.Example) })
		}
	}
	if count < 10 {
		t.Errorf("only %d commands have examples", count)
	}
}

// TestPages runs every command on the pages of docs. Each section of a page has a directory of its own, with copies of
// pipelines and examples if it uses them, and begins with the blocks of the page that are marked by setup. A console
// block must show what its commands print.
func TestPages(t *testing.T) {
	for _, page := range pages(t) {
		if _, ok := elsewhere[page]; ok {
			continue
		}
		path := filepath.Join(root, "docs", page)
		text := readFile(t, path)
		updated := text
		for section := range strings.SplitSeq(text, "\n## ") {
			blocks := commandBlocks(t, section)
			if len(blocks) == 0 {
				continue
			}
			title, _, _ := strings.Cut(strings.TrimPrefix(section, "# "), "\n")
			t.Run(strings.TrimSuffix(page, ".md")+"/"+title, func(t *testing.T) {
				r := newPageRunner(t, page, section)
				for _, setup := range commandBlocks(t, text) {
					if setup.language == "sh setup" {
						r.run(t, setup)
					}
				}
				for _, block := range blocks {
					if block.language != "sh setup" {
						updated = strings.Replace(updated, block.text, r.run(t, block), 1)
					}
				}
			})
		}
		golden.Check(t, path, updated)
	}
}

// commandBlocks returns the blocks of a text that TestPages runs.
func commandBlocks(t *testing.T, text string) []fencedBlock {
	t.Helper()
	return slices.DeleteFunc(fencedBlocks(t, text), func(b fencedBlock) bool {
		return !slices.Contains([]string{"sh", "sh setup", "console"}, b.language)
	})
}

// pages returns the pages of docs, such as how-to/remove.md.
func pages(t *testing.T) []string {
	t.Helper()
	var found []string
	docs := filepath.Join(root, "docs")
	err := filepath.WalkDir(docs, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		page, err := filepath.Rel(docs, path)
		found = append(found, filepath.ToSlash(page))
		return err
	})
	if err != nil || len(found) == 0 {
		t.Fatalf("%d pages, %v", len(found), err)
	}
	return found
}

// pageRunner runs the blocks of one section.
type pageRunner struct {
	dir    string
	inShop bool
	images []string // names of images on the page, which stand for the image under test
}

var exampleImage = regexp.MustCompile(`(?:registry\.example\.com|ghcr\.io/pillion)/pillion:[a-z0-9.]+`)

func newPageRunner(t *testing.T, page, section string) pageRunner {
	t.Helper()
	if strings.Contains(section, "kustomize build") {
		t.Setenv("PATH", os.Getenv("PATH")+string(os.PathListSeparator)+filepath.Dir(kustomize(t)))
	}
	for _, name := range []string{"kpt", "jq", "git"} {
		if regexp.MustCompile(`(?m)^\s*(\$ )?(.*\| )?` + name + " ").MatchString(section) {
			tool(t, name)
		}
	}
	r := pageRunner{dir: t.TempDir(), inShop: slices.Contains(inShop, page), images: exampleImage.FindAllString(section, -1)}
	if r.inShop {
		stands := filepath.Join(root, "test", "testdata", "docs", "bin")
		t.Setenv("PATH", stands+string(os.PathListSeparator)+os.Getenv("PATH"))
		return r
	}
	for _, name := range []string{"pipelines", "examples", "docs"} {
		if !strings.Contains(section, " "+name+"/") {
			continue // such as a section that begins in an empty directory
		}
		if err := os.CopyFS(filepath.Join(r.dir, name), os.DirFS(filepath.Join(root, name))); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// run runs a block and returns it with what its commands printed, if it shows that.
func (r pageRunner) run(t *testing.T, block fencedBlock) string {
	t.Helper()
	switch {
	case r.inShop:
		r.runInShop(t, block.text)
	case block.language == "console":
		return readmeBlock{text: block.text, console: true}.run(t, r.dir)
	default:
		script := block.text
		for _, name := range r.images {
			runByTestImage(t, r.dir, name)
			script = strings.ReplaceAll(script, name, image(t))
		}
		mustRun(t, r.dir, "", tool(t, "bash"), "--noprofile", "--norc", "-e", "-u", "-o", "pipefail", "-c", script)
	}
	return block.text
}

// differs matches commands that exit with 1 if they find a difference.
var differs = regexp.MustCompile(`pillion (diff|verify|audit) `)

// runInShop runs each line of a block in the shop.
func (r pageRunner) runInShop(t *testing.T, block string) {
	t.Helper()
	if err := os.RemoveAll(r.dir); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(r.dir, os.DirFS(filepath.Join(root, "test", "testdata", "docs", "shop"))); err != nil {
		t.Fatal(err)
	}
	for command := range strings.Lines(strings.ReplaceAll(block, "\\\n", "")) {
		if strings.Contains(command, "pillion init") { // which overwrites no file
			if err := os.RemoveAll(filepath.Join(r.dir, "injector.yaml")); err != nil {
				t.Fatal(err)
			}
		}
		got := run(t, r.dir, "", tool(t, "bash"), "--noprofile", "--norc", "-e", "-u", "-o", "pipefail", "-c", command)
		if got.exitCode > 1 || got.exitCode == 1 && !differs.MatchString(command) {
			t.Errorf("%s: exit code %d\n%s%s", command, got.exitCode, got.stdout, got.stderr)
		}
	}
}

// shown has the languages of blocks that are not commands.
var shown = []string{"yaml", "yaml stdin", "yaml stdout", "json", "go", "diff", "Dockerfile", "text", "mermaid"}

// TestNoCommandOnPagesIsMissed checks that tests run every block of commands: none is missed because of its word, or
// because it is indented instead of fenced. A block that no test can run is marked by not-run, and its section says "no
// test" and why.
func TestNoCommandOnPagesIsMissed(t *testing.T) {
	for _, page := range pages(t) {
		words, isElsewhere := elsewhere[page]
		if !isElsewhere {
			words = []string{"", "setup"}
		}
		for section := range strings.SplitSeq(readFile(t, filepath.Join(root, "docs", page)), "\n## ") {
			for _, info := range fences(t, page, section) {
				language, word, _ := strings.Cut(info, " ")
				switch {
				case slices.Contains(shown, info) || info == "console":
				case language == "sh" && slices.Contains(words, word):
				case info == "sh not-run" && strings.Contains(strings.ToLower(section), "no test"):
				case info == "sh not-run":
					t.Errorf("%s does not say why no test runs a block: %.60q", page, section)
				default:
					t.Errorf("%s has a block %q that no test runs; if it shows what a program prints, call it text", page, info)
				}
			}
		}
	}
}

// fences returns what is behind the opening fences of a section, such as "sh not-run", and reports blocks without a
// fence.
func fences(t *testing.T, page, section string) []string {
	t.Helper()
	var infos []string
	isFenced, before := false, ""
	for line := range strings.Lines(section) {
		info, isFence := strings.CutPrefix(strings.TrimLeft(line, " >"), "```")
		switch {
		case isFence && isFenced:
			isFenced = false
		case isFence:
			isFenced = true
			infos = append(infos, strings.TrimSpace(info))
		case !isFenced && before == "\n" && (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")):
			t.Errorf("%s has an indented block, which no test runs; fence it: %s", page, line)
		}
		before = line
	}
	return infos
}

// TestEveryPageIsListed checks that docs/README.md links to every page below it.
func TestEveryPageIsListed(t *testing.T) {
	index := readFile(t, filepath.Join(root, "docs", "README.md"))
	for _, page := range pages(t) {
		if links := strings.Count(index, fmt.Sprintf("](%s)", page)); links != 1 && page != "README.md" {
			t.Errorf("docs/README.md has %d links to %s, want 1", links, page)
		}
	}
}

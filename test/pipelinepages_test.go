package test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	pageCommands = regexp.MustCompile("(?s)```sh\n(.*?)```")
	exampleImage = regexp.MustCompile(`registry\.example\.com/pillion:[a-z0-9.]+`)
)

// TestPipelinePages runs every command on the pages of docs/pipelines, section by section, beside a copy of pipelines.
func TestPipelinePages(t *testing.T) {
	for _, page := range []string{"kustomize", "kpt", "ci", "image", "audit"} {
		text := readFile(t, filepath.Join(root, "docs", "pipelines", page+".md"))
		for _, section := range strings.Split(text, "\n## ") {
			title, _, _ := strings.Cut(section, "\n")
			var script strings.Builder
			for _, block := range pageCommands.FindAllStringSubmatch(section, -1) {
				script.WriteString(block[1])
			}
			if script.Len() > 0 {
				t.Run(page+"/"+title, func(t *testing.T) { runPage(t, script.String()) })
			}
		}
	}
}

// runWords are the words after `sh` that mark the blocks which tests run; "" is no word. test/e2e runs those of argocd and helm.
// A block that no test can run is marked by not-run, and the page explains why.
var runWords = map[string][]string{
	"argocd.md": {"argocd", "application", "kustomized", "chart", "checkout"}, "audit.md": {""}, "ci.md": {""}, "flux.md": {"", "artifact"},
	"helm.md": {"", "helm3", "helm4"}, "image.md": {""}, "kpt.md": {""}, "kustomize.md": {""},
}

// TestAllCommandsOfPagesAreRun checks that the tests miss no block of commands, because of its word or because it is indented
// instead of fenced.
func TestAllCommandsOfPagesAreRun(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(root, "docs", "pipelines", "*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages, %v", err)
	}
	for _, page := range pages {
		words, fenced, before := runWords[filepath.Base(page)], false, ""
		for line := range strings.Lines(readFile(t, page)) {
			info, fence := strings.CutPrefix(strings.TrimSpace(line), "```")
			language, word, _ := strings.Cut(info, " ")
			switch {
			case fence && fenced:
				fenced = false
			case fence:
				fenced = true
				commands := language == "sh" && (word == "not-run" || slices.Contains(words, word))
				if !commands && !slices.Contains([]string{"yaml", "Dockerfile", "text"}, language) {
					t.Errorf("%s has a block %q that no test runs; if it shows what a program says, call it text", filepath.Base(page), info)
				}
			case !fenced && before == "\n" && (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")):
				t.Errorf("%s has an indented block, which no test runs; fence it: %s", filepath.Base(page), line)
			}
			before = line
		}
	}
}

func runPage(t *testing.T, script string) {
	if strings.Contains(script, "kustomize build") {
		t.Setenv("PATH", os.Getenv("PATH")+string(os.PathListSeparator)+filepath.Dir(kustomize(t)))
	}
	if strings.Contains(script, "kpt fn") {
		tool(t, "kpt")
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "pipelines"), os.DirFS(filepath.Join(root, "pipelines"))); err != nil {
		t.Fatal(err)
	}
	for _, name := range exampleImage.FindAllString(script, -1) {
		runByTestImage(t, dir, name)
		script = strings.ReplaceAll(script, name, image(t))
	}
	mustRun(t, dir, "", tool(t, "bash"), "--noprofile", "--norc", "-e", "-u", "-o", "pipefail", "-c", script)
}

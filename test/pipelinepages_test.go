package test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	pageCommands = regexp.MustCompile("(?s)```sh\n(.*?)```")
	exampleImage = regexp.MustCompile(`registry\.example\.com/pillion:[a-z0-9.]+`)
)

// TestPipelinePages runs every command on the pages of docs/pipelines, section by section, beside a copy of pipelines.
func TestPipelinePages(t *testing.T) {
	for _, page := range []string{"kustomize", "kpt", "ci"} {
		text := readFile(t, filepath.Join(root, "docs", "pipelines", page+".md"))
		for i, section := range strings.Split(text, "\n## ") {
			title, _, _ := strings.Cut(section, "\n")
			var script strings.Builder
			for _, block := range pageCommands.FindAllStringSubmatch(section, -1) {
				script.WriteString(block[1])
			}
			if i > 0 && script.Len() > 0 {
				t.Run(page+"/"+title, func(t *testing.T) { runPage(t, script.String()) })
			}
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
	for _, name := range exampleImage.FindAllString(script, -1) {
		imageNamed(t, name)
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "pipelines"), os.DirFS(filepath.Join(root, "pipelines"))); err != nil {
		t.Fatal(err)
	}
	mustRun(t, dir, "", tool(t, "bash"), "--noprofile", "--norc", "-e", "-u", "-o", "pipefail", "-c", script)
}

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pillion.dev/pillion/test/tools"
)

// The commands of the pages in docs/get-started that need real tools are run here, in order. The word after `sh` is the
// section of a block; blocks without a word belong to all sections. TestNoCommandOnPagesIsMissed in package test checks
// that none is left out.

// TestHelmPage runs the commands of the page with Helm 3, and again with Helm 4.
func TestHelmPage(t *testing.T) {
	for _, reader := range []struct {
		word string
		tool tools.Tool
	}{{"helm3", tools.Helm3}, {"helm4", tools.Helm4}} {
		t.Run(reader.word, func(t *testing.T) {
			dir := t.TempDir()
			runCommands(t, dir, commandsOf(t, "helm.md", "", reader.word), append(helmHome(t), pathWith(reader.tool.Path(t)))...)
		})
	}
}

// TestArgoCDPage runs the installation on the page with Argo CD's own manifest, and renders its Applications.
func TestArgoCDPage(t *testing.T) {
	t.Run("argocd", func(t *testing.T) {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "install.yaml"), readFile(t, repoServerManifest(t)))
		runCommands(t, dir, commandsOf(t, "argocd.md", "argocd"), append(os.Environ(), pathWith(tools.Kustomize.Path(t)))...)
	})
	t.Run("kustomized", func(t *testing.T) {
		runCommands(t, filepath.Join(shopRepository(t), "apps", "kustomized"), commandsOf(t, "argocd.md", "kustomized"), os.Environ()...)
	})
	t.Run("chart", func(t *testing.T) {
		dir := filepath.Join(shopRepository(t), "apps", "chart")
		runCommands(t, dir, commandsOf(t, "argocd.md", "chart"), append(helmHome(t), pathWith(tools.Helm3.Path(t)))...)
	})
	t.Run("checkout", func(t *testing.T) {
		tools.Installed(t, "docker")
		tools.Installed(t, "make")
		version := "v0.1.0-test." + strconv.Itoa(os.Getpid()) // an engine is shared by all who test on a machine
		t.Cleanup(func() {
			_ = exec.Command("docker", "image", "rm", "--force", "registry.example.com/pillion-argocd:"+version).Run()
		})
		commands := strings.Replace(commandsOf(t, "argocd.md", "checkout"), "VERSION=v0.1.0", "VERSION="+version, 1)
		runCommands(t, root, commands, os.Environ()...)
	})
	t.Run("applications", func(t *testing.T) {
		servers := []repoServer{standInServer(t), startPluginServer(t)}
		want := []string{
			"Deployment/shop-web-blue: logs web",
			"Deployment/shop-web: envoy web, StatefulSet/shop-db: envoy db, Job/shop-seed: envoy seed, Pod/shop-smoke: envoy smoke, " +
				"Job/shop-migrate: envoy migrate",
		}
		applications := blocksOf(t, "argocd.md", regexp.MustCompile("(?s)\n```yaml\n(apiVersion: argoproj.io.*?)```\n"))
		if len(applications) != len(want) {
			t.Fatalf("the page has %d Applications, want %d", len(applications), len(want))
		}
		for i, application := range applications {
			answer, said, ok := servers[i].render(t, application)
			if got := strings.Join(answer.workloads(), ", "); !ok || got != want[i] {
				t.Errorf("rendered %s\nwant %s\n%s", got, want[i], said)
			}
		}
	})
}

func blocksOf(t *testing.T, page string, pattern *regexp.Regexp) []string {
	t.Helper()
	var blocks []string
	for _, found := range pattern.FindAllStringSubmatch(readFile(t, filepath.Join(root, "docs", "get-started", page)), -1) {
		blocks = append(blocks, found[1])
	}
	return blocks
}

// commandsOf returns the commands of a page that are marked by one of the words.
func commandsOf(t *testing.T, page string, words ...string) string {
	t.Helper()
	var commands strings.Builder
	pattern := regexp.MustCompile("(?s)\n```sh ?(\\w*)\n(.*?)```\n")
	for _, found := range pattern.FindAllStringSubmatch(readFile(t, filepath.Join(root, "docs", "get-started", page)), -1) {
		if slices.Contains(words, found[1]) {
			commands.WriteString(found[2])
		}
	}
	if commands.Len() == 0 {
		t.Fatalf("%s has no commands for %q", page, words)
	}
	return commands.String()
}

func runCommands(t *testing.T, dir, commands string, env ...string) {
	t.Helper()
	shell := exec.Command(tools.Installed(t, "bash"), "-euxo", "pipefail", "-c", commands)
	shell.Dir, shell.Env = dir, slices.Concat(env, []string{"PILLION=" + root})
	mustRun(t, shell)
}

// pathWith returns a PATH with the directory of a program in front.
func pathWith(program string) string {
	return "PATH=" + filepath.Dir(program) + string(os.PathListSeparator) + os.Getenv("PATH")
}

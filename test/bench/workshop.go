package main

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// kustomizeModule is the version that the tests in test/ use as well.
const kustomizeModule = "sigs.k8s.io/kustomize/kustomize/v5@v5.8.1"

// workshop is the built programs, and the directory for their input and output.
type workshop struct {
	dir, pillion, kyaml, copy, empty, decode, tokens string
	// noTokens is the reason why there is no program for C's tokens, or empty.
	noTokens string
}

func openWorkshop(pillion string) (*workshop, error) {
	dir, err := os.MkdirTemp("", "pillion-bench")
	if err != nil {
		return nil, err
	}
	shop := &workshop{
		dir: dir, pillion: filepath.Join(dir, "pillion"),
		kyaml: filepath.Join(dir, "kyamlfunc"), copy: filepath.Join(dir, "copy"), empty: filepath.Join(dir, "empty"),
		decode: filepath.Join(dir, "decode"), tokens: filepath.Join(dir, "tokens"),
	}
	sources := map[string]string{
		shop.kyaml: "./test/kyamlfunc", shop.copy: "./test/bench/copy", shop.empty: "./test/bench/empty", shop.decode: "./test/bench/decode",
	}
	for path, source := range sources {
		if err := build(path, source); err != nil {
			shop.close()
			return nil, err
		}
	}
	if err := install(shop.pillion, pillion); err != nil {
		shop.close()
		return nil, err
	}
	if err := exec.Command("cc", "-O2", "-o", shop.tokens, "test/bench/tokens/main.c", "-lyaml").Run(); err != nil {
		shop.noTokens = "not run: it needs cc and yaml.h, which are in gcc and libyaml-dev of Debian"
	}
	return shop, nil
}

func (w *workshop) close() {
	os.RemoveAll(w.dir) //nolint:errcheck // a directory left in the temporary space harms nobody
}

// writeInjector returns the path of a config for the commands of Pillion that read files.
func (w *workshop) writeInjector() (string, error) {
	path := filepath.Join(w.dir, "injector.yaml")
	return path, os.WriteFile(path, []byte(injector), 0o644)
}

// build uses the flags of Pillion's own build, because the size of a program is part of its start-up time.
func build(path, source string) error {
	linked := path + "-linked"
	command := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", linked, source)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	command.Stderr = os.Stderr
	if err := command.Run(); err != nil {
		return err
	}
	return install(path, linked)
}

// install copies a program, because Linux takes longer to start one that the linker has just written.
func install(path, linked string) error {
	from, err := os.Open(linked)
	if err != nil {
		return err
	}
	defer from.Close() //nolint:errcheck // nothing was written to it
	to, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o755)
	if err != nil {
		return err
	}
	if _, err := io.Copy(to, from); err != nil {
		to.Close() //nolint:errcheck // the copy failed already
		return err
	}
	return to.Close()
}

// buildKustomize returns the path of kustomize, or the reason why there is none: it may have to be fetched from the network. Only
// the first call on a machine builds it, which takes a minute or more.
func (w *workshop) buildKustomize() (path, why string) {
	_, version, _ := strings.Cut(kustomizeModule, "@")
	cache, err := filepath.Abs(filepath.Join(".cache", "kustomize-"+version))
	if err != nil {
		return "", err.Error()
	}
	path = filepath.Join(cache, "kustomize")
	if _, err := os.Stat(path); err == nil {
		return path, ""
	}
	fmt.Fprintln(os.Stderr, "bench: building", kustomizeModule)
	install := exec.Command("go", "install", kustomizeModule)
	install.Env = append(os.Environ(), "GOBIN="+cache, "GOFLAGS=")
	if out, err := install.CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		return "", "cannot be installed: " + lines[len(lines)-1]
	}
	return path, ""
}

// describe returns what a reader needs to judge the numbers.
func (w *workshop) describe() string {
	pillion := "unknown version"
	if out, err := exec.Command(w.pillion, "version").Output(); err == nil {
		pillion = string(bytes.TrimSpace(out))
	}
	_, kustomize, _ := strings.Cut(kustomizeModule, "@")
	return fmt.Sprintf("pillion %s, kyaml %s, kustomize %s, %s, %s/%s, %d cores",
		pillion, dependency(w.kyaml, "sigs.k8s.io/kustomize/kyaml"), kustomize,
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
}

func dependency(program, module string) string {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return "unknown version"
	}
	for _, dep := range info.Deps {
		if dep.Path == module {
			return dep.Version
		}
	}
	return "unknown version"
}

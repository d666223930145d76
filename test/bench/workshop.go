package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// workshop is the built programs, the directory for their input and output, and what to measure.
type workshop struct {
	dir, pillion, kyaml, copy, empty, decode, tokens string
	// noTokens is the reason why there is no program for C's tokens, or empty.
	noTokens string

	plan plan
	// rounds is how often each contestant runs, or 0 for what the sections say.
	rounds int
}

func openWorkshop(pillion string) (*workshop, error) {
	dir, err := os.MkdirTemp("", "pillion-bench")
	if err != nil {
		return nil, err
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	shop := &workshop{
		dir: dir, pillion: in("pillion"), kyaml: in("kyamlfunc"), copy: in("copy"), empty: in("empty"), decode: in("decode"),
		tokens: in("tokens"),
	}
	for path, source := range map[string]string{
		shop.kyaml: "./test/kyamlfunc", shop.copy: "./test/bench/copy", shop.empty: "./test/bench/empty", shop.decode: "./test/bench/decode",
	} {
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
		shop.noTokens = "it needs cc and yaml.h, which are in gcc and libyaml-dev of Debian"
	}
	return shop, nil
}

func (w *workshop) close() {
	os.RemoveAll(w.dir) //nolint:errcheck // a directory left in the temporary space harms nobody
}

// build uses the flags of Pillion's own build, because the size of a program is part of its start-up time.
func build(path, source string) error {
	linked := path + "-linked"
	command := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", linked, source)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return install(path, linked)
}

// install copies a program, because Linux takes longer to start one that the linker has just written.
func install(path, linked string) error { return exec.Command("cp", linked, path).Run() }

// describe returns what a reader needs to judge the numbers.
func (w *workshop) describe() string {
	said := func(name string, args ...string) []byte {
		out, err := exec.Command(name, args...).Output()
		if err != nil {
			return []byte("unknown version")
		}
		return bytes.TrimSpace(out)
	}
	return fmt.Sprintf("pillion %s, kyaml %s, %s, %s/%s, %d cores", said(w.pillion, "version"),
		said("go", "list", "-m", "-f", "{{.Version}}", "sigs.k8s.io/kustomize/kyaml"),
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
}

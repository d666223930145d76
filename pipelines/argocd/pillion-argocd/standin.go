package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// runningVariable is set for the real tool and what it runs. Pillion injects into the output of the outermost tool
// only: kustomize may run Helm, by a path that Argo CD has chosen.
const runningVariable = "PILLION_RUNNING"

// standIn runs the real tool, adds sidecars to the manifests that it prints, and returns the tool's exit code. If there
// is no config, or the command prints no manifests, the real tool replaces this process.
func (t tool) standIn(args []string, out, stderr io.Writer) (int, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	program, err := t.find(self, os.Getenv(t.variable), os.Getenv("PATH"))
	if err != nil {
		return 0, err
	}
	var configs []string
	if len(args) > 0 && args[0] == t.command && os.Getenv(runningVariable) == "" {
		dir, err := directory(args[1:])
		if err != nil {
			return 0, err
		}
		p, err := readPlatform(os.LookupEnv)
		if err != nil {
			return 0, err
		}
		if configs, err = p.configsFor(dir, gitRepository(dir)); err != nil {
			return 0, err
		}
	}
	if err := os.Setenv(runningVariable, t.name); err != nil {
		return 0, err
	}
	if len(configs) == 0 {
		return 0, fmt.Errorf("%s: %w", program, syscall.Exec(program, append([]string{program}, args...), os.Environ()))
	}
	var manifests bytes.Buffer
	if code, err := runTool(program, args, &manifests, stderr); code != 0 || err != nil {
		return code, err
	}
	return 0, inject(configs, t.namespace(args, os.Getenv("ARGOCD_APP_NAMESPACE")), []string{"-"}, &manifests, out, stderr)
}

// runTool runs a program and returns its exit code. SIGTERM ends the program, and so does the end of this process.
func runTool(program string, args []string, out, stderr io.Writer) (int, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	command := exec.CommandContext(ctx, program, args...)
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, out, stderr
	endWithParent(command)
	err := command.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.Exited() {
		return exit.ExitCode(), nil
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", program, err)
	}
	return 0, nil
}

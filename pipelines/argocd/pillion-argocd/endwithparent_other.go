//go:build !linux

package main

import "os/exec"

// endWithParent does nothing: the repo server runs on Linux only.
func endWithParent(*exec.Cmd) {}

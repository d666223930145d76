package tools

import (
	"os/exec"
	"syscall"
)

// EndWithTests makes a program end when the tests are killed and cannot end it themselves.
func EndWithTests(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

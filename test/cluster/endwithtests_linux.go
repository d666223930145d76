package cluster

import (
	"os/exec"
	"syscall"
)

// endWithTests makes a program end when the tests are killed and cannot end it themselves.
func endWithTests(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

package main

import (
	"os/exec"
	"runtime"
	"syscall"
)

// endWithParent lets the kernel end a program when this process is killed, as Argo CD does after a timeout.
func endWithParent(command *exec.Cmd) {
	runtime.LockOSThread() // the signal is sent when the thread ends that started the program
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
